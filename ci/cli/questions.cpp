// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "reports/words.h"

namespace fw::cli {
namespace {

bool has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

/// Parts of a theorem's name, in the order in which they are looked for.
struct Word {
  std::string_view part;
  std::string_view meaning;
};

constexpr std::array<Word, 11> aspects = {{{"leftmost", "buddy delay"},
                                           {"buddy", "buddy delay"},
                                           {"conserv", "work conservation"},
                                           {"balance", "work conservation"},
                                           {"share", "share"},
                                           {"lag", "lag"},
                                           {"spread", "spread"},
                                           {"lead", "spread"},
                                           {"wait", "wait"},
                                           {"starv", "wait"},
                                           {"", "arithmetic"}}};

constexpr std::array<Word, 14> switch_words = {{{"buddies", "buddies"},
                                                {"leftmost", "buddies"},
                                                {"forks_debit", "forks, START_DEBIT"},
                                                {"forks_no_debit", "forks, no START_DEBIT"},
                                                {"start_nice", "forks, START_NICE"},
                                                {"start_debit", "forks, START_DEBIT"},
                                                {"fork_stream", "forks, START_DEBIT"},
                                                {"dyn", "DYN_MIN_VRUNTIME"},
                                                {"without_gap", "wakeups in the gap"},
                                                {"without_check", "no granularity check"},
                                                {"tree", "TREE_PENALTY"},
                                                {"depth", "FORK_DEPTH_PENALTY"},
                                                {"limit0", "STARVATION_LIMIT 0"},
                                                {"limit_0", "STARVATION_LIMIT 0"}}};

std::string_view first_match(std::span<const Word> words, std::string_view name) {
  for (const Word& word : words) {
    if (has(name, word.part)) return word.meaning;
  }
  return "";
}

/// For comparison only; the forms are those commonly quoted.
std::string_view paper_of(std::string_view aspect, std::string_view policy) {
  if (policy == "eevdf" || aspect == "lag") return "EEVDF: -r_max <= lag <= max(r_max, q)";
  if (policy != "cfs") return "";
  if (aspect == "spread")
    return "SFQ: |W_f/r_f - W_m/r_m| <= l_f/r_f + l_m/r_m (no sleeper credit)";
  if (aspect == "wait") return "WFQ: finish <= GPS finish + L_max/r";
  return "";
}

struct Question {
  std::string_view text;
  std::array<std::string_view, 5> parts;   ///< of theorem names that speak about it
  std::array<std::string_view, 2> also{};  ///< both must be in the name, when given
};

constexpr std::array<Question, 5> questions = {{
    {"1. Does START_DEBIT bound the wait of an old task under any rate of forks, does START_NICE?",
     {"wait_forks", "wait_start", "wait_fork", "start_nice", "fork_stream"}},
    {"2. Without DYN_MIN_VRUNTIME how far can the spread grow with sleepers and forks, and what "
     "does "
     "the feature bound it to?",
     {"spread_forks", "spread_dyn", "dyn_", "spread_without_gap", "dyn_lead"}},
    {"3. What is the wait of the deepest task as a function of its fork depth?",
     {"depth", "tree_penalty", "fork_penalty", "tree_", "bfs_fork"}},
    {"4. What does STARVATION_LIMIT (2 s, 30 s, 0) bound the wait to?",
     {"o1_wait", "o1_starv", "o1_limit", "starvation", "o1_phase"}},
    {"5. How much can LAST_BUDDY and NEXT_BUDDY delay the leftmost task, with and without the size "
     "test, and without the granularity check?",
     {"leftmost_wait", "buddy", "buddies_without", "size_test", "without_check"}},
}};

bool speaks(const Question& question, const std::string& name) {
  return std::any_of(question.parts.begin(), question.parts.end(), [&](std::string_view part) {
    return !part.empty() && has(name, part);
  });
}

std::string sentence(const ObligationResult& of) {
  const bool bound = of.expected == "proved";
  std::string out = fmt::format("{}: {}", of.about, of.status);
  if (of.status == "proved" && !of.formula.empty()) out += ", at most " + of.formula;
  if (of.status == "proved" && of.bound) {
    out += fmt::format(" = {} {} at {}", reports::grouped(*of.bound), of.unit, of.at);
  }
  if (of.status == "refuted" && !bound && !of.witness.empty()) out += ", " + of.witness;
  if (!of.reason.empty()) out += " (" + of.reason + ")";
  return out;
}

}  // namespace

void place_on_page(const ObligationResult& of, reports::ProofFacts& facts) {
  facts.theorem = of.name;
  facts.aspect = first_match(aspects, of.name);
  facts.switches = first_match(switch_words, of.name);
  if (facts.switches.empty() && facts.aspect != "arithmetic") facts.switches = "plain";
  facts.paper = paper_of(facts.aspect, of.policy);
}

std::vector<reports::Answer> answers_of(const Result& result) {
  std::vector<reports::Answer> out;
  for (const Question& question : questions) {
    reports::Answer answer{std::string(question.text), "", {}};
    for (const ObligationResult& of : result.obligations) {
      if (!speaks(question, of.name)) continue;
      answer.theorems.push_back(of.name);
      answer.text += (answer.text.empty() ? "" : ". ") + sentence(of);
    }
    if (answer.text.empty()) answer.text = "open: no theorem speaks about it yet";
    out.push_back(std::move(answer));
  }
  return out;
}

}  // namespace fw::cli
