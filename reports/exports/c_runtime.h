// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fw::exports {

/// The part of an exported C program that is the same for all: types above the tables, and the
/// interpreter below them.
extern const std::string_view c_types;
extern const std::string_view c_interpreter;

}  // namespace fw::exports
