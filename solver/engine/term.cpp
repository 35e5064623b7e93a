// SPDX-License-Identifier: Apache-2.0
#include "solver/engine/term.h"

#include "model/vocab/contract.h"

namespace fw::solver {
namespace {

std::string apply(const char* op, const std::string& a, const std::string& b) {
  return std::string("(") + op + " " + a + " " + b + ")";
}

__extension__ using Wide = unsigned __int128;

std::optional<std::uint64_t> fits(Wide value) {
  if (value > UINT64_MAX) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

Formula quantified(const char* word, const std::function<Formula(const Task&)>& body) {
  static thread_local int depth = 0;
  const std::string name = "x" + std::to_string(depth);
  ++depth;
  const Formula inner = body(Task(name));
  --depth;
  if (inner.known()) return inner;
  return Formula("(" + std::string(word) + " ((" + name + " T)) " + inner.text() + ")");
}

}  // namespace

Formula operator&&(const Formula& a, const Formula& b) {
  if (a.known_) return *a.known_ ? b : a;
  if (b.known_) return *b.known_ ? a : b;
  return Formula(apply("and", a.text_, b.text_));
}

Formula operator||(const Formula& a, const Formula& b) {
  if (a.known_) return *a.known_ ? a : b;
  if (b.known_) return *b.known_ ? b : a;
  return Formula(apply("or", a.text_, b.text_));
}

Formula operator!(const Formula& a) {
  if (a.known_) return Formula(!*a.known_);
  return Formula("(not " + a.text_ + ")");
}

Formula operator==(const Formula& a, const Formula& b) {
  if (a.known_) return *a.known_ ? b : !b;
  if (b.known_) return *b.known_ ? a : !a;
  return Formula(apply("=", a.text_, b.text_));
}

Formula implies(const Formula& condition, const Formula& then) {
  if (condition.known()) return *condition.known() ? then : Formula(true);
  if (then.known() && *then.known()) return then;
  return Formula(apply("=>", condition.text(), then.text()));
}

Formula all_of(const std::vector<Formula>& parts) {
  Formula out(true);
  std::string text;
  std::size_t count = 0;
  for (const Formula& part : parts) {
    if (part.known()) {
      if (!*part.known()) return part;
      continue;
    }
    ++count;
    text += " " + part.text();
    out = part;
  }
  return count <= 1 ? out : Formula("(and" + text + ")");
}

Int::Int(std::uint64_t value) : text_(std::to_string(value)), known_(value) {}

Int operator+(const Int& a, const Int& b) {
  if (a.known_ && *a.known_ == 0) return b;
  if (b.known_ && *b.known_ == 0) return a;
  if (a.known_ && b.known_) {
    if (const auto sum = fits(Wide{*a.known_} + *b.known_)) return Int(*sum);
  }
  return Int::term(apply("+", a.text_, b.text_));
}

Int operator-(const Int& a, const Int& b) {
  if (b.known_ && *b.known_ == 0) return a;
  if (a.known_ && b.known_ && *a.known_ >= *b.known_) return Int(*a.known_ - *b.known_);
  return Int::term(apply("-", a.text_, b.text_));
}

Int operator*(const Int& a, const Int& b) {
  if (a.known_ && b.known_) {
    if (const auto product = fits(Wide{*a.known_} * *b.known_)) return Int(*product);
  }
  if ((a.known_ && *a.known_ == 1)) return b;
  if ((b.known_ && *b.known_ == 1)) return a;
  // The constant first: linear for every reader.
  return b.known_ ? Int::term(apply("*", b.text_, a.text_))
                  : Int::term(apply("*", a.text_, b.text_));
}

Int operator/(const Int& a, const Int& b) {
  FW_EXPECT(!b.known_ || *b.known_ > 0);
  if (a.known_ && b.known_) return Int(*a.known_ / *b.known_);
  return Int::term(apply("div", a.text_, b.text_));
}

Formula operator<(const Int& a, const Int& b) {
  if (a.known_ && b.known_) return Formula(*a.known_ < *b.known_);
  return Formula(apply("<", a.text_, b.text_));
}

Formula operator<=(const Int& a, const Int& b) {
  if (a.known_ && b.known_) return Formula(*a.known_ <= *b.known_);
  return Formula(apply("<=", a.text_, b.text_));
}

Formula operator==(const Int& a, const Int& b) {
  if (a.known_ && b.known_) return Formula(*a.known_ == *b.known_);
  return Formula(apply("=", a.text_, b.text_));
}

Int select(const Formula& condition, const Int& yes, const Int& no) {
  if (condition.known()) return *condition.known() ? yes : no;
  return Int::term("(ite " + condition.text() + " " + yes.text() + " " + no.text() + ")");
}

Int shift_right(const Int& value, unsigned bits) {
  FW_EXPECT(bits < 64);
  return value / Int(std::uint64_t{1} << bits);
}

Formula later(const Int& a, const Int& b) { return b < a; }

Formula ahead_by_more(const Int& a, const Int& b, const Int& limit) { return limit < a - b; }

/// SMT-LIB's division by a positive constant rounds towards minus infinity.
Int shifted_difference(const Int& a, const Int& b, unsigned bits) {
  return shift_right(a - b, bits);
}

Formula operator==(const Task& a, const Task& b) {
  if (a.text_ == b.text_) return Formula(true);
  return Formula(apply("=", a.text_, b.text_));
}

Formula for_all(const std::function<Formula(const Task&)>& body) {
  return quantified("forall", body);
}
Formula exists(const std::function<Formula(const Task&)>& body) {
  return quantified("exists", body);
}

Int int_of(const std::string& function, const Task& task) {
  return Int::term("(" + function + " " + task.text() + ")");
}
Formula truth_of(const std::string& function, const Task& task) {
  return Formula("(" + function + " " + task.text() + ")");
}

Int Signature::integer(const std::string& name) {
  declarations_ += "(declare-const " + name + " Int)\n";
  return Int::constant(name);
}
Formula Signature::truth(const std::string& name) {
  declarations_ += "(declare-const " + name + " Bool)\n";
  return Formula(name);
}
Task Signature::task(const std::string& name) {
  tasks_ = true;
  declarations_ += "(declare-const " + name + " T)\n";
  return Task(name);
}
void Signature::word(const std::string& name) {
  declarations_ += "(declare-const " + name + " (_ BitVec 64))\n";
}
void Signature::int_function(const std::string& name) {
  tasks_ = true;
  declarations_ += "(declare-fun " + name + " (T) Int)\n";
}
void Signature::truth_function(const std::string& name) {
  tasks_ = true;
  declarations_ += "(declare-fun " + name + " (T) Bool)\n";
}
void Signature::int_pair_function(const std::string& name) {
  tasks_ = true;
  declarations_ += "(declare-fun " + name + " (T Int) Int)\n";
}

std::string Signature::text() const {
  return (tasks_ ? "(declare-sort T 0)\n" : "") + declarations_;
}

}  // namespace fw::solver
