// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace impl::bench {

/// One comparison: our rate beside a peer's, measured in one process in interleaved rounds.
struct Row {
  std::string name;
  std::int64_t n = 0;  ///< tasks
  double ours = 0;     ///< median over the rounds
  double peer = 0;
  std::string peer_name;
  std::string unit;  ///< `events/s`: stimuli that count, per second
};

/// Measures every row for about `seconds_each` seconds: the simulated driver with the fair class
/// against a bare loop over the same event queue and runqueue structure, without any policy.
std::vector<Row> run(double seconds_each);

}  // namespace impl::bench
