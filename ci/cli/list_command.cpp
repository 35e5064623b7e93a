// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "ci/cli/output.h"
#include "props/mutants/registry.h"
#include "props/properties/property.h"
#include "solver/theorem/theorem.h"

namespace fw::cli {
namespace {

std::string range_text(const KnobInfo& knob) {
  switch (knob.unit) {
    case KnobUnit::count: {
      const auto words = static_cast<std::int64_t>(knob.choices.size());
      const std::string numbers = fmt::format("{}..{}", knob.lowest + words, knob.highest);
      return words == 0 ? numbers : fmt::format("{}|{}", fmt::join(knob.choices, "|"), numbers);
    }
    case KnobUnit::ticks:
      return fmt::format("{}..{} ticks, or a time", knob.lowest, knob.highest);
    case KnobUnit::duration:
      return format_duration({knob.lowest}) + ".." + format_duration({knob.highest});
    case KnobUnit::wide:
      return "0..2^64-1";
    case KnobUnit::choice: {
      std::string out;
      for (const std::string_view choice : knob.choices) {
        if (!out.empty()) out += "|";
        out += choice;
      }
      return out;
    }
  }
  return "";
}

using Row = std::vector<std::string>;

/// Columns as wide as their widest cell; the last one is free.
void print_rows(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      line += fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    fmt::print("{}{}\n", line, row.back());
  }
}

void list_policy(const PolicyInfo& info, std::vector<Row>& rows) {
  rows.push_back({std::string(info.name),
                  fmt::format("{}", fmt::join(info.versions, " ")),
                  std::string(info.about)});
}

void list_features(const PolicyInfo& info, std::vector<Row>& rows) {
  for (const FeatureInfo& feature : info.features) {
    const std::string on = feature.on_in == "*"    ? "on in all versions"
                           : feature.on_in.empty() ? "off by default"
                                                   : "on in " + std::string(feature.on_in);
    rows.push_back({std::string(info.name),
                    std::string(feature.name),
                    feature.modelled ? "modelled" : "no effect",
                    on,
                    std::string(feature.about)});
  }
}

void list_knobs(const PolicyInfo& info, std::vector<Row>& rows) {
  for (const KnobInfo& knob : info.knobs) {
    rows.push_back({std::string(info.name),
                    std::string(knob.name),
                    range_text(knob),
                    "default " + std::string(knob.standard),
                    std::string(knob.about)});
  }
}

void list_properties(const std::string& policy, std::vector<Row>& rows) {
  for (const props::Property& property : props::all_properties()) {
    if (!policy.empty() && property.policy != "*" && property.policy != policy) continue;
    rows.push_back({std::string(property.id),
                    property.policy == "*" ? "every policy" : std::string(property.policy),
                    "needs " + std::string(property.situation),
                    std::string(property.about)});
  }
}

void list_mutants(const std::string& policy, std::vector<Row>& rows) {
  for (const mutants::Mutant& mutant : mutants::all_mutants()) {
    if (!policy.empty() && mutant.policy != policy) continue;
    rows.push_back({std::string(mutant.id),
                    std::string(mutant.policy),
                    mutant.both_sides ? "both sides" : "impl",
                    std::string(mutant.about)});
  }
}

void list_obligations(const std::string& policy, std::vector<Row>& rows) {
  for (const theorem::Theorem& row : theorem::theorems()) {
    if (!policy.empty() && row.policy != policy) continue;
    rows.push_back({std::string(row.name),
                    std::string(row.policy),
                    row.claim == theorem::Claim::holds ? "proved" : "refuted",
                    std::string(row.about)});
  }
}

class List : public Command {
 public:
  explicit List(CLI::App& app) {
    add_choice(app,
               "WHAT",
               what_,
               {"policies", "features", "knobs", "properties", "obligations", "mutants"},
               "policies, features, knobs, properties, obligations or mutants")
        ->required()
        ->type_name("");
    app.add_option("POLICY", policy_, "only what belongs to this policy")->type_name("");
  }

  Exit run(const Program& program) override {
    std::vector<std::string_view> names;
    for (const PolicyInfo* info : program.catalogue) names.push_back(info->name);
    if (!policy_.empty() && std::find(names.begin(), names.end(), policy_) == names.end()) {
      return complain(unknown_word("policy", policy_, names));
    }
    std::vector<Row> rows;
    if (what_ == "mutants") list_mutants(policy_, rows);
    if (what_ == "properties") list_properties(policy_, rows);
    if (what_ == "obligations") list_obligations(policy_, rows);
    for (const PolicyInfo* info : program.catalogue) {
      if (!policy_.empty() && policy_ != info->name) continue;
      if (what_ == "policies") list_policy(*info, rows);
      if (what_ == "features") list_features(*info, rows);
      if (what_ == "knobs") list_knobs(*info, rows);
    }
    print_rows(rows);
    return Exit::held;
  }

 private:
  std::string what_;
  std::string policy_;
};

}  // namespace

std::unique_ptr<Command> make_list(CLI::App& app) { return std::make_unique<List>(app); }

}  // namespace fw::cli
