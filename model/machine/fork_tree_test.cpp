// SPDX-License-Identifier: Apache-2.0
#include "model/machine/fork_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/graph/dag_shortest_paths.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <vector>

namespace fw::model {
namespace {

TEST(ForkTree, ProcessesLieOneDeeperAndThreadsDoNot) {
  ForkTree tree;
  tree.add_root();
  tree.add_root();
  tree.add_fork(TaskId{0}, false);  // 2
  tree.add_fork(TaskId{2}, true);   // 3
  tree.add_fork(TaskId{3}, false);  // 4
  tree.add_fork(TaskId{1}, true);   // 5
  const std::vector<int> want = {0, 0, 1, 1, 2, 0};
  for (int id = 0; id < 6; ++id) {
    EXPECT_EQ(tree.depth(TaskId{id}), want[static_cast<std::size_t>(id)]) << id;
  }
}

TEST(ForkTree, DepthIsTheNumberOfProcessEdgesFromTheRoot) {
  ForkTree tree;
  tree.add_root();
  for (int id = 1; id < 200; ++id) tree.add_fork(TaskId{id - 1 - (id * 5) % (id < 4 ? 1 : 4)}, id % 3 == 0);
  const ForkTree::Graph& graph = tree.graph();
  std::vector<int> distance(boost::num_vertices(graph));
  boost::property_map<ForkTree::Graph, bool ForkTree::Relation::*>::const_type threads =
      boost::get(&ForkTree::Relation::thread, graph);
  const auto weight = boost::make_function_property_map<ForkTree::Graph::edge_descriptor, int>(
      [&](const ForkTree::Graph::edge_descriptor& edge) { return threads[edge] ? 0 : 1; });
  boost::dag_shortest_paths(graph, 0, boost::distance_map(distance.data()).weight_map(weight));
  int deepest = 0;
  for (int id = 0; id < 200; ++id) {
    EXPECT_EQ(tree.depth(TaskId{id}), distance[static_cast<std::size_t>(id)]) << id;
    deepest = std::max(deepest, tree.depth(TaskId{id}));
  }
  EXPECT_GT(deepest, 3);
}

}  // namespace
}  // namespace fw::model
