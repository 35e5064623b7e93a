// SPDX-License-Identifier: Apache-2.0
#include "reports/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/escape.h"
#include "reports/words.h"

namespace fw::reports {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// `label` in a column of its own; nothing when `value` is empty.
std::string field(std::string_view label, std::string_view value) {
  if (value.empty()) return {};
  return fmt::format("  {:<11}{}\n", label, printable(value));
}

std::string case_text(const Case& kase) {
  const CaseWords words = case_words(kase);
  std::string out = field("case", words.where);
  for (const TaskWords& task : words.tasks) {
    out += fmt::format("    {}\n", printable(task.who));
    for (const std::string& line : task.does) out += fmt::format("      {}\n", printable(line));
  }
  for (const std::string& note : words.notes) out += fmt::format("    {}\n", printable(note));
  return out;
}

std::string divergence_text(const Divergence& divergence) {
  const std::vector<ChangedField> fields = changed_fields(divergence);
  if (fields.empty()) return {};
  std::string out = field("differs", divergence_place(divergence));
  if (out.empty()) out = field("differs", "first");
  Rows rows = {{"field", "model", "impl"}};
  std::string plain;
  for (const ChangedField& changed : fields) {
    if (changed.model.empty() && changed.impl.empty()) {
      plain += fmt::format("    {}\n", printable(changed.field));
    } else {
      rows.push_back({changed.field, changed.model, changed.impl});
    }
  }
  out += plain;
  return rows.size() == 1 ? out : out + table_text(rows);
}

std::string chain_text(const std::vector<PassedOver>& chain) {
  if (chain.empty()) return {};
  Rows rows = {{"t", "ran instead", "why", "keys"}};
  for (const PassedOver& step : chain) {
    rows.push_back({format_duration(Duration{step.t.ns}), step.task, step.why, step.keys});
  }
  return "  passed over by\n" + table_text(rows);
}

std::string properties_text(const Result& result) {
  if (result.properties.empty()) return {};
  Rows rows = {
      {"property", "policy", "verdict", "cases", "worst", "bound", "slack", "discards", "outside"}};
  for (const PropertyResult& property : result.properties) {
    rows.push_back({property.name,
                    property.policy,
                    property.verdict,
                    grouped(property.cases),
                    property.worst,
                    property.bound,
                    property.slack,
                    grouped(property.discards),
                    grouped(property.not_applicable)});
  }
  return "\nProperties\n" + table_text(rows);
}

std::string required_text(const Result& result) {
  if (result.required.empty()) return {};
  const std::vector<std::string> missed = never_reached(result);
  std::string out = fmt::format("\nRequired situations: {} of {} reached\n",
                                result.required.size() - missed.size(),
                                result.required.size());
  for (const std::string& situation : missed) {
    out += fmt::format("  never reached: {}\n", printable(situation));
  }
  return out;
}

std::string obligations_text(const Result& result) {
  if (result.obligations.empty()) return {};
  Rows rows = {
      {"obligation", "status", "value", "formula", "tight", "control", "vacuity", "solvers"}};
  std::string below;
  for (const ObligationResult& of : result.obligations) {
    rows.push_back({of.name,
                    of.status,
                    of.bound ? grouped(*of.bound) + " " + of.unit : "-",
                    of.formula,
                    of.tightness,
                    of.negative_control ? "yes" : "NO",
                    of.vacuity ? "yes" : "NO",
                    solver_times(of)});
    below += fmt::format("\n{}: {}\n", printable(of.name), printable(of.about));
    below += field("scope", of.scope);
    below += field("value at", of.at);
    below += field("reason", of.reason);
    below += field("witness", of.witness);
    below += field("slack", of.slack);
    for (const std::string& assumption : of.assumptions) below += field("assumes", assumption);
    below += field("files", of.certificate);
  }
  return "\nObligations\n" + table_text(rows) + below;
}

std::string mutants_text(const Result& result) {
  if (result.mutants.empty()) return {};
  Rows rows = {{"mutant",
                "policy",
                "fate",
                "killer",
                "without lockstep",
                "cases",
                "s",
                "tasks",
                "events",
                "what"}};
  for (const MutantResult& mutant : result.mutants) {
    rows.push_back({mutant.id,
                    mutant.policy,
                    mutant.killed ? "killed" : "SURVIVED",
                    mutant.property,
                    mutant.killed_without_lockstep ? mutant.property_without_lockstep : "-",
                    grouped(mutant.cases),
                    fmt::format("{:.2f}", mutant.seconds),
                    grouped(mutant.tasks),
                    grouped(mutant.events),
                    mutant.about});
  }
  return "\nMutants\n" + table_text(rows);
}

std::string benchmarks_text(const Result& result) {
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
  return "\nBenchmarks (ratio above 1: ours is faster)\n" + table_text(rows);
}

std::string identity_text(const Result& result) {
  if (result.identity.empty()) return {};
  std::string out = "\nIdentity\n";
  for (const auto& entry : result.identity) {
    out += fmt::format("  {}: {}\n", printable(entry.first), printable(entry.second));
  }
  return out;
}

/// A number, perhaps with unit, sign or grouping: what belongs to the right of its column.
bool numeric(std::string_view cell) {
  return cell.empty() || cell == "-" ||
         cell.find_first_of("0123456789") == (cell[0] == '-' || cell[0] == '+' ? 1u : 0u);
}

/// Columns that a text takes in a terminal, one for each character.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80;
  }));
}

}  // namespace

