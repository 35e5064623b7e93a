// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A woken or started task is placed at max(own, minimum - credit), own being carried over from the
/// queue it slept on: never moved back, credit bounded. Sections 10, 11.4. Not judged: a wakeup
/// before its CPU has switched away.
/// Witness: credit_given. Mutant: A03_unsigned_max_placement.
std::unique_ptr<Checker> make_sleeper_credit();

inline constexpr Property sleeper_credit{
    .id = "sleeper_credit",
    .about = "a woken task is never moved back and gets at most the credit",
    .policy = "cfs",
    .situation = "credit_given",
    .mutant = "A03_unsigned_max_placement",
    .checker = make_sleeper_credit};

}  // namespace fw::props
