// SPDX-License-Identifier: Apache-2.0
#include "props/run/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "props/gen/generate.h"
#include "props/run/case_run.h"

namespace fw::run {
namespace {

constexpr int rounds = 5;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

/// Events per second of whole random cases, generation left out, from case `first` on.
double lockstep_rate(const PolicyRow& row, double seconds, std::uint64_t& next) {
  std::int64_t events = 0;
  double spent = 0;
  while (spent < seconds) {
    gen::GenOptions options;
    options.grain = {1'000};
    const Case c = gen::generate(*row.info, 1, next++, options);
    CaseOptions checks;
    checks.relations = false;  // they are two further runs on every fourth case
    const auto start = std::chrono::steady_clock::now();
    events += run_case(row, c, checks).events;
    spent += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return static_cast<double>(events) / spent;
}

}  // namespace

std::vector<BenchmarkResult> bench(std::span<const PolicyRow> rows,
                                   BenchDriver driver,
                                   Duration each) {
  const double slice = static_cast<double>(each.ns) / 1e9 / rounds;
  std::vector<std::vector<double>> ours, peers, lockstep(rows.size());
  std::vector<BenchmarkResult> out;
  std::vector<std::uint64_t> next(rows.size(), 0);
  for (int round = 0; round < rounds; ++round) {
    const std::vector<BenchmarkResult> measured = driver(slice);
    if (out.empty()) out = measured;
    ours.resize(out.size());
    peers.resize(out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      ours[i].push_back(measured[i].ours);
      peers[i].push_back(measured[i].peer);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      lockstep[i].push_back(lockstep_rate(rows[i], slice, next[i]));
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].ours = median(ours[i]);
    out[i].peer = median(peers[i]);
    out[i].ratio = out[i].peer > 0 ? out[i].ours / out[i].peer : 0;
  }
  const BenchmarkResult bare = out.empty() ? BenchmarkResult{} : out.front();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    BenchmarkResult row;
    row.name = fmt::format("{} lockstep with all checkers, random cases", rows[i].info->name);
    row.n = bare.n;
    row.ours = median(lockstep[i]);
    row.peer = bare.peer;
    row.peer_name = bare.peer_name;
    row.unit = "events/s";
    row.ratio = row.peer > 0 ? row.ours / row.peer : 0;
    out.push_back(row);
  }
  return out;
}

}  // namespace fw::run
