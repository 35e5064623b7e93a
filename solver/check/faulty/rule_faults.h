// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

/// Every fault that can be planted in a rule of model/rules, and a theorem that must notice it.
namespace fw::solver {

struct RuleFault {
  std::string_view id;
  std::string_view about;
  std::string_view theorem;
};

inline constexpr std::array<RuleFault, 13> rule_faults = {{
    {"A03_unsigned_max_placement", "placement compares without the ring", "cfs_ring"},
    {"A08_boosted_granularity_shifted",
     "granularity of heavy tasks shifted away",
     "cfs_granularity"},
    {"A11_inverse_digit_dropped", "one digit of a reciprocal is missing", "cfs_charge"},
    {"A13_inverse_truncated", "a queue's reciprocal is not rounded", "cfs_slice"},
    {"A17_product_overflows", "long charges wrap", "cfs_word"},
    {"A21_truncating_shift", "shifts truncate instead of rounding", "cfs_charge"},
    {"A24_imbalance_underflow", "the load to move has no lower limit", "cfs_imbalance"},
    {"C17_load_index_stale_when_idle",
     "the load of an idle CPU does not decay",
     "cfs_load_history"},
    {"L41_avg_idle_without_cap", "the average idle time has no cap", "cfs_idle_average"},
    {"O06_min_follows_tree_only", "min_vruntime ignores the current task", "cfs_spread"},
    {"P01_sleeper_moved_back", "a woken task loses vruntime", "cfs_wait"},
    {"S18_child_inherits_credit",
     "a child starts at its parent's vruntime",
     "cfs_spread_forks_debit"},
    {"W19_slice_ends_at_equal", "a slice ends one ns early", "cfs_tick"},
}};

}  // namespace fw::solver
