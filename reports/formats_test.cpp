// SPDX-License-Identifier: Apache-2.0
// The sample result in every format, as goldens, and what must hold of any result.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/html.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/sample/golden.h"
#include "reports/sample/sample.h"
#include "reports/sarif.h"
#include "reports/text.h"
#include "reports/words.h"

namespace fw::reports {
namespace {

using Json = nlohmann::json;

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t out = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++out;
  }
  return out;
}

std::string last_line(const std::string& text) {
  const std::size_t at = text.rfind('\n', text.size() - 2);
  return text.substr(at + 1);
}

TEST(Text, IsTheGolden) { expect_golden("sample.txt", text(sample_result())); }

TEST(Text, BeginsWithTheVerdictAndEndsWithEveryStatus) {
  const std::string report = text(sample_result());
  EXPECT_EQ(report.rfind("falsified: 2 failures", 0), 0u);
  EXPECT_EQ(last_line(report), "exit status: 2 falsified, 5 vacuous\n");
}

TEST(Text, OfAnEmptyResultSaysHeld) { EXPECT_EQ(text(Result{}), "held\n\nexit status: 0 held\n"); }

TEST(Text, ListsEverySituationNeverReached) {
  Result result;
  for (int i = 0; i < 300; ++i) result.required.push_back({"situation " + std::to_string(i), 0});
  EXPECT_EQ(count(text(result), "never reached: situation "), 300u);
}

TEST(Text, OrdersStatusesBySeverity) {
  Result result;
  result.status = Exit::proof_failed;
  result.all_statuses = {Exit::held, Exit::stale, Exit::proof_failed, Exit::falsified, Exit::stale};
  EXPECT_EQ(status_list(result), "7 proof-failed, 2 falsified, 4 stale");
}

TEST(JsonResult, IsTheGolden) { expect_golden("sample.json", json(sample_result())); }

TEST(JsonResult, HasEveryKeyAndListsAlsoWhenEmpty) {
  const Json result = Json::parse(json(Result{}));
  EXPECT_EQ(result.at("schema"), "fairwitness.result/1");
  EXPECT_EQ(result.at("verdict"), "held");
  for (const char* key : {"command", "exit", "seed", "cases", "events", "seconds"}) {
    EXPECT_TRUE(result.contains(key)) << key;
  }
  for (const char* key : {"policies",
                          "properties",
                          "obligations",
                          "failures",
                          "required",
                          "rules",
                          "benchmarks",
                          "mutants",
                          "published"}) {
    ASSERT_TRUE(result.contains(key)) << key;
    EXPECT_EQ(result.at(key), Json::array()) << key;
  }
}

TEST(JsonResult, NamesTheKeysOfTheContract) {
  const Json result = Json::parse(json(sample_result()));
  const auto expect_keys = [&](const char* list, const std::vector<std::string>& keys) {
    for (const std::string& key : keys) {
      EXPECT_TRUE(result.at(list).at(0).contains(key)) << list << " " << key;
    }
  };
  expect_keys("properties",
              {"name", "policy", "verdict", "worst", "bound", "slack", "cases", "discards"});
  expect_keys("failures",
              {"property",
               "signature",
               "case",
               "original_events",
               "events",
               "tasks",
               "oracle_calls",
               "blame"});
  expect_keys("required", {"situation", "reached"});
  expect_keys("benchmarks", {"name", "n", "ours", "peer", "peer_name", "unit", "ratio"});
  expect_keys("mutants",
              {"id", "policy", "killed", "property", "cases", "seconds", "tasks", "events"});
}

TEST(Junit, IsTheGolden) { expect_golden("sample.junit.xml", junit(sample_result())); }

/// The value of an attribute of the tag that starts at `at`.
std::string attribute(const std::string& xml, std::size_t at, const std::string& name) {
  const std::size_t from = xml.find(" " + name + "=\"", at) + name.size() + 3;
  return xml.substr(from, xml.find('"', from) - from);
}

TEST(Junit, CountsAreThoseOfTheChildren) {
  for (const Result& result : {sample_result(), hostile_result(), Result{}}) {
    const std::string all = junit(result);
    const auto expect_counts = [&](std::size_t head, const std::string& body) {
      EXPECT_EQ(attribute(all, head, "tests"), std::to_string(count(body, "<testcase ")));
      EXPECT_EQ(attribute(all, head, "failures"), std::to_string(count(body, "<failure ")));
      EXPECT_EQ(attribute(all, head, "errors"), std::to_string(count(body, "<error ")));
      EXPECT_EQ(attribute(all, head, "skipped"), std::to_string(count(body, "<skipped ")));
    };
    expect_counts(all.find("<testsuites "), all);
    for (std::size_t at = all.find("<testsuite "); at != std::string::npos;
         at = all.find("<testsuite ", at + 1)) {
      expect_counts(at, all.substr(at, all.find("</testsuite>", at) - at));
    }
    EXPECT_GE(count(all, "<testcase "), 1u);
  }
}

