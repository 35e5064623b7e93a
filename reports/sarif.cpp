// SPDX-License-Identifier: Apache-2.0
#include "reports/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/escape.h"
#include "reports/metrics.h"
#include "reports/words.h"

namespace fw::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_results = 5000;
constexpr std::size_t most_steps = 1000;

/// A path as a URI reference: relative ones stay relative, so that they match the repository's
/// files.
std::string uri(std::string_view path) {
  std::string out = !path.empty() && path[0] == '/' ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= 'a' && byte <= 'z') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

Json message(const std::string& text) { return {{"text", text}}; }

Json location(const Failure& failure, const std::string& text) {
  Json out;
  if (!failure.case_file.empty()) {
    out["physicalLocation"] = {{"artifactLocation", {{"uri", uri(failure.case_file)}}},
                               {"region", {{"startLine", 1}}}};
  }
  Json logical = {{"fullyQualifiedName", failure.policy + "/" + failure.property},
                  {"kind", "member"}};
  out["logicalLocations"] = Json::array({std::move(logical)});
  if (!text.empty()) out["message"] = message(text);
  return out;
}

/// What happened, step by step: the picks that passed the victim over, else the last decisions of
/// the failure's recording.
std::vector<std::string> steps(const Result& result, const Failure& failure) {
  std::vector<std::string> out;
  for (const PassedOver& step : failure.chain) {
    out.push_back(fmt::format("{}: {} ran instead ({}) {}",
                              format_duration(Duration{step.t.ns}),
                              step.task,
                              step.why,
                              step.keys));
  }
  if (out.empty()) {
    for (const Recording& recording : result.recordings) {
      if (recording.failure.empty() || recording.failure != failure.signature) continue;
      for (const Decision& decision : recording.decisions) {
        out.push_back(fmt::format("{}, CPU {}: {}",
                                  format_duration(Duration{decision.t.ns}),
                                  decision.cpu.value,
                                  decision_words(recording, decision)));
      }
      break;
    }
  }
  if (out.size() > most_steps) {
    out.erase(out.begin(), out.end() - static_cast<std::ptrdiff_t>(most_steps));
  }
  return out;
}

Json result_json(const Result& result, const Failure& failure, std::size_t rule) {
  std::string text = failure.message.empty() ? failure.property + " is falsified" : failure.message;
  if (!failure.reproduce.empty()) text += "\nReproduce: " + failure.reproduce;
  Json out = {{"ruleId", failure.property},
              {"ruleIndex", rule},
              {"level", "error"},
              {"message", message(text)}};
  out["locations"] = Json::array({location(failure, {})});
  out["partialFingerprints"] = {{"failureSignature/v1", failure.signature}};
  const std::vector<ChangedField> fields = changed_fields(failure.divergence);
  if (!fields.empty()) {
    const std::string place = divergence_place(failure.divergence);
    Json related = location(
        failure,
        "First divergence" + (place.empty() ? "" : " " + place) + ": " + failure.divergence.text);
    related["id"] = 1;
    out["relatedLocations"] = Json::array({std::move(related)});
  }
  Json flow = Json::array();
  for (const std::string& step : steps(result, failure)) {
    flow.push_back({{"location", location(failure, step)}});
  }
  if (!flow.empty()) {
    Json thread = {{"locations", std::move(flow)}};
    Json code = {{"threadFlows", Json::array({std::move(thread)})}};
    out["codeFlows"] = Json::array({std::move(code)});
  }
  out["properties"] = {{"policy", failure.policy},
                       {"blame", failure.blame},
                       {"events", failure.events},
                       {"tasks", failure.tasks},
                       {"originalEvents", failure.original_events}};
  return out;
}

Json notification(std::string_view level, const std::string& text) {
  return {{"level", level}, {"message", message(text)}};
}

Json invocation(const Result& result) {
  Json notes = Json::array();
  for (const std::string& situation : never_reached(result)) {
    notes.push_back(notification("warning", "required situation never reached: " + situation));
  }
  for (const std::string& note : result.notes) notes.push_back(notification("note", note));
  if (result.failures.size() > most_results) {
    notes.push_back(notification("warning",
                                 fmt::format("{} more failures are not in this file",
                                             result.failures.size() - most_results)));
  }
  Json out = {{"executionSuccessful", result.status != Exit::internal},
              {"exitCode", static_cast<int>(result.status)},
              {"exitCodeDescription", status_list(result)}};
  if (!result.command_line.empty()) out["commandLine"] = result.command_line;
  out["toolExecutionNotifications"] = std::move(notes);
  return out;
}

/// The properties checked and those that failed, each once, in the order of the report.
std::vector<std::string> rule_names(const Result& result) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& name) {
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  };
  for (const PropertyResult& property : result.properties) add(property.name);
  for (const Failure& failure : result.failures) add(failure.property);
  return out;
}

}  // namespace

std::string sarif(const Result& result) {
  const std::vector<std::string> names = rule_names(result);
  Json rules = Json::array();
  for (const std::string& name : names) {
    rules.push_back({{"id", name},
                     {"shortDescription", message(name)},
                     {"defaultConfiguration", {{"level", "error"}}}});
  }
  Json results = Json::array();
  for (std::size_t i = 0; i < std::min(result.failures.size(), most_results); ++i) {
    const Failure& failure = result.failures[i];
    const auto rule = std::find(names.begin(), names.end(), failure.property) - names.begin();
    results.push_back(result_json(result, failure, static_cast<std::size_t>(rule)));
  }
  Json driver = {{"name", "fairwitness"}, {"rules", std::move(rules)}};
  const auto version = result.identity.find("version");
  if (version != result.identity.end()) driver["version"] = version->second;
  Json run = {{"tool", {{"driver", std::move(driver)}}}};
  run["invocations"] = Json::array({invocation(result)});
  run["results"] = std::move(results);
  Json out = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}};
  out["runs"] = Json::array({std::move(run)});
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fw::reports
