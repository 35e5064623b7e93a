// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "props/properties/property.h"

namespace fw::props {

/// A task whose slice is used up goes back to the active array if and only if it is interactive and
/// the expired array does not starve; else to the expired one, whose time stamp is set if it was
/// not. Section 5 step 5.
/// Witness: interactive_reinserted.
std::unique_ptr<Checker> make_o1_reinsertion();

/// The same checker, counting expired arrays that starved instead.
/// Witness: interactive_expired_by_starvation.
std::unique_ptr<Checker> make_o1_reinsertion_starving();

}  // namespace fw::props