std::string table_text(const Rows& rows) {
  if (rows.empty()) return {};
  Rows cells = rows;
  for (auto& row : cells) {
    for (std::string& cell : row) cell = printable(cell);
  }
  const std::size_t count = cells[0].size();
  std::vector<std::size_t> widths(count);
  std::vector<bool> right(count, true), used(count, false);
  for (std::size_t r = 0; r < cells.size(); ++r) {
    for (std::size_t i = 0; i < count; ++i) {
      widths[i] = std::max(widths[i], columns(cells[r][i]));
      if (r == 0) continue;
      right[i] = right[i] && numeric(cells[r][i]);
      used[i] = used[i] || !cells[r][i].empty();
    }
  }
  std::string out;
  for (const auto& row : cells) {
    std::string line = "  ";
    for (std::size_t i = 0; i < count; ++i) {
      // A column without any value would only push the others apart.
      if (!used[i]) continue;
      const std::string padding(widths[i] - columns(row[i]), ' ');
      line += "  " + (right[i] ? padding + row[i] : row[i] + padding);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string failure_text(const Failure& failure) {
  std::string out =
      fmt::format("FAILED {} on {}\n", printable(failure.property), printable(failure.policy));
  out += field("what", failure.message);
  out += field("reproduce", failure.reproduce);
  out += field("case file", failure.case_file);
  out += field("signature", failure.signature);
  out += field("size", size_sentence(failure));
  out += case_text(failure.minimized);
  out += divergence_text(failure.divergence);
  out += chain_text(failure.chain);
  out += field("blame", failure.blame);
  for (const std::string& note : failure.notes) out += field("note", note);
  return out;
}

std::string text(const Result& result) {
  std::string out = printable(verdict_sentence(result)) + "\n";
  if (!result.command_line.empty()) {
    out += "  repeat with: " + printable(result.command_line) + "\n";
  }
  for (const Failure& failure : result.failures) {
    out += "\n" + failure_text(failure);
    for (const Recording& recording : result.recordings) {
      if (!recording.failure.empty() && recording.failure == failure.signature) {
        out += ascii_timeline(recording);
      }
    }
  }
  out += properties_text(result);
  out += required_text(result);
  out += obligations_text(result);
  out += mutants_text(result);
  out += benchmarks_text(result);
  if (result.cases > 0 || result.discards > 0) out += "\nEffort: " + effort_sentence(result) + "\n";
  if (!result.notes.empty()) out += "\nNotes\n";
  for (const std::string& note : result.notes) out += "  " + printable(note) + "\n";
  out += identity_text(result);
  return out + "\nexit status: " + status_list(result) + "\n";
}

std::string metrics_text(const Metrics& metrics) {
  const auto ns = [](std::int64_t value) { return readable_ns(static_cast<double>(value)); };
  const auto row = [&](const Latency& of) {
    return std::vector<std::string>{
        grouped(of.count), ns(of.p50_ns), ns(of.p90_ns), ns(of.p99_ns), ns(of.max_ns)};
  };
  std::string out = fmt::format("{} on {} CPU{}, {:.1f} % busy, {} switches, {} migrations\n",
                                readable_ns(static_cast<double>(metrics.end_ns)),
                                metrics.cpus,
                                metrics.cpus == 1 ? "" : "s",
                                100 * metrics.busy,
                                grouped(metrics.switches),
                                grouped(metrics.migrations));
  Rows shares = {{"task", "runs", "ran", "share", "preempted", "migrated", "waits at end"}};
  Rows wakeups = {{"wakeup latency", "count", "50th", "90th", "99th", "max"}};
  Rows waits = {{"wait for a CPU", "count", "50th", "90th", "99th", "max"}};
  const auto add = [&](Rows& rows, const std::string& name, const Latency& of) {
    std::vector<std::string> cells = row(of);
    cells.insert(cells.begin(), name);
    rows.push_back(std::move(cells));
  };
  for (const TaskMetrics& task : metrics.tasks) {
    shares.push_back({task.name,
                      grouped(task.runs),
                      ns(task.run_ns),
                      fmt::format("{:.2f} %", 100 * task.share),
                      grouped(task.preempted),
                      grouped(task.migrations),
                      task.waiting_at_end_ns > 0 ? ns(task.waiting_at_end_ns) : "-"});
    add(wakeups, task.name, task.wakeup);
    add(waits, task.name, task.wait);
  }
  add(wakeups, "(all)", metrics.wakeup);
  add(waits, "(all)", metrics.wait);
  out += table_text(shares) + "\n" + table_text(wakeups) + "\n" + table_text(waits);
  if (metrics.worst_spread) {
    out += fmt::format("\n  worst vruntime spread {:.0f} {}",
                       *metrics.worst_spread,
                       printable(metrics.spread_unit));
    if (metrics.spread_bound) out += fmt::format(", bound {:.0f}", *metrics.spread_bound);
    out += "\n";
  }
  return out;
}

}  // namespace fw::reports
