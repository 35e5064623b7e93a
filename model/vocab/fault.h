// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

/// Seeded faults of the model's side (both-sides mutants). `FW_FAULT(id)` is a constant false
/// except in the *_faulty libraries, where it asks whether the named fault is planted.
namespace fw {
constexpr std::uint64_t fault_hash(std::string_view id) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return hash;
}
#ifdef FW_FAULTS
inline std::uint64_t planted_fault = 0;
#endif
}  // namespace fw

#ifdef FW_FAULTS
#define FW_FAULT(id) (::fw::planted_fault == ::fw::fault_hash(#id))
#else
#define FW_FAULT(id) false
#endif
