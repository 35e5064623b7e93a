// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/eevdf_pick.h"

#include <string>

#include "model/rules/eevdf.h"

namespace fw::theorem {
namespace {

using solver::Formula;
using solver::Int;
using solver::Obligation;
using solver::Part;
using solver::Script;
using solver::Signature;
namespace re = rules::eevdf;

struct Symbols {
  Signature symbols;
  Int sum = symbols.integer("S");     ///< of w k over the queue
  Int whole = symbols.integer("W");   ///< weight of the queue
  Int part = symbols.integer("X");    ///< of w k over a part of it
  Int weight = symbols.integer("P");  ///< weight of that part
  Int w = symbols.integer("w");
  Int k = symbols.integer("k");
  Int y = symbols.integer("Y");
  Script script() const {
    Script out("UFNIA", symbols);
    out.assume(whole > Int(0) && weight >= Int(0) && w > Int(0) && y >= Int(0), "weights");
    return out;
  }
};

void ask(Obligation& out, const std::string& name, const Script& premises, const Formula& goal) {
  out.queries.push_back({"vacuity." + name, Part::vacuity, premises.text(), false});
  Script asked = premises;
  out.queries.push_back({name, Part::lemma, asked.refute(goal).text(), false});
}

void control(Obligation& out, const std::string& name, Script script, const Formula& goal) {
  out.queries.push_back({"control." + name, Part::control, script.refute(goal).text(), false});
}

}  // namespace

Obligation eevdf_pick() {
  Obligation out;
  out.assumptions = {
      {"keys",
       "keys are differences to any one reference, in whole numbers that do not overflow",
       ""},
      {"span", "for the sum's limit: every key lies within Y of the reference", ""}};
  const Symbols s;
  // A part of which nobody is eligible has X W >= P S, and > as soon as it has somebody.
  Script none = s.script();
  none.assume(!re::eligible(s.sum, s.whole, s.k), "the next one is not eligible");
  none.assume(s.part * s.whole >= s.weight * s.sum, "so far");
  none.assume(s.w * (s.k * s.whole - s.sum - Int(1)) >= Int(0), "product");
  ask(out, "nobody-eligible.next", none, (s.part + s.w * s.k) * s.whole > (s.weight + s.w) * s.sum);
  Script all = s.script();
  all.assume(s.part == s.sum && s.weight == s.whole, "the part is the queue");
  ask(out, "nobody-eligible.never", all, !(s.part * s.whole > s.weight * s.sum));
  Script some = s.script();
  some.assume(s.part * s.whole >= s.weight * s.sum, "so far");
  some.assume(s.whole == Int(1) && s.weight == Int(1) && s.w == Int(1), "pinned");
  control(out, "eligible-too", some, (s.part + s.w * s.k) * s.whole > (s.weight + s.w) * s.sum);
  // V, rounded down, and one more.
  const Int average = re::average(s.sum, s.whole);
  Script rounding = s.script();
  rounding.assume(average * s.whole <= s.sum && s.sum < average * s.whole + s.whole,
                  "division rounds down");
  ask(out, "average-is-eligible", rounding, re::eligible(s.sum, s.whole, average));
  ask(out, "one-more-is-not", rounding, !re::eligible(s.sum, s.whole, average + Int(1)));
  Script wrong = s.script();
  wrong.assume(s.whole == Int(2), "pinned");
  control(out, "average-less-one", wrong, !re::eligible(s.sum, s.whole, average - Int(1)));
  // |X| <= P Y, entity by entity.
  const auto within = [&](const Int& x, const Int& p) {
    return x <= p * s.y && Int(0) - p * s.y <= x;
  };
  Script sums = s.script();
  sums.assume(within(s.part, s.weight), "so far");
  Script near = sums;
  near.assume(s.k <= s.y && Int(0) - s.y <= s.k, "span");
  near.assume(s.w * (s.y - s.k) >= Int(0) && s.w * (s.y + s.k) >= Int(0), "product");
  ask(out, "sum-grows-by-its-weight", near, within(s.part + s.w * s.k, s.weight + s.w));
  sums.assume(s.weight == Int(1) && s.w == Int(1) && s.y == Int(1) && s.k == Int(2), "pinned");
  control(out, "key-beyond-span", sums, within(s.part + s.w * s.k, s.weight + s.w));
  // 2900 entities of nice -20 that lie within the longest slice and tick of each other at the
  // idle policy's weight.
  Script fits = s.script();
  const Int span = Int(104'000'000) * Int(1024) / Int(3);
  fits.assume(s.weight <= Int(2900 * 88761ull) && s.y <= span, "limits");
  fits.assume((Int(2900 * 88761ull) - s.weight) * s.y >= Int(0), "product");
  ask(out, "sum-fits", fits, s.weight * s.y < Int(std::uint64_t{1} << 63));
  return out;
}

}  // namespace fw::theorem
