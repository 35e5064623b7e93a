// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// At each tick, cpu_load[0..4] follow the decay of section 21.2, from the load before the class
/// tick.
/// Witness: load_changed. Mutant: C17_load_index_stale_when_idle.
std::unique_ptr<Checker> make_cpu_load_history();

inline constexpr Property cpu_load_history{.id = "cpu_load_history",
                                           .about = "the load indices follow their decay formula",
                                           .policy = "cfs",
                                           .situation = "load_changed",
                                           .mutant = "C17_load_index_stale_when_idle",
                                           .checker = make_cpu_load_history};

}  // namespace fw::props
