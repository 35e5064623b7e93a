// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A running task that is eligible and protected goes on though a waiting eligible one has an
/// earlier deadline; one whose protection has ended is not kept for it. Section 4, rule 3. Witness:
/// parity_kept. Mutant: E02_parity_not_kept.
std::unique_ptr<Checker> make_eevdf_parity();

inline constexpr Property eevdf_parity{
    .id = "eevdf_parity",
    .about =
        "a protected running task is kept before an earlier deadline, an unprotected one is not",
    .policy = "eevdf",
    .situation = "parity_kept",
    .mutant = "E02_parity_not_kept",
    .checker = make_eevdf_parity};

}  // namespace fw::props
