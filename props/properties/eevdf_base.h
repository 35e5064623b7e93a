// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// min_vruntime follows the least v queued and never goes back; zero_vruntime moves at joins and
/// leaves only and is the V of then. Section 3, CHOICE 9. Witness: base_behind_running. Mutant:
/// O06_minimum_without_running.
std::unique_ptr<Checker> make_eevdf_base();

inline constexpr Property eevdf_base{.id = "eevdf_base",
                                     .about =
                                         "the base follows the least vruntime, or the average, and "
                                         "never goes back where it must not",
                                     .policy = "eevdf",
                                     .situation = "base_behind_running",
                                     .mutant = "O06_minimum_without_running",
                                     .checker = make_eevdf_base};

}  // namespace fw::props
