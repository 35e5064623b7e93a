// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/input/trace.h"
#include "props/validate/tally.h"

namespace fw::validate {

/// A decision whose answer is a CPU's reschedule mark on a later line.
struct Expectation {
  Rule rule = Rule::tick_preemption;
  bool marked = false;
  bool contested = false;
  std::int64_t line = 0;
  Instant t;
  std::string task;
  std::string text;  ///< what the rules say, with the values they had
};

/// One CPU's reschedule mark, and the decisions that wait to see it.
class Marks {
 public:
  bool marked = false;  ///< as expected after the last line
  bool seen = false;    ///< the mark was on a line

  bool waiting() const { return !expected_.empty(); }
  void expect(Expectation expectation) { expected_.push_back(std::move(expectation)); }
  /// The next line will not tell.
  void hide(Tally& tally, const std::string& cause);
  /// The mark as a line shows it decides what was expected. `elsewhere`: something that the rules
  /// do not have may have marked since.
  void outcome(Tally& tally, bool mark, bool elsewhere);
  /// Takes in what a line shows. True: a mark has gone without a switch.
  bool take(Tally& tally, const input::TraceEvent& line);

 private:
  std::vector<Expectation> expected_;
};

}  // namespace fw::validate
