// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/result.h"

/// The parts of a report that every format words the same way. All texts are plain and unescaped:
/// names are as the user wrote them.
namespace fw::reports {

/// `hog x2, nice 5 (weight 335), CPUs 0-1` and what it does: `run 10ms, sleep 5ms, 3 times`.
struct TaskWords {
  std::string who;
  std::vector<std::string> does;  ///< one line a phase
};

/// A case in words: where it runs, then task by task.
struct CaseWords {
  std::string where;  ///< `cfs@2.6.36 on topology 2x2, no load balancing, for 50ms`
  std::vector<TaskWords> tasks;
  std::vector<std::string> notes;  ///< locks, costs, labels and what else is not at its default
};
CaseWords case_words(const Case& kase);

/// One changed field of a divergence. When the text was not of the form
/// `FIELD: model X, impl Y`, only `field` is set, to the whole text.
struct ChangedField {
  std::string field, model, impl;
};
std::vector<ChangedField> changed_fields(const Divergence& divergence);

/// `at event 41, t = 3.5ms`; empty when neither is known.
std::string divergence_place(const Divergence& divergence);

/// The verdict in one sentence, first of every report: `falsified: 2 failures; 12 properties ...`.
std::string verdict_sentence(const Result& result);

/// Every status that applies, most severe first: `2 falsified, 5 vacuous`.
std::string status_list(const Result& result);

/// `41 events and 3 tasks, reduced from 200 events in 180 oracle runs (1-minimal ...)`.
std::string size_sentence(const Failure& failure);

/// `z3 all 20 queries 0.58s, cvc5 19 of 20 queries 1.2s`.
std::string solver_times(const ObligationResult& obligation);

/// Situations that no case reached.
std::vector<std::string> never_reached(const Result& result);

/// `20000 cases, 1200000 events, 12 discards in 60.0 s (333 cases/s, ...)`.
std::string effort_sentence(const Result& result);

/// How `why` and state keys of a decision read: `pick hog-0 (leftmost) after idle, nr 2, v=0,
/// min=0`.
std::string decision_words(const Recording& recording, const Decision& decision);

/// 1234567 -> `1,234,567`.
std::string grouped(std::int64_t number);

/// Nanoseconds for reading, three significant digits: `1.25ms`, `950ns`, `0`.
std::string readable_ns(double ns);

}  // namespace fw::reports
