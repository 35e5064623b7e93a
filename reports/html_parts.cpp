// SPDX-License-Identifier: Apache-2.0
#include "reports/html_parts.h"

#include <fmt/format.h>

#include "reports/escape.h"
#include "reports/words.h"

namespace fw::reports {
namespace {

const char* cell_class(const Column& column, std::string_view cell) {
  switch (column.kind) {
    case Column::plain:
      return "";
    case Column::number:
      return " class=\"number\"";
    case Column::mono:
      return " class=\"mono\"";
    case Column::verdict:
      if (cell == "held" || cell == "killed" || cell == "reached") return " class=\"is-good\"";
      if (cell == "falsified" || cell == "SURVIVED") return " class=\"is-bad\"";
      return " class=\"is-warn\"";
  }
  return "";
}

std::string ns_text(std::int64_t ns) { return readable_ns(static_cast<double>(ns)); }

}  // namespace

void Table::row(std::vector<std::string> cells) {
  FW_EXPECT(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::html() const {
  if (rows_.empty()) return {};
  std::vector<bool> used(columns_.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) used[i] = used[i] || !row[i].empty();
  }
  std::string out = "<div class=\"scroll\"><table class=\"data\">\n<thead><tr>";
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!used[i]) continue;
    out += fmt::format("<th scope=\"col\"{}>{}</th>",
                       columns_[i].kind == Column::number ? " class=\"number\"" : "",
                       columns_[i].title);
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows_) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!used[i]) continue;
      out += fmt::format("<td{}>{}</td>", cell_class(columns_[i], row[i]), reports::html(row[i]));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string section(std::string_view id, std::string_view title, const std::string& body) {
  if (body.empty()) return {};
  return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id, title, body);
}

std::string properties_html(const Result& result) {
  Table table({{"property"},
               {"policy"},
               {"verdict", Column::verdict},
               {"cases", Column::number},
               {"worst", Column::number},
               {"bound", Column::number},
               {"slack", Column::number},
               {"discards", Column::number},
               {"outside scope", Column::number}});
  for (const PropertyResult& property : result.properties) {
    table.row({property.name,
               property.policy,
               property.verdict,
               grouped(property.cases),
               property.worst,
               property.bound,
               property.slack,
               grouped(property.discards),
               grouped(property.not_applicable)});
  }
  return section("properties", "Properties", table.html());
}

std::string required_html(const Result& result) {
  if (result.required.empty()) return {};
  const std::vector<std::string> missed = never_reached(result);
  std::string out = fmt::format(
      "<p>{} of {} reached.</p>\n", result.required.size() - missed.size(), result.required.size());
  Table table({{"situation"}, {"", Column::verdict}, {"times", Column::number}});
  // The missed ones first: they are what has to be acted on.
  for (const bool reached : {false, true}) {
    for (const RequiredResult& required : result.required) {
      if ((required.reached > 0) != reached) continue;
      table.row(
          {required.situation, reached ? "reached" : "never reached", grouped(required.reached)});
    }
  }
  return section("required", "Required situations", out + table.html());
}

std::string obligations_html(const Result& result) {
  if (result.obligations.empty()) return {};
  Table table({{"obligation"},
               {"status"},
               {"value"},
               {"formula"},
               {"tight"},
               {"control"},
               {"vacuity"},
               {"solvers"},
               {"scope"},
               {"assumptions, witness"}});
  for (const ObligationResult& of : result.obligations) {
    std::string rest;
    for (const std::string& assumption : of.assumptions) rest += assumption + ". ";
    table.row({of.name,
               of.status + (of.reason.empty() ? "" : ": " + of.reason),
               of.bound ? grouped(*of.bound) + " " + of.unit : "-",
               of.formula,
               of.tightness + (of.slack.empty() ? "" : ": " + of.slack),
               of.negative_control ? "yes" : "NO",
               of.vacuity ? "yes" : "NO",
               solver_times(of),
               of.scope,
               rest + of.witness});
  }
  return section("obligations", "Obligations", table.html());
}

std::string mutants_html(const Result& result) {
  Table table({{"mutant"},
               {"policy"},
               {"fate", Column::verdict},
               {"killer"},
               {"killer without lockstep"},
               {"cases", Column::number},
               {"seconds", Column::number},
               {"tasks", Column::number},
               {"events", Column::number},
               {"what"}});
  for (const MutantResult& mutant : result.mutants) {
    table.row({mutant.id,
               mutant.policy + (mutant.both_sides ? " (both sides)" : ""),
               mutant.killed ? "killed" : "SURVIVED",
               mutant.property,
               mutant.killed_without_lockstep ? mutant.property_without_lockstep : "-",
               grouped(mutant.cases),
               fmt::format("{:.2f}", mutant.seconds),
               grouped(mutant.tasks),
               grouped(mutant.events),
               mutant.about});
  }
  return section("mutants", "Mutants", table.html());
}

std::string benchmarks_html(const Result& result) {
  if (result.benchmarks.empty()) return {};
  Table table({{"benchmark"},
               {"n", Column::number},
               {"ours", Column::number},
               {"peer", Column::number},
               {"unit"},
               {"ratio", Column::number},
               {"against"}});
  for (const BenchmarkResult& benchmark : result.benchmarks) {
    table.row({benchmark.name,
               grouped(benchmark.n),
               fmt::format("{:.4g}", benchmark.ours),
               fmt::format("{:.4g}", benchmark.peer),
               benchmark.unit,
               fmt::format("{:.3g}", benchmark.ratio),
               benchmark.peer_name});
  }
  return section(
      "benchmarks", "Benchmarks", "<p>A ratio above 1: ours is faster.</p>\n" + table.html());
}

std::string notes_html(const Result& result) {
  std::string out;
  for (const std::string& note : result.notes) out += fmt::format("<p>{}</p>\n", html(note));
  return section("notes", "Notes", out);
}

std::string identity_html(const Result& result) {
  std::string out;
  for (const auto& entry : result.identity) {
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", html(entry.first), html(entry.second));
  }
  return section("identity", "Identity", out.empty() ? out : "<dl>\n" + out + "</dl>\n");
}

std::string metrics_html(const Metrics& metrics) {
  Table table({{"task"},
               {"runs", Column::number},
               {"ran", Column::number},
               {"share", Column::number},
               {"wakeups", Column::number},
               {"wakeup p50", Column::number},
               {"p90", Column::number},
               {"p99", Column::number},
               {"max", Column::number},
               {"wait p50", Column::number},
               {"p90", Column::number},
               {"p99", Column::number},
               {"max", Column::number}});
  for (const TaskMetrics& task : metrics.tasks) {
    table.row({task.name,
               grouped(task.runs),
               ns_text(task.run_ns),
               fmt::format("{:.2f} %", 100 * task.share),
               grouped(task.wakeups),
               ns_text(task.wakeup.p50_ns),
               ns_text(task.wakeup.p90_ns),
               ns_text(task.wakeup.p99_ns),
               ns_text(task.wakeup.max_ns),
               ns_text(task.wait.p50_ns),
               ns_text(task.wait.p90_ns),
               ns_text(task.wait.p99_ns),
               ns_text(task.wait.max_ns)});
  }
  if (metrics.tasks.size() <= 40) return table.html();
  return fmt::format("<details><summary>Figures of {} tasks</summary>\n{}</details>\n",
                     metrics.tasks.size(),
                     table.html());
}

}  // namespace fw::reports
