// SPDX-License-Identifier: Apache-2.0
#include "props/properties/split_run.h"

#include "props/properties/same_decisions.h"

namespace fw::props {
namespace {

/// Cuts every `run` of at least 2 ns in two consecutive ones. Between them nothing happens to the
/// scheduler, so nothing may change.
class SplitRun final : public SameDecisions {
 public:
  std::optional<Setup> variant(const Setup& setup, std::uint64_t salt) override {
    Setup out = setup;
    bool cut = false;
    for (TaskDef& task : out.workload.tasks) {
      for (Phase& phase : task.phases) {
        std::vector<Op> ops;
        for (const Op& op : phase.ops) {
          ops.push_back(op);
          if (op.kind != OpKind::run || op.amount.ns < 2) continue;
          salt = salt * 6364136223846793005ull + 1442695040888963407ull;
          const auto length = static_cast<std::uint64_t>(op.amount.ns);
          const auto first = static_cast<std::int64_t>(1 + (salt >> 33) % (length - 1));
          ops.back().amount = Duration{first};
          ops.push_back(op);
          ops.back().amount = op.amount - Duration{first};
          cut = true;
        }
        phase.ops = std::move(ops);
      }
    }
    if (!cut) return std::nullopt;
    return out;
  }
};

}  // namespace

std::unique_ptr<Relation> make_split_run() { return std::make_unique<SplitRun>(); }

}  // namespace fw::props
