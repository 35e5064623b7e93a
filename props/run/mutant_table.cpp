// SPDX-License-Identifier: Apache-2.0
#include "props/run/mutant_table.h"

#include <array>
#include <chrono>

#include "props/gen/generate.h"
#include "props/run/failure.h"

namespace fw::run {
namespace {

CampaignTotals hunt_once(const PolicyRow& row,
                         const MakeCase& make_case,
                         const MutantOptions& options,
                         bool lockstep) {
  CampaignOptions campaign;
  campaign.time = lockstep ? options.limit : options.blind_limit;
  campaign.jobs = options.jobs;
  campaign.checks.lockstep = lockstep;
  return run_campaign(row, make_case, campaign, {});
}

}  // namespace

MutantResult hunt(const PolicyRow& row,
                  const mutants::Mutant& mutant,
                  const MutantOptions& options) {
  MutantResult out;
  out.id = mutant.id;
  out.policy = mutant.policy;
  out.about = mutant.about;
  out.both_sides = mutant.both_sides;
  gen::GenOptions generator;
  generator.grain = {1'000};
  if (!mutant.spec.empty()) {
    const std::array<const PolicyInfo*, 1> catalogue = {row.info};
    auto spec = parse_spec(mutant.spec, catalogue);
    FW_ASSERT(spec.ok());
    generator.spec = std::move(*spec);
  }
  generator.slices = row.info->name == "eevdf";
  const MakeCase make_case = [&](std::int64_t index) {
    Case c = gen::generate(*row.info, options.seed, static_cast<std::uint64_t>(index), generator);
    c.mutant = mutant.id;
    return c;
  };
  const CampaignTotals totals = hunt_once(row, make_case, options, true);
  out.cases = totals.cases;
  out.seconds = totals.seconds;
  if (totals.found) {
    out.killed = true;
    out.property = totals.found->failure.property;
    InvestigateOptions investigation;
    investigation.budget = options.reduce_budget;
    investigation.directory = options.directory;
    investigation.file_prefix = std::string(mutant.id) + "-";
    investigation.program = "fairwitness-mutants";
    const Failure failure =
        investigate(row, make_case(totals.found->index), totals.found->failure, investigation);
    out.tasks = failure.tasks;
    out.events = failure.events;
    out.oracle_calls = failure.oracle_calls;
  }
  if (options.without_lockstep) {
    const CampaignTotals blind = hunt_once(row, make_case, options, false);
    out.killed_without_lockstep = blind.found.has_value();
    if (blind.found) out.property_without_lockstep = blind.found->failure.property;
  }
  return out;
}

}  // namespace fw::run
