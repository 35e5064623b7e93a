// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A delayed sleeper that is woken keeps v and deadline while it owes; with positive lag it starts
/// afresh at V (DELAY_ZERO). Section 5, CHOICE 19. Witness: delayed_credit_lost. Mutant:
/// E11_delayed_credit_kept.
std::unique_ptr<Checker> make_eevdf_delay_zero();

inline constexpr Property eevdf_delay_zero{
    .id = "eevdf_delay_zero",
    .about = "a delayed sleeper that wakes keeps its debt and loses its credit",
    .policy = "eevdf",
    .situation = "delayed_credit_lost",
    .mutant = "E11_delayed_credit_kept",
    .checker = make_eevdf_delay_zero};

}  // namespace fw::props
