// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/vocab/outcome.h"

namespace fw::input {

inline constexpr std::size_t default_max_bytes = std::size_t{64} << 20;

/// The bytes of the file at `path`; gzip is unpacked, whatever the file's name.
/// Range:   `max_bytes` limits what is read and what is unpacked.
/// Errors:  missing, unreadable, a directory, too large, broken or truncated gzip; `where` =
/// `path`.
Outcome<std::string> read_file(const std::string& path, std::size_t max_bytes = default_max_bytes);

/// Unpacks gzip `bytes` (several members in a row too); other bytes come back unchanged.
/// Errors:  broken, truncated, or more than `max_bytes` once unpacked; `where` = `name`.
Outcome<std::string> unpack(std::string bytes,
                            const std::string& name,
                            std::size_t max_bytes = default_max_bytes);

/// `PATH` without folders and without the endings `.gz`, `.json`, `.case`.
std::string stem(std::string_view path);

}  // namespace fw::input
