// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Typed terms that print as strict SMT-LIB 2: whole numbers, truth values and tasks (an
/// uninterpreted sort). `Int` is a number type of model/rules/number.h, so that the rules are
/// instantiated on it and never restated. Its reading is the unbounded one: `later` is an ordinary
/// comparison; that the kernel's 64-bit ring agrees is a lemma of its own (cfs_ring).
namespace fw::solver {

/// A truth value.
class Formula {
 public:
  // Only a bool: a string literal would turn into one and be a constant truth.
  template <class B>
  requires std::same_as<B, bool>
  explicit Formula(B value) : text_(value ? "true" : "false"), known_(value) {}
  explicit Formula(std::string text) : text_(std::move(text)) {}

  const std::string& text() const { return text_; }
  /// The value of a constant.
  std::optional<bool> known() const { return known_; }

  friend Formula operator&&(const Formula& a, const Formula& b);
  friend Formula operator||(const Formula& a, const Formula& b);
  friend Formula operator!(const Formula& a);
  friend Formula operator==(const Formula& a, const Formula& b);

 private:
  std::string text_;
  std::optional<bool> known_;
};

/// An implication, and conjunctions of any length.
Formula implies(const Formula& condition, const Formula& then);
Formula all_of(const std::vector<Formula>& parts);

/// A whole number. Constants are folded while they fit; everything else is text.
class Int {
 public:
  explicit Int(std::uint64_t value);
  static Int constant(const std::string& name) { return Int(name, std::nullopt); }
  static Int term(std::string text) { return Int(std::move(text), std::nullopt); }

  const std::string& text() const { return text_; }
  std::optional<std::uint64_t> known() const { return known_; }

  friend Int operator+(const Int& a, const Int& b);
  friend Int operator-(const Int& a, const Int& b);
  friend Int operator*(const Int& a, const Int& b);
  /// Rules divide non-negative values only, where SMT-LIB's division truncates as C++'s does.
  friend Int operator/(const Int& a, const Int& b);
  friend Formula operator<(const Int& a, const Int& b);
  friend Formula operator<=(const Int& a, const Int& b);
  friend Formula operator>(const Int& a, const Int& b) { return b < a; }
  friend Formula operator>=(const Int& a, const Int& b) { return b <= a; }
  friend Formula operator==(const Int& a, const Int& b);
  friend Formula operator!=(const Int& a, const Int& b) { return !(a == b); }

 private:
  Int(std::string text, std::optional<std::uint64_t> known)
      : text_(std::move(text)), known_(known) {}
  std::string text_;
  std::optional<std::uint64_t> known_;
};

// What model/rules/number.h asks of a number type.
Int select(const Formula& condition, const Int& yes, const Int& no);
Int shift_right(const Int& value, unsigned bits);
Formula later(const Int& a, const Int& b);
Formula ahead_by_more(const Int& a, const Int& b, const Int& limit);
Int shifted_difference(const Int& a, const Int& b, unsigned bits);

/// Rounds towards minus infinity.  Range: b > 0.
inline Int floor_divide(const Int& a, const Int& b) { return a / b; }

/// A task: a constant or a bound variable of sort T.
class Task {
 public:
  explicit Task(std::string name) : text_(std::move(name)) {}
  const std::string& text() const { return text_; }
  friend Formula operator==(const Task& a, const Task& b);
  friend Formula operator!=(const Task& a, const Task& b) { return !(a == b); }

 private:
  std::string text_;
};

/// For all (some) tasks. The variable is named by the nesting depth, so equal formulas print
/// equally.
Formula for_all(const std::function<Formula(const Task&)>& body);
Formula exists(const std::function<Formula(const Task&)>& body);

/// Functions of a task.
Int int_of(const std::string& function, const Task& task);
Formula truth_of(const std::string& function, const Task& task);

/// The symbols of a query, in order of declaration.
class Signature {
 public:
  Int integer(const std::string& name);
  Formula truth(const std::string& name);
  Task task(const std::string& name);
  void word(const std::string& name);
  void int_function(const std::string& name);       ///< T -> Int
  void truth_function(const std::string& name);     ///< T -> Bool
  void int_pair_function(const std::string& name);  ///< T, Int -> Int
  /// (declare-sort T 0) when tasks are used, then the declarations.
  std::string text() const;
  bool has_tasks() const { return tasks_; }

 private:
  std::string declarations_;
  bool tasks_ = false;
};

}  // namespace fw::solver
