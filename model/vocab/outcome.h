// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "model/vocab/contract.h"

namespace fw {

/// Why an input cannot be used: what is wrong, and what to do about it. `where` is `FILE:LINE` (or
/// an option's name), empty when the fault has no place.
struct Error {
  std::string what;
  std::string hint = {};
  std::string where = {};

  /// One or two lines, as printed on stderr: `WHERE: WHAT` and, when there is a hint, `  HINT`.
  std::string text() const {
    std::string out = where.empty() ? what : where + ": " + what;
    if (!hint.empty()) out += "\n  " + hint;
    return out;
  }
};

/// A value or the reason why there is none. Bad input is a value, never an exception.
template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Outcome(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & {
    FW_EXPECT(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    FW_EXPECT(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    FW_EXPECT(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  const Error& error() const {
    FW_EXPECT(!ok());
    return *std::get_if<1>(&state_);
  }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }

 private:
  std::variant<T, Error> state_;
};

/// For operations that give nothing but success or an Error.
struct Done {};

}  // namespace fw
