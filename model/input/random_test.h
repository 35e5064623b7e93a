// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/workload.h"

/// For the tests of this folder: random workloads and damaged texts, the same on every machine.
namespace fw::input {

struct Random {
  std::uint64_t state = 1;
  std::uint64_t next() {
    state += 0x9e3779b97f4a7c15ull;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// In [0, count).
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }
};

inline Duration random_time(Random& random) {
  switch (random.below(4)) {
    case 0:
      return {static_cast<std::int64_t>(random.below(2000))};  // ns
    case 1:
      return {static_cast<std::int64_t>(random.below(INT32_MAX)) * 1000};
    case 2:
      return {INT32_MAX * std::int64_t{1000} + static_cast<std::int64_t>(random.below(9999))};
    default:
      return {static_cast<std::int64_t>(random.below(50'000)) * 1000};
  }
}

inline CpuSet random_cpus(Random& random) {
  CpuSet out;
  for (std::size_t i = 0; i <= random.below(4); ++i) {
    out.insert(CpuId{static_cast<std::int32_t>(random.below(100))});
  }
  return out;
}

inline Op random_op(Random& random) {
  Op op{.kind = static_cast<OpKind>(random.below(17))};
  switch (op.kind) {
    case OpKind::run:
    case OpKind::runtime:
    case OpKind::sleep:
      op.amount = random_time(random);
      break;
    case OpKind::timer:
      op.ref = random.chance(50) ? "unique" : "shared";
      op.amount = random_time(random);
      break;
    case OpKind::wait:
    case OpKind::sync:
      op.mutex = "m";
      op.ref = "q";
      break;
    case OpKind::suspend:
    case OpKind::yield:
      break;
    case OpKind::resume:
    case OpKind::fork:
      op.ref = "task0";
      break;
    default:
      op.ref = "a \"b\"\n\xc3\xa9";
      break;
  }
  return op;
}

inline Workload random_workload(Random& random) {
  Workload out;
  out.name = "w";
  if (random.chance(50))
    out.duration = Duration{1 + static_cast<std::int64_t>(random.below(3'000'000'000))};
  const std::size_t tasks = 1 + random.below(4);
  for (std::size_t i = 0; i < tasks; ++i) {
    TaskDef& task = out.tasks.emplace_back();
    task.name = "task" + std::to_string(i);
    task.instances = static_cast<int>(random.below(4));
    task.delay = random.chance(50) ? random_time(random) : Duration{};
    task.loop = random.chance(50) ? -1 : 1 + static_cast<std::int64_t>(random.below(9));
    task.sched_class = static_cast<SchedClass>(random.below(3));
    task.nice = static_cast<int>(random.below(40)) - 20;
    if (random.chance(30)) task.cpus = random_cpus(random);
    if (random.chance(20)) task.slice = random_time(random);
    const std::size_t phases = 1 + random.below(3);
    for (std::size_t k = 0; k < phases; ++k) {
      Phase& phase = task.phases.emplace_back();
      if (phases > 1 || random.chance(50)) {
        phase.name = "p" + std::to_string(k);
        phase.loop = random.chance(20) ? -1 : 1 + static_cast<std::int64_t>(random.below(5));
        if (random.chance(30)) phase.nice = static_cast<int>(random.below(40)) - 20;
        if (random.chance(30)) phase.cpus = random_cpus(random);
      }
      for (std::size_t n = 0; n <= random.below(6); ++n) phase.ops.push_back(random_op(random));
    }
  }
  if (random.chance(30)) out.threads.insert("task0");
  if (random.chance(30)) out.spinlocks.insert("m");
  if (random.chance(30)) out.labels["task0"] = "input";
  if (random.chance(30)) out.costs = {{5}, {static_cast<std::int64_t>(random.below(1000))}, {7}};
  if (random.chance(30)) out.spec = "cfs@2.6.36";
  if (random.chance(30)) out.topology = "2x4";
  if (random.chance(30)) out.hz = 250;
  out.barging = random.chance(30);
  return out;
}

inline bool same(const Workload& a, const Workload& b) {
  return a.name == b.name && a.duration == b.duration && a.tasks == b.tasks &&
         a.threads == b.threads && a.spinlocks == b.spinlocks && a.barging == b.barging &&
         a.labels == b.labels && a.costs == b.costs && a.spec == b.spec &&
         a.topology == b.topology && a.hz == b.hz;
}

/// Calls `use` with damaged copies of `seed`: cut at many places, bytes changed, pieces doubled,
/// moved, removed.
template <class Use>
void with_damage(std::string_view seed, int rounds, Random& random, Use use) {
  use(std::string(seed));
  const std::size_t step = seed.size() / 300 + 1;
  for (std::size_t cut = 0; cut < seed.size(); cut += step) use(std::string(seed.substr(0, cut)));
  static constexpr std::string_view signs = "{}[]:,\"'/*<>=&0123456789.-+eExX_ \n\\\0\xff";
  for (int i = 0; i < rounds; ++i) {
    std::string text(seed);
    for (std::size_t n = 0; n <= random.below(4) && !text.empty(); ++n) {
      const std::size_t at = random.below(text.size());
      const std::size_t length = std::min<std::size_t>(1 + random.below(40), text.size() - at);
      switch (random.below(5)) {
        case 0:
          text[at] = signs[random.below(signs.size())];
          break;
        case 1:
          text[at] = static_cast<char>(random.next());
          break;
        case 2:
          text.insert(random.below(text.size()), text.substr(at, length));
          break;
        case 3:
          text.erase(at, length);
          break;
        default:
          text.insert(at, std::string(1 + random.below(30), text[at]));
          break;
      }
    }
    use(text);
  }
}

}  // namespace fw::input
