// SPDX-License-Identifier: Apache-2.0
// The registry against the sources: every row is planted, every planted id has a row.
#include "props/mutants/registry.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "props/properties/property.h"

namespace fw::mutants {
namespace {

/// The ids in `MACRO(id)` over all sources below `folder`; the files that define the macros name
/// their parameter there and are left out, as are tests.
std::multiset<std::string> planted(const std::string& folder, const std::string& macro) {
  std::multiset<std::string> out;
  const std::filesystem::path root = std::filesystem::path(FW_SOURCE_DIR) / folder;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::filesystem::path& file = entry.path();
    const std::string name = file.filename().string();
    if (file.extension() != ".h" && file.extension() != ".cpp") continue;
    if (name == "fault.h" || file.stem().string().ends_with("_test")) continue;
    std::ifstream in(file);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const std::string opening = macro + "(";
    for (std::size_t at = text.find(opening); at != std::string::npos;
         at = text.find(opening, at + 1)) {
      const std::size_t from = at + opening.size();
      out.insert(text.substr(from, text.find(')', from) - from));
    }
  }
  return out;
}

TEST(MutantRegistry, NamesEachFaultOnceAndSaysWhatItDoes) {
  std::set<std::string_view> seen;
  for (const Mutant& mutant : all_mutants()) {
    EXPECT_TRUE(seen.insert(mutant.id).second) << mutant.id << " has two rows";
    EXPECT_FALSE(mutant.about.empty()) << mutant.id;
    EXPECT_FALSE(mutant.policy.empty()) << mutant.id;
    EXPECT_EQ(find_mutant(mutant.id), &mutant);
  }
  EXPECT_EQ(find_mutant("no_such_fault"), nullptr);
}

TEST(MutantRegistry, HasAPlantInTheImplementationForEachRow) {
  const std::multiset<std::string> impl = planted("impl", "IMPL_FAULT");
  for (const Mutant& mutant : all_mutants()) {
    EXPECT_GE(impl.count(std::string(mutant.id)), 1u) << mutant.id << " is nowhere in impl";
  }
}

TEST(MutantRegistry, HasAPlantInTheModelForBothSidesRowsOnly) {
  const std::multiset<std::string> model = planted("model", "FW_FAULT");
  for (const Mutant& mutant : all_mutants()) {
    const bool there = model.count(std::string(mutant.id)) > 0;
    EXPECT_EQ(there, mutant.both_sides) << mutant.id;
  }
}

TEST(MutantRegistry, HasARowForEachPlant) {
  for (const auto& [folder, macro] : std::vector<std::pair<std::string, std::string>>{
           {"impl", "IMPL_FAULT"}, {"model", "FW_FAULT"}}) {
    for (const std::string& id : planted(folder, macro)) {
      EXPECT_NE(find_mutant(id), nullptr) << id << " is planted in " << folder << " without a row";
    }
  }
}

TEST(MutantRegistry, HasTheMutantThatEachPropertyNames) {
  for (const props::Property& property : props::all_properties()) {
    if (property.id == "lockstep") continue;  // all mutants of one side are its own
    EXPECT_NE(find_mutant(property.mutant), nullptr)
        << property.id << " names the mutant \"" << property.mutant << "\", which has no row";
  }
}

}  // namespace
}  // namespace fw::mutants
