// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/vocab/case.h"
#include "props/run/case_run.h"

namespace fw::run {

/// Gives case `index` of a campaign: a pure function, so that any process can make it again.
using MakeCase = std::function<Case(std::int64_t index)>;

struct CampaignOptions {
  std::int64_t cases = INT64_MAX;          ///< cases to run at most
  Duration time = {};                      ///< wall-clock budget; 0: none
  int jobs = 1;                            ///< worker processes
  Duration case_limit = {20'000'000'000};  ///< a case that takes longer hangs
  CaseOptions checks;
  int relation_every = 4;  ///< relations run on every n-th case: they cost two more runs
  std::string directory;   ///< where the case in progress is kept; empty: nowhere
};

/// Sums over the cases of a campaign, property by property (order of props::all_properties()).
struct Tally {
  std::int64_t checked = 0;
  std::int64_t not_applicable = 0;
  std::int64_t reached = 0;
  std::optional<props::Extreme> tightest;  ///< largest worst/bound
};

/// The failing case of lowest index, the same for any number of jobs.
struct Found {
  std::int64_t index = 0;
  CaseFailure failure;
  bool crashed = false;  ///< the process running it died; property `no_crash`
  bool hung = false;     ///< it took longer than the limit; property `no_hang`
};

struct CampaignTotals {
  std::int64_t cases = 0;
  std::int64_t discards = 0;
  std::string a_discard;  ///< the reason of one discarded case
  std::int64_t events = 0;
  std::int64_t stimuli = 0;
  double seconds = 0;
  double generate_seconds = 0;  ///< summed over workers
  double run_seconds = 0;
  std::vector<Tally> tallies;
  std::optional<Found> found;
};

struct Progress {
  std::int64_t cases = 0;
  std::int64_t events = 0;
  double seconds = 0;
};
using OnProgress = std::function<void(const Progress&)>;

/// Runs cases 0, 1, 2, ... until one fails, the count or the time is used up. Every case below a
/// failing one is run, whatever the number of jobs. The case in progress of worker w is kept in
/// `directory`/running-w-INDEX.case.json, written before it runs.
CampaignTotals run_campaign(const PolicyRow& row,
                            const MakeCase& make_case,
                            const CampaignOptions& options,
                            const OnProgress& on_progress);

/// Adds `more` to `sum` (several policies, or saved cases and random ones).
void add_totals(CampaignTotals& sum, const CampaignTotals& more);

}  // namespace fw::run
