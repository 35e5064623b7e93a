// SPDX-License-Identifier: Apache-2.0
#include "reports/markdown.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/escape.h"
#include "reports/text.h"
#include "reports/words.h"

namespace fw::reports {
namespace {

using Rows = std::vector<std::vector<std::string>>;

struct Section {
  std::string name;
  std::string text;
};

/// Verbatim text in a fence that no run of backticks inside can close.
std::string fence(std::string_view text) {
  const std::string clean = printable(text, true);
  std::size_t longest = 2, run = 0;
  for (const char c : clean) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string ticks(longest + 1, '`');
  const bool ends = !clean.empty() && clean.back() == '\n';
  return fmt::format("{}text\n{}{}{}\n", ticks, clean, ends ? "" : "\n", ticks);
}

std::string table(const Rows& rows) {
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const std::string& cell : rows[r]) out += "| " + markdown(cell) + " ";
    out += "|\n";
    if (r > 0) continue;
    for (std::size_t i = 0; i < rows[r].size(); ++i) out += "|---";
    out += "|\n";
  }
  return out;
}

std::string folded(std::string_view title, std::string_view text) {
  // Backslashes mean nothing in an HTML line, so the title gets references, and no mention either.
  std::string safe = html(printable(title));
  for (std::size_t at = safe.find('@'); at != std::string::npos; at = safe.find('@', at + 1)) {
    safe.insert(at + 1, "&#8203;");
  }
  return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n", safe, fence(text));
}

Section verdict(const Result& result) {
  std::string out = fmt::format(
      "# fairwitness {}: {}\n\n", markdown(shorten(result.command, 100)), verdict_sentence(result));
  if (!result.command_line.empty()) out += fence(shorten(result.command_line, 500));
  out += fmt::format("\nExit status: {}. {}.\n", status_list(result), effort_sentence(result));
  return {"verdict", out};
}

Section properties(const Result& result) {
  if (result.properties.empty()) return {};
  Rows rows = {{"property", "policy", "verdict", "cases", "worst", "bound", "slack", "discards"}};
  for (const PropertyResult& property : result.properties) {
    rows.push_back({property.name,
                    property.policy,
                    property.verdict,
                    grouped(property.cases),
                    property.worst,
                    property.bound,
                    property.slack,
                    grouped(property.discards)});
  }
  return {"properties", "## Properties\n\n" + table(rows)};
}

Section failure_section(const Result& result, const Failure& failure) {
  std::string out = fmt::format("## {} on {}\n\n{}\n\n",
                                markdown(failure.property),
                                markdown(failure.policy),
                                markdown(failure.message));
  if (!failure.reproduce.empty()) out += fence(failure.reproduce) + "\n";
  out += folded("Minimal case, first divergence, chain of picks", failure_text(failure));
  for (const Recording& recording : result.recordings) {
    if (recording.failure.empty() || recording.failure != failure.signature) continue;
    out += folded("Timeline", ascii_timeline(recording));
  }
  return {"failure " + failure.signature, out};
}

Section required(const Result& result) {
  if (result.required.empty()) return {};
  const std::vector<std::string> missed = never_reached(result);
  std::string out = fmt::format("## Required situations\n\n{} of {} reached.\n",
                                result.required.size() - missed.size(),
                                result.required.size());
  for (const std::string& situation : missed) {
    out += fmt::format("- never reached: {}\n", markdown(situation));
  }
  return {"required situations", out};
}

Section obligations(const Result& result) {
  if (result.obligations.empty()) return {};
  Rows rows = {
      {"obligation", "status", "value", "formula", "tight", "control", "vacuity", "solvers"}};
  for (const ObligationResult& of : result.obligations) {
    rows.push_back({of.name,
                    of.status,
                    of.bound ? grouped(*of.bound) + " " + of.unit : "-",
                    of.formula,
                    of.tightness,
                    of.negative_control ? "yes" : "NO",
                    of.vacuity ? "yes" : "NO",
                    solver_times(of)});
  }
  return {"obligations", "## Obligations\n\n" + table(rows)};
}

