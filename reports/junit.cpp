// SPDX-License-Identifier: Apache-2.0
#include "reports/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/escape.h"
#include "reports/text.h"
#include "reports/words.h"

namespace fw::reports {
namespace {

constexpr std::size_t text_limit = 4000;

enum class Fate { passed, failed, error, skipped };

struct TestCase {
  std::string name;
  Fate fate = Fate::passed;
  std::string type, message, text;
};

struct Suite {
  std::string name;
  std::vector<TestCase> cases;
  std::int64_t count(Fate fate) const {
    return std::count_if(cases.begin(), cases.end(), [&](const TestCase& testcase) {
      return testcase.fate == fate;
    });
  }
};

bool applies(const Result& result, Exit status) {
  return result.status == status ||
         std::find(result.all_statuses.begin(), result.all_statuses.end(), status) !=
             result.all_statuses.end();
}

TestCase failed(std::string name, const std::vector<const Failure*>& failures) {
  TestCase out{std::move(name), Fate::failed, "falsified", failures[0]->message, {}};
  for (const Failure* failure : failures) out.text += failure_text(*failure) + "\n";
  return out;
}

std::vector<const Failure*> failures_of(const Result& result,
                                        std::string_view policy,
                                        std::string_view property) {
  std::vector<const Failure*> out;
  for (const Failure& failure : result.failures) {
    if (failure.policy == policy && failure.property == property) out.push_back(&failure);
  }
  return out;
}

TestCase property_case(const Result& result, const PropertyResult& property) {
  const auto failures = failures_of(result, property.policy, property.name);
  if (!failures.empty()) return failed(property.name, failures);
  if (property.verdict == "held") return {property.name, Fate::passed, {}, {}, {}};
  if (property.verdict == "falsified") {
    return {property.name, Fate::failed, "falsified", "falsified; see the report", {}};
  }
  const std::string reason = property.verdict == "not-applicable"
                                 ? "not applicable: every case was outside its scope"
                                 : "vacuous: its situation was never reached";
  return {property.name, Fate::skipped, property.verdict, reason, {}};
}

/// Suites by policy in the order of their first mention.
std::vector<Suite> policy_suites(const Result& result) {
  std::vector<Suite> out;
  const auto suite = [&](const std::string& policy) -> Suite& {
    const auto at = std::find_if(
        out.begin(), out.end(), [&](const Suite& each) { return each.name == policy; });
    if (at != out.end()) return *at;
    out.push_back({policy, {}});
    return out.back();
  };
  std::set<std::pair<std::string, std::string>> done;
  for (const PropertyResult& property : result.properties) {
    if (!done.emplace(property.policy, property.name).second) continue;
    suite(property.policy).cases.push_back(property_case(result, property));
  }
  for (const Failure& failure : result.failures) {
    if (!done.emplace(failure.policy, failure.property).second) continue;
    suite(failure.policy)
        .cases.push_back(
            failed(failure.property, failures_of(result, failure.policy, failure.property)));
  }
  return out;
}

Suite required_suite(const Result& result) {
  Suite out{"required situations", {}};
  const bool vacuous = applies(result, Exit::vacuous);
  for (const RequiredResult& required : result.required) {
    if (required.reached > 0) {
      out.cases.push_back({required.situation, Fate::passed, {}, {}, {}});
    } else {
      out.cases.push_back({required.situation,
                           vacuous ? Fate::failed : Fate::skipped,
                           "vacuous",
                           "never reached",
                           {}});
    }
  }
  return out;
}

Suite mutants_suite(const Result& result) {
  Suite out{"mutants", {}};
  for (const MutantResult& mutant : result.mutants) {
    out.cases.push_back({mutant.policy + " " + mutant.id,
                         mutant.killed ? Fate::passed : Fate::failed,
                         "survived",
                         "survived: " + mutant.about,
                         {}});
  }
  return out;
}

/// The run as such: an `error` for every status that says there is no verdict.
Suite run_suite(const Result& result) {
  TestCase run{"run", Fate::passed, {}, {}, {}};
  for (const Exit status : {Exit::internal,
                            Exit::proof_failed,
                            Exit::nondeterminism,
                            Exit::unknown,
                            Exit::deadline,
                            Exit::stale,
                            Exit::usage}) {
    if (!applies(result, status)) continue;
    run.fate = Fate::error;
    run.type = exit_word(status);
    run.message = "exit status " + status_list(result);
    break;
  }
  for (const std::string& note : result.notes) run.text += note + "\n";
  return {"fairwitness", {std::move(run)}};
}

std::vector<std::pair<std::string, std::string>> key_items(const Result& result) {
  std::vector<std::pair<std::string, std::string>> out = {
      {"command_line", result.command_line},
      {"seed", fmt::format("{}", result.seed)},
      {"exit", status_list(result)},
      {"cases", fmt::format("{}", result.cases)},
      {"events", fmt::format("{}", result.events)},
      {"discards", fmt::format("{}", result.discards)}};
  for (const Failure& failure : result.failures) {
    out.emplace_back("failure", failure.signature + " " + failure.case_file);
  }
  out.insert(out.end(), result.identity.begin(), result.identity.end());
  return out;
}

std::string testcase_xml(const Suite& suite, const TestCase& testcase) {
  std::string out = fmt::format(
      "    <testcase classname=\"{}\" name=\"{}\" time=\"0\"", xml(suite.name), xml(testcase.name));
  const char* const element = testcase.fate == Fate::failed    ? "failure"
                              : testcase.fate == Fate::error   ? "error"
                              : testcase.fate == Fate::skipped ? "skipped"
                                                               : nullptr;
  if (element == nullptr) return out + "/>\n";
  out += fmt::format(">\n      <{} message=\"{}\"", element, xml(shorten(testcase.message, 1000)));
  if (testcase.fate != Fate::skipped) out += fmt::format(" type=\"{}\"", xml(testcase.type));
  return out + fmt::format(
                   ">{}</{}>\n    </testcase>\n", xml(shorten(testcase.text, text_limit)), element);
}

std::string suite_xml(const Suite& suite, const std::string& head, const std::string& tail) {
  std::string out = fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"0\">\n{}",
      xml(suite.name),
      suite.cases.size(),
      suite.count(Fate::failed),
      suite.count(Fate::error),
      suite.count(Fate::skipped),
      head);
  for (const TestCase& testcase : suite.cases) out += testcase_xml(suite, testcase);
  return out + tail + "  </testsuite>\n";
}

}  // namespace

