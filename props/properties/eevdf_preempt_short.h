// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// PREEMPT_SHORT: a woken task of shorter slice that an unprotected pick would take gets the CPU in
/// spite of protection; if it is not picked, the protection ends as the version says. Section 5.
/// Witness: preempt_short_taken. Mutant: E05_short_slice_respects_protection.
std::unique_ptr<Checker> make_eevdf_preempt_short();

inline constexpr Property eevdf_preempt_short{
    .id = "eevdf_preempt_short",
    .about =
        "a woken task of shorter slice breaks the running task's protection, as the version says",
    .policy = "eevdf",
    .situation = "preempt_short_taken",
    .mutant = "E05_short_slice_respects_protection",
    .checker = make_eevdf_preempt_short};

}  // namespace fw::props
