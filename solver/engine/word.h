// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "solver/engine/term.h"

namespace fw::solver {

/// A 64-bit machine word as a term: the other number type for model/rules, where sums wrap and the
/// virtual clock is a ring. The operators are unsigned, as those of std::uint64_t.
class Word {
 public:
  explicit Word(std::uint64_t value) : text_("(_ bv" + std::to_string(value) + " 64)") {}
  static Word constant(const std::string& name) { return Word(name); }
  const std::string& text() const { return text_; }

  friend Word operator+(const Word& a, const Word& b) { return apply("bvadd", a, b); }
  friend Word operator-(const Word& a, const Word& b) { return apply("bvsub", a, b); }
  friend Word operator*(const Word& a, const Word& b) { return apply("bvmul", a, b); }
  friend Word operator/(const Word& a, const Word& b) { return apply("bvudiv", a, b); }
  friend Formula operator<(const Word& a, const Word& b) { return test("bvult", a, b); }
  friend Formula operator<=(const Word& a, const Word& b) { return test("bvule", a, b); }
  friend Formula operator>(const Word& a, const Word& b) { return test("bvugt", a, b); }
  friend Formula operator>=(const Word& a, const Word& b) { return test("bvuge", a, b); }
  friend Formula operator==(const Word& a, const Word& b) { return test("=", a, b); }
  friend Formula operator!=(const Word& a, const Word& b) { return !(a == b); }

  /// Both words read as signed numbers.
  friend Formula signed_less(const Word& a, const Word& b) { return test("bvslt", a, b); }

  friend Word select(const Formula& condition, const Word& yes, const Word& no) {
    if (condition.known()) return *condition.known() ? yes : no;
    return Word("(ite " + condition.text() + " " + yes.text_ + " " + no.text_ + ")");
  }
  friend Word shift_right(const Word& value, unsigned bits) {
    return apply("bvlshr", value, Word(std::uint64_t{bits}));
  }
  friend Formula later(const Word& a, const Word& b) { return signed_less(Word(0), a - b); }
  friend Formula ahead_by_more(const Word& a, const Word& b, const Word& limit) {
    return signed_less(limit, a - b);
  }
  friend Word shifted_difference(const Word& a, const Word& b, unsigned bits) {
    return apply("bvashr", a - b, Word(std::uint64_t{bits}));
  }

 private:
  explicit Word(std::string text) : text_(std::move(text)) {}
  static Word apply(const char* op, const Word& a, const Word& b) {
    return Word(std::string("(") + op + " " + a.text_ + " " + b.text_ + ")");
  }
  static Formula test(const char* op, const Word& a, const Word& b) {
    return Formula(std::string("(") + op + " " + a.text_ + " " + b.text_ + ")");
  }
  std::string text_;
};

}  // namespace fw::solver
