// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A task that sleeps with negative lag stays on its queue (DELAY_DEQUEUE), with v and deadline
/// unchanged, and never runs, until it is woken or picked; nobody else is delayed. Section 5,
/// CHOICE 21. Witness: delayed_rewoken. Mutant: E10_sleepers_always_delayed.
std::unique_ptr<Checker> make_eevdf_delayed();

inline constexpr Property eevdf_delayed{
    .id = "eevdf_delayed",
    .about = "only a sleeper that owes is delayed; it stays as it is until it is woken or picked",
    .policy = "eevdf",
    .situation = "delayed_rewoken",
    .mutant = "E10_sleepers_always_delayed",
    .checker = make_eevdf_delayed};

}  // namespace fw::props
