// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/cli/options.h"
#include "model/vocab/result.h"
#include "props/run/campaign.h"

namespace fw::cli {

/// The store of failing cases as `check` uses it: replayed first, added to when a case fails.
class SavedCases {
 public:
  /// `mutant`: the seeded fault that the command has planted, if any.
  SavedCases(std::string directory, const Program& program, std::string mutant = "");
  ~SavedCases();
  /// Makes the folder and the store.  Errors: it cannot be created or is not a store.
  std::optional<Error> open();
  /// A folder in the store for this process's cases in progress; it goes when this object goes. One
  /// that a killed process left is looked through by the next replay().
  const std::string& working_folder() const;
  /// Replays the saved cases of the given policies that were found with the same seeded fault on
  /// (normally none). A case that still fails is added to `result.failures`; one that passes is
  /// marked fixed (a note); one that cannot be read is stale.
  /// Then the cases that killed runs had in progress: one that fails is kept, the others go.
  /// `case_limit`: a case that takes longer hangs.
  void replay(Result& result,
              const std::vector<PolicySpec>& specs,
              const run::CaseOptions& checks,
              Duration case_limit);
  /// Keeps a failure's minimal case; a store that cannot be written becomes a note.
  void keep(Failure& failure, Result& result);

 private:
  void replay_interrupted(Result& result, const run::CampaignOptions& one);
  void replay_left(const std::string& path, Result& result, const run::CampaignOptions& one);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fw::cli