TEST(Junit, CutsFailureTextsAndSaysSo) {
  Result result = sample_result();
  result.failures[0].blame = std::string(50'000, 'x');
  const std::string all = junit(result);
  EXPECT_LT(all.size(), 15'000u);
  EXPECT_EQ(count(all, "bytes cut)"), 1u);
}

TEST(Junit, AnEndWithoutVerdictIsAnError) {
  Result result;
  result.status = Exit::deadline;
  EXPECT_EQ(count(junit(result), "<error message=\"exit status 3 deadline\""), 1u);
}

TEST(Sarif, IsTheGolden) { expect_golden("sample.sarif", sarif(sample_result())); }

TEST(Sarif, HasOneRuleAPropertyAndTheSignatureAsFingerprint) {
  const Json run = Json::parse(sarif(sample_result())).at("runs").at(0);
  const Json& rules = run.at("tool").at("driver").at("rules");
  EXPECT_EQ(rules.size(), 5u);
  ASSERT_EQ(run.at("results").size(), 2u);
  for (const Json& result : run.at("results")) {
    EXPECT_EQ(rules.at(result.at("ruleIndex").get<std::size_t>()).at("id"), result.at("ruleId"));
    EXPECT_EQ(result.at("locations").at(0).at("physicalLocation").at("region").at("startLine"), 1);
  }
  EXPECT_EQ(run.at("results").at(0).at("partialFingerprints").at("failureSignature/v1"),
            "5f1c09aa3b7e2d41");
}

TEST(Sarif, StaysWithinTheLimits) {
  Result result = sample_result();
  result.failures[0].chain.resize(3000);
  result.failures.resize(5003, result.failures[1]);
  result.recordings.clear();
  const Json run = Json::parse(sarif(result)).at("runs").at(0);
  EXPECT_EQ(run.at("results").size(), 5000u);
  EXPECT_EQ(
      run.at("results").at(0).at("codeFlows").at(0).at("threadFlows").at(0).at("locations").size(),
      1000u);
  EXPECT_NE(run.at("invocations").dump().find("3 more failures"), std::string::npos);
}

TEST(Summary, IsTheGolden) { expect_golden("sample.md", summary(sample_result())); }

TEST(Summary, DropsSectionsFromTheEndAndSaysWhich) {
  const Result result = sample_result();
  const std::string whole = summary(result);
  for (std::size_t limit = 2000; limit < whole.size() + 600; limit += 500) {
    const std::string cut = summary(result, limit);
    EXPECT_LE(cut.size(), limit);
    EXPECT_EQ(cut.rfind("# fairwitness check: falsified", 0), 0u);
    EXPECT_NE(cut.find("dropped"), std::string::npos) << limit;
  }
  EXPECT_EQ(whole.find("dropped"), std::string::npos);
}

TEST(Summary, KeepsItsSizeWhateverTheResult) {
  Result result = sample_result();
  result.failures.resize(2000, result.failures[0]);
  result.notes.assign(1, std::string(2'000'000, 'n'));
  const std::string cut = summary(result);
  EXPECT_LT(cut.size(), summary_bytes);
  EXPECT_GT(cut.size(), summary_bytes / 2);
  EXPECT_NE(cut.find("required situations"), std::string::npos);
}

TEST(Annotations, AreTheGolden) {
  expect_golden("sample.annotations", annotations(sample_result()));
}

TEST(Annotations, AreAtMostNineAndACount) {
  Result result = sample_result();
  result.failures.resize(30, result.failures[0]);
  const std::string lines = annotations(result);
  EXPECT_EQ(count(lines, "::error "), 9u);
  EXPECT_EQ(last_line(lines), "::warning::23 more in the summary\n");
  EXPECT_EQ(count(lines, "\n"), 10u);
  EXPECT_EQ(annotations(Result{}), "");
}

TEST(Page, HoldsVerdictAndTablesWithoutScript) {
  const std::string page = html_page(sample_result());
  const std::string before_data = page.substr(0, page.find("<script"));
  EXPECT_LT(before_data.find("<p class=\"word\">falsified</p>"), before_data.find("<main>"));
  for (const char* part :
       {"fairwitness replay .fairwitness/cases/5f1c09aa.case.json",
        "hog x2, nice 0 (weight 1024)",
        "<td>min_vruntime(CPU 0)</td><td class=\"mono\">9</td><td class=\"mono\">12</td>",
        "Picks that passed the waiting task over",
        "<td>buddy_set_and_used</td>",
        "<td class=\"number\">-1.2ms</td>",
        "SURVIVED",
        "2.25",
        "START_DEBIT",
        "g++ 12.2",
        "CPU 0   |A"}) {
    EXPECT_NE(before_data.find(part), std::string::npos) << part;
  }
}

TEST(Page, LoadsNothing) {
  const std::string page = html_page(sample_result());
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page.find(" src="), std::string::npos);
  EXPECT_EQ(page.find("@import"), std::string::npos);
  EXPECT_EQ(page.find("url("), std::string::npos);
}

TEST(Page, CutsLongRecordingsAndSaysWhat) {
  Result result = sample_result();
  Recording& first = result.recordings[0];
  const std::size_t whole = first.decisions.size();
  PageLimits limits;
  limits.decisions = 20;
  limits.points = 10;
  limits.series = 3;
  const PageData data = page_data(result, limits);
  const Json recordings = Json::parse(data.json).at("recordings");
  ASSERT_GT(whole, 20u);
  for (const Json& recording : recordings) {
    EXPECT_EQ(recording.at("decisions").size(), 20u);
    EXPECT_EQ(recording.at("series").size(), 3u);
    for (const Json& series : recording.at("series")) EXPECT_LE(series.at("t").size(), 10u);
  }
  // The failure keeps what leads to its divergence; the plain run keeps its beginning.
  EXPECT_GT(recordings.at(0).at("start"), 0);
  EXPECT_LE(recordings.at(0).at("start"), 33'500'000);
  EXPECT_GE(recordings.at(0).at("end"), 33'500'000);
  EXPECT_EQ(recordings.at(1).at("start"), 0);
  EXPECT_NE(html_page(result, limits).find("Shown: 20 of " + std::to_string(whole) + " decisions"),
            std::string::npos);
  EXPECT_EQ(html_page(result).find("Shown: "), std::string::npos);
}

}  // namespace
}  // namespace fw::reports
