// SPDX-License-Identifier: Apache-2.0
#include "model/input/inspect.h"

#include <algorithm>

#include "model/input/casefile.h"
#include "model/input/features.h"
#include "model/input/file.h"
#include "model/input/topology.h"
#include "model/input/trace.h"

namespace fw::input {
namespace {

void add(Inspection& out, std::string name, std::int64_t value) {
  out.counts.emplace_back(std::move(name), std::to_string(value));
}

/// `FILE:LINE[:COLUMN]` -> LINE; 0 without one.
int line_of(const Error& error, const std::string& file_name) {
  if (!error.where.starts_with(file_name + ":")) return 0;
  return std::atoi(error.where.c_str() + file_name.size() + 1);
}

void refuse(Inspection& out, const Error& error) {
  out.verdict = Verdict::refuse;
  out.refusals.push_back({"",
                          line_of(error, out.file),
                          error.hint.empty() ? error.what : error.what + "; " + error.hint});
}

std::vector<Remark> without_keys(const std::vector<std::string>& notes) {
  std::vector<Remark> out;
  for (const std::string& note : notes) out.push_back({"", 0, note});
  return out;
}

void workload(Inspection& out, std::string_view text) {
  out.kind = "workload";
  Outcome<RtappReading> reading = read_rtapp(text, out.file);
  if (!reading.ok()) return refuse(out, reading.error());
  out.verdict = reading->verdict;
  const RtappCounts& counts = reading->counts;
  add(out, "tasks", counts.tasks);
  add(out, "threads", counts.threads);
  add(out, "phases", counts.phases);
  add(out, "events", counts.events);
  add(out, "repeated keys", counts.repeated);
  out.refusals = std::move(reading->refusals);
  out.approximations = std::move(reading->approximations);
  out.notes = std::move(reading->notes);
}

void case_file(Inspection& out,
               std::string_view text,
               std::span<const PolicyInfo* const> catalogue) {
  out.kind = "case";
  const Outcome<Case> read = read_case(text, out.file, catalogue);
  if (!read.ok()) return refuse(out, read.error());
  out.counts.emplace_back("spec", read->spec.text);
  out.counts.emplace_back("topology", read->topology);
  if (!read->property.empty()) out.counts.emplace_back("property", read->property);
  if (!read->mutant.empty()) out.counts.emplace_back("mutant", read->mutant);
  std::int64_t threads = 0, phases = 0, events = 0;
  for (const TaskDef& task : read->workload.tasks) {
    threads += task.instances;
    phases += static_cast<std::int64_t>(task.phases.size());
    for (const Phase& phase : task.phases) events += static_cast<std::int64_t>(phase.ops.size());
  }
  add(out, "tasks", static_cast<std::int64_t>(read->workload.tasks.size()));
  add(out, "threads", threads);
  add(out, "phases", phases);
  add(out, "events", events);
  out.notes = without_keys(read->notes);
}

void topology(Inspection& out, std::string_view text) {
  out.kind = "topology";
  const Outcome<TopologyReading> reading = read_hwloc(text, out.file);
  if (!reading.ok()) return refuse(out, reading.error());
  const TopologyCounts& counts = reading->counts;
  add(out, "packages", counts.packages);
  add(out, "nodes", counts.nodes);
  add(out, "groups", counts.groups);
  add(out, "dies", counts.dies);
  add(out, "cores", counts.cores);
  add(out, "PUs", counts.pus);
  add(out, "cpukinds", counts.cpukinds);
  add(out, "distance matrices", counts.distances);
  add(out, "CPUs", reading->topology.cpus);
  add(out, "levels", static_cast<std::int64_t>(reading->topology.levels.size()));
  for (const TopologyLevel& level : reading->topology.levels) {
    const int last = *std::max_element(level.set_of_cpu.begin(), level.set_of_cpu.end());
    add(out, "sets of " + std::string(level_name(level.kind)), last + 1);
  }
  out.notes = without_keys(reading->notes);
}

void features(Inspection& out,
              const FeatureListing& listing,
              std::string_view text,
              std::span<const PolicyInfo* const> catalogue) {
  out.kind = "features";
  add(out, "names", static_cast<std::int64_t>(listing.names.size()));
  const auto on = std::count_if(
      listing.names.begin(), listing.names.end(), [](const auto& name) { return name.second; });
  add(out, "on", on);
  add(out, "off", static_cast<std::int64_t>(listing.names.size()) - on);
  std::string names;
  for (const auto& [name, state] : listing.names)
    names += (names.empty() ? "" : " ") + std::string(state ? "" : "NO_") + name;
  out.counts.emplace_back("list", names);
  out.notes = without_keys(listing.notes);
  // A features file belongs to one kernel; whether a policy takes it depends on the policy.
  for (const PolicyInfo* policy : catalogue) {
    const Outcome<FeatureReading> reading = read_features(text, out.file, *policy);
    std::string said = "policy " + std::string(policy->name) + ": ";
    if (reading.ok()) {
      said += std::to_string(reading->features.size()) + " modelled, " +
              std::to_string(reading->without_effect.size()) + " without effect";
    } else {
      said += reading.error().what;
    }
    out.notes.push_back({"", 0, said});
  }
}

void trace(Inspection& out, const TraceSummary& summary) {
  out.kind = "trace";
  out.counts.emplace_back("format", summary.kind);
  for (const auto& [name, value] : summary.counts()) add(out, name, value);
  out.notes = without_keys(summary.notes);
}

/// The first character that is neither white space nor part of a byte order mark.
char first_sign(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return at == std::string_view::npos ? '\0' : text[at];
}

}  // namespace

Outcome<Inspection> inspect_text(std::string_view text,
                                 const std::string& file_name,
                                 std::span<const PolicyInfo* const> catalogue) {
  Inspection out;
  out.file = file_name;
  const char sign = first_sign(text);
  const bool json = sign == '{' || sign == '[' || sign == '/' || file_name.ends_with(".json");
  if (json && !looks_like_trace(text)) {
    if (looks_like_case(text)) {
      case_file(out, text, catalogue);
    } else {
      workload(out, text);
    }
    return out;
  }
  if (sign == '<' && text.substr(0, 4096).find("<topology") != std::string_view::npos) {
    topology(out, text);
    return out;
  }
  if (const Outcome<FeatureListing> listing = list_features(text, file_name); listing.ok()) {
    features(out, *listing, text, catalogue);
    return out;
  }
  const Outcome<TraceSummary> summary = summarize_trace(text, file_name);
  if (summary.ok()) {
    trace(out, *summary);
    return out;
  }
  if (sign == '<' && file_name.find(".xml") != std::string::npos) {
    topology(out, text);
    return out;
  }
  if (looks_like_trace(text)) {
    out.kind = "trace";
    refuse(out, summary.error());
    return out;
  }
  return Error{
      "of no known kind (workload, case, hwloc XML, features line, trace): " + summary.error().what,
      summary.error().hint,
      file_name};
}

Outcome<Inspection> inspect_file(const std::string& path,
                                 std::span<const PolicyInfo* const> catalogue) {
  const Outcome<std::string> text = read_file(path, max_trace_bytes);
  if (!text.ok()) return text.error();
  return inspect_text(*text, path, catalogue);
}

}  // namespace fw::input
