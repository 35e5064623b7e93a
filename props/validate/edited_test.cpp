// SPDX-License-Identifier: Apache-2.0
// A real trace with one thing edited: what must be noticed, and what must be survived.
#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "model/input/file.h"
#include "props/validate/validate.h"

namespace fw::validate {
namespace {

std::vector<std::string> shipped_lines() {
  const std::string path =
      FW_SOURCE_DIR "/model/input/testdata/traces/cfs_sleep_2hogs.ftrace.txt.gz";
  auto bytes = input::read_file(path);
  EXPECT_TRUE(bytes.ok());
  auto text = input::unpack(*bytes, path, input::max_trace_bytes);
  EXPECT_TRUE(text.ok());
  std::istringstream in(*text);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// The `nth` line (from 0) that holds `event`, after the warm-up.
std::size_t line_with(const std::vector<std::string>& lines, const std::string& event, int nth) {
  for (std::size_t i = 200; i < lines.size(); ++i) {
    if (lines[i].find(event) != std::string::npos && nth-- == 0) return i;
  }
  ADD_FAILURE() << event;
  return 0;
}

PolicySpec spec_of(const std::string& text) {
  const std::array<const PolicyInfo*, 1> catalogue = {&recorded_cfs_info()};
  auto spec = parse_spec(text, catalogue);
  EXPECT_TRUE(spec.ok()) << text;
  return *spec;
}

input::Trace read(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  auto trace = input::read_trace(text, "edited");
  EXPECT_TRUE(trace.ok());
  return *trace;
}

Validation replayed(const std::vector<std::string>& lines, const std::string& spec = "cfs@6.1") {
  const input::Trace trace = read(lines);
  auto settings = settings_of(spec_of(spec), trace);
  EXPECT_TRUE(settings.ok());
  auto out = validate(trace, *settings);
  EXPECT_TRUE(out.ok());
  return *out;
}

void replace(std::string& line, const std::string& what, const std::string& by) {
  const std::size_t at = line.find(what);
  ASSERT_NE(at, std::string::npos) << line;
  line.replace(at, what.size(), by);
}

TEST(ValidateEdited, NamesTheLineOfASwitchToTheWrongTask) {
  std::vector<std::string> lines = shipped_lines();
  // hog0 is put on the CPU where the kernel took hog1, or the other way round.
  const std::size_t at = line_with(lines, "prev_state=R ==> next_comm=hog1", 3);
  const std::string own = lines[at].substr(lines[at].find("prev_pid="));
  const std::string pid = own.substr(9, own.find(' ') - 9);
  const std::size_t next = lines[at].find("next_pid=");
  lines[at].replace(next, lines[at].find(' ', next) - next, "next_pid=" + pid);
  const Validation seen = replayed(lines);
  ASSERT_FALSE(seen.tally.misses().empty());
  const Miss& miss = seen.tally.misses().front();
  EXPECT_EQ(miss.rule, Rule::pick);
  EXPECT_EQ(miss.line, static_cast<std::int64_t>(at + 1));
  EXPECT_NE(miss.reason.find("the model picks hog1"), std::string::npos) << miss.reason;
}

TEST(ValidateEdited, NoticesOneNanosecondOfVruntime) {
  std::vector<std::string> lines = shipped_lines();
  const std::size_t at = line_with(lines, "comm=hog0 pid=128 runtime=4", 4);
  const std::size_t value = lines[at].find("vruntime=") + 9;
  const std::size_t end = lines[at].find(' ', value);
  const std::int64_t vruntime = std::stoll(lines[at].substr(value, end - value));
  lines[at].replace(value, end - value, std::to_string(vruntime + 1));
  const Validation seen = replayed(lines);
  ASSERT_FALSE(seen.tally.misses().empty());
  EXPECT_EQ(seen.tally.misses().front().rule, Rule::vruntime_step);
  EXPECT_EQ(seen.tally.misses().front().line, static_cast<std::int64_t>(at + 1));
  // The line itself and the step from it; the state is read anew from each line.
  EXPECT_EQ(seen.tally.of(Rule::vruntime_step).unexplained(), 2);
}

TEST(ValidateEdited, NoticesAMarkThatIsMissing) {
  std::vector<std::string> lines = shipped_lines();
  const std::size_t at = line_with(lines, "sched_wakeup: comm=sleeper", 5);
  replace(lines[at], " dN", " d.");
  const Validation seen = replayed(lines);
  ASSERT_FALSE(seen.tally.misses().empty());
  EXPECT_EQ(seen.tally.misses().front().rule, Rule::wakeup_preemption);
  EXPECT_EQ(seen.tally.misses().front().line, static_cast<std::int64_t>(at + 1));
}

TEST(ValidateEdited, SurvivesLostEvents) {
  std::vector<std::string> lines = shipped_lines();
  lines.erase(lines.begin() + 500, lines.begin() + 520);
  lines.insert(lines.begin() + 500, "CPU:0 [LOST 20 EVENTS]");
  const Validation seen = replayed(lines);
  for (const Miss& miss : seen.tally.misses()) ADD_FAILURE() << miss.line << ' ' << miss.reason;
  EXPECT_EQ(seen.tally.resyncs().at("events were lost"), 1);
  EXPECT_GT(seen.tally.of(Rule::pick).checked, 300);
}

TEST(ValidateEdited, ReadsTheStateAnewAfterAMissingSwitch) {
  std::vector<std::string> lines = shipped_lines();
  const std::size_t at = line_with(lines, "prev_comm=hog0", 5);
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
  const Validation seen = replayed(lines);
  EXPECT_GT(seen.tally.resyncs().size(), 0u);
  EXPECT_LE(seen.tally.unexplained(), 3);
  EXPECT_GT(seen.tally.of(Rule::pick).checked, 350);
}

TEST(ValidateEdited, CountsPreemptionApartWithoutFlags) {
  std::vector<std::string> lines = shipped_lines();
  for (std::string& line : lines) {
    const std::size_t cpu = line.find("[000] ");
    if (!line.empty() && line[0] != '#' && cpu != std::string::npos) line.erase(cpu + 6, 6);
  }
  const Validation seen = replayed(lines);
  EXPECT_EQ(seen.tally.of(Rule::wakeup_preemption).checked, 0);
  EXPECT_EQ(seen.tally.of(Rule::tick_preemption).checked, 0);
  EXPECT_GT(seen.tally.of(Rule::vruntime_step).checked, 600);
}

TEST(ValidateSettings, ComeFromTheHeaderUnlessTheSpecSaysOtherwise) {
  std::vector<std::string> lines = shipped_lines();
  const auto own = settings_of(spec_of("cfs@6.1"), read(lines));
  ASSERT_TRUE(own.ok());
  EXPECT_EQ(own->tunables.latency, 6'000'000u);
  EXPECT_TRUE(own->last_buddy);
  EXPECT_FALSE(own->next_buddy);
  const auto other =
      settings_of(spec_of("cfs@6.1+NEXT_BUDDY-LAST_BUDDY,latency=18ms,hz=1000"), read(lines));
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(other->tunables.latency, 18'000'000u);
  EXPECT_EQ(other->tunables.min_granularity, 750'000u);
  EXPECT_EQ(other->hz, 1000);
  EXPECT_FALSE(other->last_buddy);
  EXPECT_TRUE(other->next_buddy);
}

TEST(ValidateSettings, ScaleByCpusWithoutAHeader) {
  std::vector<std::string> lines = shipped_lines();
  std::vector<std::string> bare;
  for (const std::string& line : lines) {
    if (line.empty() || line[0] != '#') bare.push_back(line);
  }
  bare.insert(bare.begin(), "#   #P:4");
  const auto seen = settings_of(spec_of("cfs@6.1"), read(bare));
  ASSERT_TRUE(seen.ok());
  EXPECT_EQ(seen->tunables.latency, 18'000'000u);
  EXPECT_EQ(seen->tunables.min_granularity, 2'250'000u);
  EXPECT_EQ(seen->tunables.wakeup_granularity, 3'000'000u);
  EXPECT_EQ(seen->tunables.nr_latency, 8u);
}

TEST(ValidateSettings, RefuseATunableThatIsNoNumber) {
  std::vector<std::string> lines = shipped_lines();
  for (std::string& line : lines) {
    if (line.rfind("# latency_ns:", 0) == 0) line = "# latency_ns: 6ms";
  }
  const auto seen = settings_of(spec_of("cfs@6.1"), read(lines));
  ASSERT_FALSE(seen.ok());
  EXPECT_NE(seen.error().text().find("latency_ns"), std::string::npos);
}

TEST(ValidateTrace, RefusesOneWithoutVruntimes) {
  std::vector<std::string> lines = shipped_lines();
  for (std::string& line : lines) {
    const std::size_t at = line.find(" vruntime=");
    if (at != std::string::npos) line.erase(at);
  }
  const input::Trace trace = read(lines);
  const auto settings = settings_of(spec_of("cfs@6.1"), trace);
  ASSERT_TRUE(settings.ok());
  EXPECT_FALSE(validate(trace, *settings).ok());
}

}  // namespace
}  // namespace fw::validate
