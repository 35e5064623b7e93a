// SPDX-License-Identifier: Apache-2.0
#include "model/input/inspect.h"

#include <gtest/gtest.h>

namespace fw::input {
namespace {

std::string picture(std::string_view text, const std::string& name) {
  const Outcome<Inspection> found = inspect_text(text, name, {});
  if (!found.ok()) return "error: " + found.error().text();
  std::string out = found->kind + " " + std::string(verdict_name(found->verdict));
  for (const auto& [key, value] : found->counts) out += " " + key + "=" + value;
  for (const Remark& refusal : found->refusals) {
    out += " !" + std::to_string(refusal.line) + ":" + refusal.key;
  }
  return out;
}

TEST(Inspect, TellsTheKindsApart) {
  EXPECT_EQ(picture("{'tasks':{'t':{'run':1}}}", "f"),
            "workload accept tasks=1 threads=1 phases=1 events=1 repeated keys=0");
  EXPECT_EQ(picture("// c\n{'tasks':{'t':{\n'exec':1}}}", "f"),
            "workload refuse tasks=1 threads=1 phases=1 events=0 repeated keys=0 !3:exec !2:t");
  EXPECT_EQ(picture("{\n'tasks' 1}", "f"), "workload refuse !2:");
  EXPECT_EQ(picture("", "f.json"), "workload refuse !1:");
  EXPECT_EQ(picture("{'schema':'fairwitness.case/9'}", "f"), "case refuse !1:");
  EXPECT_EQ(picture("A NO_B", "f"), "features accept names=2 on=1 off=1 list=A NO_B");
  EXPECT_EQ(picture("<?xml?><topology><object type='Machine'><object type='PU' os_index='0'/>"
                    "</object></topology>",
                    "f"),
            "topology accept packages=0 nodes=0 groups=0 dies=0 cores=0 PUs=1 cpukinds=0 distance "
            "matrices=0 CPUs=1 levels=0");
  EXPECT_EQ(picture("<topology>\n<x", "f"), "topology refuse !2:");
  EXPECT_TRUE(picture("S:10:0:1:1:2\nS:20:0:2:1:1\n", "f").starts_with("trace accept"));
  EXPECT_TRUE(picture("hello world", "f").starts_with("error: f: of no known kind"));
  EXPECT_TRUE(picture("", "f").starts_with("error: f: of no known kind"));
  EXPECT_FALSE(inspect_file("/", {}).ok());
}

}  // namespace
}  // namespace fw::input
