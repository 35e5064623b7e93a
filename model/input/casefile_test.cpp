// SPDX-License-Identifier: Apache-2.0
#include "model/input/casefile.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "model/input/file.h"
#include "model/input/random_test.h"
#include "model/input/rtapp.h"

namespace fw::input {
namespace {

constexpr std::array<std::string_view, 1> versions = {"2.6.36"};
constexpr std::array<FeatureInfo, 1> features = {{{"LAST_BUDDY", true, "*", ""}}};
constexpr std::array<KnobInfo, 1> knobs = {
    {{"latency", KnobUnit::duration, 100'000, 1'000'000'000, "6ms", "", {}}}};
const PolicyInfo cfs{.name = "cfs",
                     .versions = versions,
                     .features = features,
                     .knobs = knobs,
                     .schema = {},
                     .about = ""};
const PolicyInfo eevdf{.name = "eevdf",
                       .versions = versions,
                       .features = features,
                       .knobs = knobs,
                       .schema = {},
                       .about = ""};
const std::array<const PolicyInfo*, 2> catalogue = {&cfs, &eevdf};

std::string error_of(std::string_view text) {
  const Outcome<Case> read = read_case(text, "f.json", catalogue);
  return read.ok() ? "no error" : read.error().text();
}
std::string with(std::string_view pairs) {
  return "{\"schema\":\"fairwitness.case/1\",\"spec\":\"cfs\",\n" + std::string(pairs) +
         "\"workload\":{\"tasks\":{\"t\":{\"run\":1}}}}";
}

Case full_case() {
  Random random{5};
  Case value;
  value.spec = parse_spec("eevdf-LAST_BUDDY,latency=18ms", catalogue).value();
  value.topology = "2x4";
  value.balance = false;
  value.horizon = {1'500'000};
  value.seed = UINT64_MAX;
  value.index = 3;
  value.property = "a \"b\"";
  value.signature = "s";
  value.mutant = "m";
  value.expected = {12, Instant{7'000'001}, "line\nline"};
  value.notes = {"one", "two"};
  value.workload = random_workload(random);
  return value;
}

TEST(CaseFile, ReadsBackTheSame) {
  Random random{2};
  for (int i = 0; i < 500; ++i) {
    Case value = full_case();
    value.workload = random_workload(random);
    value.workload.name = random.chance(50) ? "a name" : "f";
    const std::string text = write_case(value);
    ASSERT_TRUE(looks_like_case(text));
    const Outcome<Case> read = read_case(text, "f.case.json", catalogue);
    ASSERT_TRUE(read.ok()) << read.error().text() << text;
    ASSERT_TRUE(same(read->workload, value.workload)) << text;
    ASSERT_EQ(write_case(*read), text);
    ASSERT_EQ(read->seed, UINT64_MAX);
    ASSERT_EQ(read->expected.t, value.expected.t);
    ASSERT_EQ(read->spec.knobs, value.spec.knobs);
    ASSERT_EQ(read->notes, value.notes);
  }
}

TEST(CaseFile, DefaultsAreLeftOut) {
  Case value;
  value.spec = parse_spec("cfs", catalogue).value();
  value.workload.name = "w";
  TaskDef& task = value.workload.tasks.emplace_back();
  task.name = "t";
  task.phases.emplace_back().ops = {{.kind = OpKind::run, .amount = {1000}}};
  EXPECT_EQ(write_case(value), R"({
  "schema": "fairwitness.case/1",
  "name": "w",
  "spec": "cfs@2.6.36",
  "topology": "1",
  "seed": 0,
  "index": 0,
  "workload": {
    "tasks": {
      "t": {
        "run": 1
      }
    },
    "global": {
      "lock_pages": false
    }
  }
}
)");
}

TEST(CaseFile, FaultsAreNamedWithTheirPlace) {
  const std::pair<std::string, std::string_view> rows[] = {
      {"", "f.json:1:1: expected a value"},
      {"[]", "expected an object, found an array"},
      {"{}", "the key \"schema\" is missing"},
      {"{\"schema\":1}", "f.json:1:11: \"schema\": expected a string"},
      {"{\"schema\":\"fairwitness.case/2\"}", "of schema 2, this program reads up to 1"},
      {"{\"schema\":\"fairwitness.result/1\"}", "expected \"fairwitness.case/1\""},
      {"{\"schema\":\"fairwitness.case/1x\"}", "expected \"fairwitness.case/1\""},
      {"{\"schema\":\"fairwitness.case/1\"}", "the key \"spec\" is missing"},
      {"{\"schema\":\"fairwitness.case/1\",\"spec\":\"cfs\"}", "the key \"workload\" is missing"},
      {"{\"schema\":\"fairwitness.case/1\",\"spec\":\"cfx\"}", "spec: unknown policy `cfx`"},
      {with("\"sead\":1,"), "f.json:2:8: unknown key \"sead\"\n  nearest: seed"},
      {with("\"seed\":-1,"), "\"seed\" is outside"},
      {with("\"seed\":18446744073709551616,"), "\"seed\" is outside"},
      {with("\"seed\":\"1\","), "\"seed\": expected an integer, found a string"},
      {with("\"seed\":1,\"seed\":2,"), "the key \"seed\" stands twice"},
      {with("\"horizon\":5,"), "\"horizon\": expected a string"},
      {with("\"horizon\":\"5\","), "\"horizon\": `5` is not a duration: the unit is missing"},
      {with("\"balance\":1,"), "\"balance\": expected true or false"},
      {with("\"notes\":[1],"), "expected a string"},
      {with("\"expected\":{\"time\":1},"), "unknown key \"time\" under \"expected\""},
      {with("\"expected\":{\"event\":-2},"), "the event is -1"},
      {with("\"workload\":{\"tasks\":{}},"), "the key \"workload\" stands twice"},
      {"{\"schema\":\"fairwitness.case/"
       "1\",\"spec\":\"cfs\",\n\"workload\":{\"tasks\":{\"t\":{\"exec\":1}}}}",
       "f.json:2: \"exec\": a key of rt-app's legacy dialect"},
      {"{\"schema\":\"fairwitness.case/"
       "1\",\"spec\":\"cfs\",\n\"workload\":{\"tasks\":{\"t\":{\"mem\":1}}}}",
       "f.json:2: \"mem\": as a run"}};
  for (const auto& [text, part] : rows) {
    EXPECT_NE(error_of(text).find(part), std::string::npos) << text << " -> " << error_of(text);
  }
  EXPECT_EQ(error_of(with("")), "no error");
}

std::string our_file(std::string_view name) {
  const Outcome<std::string> text =
      read_file(std::string(FW_SOURCE_DIR) + "/model/input/" + std::string(name));
  EXPECT_TRUE(text.ok());
  return text.ok() ? *text : std::string();
}

TEST(CaseFile, TheExampleIsACase) {
  const Outcome<Case> read =
      read_case(our_file("testdata/example.case.json"), "example.case.json", catalogue);
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read->workload.tasks.at(1).phases.at(0).ops.at(0).amount.ns, 100'250);
  EXPECT_EQ(read->workload.duration->ns, 250'000'000);
  EXPECT_EQ(read->expected.event, 12);
}

TEST(CaseFile, TheSchemasNameTheKeysThatAreWritten) {
  const auto schema = nlohmann::json::parse(our_file("case.schema.json"));
  const auto key_schema = nlohmann::json::parse(our_file("fairwitness-key.schema.json"));
  Case value = full_case();
  Workload& workload = value.workload;
  workload.threads = workload.spinlocks = {"task0"};
  workload.labels["task0"] = "input";
  workload.costs = {{1}, {2}, {3}};
  workload.spec = workload.topology = "x";
  workload.hz = 250;
  workload.barging = true;
  workload.duration = Duration{1};
  workload.tasks[0].delay = {1};
  const auto written = nlohmann::json::parse(write_case(value));
  for (const auto& [key, unused] : written.items()) {
    EXPECT_TRUE(schema["properties"].contains(key)) << key;
  }
  EXPECT_EQ(schema["properties"].size(), written.size() + 1);  // and "$schema"
  const auto& ours = written["workload"]["fairwitness"];
  for (const auto& [key, unused] : ours.items()) {
    EXPECT_TRUE(key_schema["properties"].contains(key)) << key;
  }
  EXPECT_EQ(key_schema["properties"].size(), ours.size());
}

}  // namespace
}  // namespace fw::input
