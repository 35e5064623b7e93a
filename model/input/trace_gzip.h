// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "model/vocab/outcome.h"

namespace fw::input {

bool is_gzip(std::string_view bytes);

/// Unpacks gzip, several members in a row included. `limit` bytes at most: with `cut` the rest is
/// left out (and a damaged tail forgiven), without it more is an error.
/// Errors: damaged or truncated data, more than `limit`; `where` is the file's name.
Outcome<std::string> gunzip(std::string_view bytes,
                            std::size_t limit,
                            bool cut,
                            std::string_view where);

}  // namespace fw::input
