// SPDX-License-Identifier: Apache-2.0
#include "impl/bench/bench.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "impl/bench/bare_loop.h"
#include "impl/machine/simulation.h"

namespace impl::bench {
namespace {

using Clock = std::chrono::steady_clock;

// 10 tasks a CPU that want about 90 % of it, with periods that do not divide each other.
BareLoop::Shape shape_of(int cpus) {
  BareLoop::Shape out;
  out.cpus = cpus;
  out.tasks = 10 * cpus;
  out.run_ns = 60'000;
  out.run_step_ns = 6'100 / cpus;
  out.sleep_ns = 800'000;
  out.sleep_step_ns = 7'700 / cpus;
  return out;
}

std::unique_ptr<Simulation> simulation_of(const BareLoop::Shape& shape) {
  Program program;
  for (int i = 0; i < shape.tasks; ++i) {
    TaskDef& def = program.tasks.emplace_back();
    def.name = "t";
    def.cpus = {i % shape.cpus};
    def.phases = {{-1,
                   {},
                   {},
                   {{OpCode::run, shape.run_ns + i * shape.run_step_ns},
                    {OpCode::sleep, shape.sleep_ns + i * shape.sleep_step_ns}}}};
  }
  MachineConfig config;
  config.shape.cpus = shape.cpus;
  config.balance = false;
  return simulate_cfs(std::move(program), config, {});
}

/// Events per second of `step`, called for about `seconds`.
template <class StepFunction>
double rate(double seconds, StepFunction step) {
  const auto begin = Clock::now();
  const auto limit = std::chrono::duration<double>(seconds);
  std::uint64_t events = 0;
  std::chrono::duration<double> passed{};
  do {
    for (int i = 0; i < 1000; ++i) events += step();
    passed = Clock::now() - begin;
  } while (passed < limit);
  return static_cast<double>(events) / passed.count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Row event_loop(int cpus, double seconds) {
  constexpr int rounds = 5;
  const BareLoop::Shape shape = shape_of(cpus);
  const auto simulation = simulation_of(shape);
  BareLoop bare(shape);
  std::vector<double> ours, peer;
  for (int round = 0; round < rounds; ++round) {
    ours.push_back(rate(seconds / (2 * rounds), [&simulation]() -> std::uint64_t {
      Step step;
      return simulation->advance(step) && step.counts ? 1 : 0;
    }));
    peer.push_back(rate(seconds / (2 * rounds), [&bare] { return bare.step(); }));
  }
  Row row;
  row.name = "event-loop-" + std::to_string(cpus) + "cpu";
  row.n = shape.tasks;
  row.ours = median(ours);
  row.peer = median(peer);
  row.peer_name = "bare loop";
  row.unit = "events/s";
  return row;
}

}  // namespace

std::vector<Row> run(double seconds_each) {
  return {event_loop(1, seconds_each), event_loop(16, seconds_each)};
}

}  // namespace impl::bench
