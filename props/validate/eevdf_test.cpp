// SPDX-License-Identifier: Apache-2.0
// A recorded EEVDF kernel against the reference model, and against the model with one thing changed.
#include <gtest/gtest.h>

#include "model/input/file.h"
#include "model/policy/eevdf/catalog.h"
#include "props/validate/validate.h"

namespace fw::validate {
namespace {

Validation replayed(const std::string& spec) {
  const std::string path =
      FW_SOURCE_DIR "/props/validate/testdata/eevdf_sleep_2hogs.ftrace.txt.gz";
  auto text = input::read_file(path);
  EXPECT_TRUE(text.ok());
  auto trace = input::read_trace(*text, path);
  EXPECT_TRUE(trace.ok());
  auto read = parse_spec(spec, catalogue());
  EXPECT_TRUE(read.ok()) << spec;
  auto out = validate(*trace, *read);
  EXPECT_TRUE(out.ok());
  return *out;
}

TEST(ValidateEevdf, ExplainsTheShippedTrace) {
  const Validation seen = replayed("eevdf@6.12");
  for (const Miss& miss : seen.tally.misses()) ADD_FAILURE() << miss.line << ' ' << miss.reason;
  EXPECT_GE(seen.tally.of(Rule::vruntime_step).checked, 600);
  EXPECT_GE(seen.tally.of(Rule::deadline).contested, 300);
  EXPECT_GE(seen.tally.of(Rule::pick).contested, 320);
  EXPECT_GE(seen.tally.of(Rule::wakeup_placement).contested, 50);
  EXPECT_GE(seen.tally.of(Rule::tick_preemption).checked, 290);
  EXPECT_GE(seen.tally.of(Rule::lag).checked, 70);
  EXPECT_GE(seen.tally.of(Rule::delayed_dequeue).checked, 60);
}

TEST(ValidateEevdf, AChangedRuleIsNoticed) {
  struct Row {
    const char* change;
    Rule rule;
  };
  for (const Row& row : {Row{"-PLACE_LAG", Rule::wakeup_placement},
                         Row{"-PLACE_DEADLINE_INITIAL", Rule::fork_placement},
                         Row{"-DELAY_DEQUEUE", Rule::delayed_dequeue},
                         Row{",base_slice=1400us", Rule::deadline},
                         Row{",profile=E66", Rule::delayed_dequeue}}) {
    EXPECT_GT(replayed(std::string("eevdf@6.12") + row.change).tally.of(row.rule).unexplained(), 0)
        << row.change;
  }
}

}  // namespace
}  // namespace fw::validate
