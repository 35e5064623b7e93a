// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>

/// Contracts: a failed one is a fault of Fairwitness itself, never of its input. On in every build
/// type; prints file, line and condition and exits with status 70 (product.md: internal fault).
/// FW_EXPECT states what a caller owes, FW_ASSERT what the code itself owes, FW_VERIFY a check that
/// costs more than the step it guards and is therefore left out of release builds.
namespace fw {
[[noreturn]] inline void contract_failed(const char* kind,
                                         const char* text,
                                         const char* file,
                                         int line) {
  std::fprintf(stderr, "fairwitness: internal fault: %s:%d: %s(%s)\n", file, line, kind, text);
  std::fflush(nullptr);
  std::_Exit(70);
}
}  // namespace fw

#define FW_CONTRACT_(kind, condition) \
  ((condition) ? (void)0 : ::fw::contract_failed(kind, #condition, __FILE__, __LINE__))
#define FW_EXPECT(condition) FW_CONTRACT_("expected", condition)
#define FW_ASSERT(condition) FW_CONTRACT_("asserted", condition)
#ifdef NDEBUG
#define FW_VERIFY(condition) ((void)0)
#else
#define FW_VERIFY(condition) FW_CONTRACT_("verified", condition)
#endif
