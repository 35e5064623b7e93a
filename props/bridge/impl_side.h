// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "model/vocab/side.h"

namespace fw::bridge {

/// The implementation of CFS as a Side: translates names to numbers on the way in, and the
/// implementation's plain values to the shared vocabulary on the way out. Decides nothing.
std::unique_ptr<Side> make_cfs_impl(const Setup& setup);

/// The same for EEVDF.
std::unique_ptr<Side> make_eevdf_impl(const Setup& setup);

}  // namespace fw::bridge
