// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "model/input/random_test.h"
#include "model/input/rtapp.h"

namespace fw::input {
namespace {

void expect_round_trip(const Workload& workload) {
  ASSERT_TRUE(rtapp_losses(workload).empty()) << rtapp_losses(workload)[0];
  const std::string text = write_rtapp(workload);
  const Outcome<RtappReading> reading =
      read_rtapp(text, workload.name + ".json", {.custom_slice = true});
  ASSERT_TRUE(reading.ok()) << reading.error().text() << text;
  ASSERT_EQ(reading->verdict, Verdict::accept) << reading->refusals[0].text << text;
  ASSERT_EQ(reading->workload.tasks, workload.tasks) << text;
  ASSERT_TRUE(same(reading->workload, workload)) << text;
  ASSERT_EQ(reading->counts.repeated, 0) << text;
  for (const Remark& note : reading->notes) ASSERT_EQ(note.key, "barrier") << note.text << text;
}

TEST(RtappWrite, ReadsBackTheSame) {
  Random random{1};
  for (int i = 0; i < 2000; ++i) {
    const Workload workload = random_workload(random);
    ASSERT_NO_FATAL_FAILURE(expect_round_trip(workload));
  }
}

TEST(RtappWrite, IsShortAndOneEventALine) {
  Workload workload;
  TaskDef& task = workload.tasks.emplace_back();
  task.name = "hog";
  task.phases.emplace_back().ops = {{.kind = OpKind::run, .amount = {1'000'000}},
                                    {.kind = OpKind::run, .amount = {1'500}},
                                    {.kind = OpKind::runtime, .amount = {7'000}},
                                    {.kind = OpKind::wait, .ref = "q", .mutex = "m"}};
  EXPECT_EQ(write_rtapp(workload), R"({
  "tasks": {
    "hog": {
      "run": 1000,
      "run1": 2,
      "runtime1": 7,
      "wait": {"ref": "q", "mutex": "m"}
    }
  },
  "global": {
    "lock_pages": false
  },
  "fairwitness": {
    "exact_ns": {
      "tasks": {
        "hog": {"run1": 1500}
      }
    }
  }
}
)");
}

TEST(RtappWrite, WhatCannotBeNamedIsListed) {
  Workload workload;
  workload.tasks.resize(2);
  workload.tasks[0].phases.resize(2);
  EXPECT_EQ(rtapp_losses(workload).size(), 7u);
  const Outcome<RtappReading> reading = read_rtapp(write_rtapp(workload), "f.json");
  ASSERT_TRUE(reading.ok());
  EXPECT_EQ(reading->verdict, Verdict::accept);  // still a workload, with a sleep of 0 for events
}

}  // namespace
}  // namespace fw::input