std::string junit(const Result& result) {
  std::vector<Suite> suites = {run_suite(result)};
  for (Suite& suite : policy_suites(result)) suites.push_back(std::move(suite));
  suites.push_back(required_suite(result));
  suites.push_back(mutants_suite(result));
  suites.erase(
      std::remove_if(
          suites.begin(), suites.end(), [](const Suite& suite) { return suite.cases.empty(); }),
      suites.end());

  std::string properties = "    <properties>\n", repeated = "    <system-out>";
  for (const auto& item : key_items(result)) {
    properties += fmt::format(
        "      <property name=\"{}\" value=\"{}\"/>\n", xml(item.first), xml(item.second));
    repeated += xml(item.first + ": " + item.second) + "\n";
  }
  properties += "    </properties>\n";
  repeated += "</system-out>\n";

  std::size_t tests = 0;
  std::int64_t failures = 0, errors = 0, skipped = 0;
  std::string body;
  for (const Suite& suite : suites) {
    tests += suite.cases.size();
    failures += suite.count(Fate::failed);
    errors += suite.count(Fate::error);
    skipped += suite.count(Fate::skipped);
    body += suite_xml(suite, properties, repeated);
    properties.clear();
    repeated.clear();
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"fairwitness\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n{}</testsuites>\n",
      tests,
      failures,
      errors,
      skipped,
      result.seconds,
      body);
}

}  // namespace fw::reports
