// SPDX-License-Identifier: Apache-2.0
#include "solver/theorem/cfs_rules.h"

#include <string>
#include <vector>

#include "model/rules/cfs.h"
#include "model/rules/cfs_balance.h"
#include "solver/engine/word.h"
#include "solver/theorem/bounds.h"

namespace fw::theorem {
namespace {

using solver::Formula;
using solver::Int;
using solver::Obligation;
using solver::Part;
using solver::Script;
using solver::Signature;
namespace rc = rules::cfs;

std::vector<rc::Load<rules::u64>> all_loads() {
  std::vector<rc::Load<rules::u64>> out;
  for (int nice = -20; nice <= 19; ++nice) out.push_back(rc::load_of_nice(nice));
  out.push_back(rc::idle_policy_load);
  return out;
}

void add(Obligation& out, const std::string& name, Part part, const Script& script) {
  out.queries.push_back({name, part, script.text(), false});
}

/// The fact, that its premises can be met, and a changed fact that must fail.
Obligation fact(const std::string& name,
                const Script& premises,
                const Formula& goal,
                const std::string& control,
                const Script& changed_premises,
                const Formula& changed_goal) {
  Obligation out;
  Script lemma = premises;
  Script changed = changed_premises;
  add(out, name, Part::lemma, lemma.refute(goal));
  add(out, "vacuity." + name, Part::vacuity, premises);
  add(out, "control." + control, Part::control, changed.refute(changed_goal));
  return out;
}

}  // namespace

Obligation cfs_tick() {
  Signature symbols;
  const Int ran = symbols.integer("ran");
  const Int ideal = symbols.integer("ideal");
  const Int least = symbols.integer("min_granularity");
  const Int current = symbols.integer("v");
  const Int leftmost = symbols.integer("left");
  Script premises("QF_LIA", symbols);
  premises.assume(ran >= Int(0) && ideal >= Int(0) && least >= Int(0), "times");
  const auto ends = [&](const Int& limit) {
    return (rc::tick_verdict(ran, ideal, least, current, leftmost, false) == Int(1)) ==
           (ran > limit);
  };
  Obligation out = fact("ends-behind-the-slice",
                        premises,
                        ends(ideal),
                        "ends-one-later",
                        premises,
                        ends(ideal + Int(1)));
  out.assumptions = {
      {"times", "no length of time is negative", "ran, slice, min_granularity >= 0"}};
  return out;
}

Obligation cfs_granularity() {
  constexpr std::size_t loads_in_a_query = 7;
  Obligation out;
  Signature symbols;
  const Int g = symbols.integer("g");
  Script range("QF_LIA", symbols);
  range.assume(Int(1) <= g && g <= Int(1'000'000'000), "at most 1 s");
  const auto keeps = [&](const rc::Load<rules::u64>& load, bool from_minimum) {
    const rc::Load<Int> terms{Int(load.weight), Int(load.inverse)};
    const Formula enough = Int(8 * load.weight) * rc::granularity(g, terms) >= Int(7168) * g;
    const Int minimum(static_cast<std::uint64_t>(cfs_least_charge(load.weight)));
    return from_minimum ? implies(minimum <= g, enough) : enough;
  };
  const auto loads = all_loads();
  for (std::size_t at = 0; at < loads.size(); at += loads_in_a_query) {
    std::vector<Formula> all;
    for (std::size_t i = at; i < std::min(loads.size(), at + loads_in_a_query); ++i) {
      all.push_back(keeps(loads[i], true));
    }
    Script lemma = range;
    add(out, "keeps." + std::to_string(at), Part::lemma, lemma.refute(all_of(all)));
  }
  add(out, "vacuity.range", Part::vacuity, range);
  Script control = range;
  add(out, "control.no-minimum", Part::control, control.refute(keeps(loads.front(), false)));
  out.assumptions = {{"range",
                      "granularities from 1 ns to 1 s, and at least the least charge of the weight",
                      "least_charge(w) <= g <= 1 s"}};
  return out;
}

namespace {

__extension__ using Wide = unsigned __int128;

/// What the rule is meant to compute, in numbers that cannot wrap.
std::uint64_t exact_fair(std::uint64_t d, const rc::Load<rules::u64>& load) {
  if (load.weight == rc::nice_0_weight) return d;
  const auto rounded = [](Wide value, unsigned bits) {
    return (value + (Wide{1} << (bits - 1))) >> bits;
  };
  const Wide product = Wide{d} * rc::nice_0_weight;
  const bool two_stages = product > (Wide{1} << 32);
  return static_cast<std::uint64_t>(two_stages ? rounded(rounded(product, 16) * load.inverse, 16)
                                               : rounded(product * load.inverse, 32));
}

Formula word_agrees(std::uint64_t d, const rc::Load<rules::u64>& load) {
  using solver::Word;
  const rc::Load<Word> terms{Word(load.weight), Word(load.inverse)};
  return rc::fair(Word(d), terms) == Word(exact_fair(d, load));
}

}  // namespace

Obligation cfs_word() {
  Obligation out;
  out.assumptions = {{"charge", "one charge is at most 540 s; products grow with it", ""}};
  const Script none("QF_BV", Signature{});
  for (const std::uint64_t d : {std::uint64_t{1},
                                std::uint64_t{1} << 22,
                                (std::uint64_t{1} << 22) + 1,
                                std::uint64_t{1'000'000'000},
                                std::uint64_t{540'000'000'000}}) {
    std::vector<Formula> all;
    for (const auto& load : all_loads()) all.push_back(word_agrees(d, load));
    Script lemma = none;
    add(out, "no-wrap." + std::to_string(d), Part::lemma, lemma.refute(all_of(all)));
  }
  add(out, "vacuity.no-premises", Part::vacuity, none);
  Script control = none;
  add(out,
      "control.ten-hours",
      Part::control,
      control.refute(word_agrees(36'000'000'000'000, rc::load_of_nice(19))));
  return out;
}

Obligation cfs_load_history() {
  Signature symbols;
  const Int old = symbols.integer("old");
  const Int now = symbols.integer("now");
  Script premises("QF_LIA", symbols);
  premises.assume(old >= Int(0) && now >= Int(0), "loads");
  std::vector<Formula> facts;
  std::vector<Formula> falling;
  for (const unsigned index : {1u, 2u, 3u, 4u}) {
    const Int after = rc::decayed_load(old, now, index);
    facts.push_back(rules::minimum(old, now) <= after && after <= rules::maximum(old, now));
    facts.push_back(implies(now == Int(0) && old > Int(0), after < old));
    falling.push_back(implies(now <= old && old > Int(0), after < old));
  }
  Obligation out =
      fact("between", premises, all_of(facts), "falls-under-load", premises, all_of(falling));
  out.assumptions = {{"loads", "no load is negative", "old, now >= 0"}};
  return out;
}

Obligation cfs_idle_average() {
  Signature symbols;
  const Int average = symbols.integer("average");
  const Int idle = symbols.integer("idle");
  const Int cost = symbols.integer("migration_cost");
  Script positive("QF_LIA", symbols);
  positive.assume(average >= Int(0) && idle >= Int(0) && cost >= Int(0), "times");
  Script premises = positive;
  premises.assume(average <= Int(2) * cost, "the average so far");
  const Int after = rc::idle_average(average, idle, cost);
  const Formula goal = Int(0) <= after && after <= Int(2) * cost;
  Obligation out = fact("capped", premises, goal, "any-average-so-far", positive, goal);
  out.assumptions = {
      {"times",
       "no length of time is negative, and the average so far is at most twice the migration cost",
       "0 <= average <= 2 cost"}};
  return out;
}

Obligation cfs_imbalance() {
  Signature symbols;
  const Int busiest_average = symbols.integer("busiest");
  const Int local_average = symbols.integer("local");
  const Int busiest_task = symbols.integer("task");
  const Int local_task = symbols.integer("local_task");
  const Int average = symbols.integer("average");
  const Int most = symbols.integer("most");
  const Int power(rc::power_scale);
  Script premises("QF_LIA", symbols);
  premises.assume(Int(0) <= local_average && local_average < average && Int(0) <= busiest_average &&
                      busiest_task > Int(0) && local_task >= Int(0) && most >= Int(0),
                  "loads; groups of one CPU");
  const rc::GroupLoad<Int> busiest{busiest_average, power, busiest_task};
  const rc::GroupLoad<Int> local{local_average, power, local_task};
  const Int moved = rc::imbalance(busiest, local, average, most, Int(2));
  const Int above = select(busiest_average > average, busiest_average - average, Int(0));
  Obligation out = fact("at-most-what-is-above",
                        premises,
                        moved <= rules::maximum(busiest_task, above),
                        "never-a-task-more",
                        premises,
                        moved <= above);
  out.assumptions = {{"averages",
                      "groups of one CPU; the local average is below the machine's",
                      "0 <= local < average"}};
  return out;
}

}  // namespace fw::theorem
