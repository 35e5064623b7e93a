// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <memory>

#include "ci/cli/output.h"
#include "props/mutants/registry.h"
#include "props/properties/property.h"

namespace fw::cli {
namespace {

std::string range_text(const KnobInfo& knob) {
  switch (knob.unit) {
    case KnobUnit::count:
      return fmt::format("{}..{}", knob.lowest, knob.highest);
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

void list_policies(const PolicyInfo& info) {
  std::string versions;
  for (const std::string_view version : info.versions) {
    versions += (versions.empty() ? "" : " ") + std::string(version);
  }
  fmt::print("{:<8} {:<36} {}\n", info.name, versions, info.about);
}

void list_features(const PolicyInfo& info) {
  for (const FeatureInfo& feature : info.features) {
    fmt::print("{:<5} {:<22} {:<9} on in {:<10} {}\n",
               info.name,
               feature.name,
               feature.modelled ? "modelled" : "no effect",
               feature.on_in.empty() ? "none" : feature.on_in,
               feature.about);
  }
}

void list_knobs(const PolicyInfo& info) {
  for (const KnobInfo& knob : info.knobs) {
    fmt::print("{:<5} {:<20} {:<16} default {:<12} {}\n",
               info.name,
               knob.name,
               range_text(knob),
               knob.standard,
               knob.about);
  }
}

class List : public Command {
 public:
  explicit List(CLI::App& app) {
    app.add_option("what", what_, "policies, features, knobs, properties or mutants")
        ->required()
        ->check(CLI::IsMember({"policies", "features", "knobs", "properties", "mutants"}));
    app.add_option("policy", policy_, "only of this policy");
  }

  Exit run(const Program& program) override {
    if (what_ == "mutants") {
      for (const mutants::Mutant& mutant : mutants::all_mutants()) {
        if (!policy_.empty() && mutant.policy != policy_) continue;
        fmt::print("{:<38} {:<5} {:<11} {}\n",
                   mutant.id,
                   mutant.policy,
                   mutant.both_sides ? "both sides" : "impl",
                   mutant.about);
      }
      return Exit::held;
    }
    if (what_ == "properties") {
      for (const props::Property& property : props::all_properties()) {
        if (!policy_.empty() && property.policy != "*" && property.policy != policy_) continue;
        fmt::print("{:<26} {:<5} needs {:<34} {}\n",
                   property.id,
                   property.policy,
                   property.situation,
                   property.about);
      }
      return Exit::held;
    }
    bool any = false;
    for (const PolicyInfo* info : program.catalogue) {
      if (!policy_.empty() && policy_ != info->name) continue;
      any = true;
      if (what_ == "policies") list_policies(*info);
      if (what_ == "features") list_features(*info);
      if (what_ == "knobs") list_knobs(*info);
    }
    if (any) return Exit::held;
    std::vector<std::string_view> names;
    for (const PolicyInfo* info : program.catalogue) names.push_back(info->name);
    return complain({fmt::format("unknown policy '{}'", policy_),
                     fmt::format("did you mean '{}'?", nearest(policy_, names))});
  }

 private:
  std::string what_;
  std::string policy_;
};

}  // namespace

std::unique_ptr<Command> make_list(CLI::App& app) { return std::make_unique<List>(app); }

}  // namespace fw::cli
