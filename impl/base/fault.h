// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

/// Seeded faults of the implementation. `IMPL_FAULT(id)` is a constant false except in the *_faulty
/// libraries, where it asks whether the named fault is planted.
namespace impl {
constexpr std::uint64_t fault_key(std::string_view id) {
  std::uint64_t key = 1469598103934665603ull;
  for (const char c : id) key = key * 31 + static_cast<unsigned char>(c);
  return key;
}
#ifdef FW_FAULTS
inline std::uint64_t active_fault = 0;
#endif
}  // namespace impl

#ifdef FW_FAULTS
#define IMPL_FAULT(id) (::impl::active_fault == ::impl::fault_key(#id))
#else
#define IMPL_FAULT(id) false
#endif
