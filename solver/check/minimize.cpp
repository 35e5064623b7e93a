// SPDX-License-Identifier: Apache-2.0
#include "solver/check/minimize.h"

namespace fw::solver {
namespace {

/// The obligation's proof without one assumption, as an obligation: its queries that state it.
Obligation reduced(const Obligation& obligation, const std::string& assumption) {
  Obligation out;
  for (const Query& query : obligation.queries) {
    if (!must_hold(query)) continue;
    if (auto less = without_assumption(query, assumption)) out.queries.push_back(std::move(*less));
  }
  return out;
}

Need weigh(const std::string& assumption, const Obligation& asked, const Judgement& judgement) {
  Need out;
  out.assumption = assumption;
  out.queries = static_cast<int>(asked.queries.size());
  bool all_proved = true;
  for (const Query& query : asked.queries) {
    bool refuted = false;
    for (const Asked& one : judgement.asked) {
      if (one.query != query.name) continue;
      refuted = refuted || one.answer == Answer::sat;
      all_proved = all_proved && one.answer == Answer::unsat;
    }
    out.lost += refuted ? 1 : 0;
  }
  out.verdict = out.lost > 0 ? Need::Verdict::needed
                : all_proved ? Need::Verdict::not_needed
                             : Need::Verdict::undecided;
  return out;
}

}  // namespace

std::string need_word(Need::Verdict verdict) {
  switch (verdict) {
    case Need::Verdict::needed:
      return "needed";
    case Need::Verdict::not_needed:
      return "not needed";
    case Need::Verdict::undecided:
      return "undecided";
  }
  return "";
}

Outcome<std::vector<std::vector<Need>>> minimize_assumptions(
    const std::vector<std::pair<std::string, Obligation>>& obligations,
    const std::vector<Solver>& solvers,
    const DischargeOptions& options) {
  struct LeftOut {
    std::size_t obligation;
    std::string assumption;
  };
  std::vector<LeftOut> what;
  std::vector<std::pair<std::string, Obligation>> questions;
  for (std::size_t i = 0; i < obligations.size(); ++i) {
    for (const Assumption& assumption : obligations[i].second.assumptions) {
      Obligation less = reduced(obligations[i].second, assumption.name);
      if (less.queries.empty()) continue;
      what.push_back({i, assumption.name});
      questions.emplace_back(obligations[i].first + "/minimized", std::move(less));
    }
  }
  auto judgements = discharge(questions, solvers, options);
  if (!judgements) return judgements.error();
  std::vector<std::vector<Need>> out(obligations.size());
  for (std::size_t i = 0; i < what.size(); ++i) {
    out[what[i].obligation].push_back(
        weigh(what[i].assumption, questions[i].second, (*judgements)[i]));
  }
  return out;
}

}  // namespace fw::solver