Section mutants(const Result& result) {
  if (result.mutants.empty()) return {};
  Rows rows = {{"mutant",
                "policy",
                "fate",
                "killer",
                "killer without lockstep",
                "cases",
                "tasks",
                "events"}};
  for (const MutantResult& mutant : result.mutants) {
    rows.push_back({mutant.id,
                    mutant.policy,
                    mutant.killed ? "killed" : "SURVIVED",
                    mutant.property,
                    mutant.killed_without_lockstep ? mutant.property_without_lockstep : "-",
                    grouped(mutant.cases),
                    grouped(mutant.tasks),
                    grouped(mutant.events)});
  }
  return {"mutants", "## Mutants\n\n" + table(rows)};
}

Section benchmarks(const Result& result) {
  if (result.benchmarks.empty()) return {};
  Rows rows = {{"benchmark", "n", "ours", "peer", "unit", "ratio", "against"}};
  for (const BenchmarkResult& benchmark : result.benchmarks) {
    rows.push_back({benchmark.name,
                    grouped(benchmark.n),
                    fmt::format("{:.4g}", benchmark.ours),
                    fmt::format("{:.4g}", benchmark.peer),
                    benchmark.unit,
                    fmt::format("{:.3g}", benchmark.ratio),
                    benchmark.peer_name});
  }
  return {"benchmarks", "## Benchmarks\n\nA ratio above 1: ours is faster.\n\n" + table(rows)};
}

Section runs(const Result& result) {
  std::string out;
  for (const Recording& recording : result.recordings) {
    if (!recording.failure.empty()) continue;
    out += folded(recording.title.empty() ? "Run" : recording.title,
                  ascii_timeline(recording) + "\n" + metrics_text(measure(recording)));
  }
  return {"runs", out.empty() ? out : "## Runs\n\n" + out};
}

Section notes(const Result& result) {
  std::string out;
  for (const std::string& note : result.notes) out += "- " + markdown(note) + "\n";
  for (const auto& entry : result.identity) {
    out += fmt::format("- {}: {}\n", markdown(entry.first), markdown(entry.second));
  }
  return {"notes and identity", out.empty() ? out : "## Notes and identity\n\n" + out};
}

/// Data of a workflow command; its properties must hide two characters more.
std::string command_data(std::string_view text, bool property) {
  std::string out;
  for (const char c : printable(text, true)) {
    switch (c) {
      case '%':
        out += "%25";
        break;
      case '\r':
        out += "%0D";
        break;
      case '\n':
        out += "%0A";
        break;
      case ':':
        out += property ? "%3A" : ":";
        break;
      case ',':
        out += property ? "%2C" : ",";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

std::string summary(const Result& result, std::size_t limit) {
  std::vector<Section> sections = {verdict(result), properties(result)};
  for (const Failure& failure : result.failures) {
    sections.push_back(failure_section(result, failure));
  }
  for (Section section : {required(result),
                          obligations(result),
                          mutants(result),
                          benchmarks(result),
                          runs(result),
                          notes(result)}) {
    sections.push_back(std::move(section));
  }
  // Room for the line that names what was dropped.
  constexpr std::size_t reserve = 600;
  std::string out;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (sections[i].text.empty()) continue;
    if (i == 0 || out.size() + sections[i].text.size() + 1 + reserve <= limit) {
      out += (i == 0 ? "" : "\n") + sections[i].text;
      continue;
    }
    std::vector<std::string> dropped;
    for (std::size_t rest = i; rest < sections.size(); ++rest) {
      if (!sections[rest].text.empty()) dropped.push_back(markdown(sections[rest].name));
    }
    const std::string names = fmt::format("{}", fmt::join(dropped, ", "));
    return out + fmt::format(
                     "\n**Too long for a summary; dropped {} sections, in full in "
                     "index.html:** {}\n",
                     dropped.size(),
                     shorten(names, 300));
  }
  return out;
}

std::string annotations(const Result& result) {
  constexpr std::size_t most = 9;
  std::vector<std::string> lines;
  for (const Failure& failure : result.failures) {
    lines.push_back(fmt::format("::error title={}::{}%0A{}\n",
                                command_data(failure.property + " on " + failure.policy, true),
                                command_data(shorten(failure.message, 2000), false),
                                command_data(shorten(failure.reproduce, 2000), false)));
  }
  for (const std::string& situation : never_reached(result)) {
    lines.push_back(fmt::format("::warning title=never reached::{}\n",
                                command_data(shorten(situation, 2000), false)));
  }
  std::string out;
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) out += lines[i];
  if (lines.size() > most) {
    out += fmt::format("::warning::{} more in the summary\n", lines.size() - most);
  }
  return out;
}

}  // namespace fw::reports
