// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "props/properties/affinity.h"
#include "props/properties/balance_no_pingpong.h"
#include "props/properties/buddy_pick.h"
#include "props/properties/buddy_validity.h"
#include "props/properties/charge.h"
#include "props/properties/clock_shift.h"
#include "props/properties/cpu_load_history.h"
#include "props/properties/eevdf_base.h"
#include "props/properties/eevdf_charge.h"
#include "props/properties/eevdf_delay_zero.h"
#include "props/properties/eevdf_delayed.h"
#include "props/properties/eevdf_eligible_exists.h"
#include "props/properties/eevdf_hint.h"
#include "props/properties/eevdf_lag_bound.h"
#include "props/properties/eevdf_lag_kept.h"
#include "props/properties/eevdf_lag_sum.h"
#include "props/properties/eevdf_newcomer.h"
#include "props/properties/eevdf_order.h"
#include "props/properties/eevdf_parity.h"
#include "props/properties/eevdf_pick.h"
#include "props/properties/eevdf_place.h"
#include "props/properties/eevdf_preempt_short.h"
#include "props/properties/eevdf_protection.h"
#include "props/properties/eevdf_renice.h"
#include "props/properties/eevdf_share.h"
#include "props/properties/eevdf_slice.h"
#include "props/properties/eevdf_stored_lag.h"
#include "props/properties/eevdf_tick.h"
#include "props/properties/eevdf_wakeup.h"
#include "props/properties/eevdf_yield.h"
#include "props/properties/fork_placement.h"
#include "props/properties/idle_accounting.h"
#include "props/properties/load_recount.h"
#include "props/properties/migration_relative.h"
#include "props/properties/min_vruntime_monotone.h"
#include "props/properties/no_lost_wakeup.h"
#include "props/properties/noop_change.h"
#include "props/properties/pick_rule.h"
#include "props/properties/property.h"
#include "props/properties/proportional_share.h"
#include "props/properties/rename.h"
#include "props/properties/renice_keeps_vruntime.h"
#include "props/properties/sleeper_credit.h"
#include "props/properties/split_run.h"
#include "props/properties/task_conservation.h"
#include "props/properties/tick_preempt.h"
#include "props/properties/tree_order.h"
#include "props/properties/vruntime_spread_bounded.h"
#include "props/properties/wait_bounded.h"
#include "props/properties/wakeup_preempt.h"
#include "props/properties/work_conservation.h"

namespace fw::props {
namespace {

/// Model and implementation agree in every decision and every integer. Compared by the runner.
inline constexpr Property lockstep{
    .id = "lockstep",
    .about = "model and implementation agree in every decision and every integer",
    .policy = "*",
    .situation = "decisions_compared",
    .mutant = {}};

constexpr std::array all = {
    lockstep,
    task_conservation,
    load_recount,
    min_vruntime_monotone,
    tree_order,
    charge,
    fork_placement,
    sleeper_credit,
    renice_keeps_vruntime,
    wakeup_preempt,
    tick_preempt,
    pick_rule,
    buddy_validity,
    buddy_pick,
    no_lost_wakeup,
    affinity,
    work_conservation,
    balance_no_pingpong,
    migration_relative,
    cpu_load_history,
    idle_accounting,
    vruntime_spread_bounded,
    wait_bounded,
    proportional_share,
    eevdf_lag_sum,
    eevdf_eligible_exists,
    eevdf_pick,
    eevdf_parity,
    eevdf_protection,
    eevdf_charge,
    eevdf_slice,
    eevdf_tick,
    eevdf_wakeup,
    eevdf_preempt_short,
    eevdf_place,
    eevdf_lag_kept,
    eevdf_newcomer,
    eevdf_stored_lag,
    eevdf_lag_bound,
    eevdf_share,
    eevdf_renice,
    eevdf_delayed,
    eevdf_delay_zero,
    eevdf_order,
    eevdf_base,
    eevdf_yield,
    eevdf_hint,
    clock_shift,
    split_run,
    noop_change,
    rename,
};

}  // namespace

std::span<const Property> all_properties() { return all; }

}  // namespace fw::props
