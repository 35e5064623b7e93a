// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/graph/adjacency_list.hpp>

#include "model/vocab/ids.h"

namespace fw::model {

/// Who forked whom: a graph whose vertices are the tasks by id and whose edges lead from a task to
/// those that it forked. Tasks that end stay in it, as depth never changes afterwards.
/// Source: simulator.md C5, CFS dossier 25.8, CHOICE page N15, N19.
class ForkTree {
 public:
  /// A started task, the root of a tree of its own. Tasks are added in the order of their ids.
  void add_root() { boost::add_vertex(Member{0}, graph_); }

  /// A forked task; a thread shares the depth of its process, a new process lies one deeper.
  void add_fork(TaskId parent, bool thread) {
    const auto from = static_cast<std::size_t>(parent.value);
    const std::size_t child = boost::add_vertex(Member{graph_[from].depth + !thread}, graph_);
    boost::add_edge(from, child, Relation{thread}, graph_);
  }

  /// Number of processes forked on the way down from the root.
  int depth(TaskId task) const { return graph_[static_cast<std::size_t>(task.value)].depth; }

  struct Member {
    int depth = 0;
  };
  struct Relation {
    bool thread = false;
  };
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Member, Relation>;
  const Graph& graph() const { return graph_; }

 private:
  Graph graph_;
};

}  // namespace fw::model
