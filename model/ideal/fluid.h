// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <map>
#include <vector>

#include "model/vocab/view.h"

namespace fw::model {

using Rational = boost::multiprecision::cpp_rational;

/// The ideal a policy is measured against: on every runqueue the time goes to the runnable tasks in
/// proportion to their weights, exactly, at every moment (generalized processor sharing). Reads
/// Views only, so it serves any policy and either side.
///
/// Per queue it keeps how long each total load has lasted, so that a stimulus costs a few integer
/// additions; the exact sums weight * time / load are made when somebody asks.
class Fluid {
 public:
  /// Starts from a state; nobody has any service yet.
  void start(const View& view);
  /// What happened between two successive looks: time passed in the state `before`, then tasks
  /// became `after`.
  void advance(const View& before, const View& after);

  /// Ideal CPU time of a task while it was runnable, ns. 0 for a task never seen.
  Rational ideal_ns(TaskId task) const;
  /// CPU time the task really had, ns, charged or not.
  std::int64_t received_ns(TaskId task) const;
  /// ideal - received: positive when the task has got too little.
  Rational lag_ns(TaskId task) const { return ideal_ns(task) - Rational(received_ns(task)); }

 private:
  /// How long, in ns, a queue has had each total load.
  using LoadTimes = std::map<std::uint64_t, std::int64_t>;
  /// One task: a stay is a time on one queue with one weight.
  struct Account {
    bool runnable = false;
    std::size_t cpu = 0;
    std::uint64_t weight = 0;
    LoadTimes at_arrival;  ///< the queue's times when the stay began
    std::map<std::uint64_t, boost::multiprecision::cpp_int> earned;  ///< load -> sum weight * ns
    std::int64_t received_ns = 0;
  };

  void settle(Account& account) const;
  void arrive(Account& account, const TaskView& view);
  Account& account(TaskId task);

  std::vector<LoadTimes> queues_;
  std::vector<Account> accounts_;  ///< by TaskId
};

}  // namespace fw::model
