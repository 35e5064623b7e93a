// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ci/cli/options.h"
#include "model/vocab/result.h"
#include "props/run/case_run.h"

namespace fw::cli {

/// The store of failing cases as `check` uses it: replayed first, added to when a case fails.
class SavedCases {
 public:
  /// `mutant`: the seeded fault that the command has planted, if any.
  SavedCases(std::string directory, const Program& program, std::string mutant = "");
  ~SavedCases();
  /// Makes the folder and the store.  Errors: it cannot be created or is not a store.
  std::optional<Error> open();
  /// Replays the saved cases of the given policies. A case that still fails is added to
  /// `result.failures`; one that passes is marked fixed (a note); one that cannot be read is stale.
  void replay(Result& result, const std::vector<PolicySpec>& specs, const run::CaseOptions& checks);
  /// Keeps a failure's minimal case; a store that cannot be written becomes a note.
  void keep(Failure& failure, Result& result);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fw::cli
