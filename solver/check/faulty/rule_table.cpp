// SPDX-License-Identifier: Apache-2.0
// fairwitness-rules [FAULT...]: generates the theorems from rules with a fault planted and asks
// both solvers, until one fails. One line a fault on stdout: fault, theorem that failed (empty:
// none), query, seconds, what the fault does. Exit status 2 when a fault is not noticed, 1 for bad
// usage.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "model/vocab/fault.h"
#include "solver/check/faulty/rule_faults.h"
#include "solver/check/verdict.h"
#include "solver/theorem/theorem.h"

namespace fw::solver {
namespace {

struct Found {
  std::string theorem;
  std::string reason;
};

bool fails(const RuleFault& fault,
           const theorem::Theorem& row,
           const std::vector<Solver>& solvers,
           const std::string& folder,
           Found& found) {
  planted_fault = fault_hash(fault.id);
  const Obligation obligation = row.obligation();
  planted_fault = 0;
  DischargeOptions options;
  options.folder = folder;
  options.limit = {5'000'000'000};
  const auto out = discharge({{std::string(row.name), obligation}}, solvers, options);
  if (!out || out->front().status != Status::failed) return false;
  found = {std::string(row.name), out->front().reason};
  return true;
}

/// The theorem that is expected to notice comes first, the others only when it does not.
Found search(const RuleFault& fault,
             const std::vector<Solver>& solvers,
             const std::string& folder) {
  Found found;
  const theorem::Theorem* expected = theorem::find_theorem(fault.theorem);
  if (expected != nullptr && fails(fault, *expected, solvers, folder, found)) return found;
  for (const theorem::Theorem& row : theorem::theorems()) {
    if (&row != expected && fails(fault, row, solvers, folder, found)) return found;
  }
  return {};
}

int run(const std::vector<std::string>& wanted) {
  const auto solvers = find_solvers();
  if (!solvers) {
    std::fprintf(stderr, "fairwitness-rules: %s\n", solvers.error().text().c_str());
    return 1;
  }
  for (const std::string& id : wanted) {
    const bool known = std::any_of(
        rule_faults.begin(), rule_faults.end(), [&](const RuleFault& f) { return f.id == id; });
    if (known) continue;
    std::fprintf(stderr, "fairwitness-rules: no rule fault is called '%s'\n", id.c_str());
    return 1;
  }
  const auto folder =
      std::filesystem::temp_directory_path() / ("fairwitness-rules-" + std::to_string(::getpid()));
  int status = 0;
  for (const RuleFault& fault : rule_faults) {
    const bool chosen =
        wanted.empty() || std::find(wanted.begin(), wanted.end(), fault.id) != wanted.end();
    if (!chosen) continue;
    const auto start = std::chrono::steady_clock::now();
    const Found found = search(fault, *solvers, folder.string());
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (found.theorem.empty()) status = 2;
    std::printf("%s\t%s\t%.2f\t%s\t%s\n",
                std::string(fault.id).c_str(),
                found.theorem.c_str(),
                seconds,
                std::string(fault.about).c_str(),
                found.reason.c_str());
    std::fflush(stdout);
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return status;
}

}  // namespace
}  // namespace fw::solver

int main(int count, char** words) {
  return fw::solver::run(std::vector<std::string>(words + 1, words + count));
}
