// SPDX-License-Identifier: Apache-2.0
// Every registered theorem: complete, and proved by both solvers.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "solver/check/verdict.h"
#include "solver/theorem/theorem.h"

namespace fw::solver {
namespace {

TEST(Theorems, EachHasControlsVacuityChecksAndAssumptions) {
  std::set<std::string_view> names;
  for (const theorem::Theorem& row : theorem::theorems()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.about.empty() || row.scope.empty()) << row.name;
    if (row.claim == theorem::Claim::refuted) {
      EXPECT_FALSE(row.witness.empty()) << row.name;
    }
    if (!row.needs.empty()) {
      EXPECT_NE(theorem::find_theorem(row.needs), nullptr) << row.name;
    }
    const Obligation obligation = row.obligation();
    std::set<Part> parts;
    std::set<std::string> queries;
    for (const Query& query : obligation.queries) {
      parts.insert(query.part);
      EXPECT_TRUE(queries.insert(query.name).second) << row.name << " " << query.name;
    }
    EXPECT_EQ(parts.count(Part::control), 1u) << row.name;
    EXPECT_EQ(parts.count(Part::vacuity), 1u) << row.name;
    EXPECT_GE(parts.size(), 3u) << row.name;
    EXPECT_FALSE(obligation.assumptions.empty()) << row.name;
    for (const Assumption& assumption : obligation.assumptions) {
      EXPECT_FALSE(assumption.words.empty()) << row.name << " " << assumption.name;
    }
  }
}

/// A symbol that is declared and never used has been lost from the statement.
TEST(Theorems, EveryDeclaredSymbolIsUsed) {
  std::size_t with_symbols = 0;
  const std::regex declaration("\\(declare-(?:const|fun) ([A-Za-z0-9_]+) ");
  for (const theorem::Theorem& row : theorem::theorems()) {
    std::set<std::string> declared;
    std::set<std::string> used;
    for (const Query& query : row.obligation().queries) {
      std::istringstream lines(query.text);
      for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_search(line, match, declaration)) {
          declared.insert(match[1]);
        } else if (line.rfind("(assert", 0) == 0) {
          std::replace_if(
              line.begin(), line.end(), [](char c) { return c == '(' || c == ')'; }, ' ');
          std::istringstream words(line);
          for (std::string word; words >> word;) used.insert(word);
        }
      }
    }
    if (!declared.empty()) ++with_symbols;  // a fact about constants declares none
    for (const std::string& name : declared) {
      EXPECT_EQ(used.count(name), 1u) << row.name << ": " << name;
    }
  }
  EXPECT_GE(with_symbols + 1, theorem::theorems().size());  // only cfs_word is of constants
}

TEST(Theorems, AllAreProvedByBothSolvers) {
  const auto solvers = find_solvers();
  ASSERT_TRUE(solvers.ok()) << solvers.error().text();
  const auto folder =
      std::filesystem::temp_directory_path() / ("fairwitness-all-" + std::to_string(::getpid()));
  std::vector<std::pair<std::string, Obligation>> all;
  for (const theorem::Theorem& row : theorem::theorems()) {
    all.emplace_back(row.name, row.obligation());
  }
  DischargeOptions options;
  options.folder = folder.string();
  options.limit = {30'000'000'000};
  const auto judgements = discharge(all, *solvers, options);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  ASSERT_TRUE(judgements.ok());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Judgement& judgement = (*judgements)[i];
    EXPECT_EQ(judgement.status, Status::proved) << all[i].first << ": " << judgement.reason;
    EXPECT_TRUE(judgement.negative_control && judgement.vacuity) << all[i].first;
  }
}

}  // namespace
}  // namespace fw::solver
