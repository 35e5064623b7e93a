// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A stimulus charges the running task for the time since its last charge, exactly; its deadline is
/// renewed if and only if v has reached it. Sections 2 and 4. Witness: deadline_renewed. Mutant:
/// E03_deadline_renewed_late.
std::unique_ptr<Checker> make_eevdf_charge();

inline constexpr Property eevdf_charge{
    .id = "eevdf_charge",
    .about = "what ran is charged exactly; a deadline is renewed when it is reached, else kept",
    .policy = "eevdf",
    .situation = "deadline_renewed",
    .mutant = "E03_deadline_renewed_late",
    .checker = make_eevdf_charge};

}  // namespace fw::props
