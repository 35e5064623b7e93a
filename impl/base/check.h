// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>

namespace impl {
[[noreturn]] inline void check_failed(const char* text, const char* file, int line) {
  std::fprintf(
      stderr, "fairwitness: internal fault in the implementation: %s:%d: %s\n", file, line, text);
  std::fflush(nullptr);
  std::_Exit(70);
}
}  // namespace impl

/// What the implementation owes itself; a failure is our fault, never the input's. Always on.
#define IMPL_CHECK(condition) \
  ((condition) ? (void)0 : ::impl::check_failed(#condition, __FILE__, __LINE__))
