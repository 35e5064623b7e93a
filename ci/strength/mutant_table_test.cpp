// SPDX-License-Identifier: Apache-2.0
// The bars for the table of seeded faults, and each property against the fault it names.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "props/mutants/registry.h"
#include "props/properties/property.h"

namespace {

struct Ended {
  int status = -1;
  std::string out;
};

Ended run_program(const std::string& arguments) {
  Ended result;
  std::FILE* pipe = ::popen((std::string(FW_MUTANTS_PROGRAM) + " " + arguments).c_str(), "r");
  if (pipe == nullptr) return result;
  char buffer[65536];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    result.out.append(buffer, n);
  }
  const int ended = ::pclose(pipe);
  result.status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128;
  return result;
}

std::int64_t median(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

TEST(MutantTable, MeetsTheBars) {
  const Ended table =
      run_program("mutants --json --no-progress --seed 1 --time 30s --blind-time 3s");
  ASSERT_EQ(table.status, 0) << table.out;
  const auto result = nlohmann::json::parse(table.out);
  const auto& mutants = result["mutants"];
  ASSERT_GE(mutants.size(), 40u);
  ASSERT_EQ(mutants.size(), fw::mutants::all_mutants().size());
  std::size_t blind = 0;
  std::vector<std::int64_t> tasks, events;
  for (const auto& mutant : mutants) {
    const std::string id = mutant["id"];
    EXPECT_TRUE(mutant["killed"].get<bool>()) << id;
    EXPECT_LE(mutant["seconds"].get<double>(), 30.0) << id;
    if (mutant["killed_without_lockstep"].get<bool>()) ++blind;
    tasks.push_back(mutant["tasks"]);
    events.push_back(mutant["events"]);
    EXPECT_GT(tasks.back(), 0) << id;
  }
  EXPECT_GE(2 * blind, mutants.size()) << "killed with lockstep off";
  EXPECT_LE(median(tasks), 4);
  EXPECT_LE(median(events), 12);
  std::printf("%zu mutants, all killed; %zu with lockstep off; median case %ld tasks, %ld events\n",
              mutants.size(),
              blind,
              static_cast<long>(median(tasks)),
              static_cast<long>(median(events)));
}

TEST(MutantTable, EachPropertyKillsTheFaultItNamesWithLockstepOff) {
  const std::string store =
      (std::filesystem::temp_directory_path() / ("fw-strength-" + std::to_string(::getpid())))
          .string();
  for (const fw::props::Property& property : fw::props::all_properties()) {
    if (property.mutant.empty()) continue;  // lockstep names none: it is what is off
    const fw::mutants::Mutant* mutant = fw::mutants::find_mutant(property.mutant);
    ASSERT_NE(mutant, nullptr) << property.mutant;
    const std::string spec = !mutant->spec.empty()       ? std::string(mutant->spec)
                             : mutant->policy == "eevdf" ? "eevdf@6.18"
                                                         : "cfs@2.6.36";
    const Ended hunt = run_program("check " + spec +
                                   " --no-lockstep --quiet --no-progress --cases 6000 --seed 1 "
                                   "--budget 100ms --store " +
                                   store + " --mutant " + std::string(property.mutant) +
                                   " --property " + std::string(property.id) + " 2>/dev/null");
    EXPECT_EQ(hunt.status, 2) << property.id << " does not kill " << property.mutant << ": "
                              << hunt.out;
    std::filesystem::remove_all(store);
  }
}

}  // namespace
