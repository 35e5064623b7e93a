// SPDX-License-Identifier: Apache-2.0
#include "reports/sheets.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/escape.h"
#include "reports/html.h"
#include "reports/html_parts.h"
#include "reports/json.h"
#include "reports/markdown.h"
#include "reports/plot.h"
#include "reports/text.h"
#include "reports/words.h"

namespace fw::reports {
namespace {

std::string value_with_unit(const std::optional<std::int64_t>& value, const std::string& unit) {
  return value ? readable_ns(static_cast<double>(*value)) + (unit == "vns" ? " virtual" : "") : "-";
}

std::string name_list(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

Sheet tune_sheet(const TuneResult& tune) {
  Sheet out{"tune", "Points", {}, {}, tune_plot(tune)};
  out.lines.push_back(tune.valid_region + ".");
  out.lines.push_back("Pareto set (marked *): no other point is at least as good in all of " +
                      name_list(tune.objectives) + " and better in one.");
  std::vector<std::string> header{"", "point"};
  header.back() = name_list(tune.knobs);
  for (const TunePoint::Bound& bound : tune.points.front().bounds) header.push_back(bound.theorem);
  for (const char* name : {"binds", "longest wait", "wakeup p99", "spread seen", "switches/s"}) {
    header.push_back(name);
  }
  out.rows.push_back(header);
  for (const TunePoint& point : tune.points) {
    std::vector<std::string> row{point.pareto ? "*" : "", name_list(point.knobs)};
    std::vector<std::string> binds;
    for (const TunePoint::Bound& bound : point.bounds) {
      row.push_back(value_with_unit(bound.value, bound.unit) + (bound.lacks.empty() ? "" : " (!)"));
      const bool known = std::find(binds.begin(), binds.end(), bound.binds) != binds.end();
      if (bound.value && !known) binds.push_back(bound.binds);
    }
    row.push_back(name_list(binds));
    row.push_back(readable_ns(static_cast<double>(point.worst_wait_ns)));
    row.push_back(readable_ns(static_cast<double>(point.wakeup_p99_ns)));
    row.push_back(readable_ns(point.worst_spread));
    row.push_back(fmt::format("{:.0f}", point.switches_per_s));
    out.rows.push_back(std::move(row));
  }
  std::vector<std::string> said;
  for (const TunePoint& point : tune.points) {
    if (!point.failure.empty())
      out.lines.push_back("FALSIFIED at " + point.spec + ": " + point.failure);
    for (const TunePoint::Bound& bound : point.bounds) {
      const std::string line = "(!) " + bound.theorem + " " + bound.lacks;
      if (bound.lacks.empty() || std::find(said.begin(), said.end(), line) != said.end()) continue;
      said.push_back(line);
    }
  }
  out.lines.insert(out.lines.end(), said.begin(), said.end());
  return out;
}

std::string tightness_of(const ObligationResult& of) {
  if (of.tightness.empty()) return "-";
  return of.tightness + (of.slack.empty() ? "" : " (" + of.slack + ")");
}

const ProofFacts& facts_of(const Extra& extra, const std::string& theorem) {
  static const ProofFacts none;
  for (const ProofFacts& facts : extra.proofs) {
    if (facts.theorem == theorem) return facts;
  }
  return none;
}

std::string premises_of(const ObligationResult& of, const ProofFacts& facts) {
  const std::string needs = needs_sentence(facts);
  if (!needs.empty()) return needs;
  std::vector<std::string> names;
  for (const std::string& assumption : of.assumptions) {
    names.push_back(assumption.substr(0, assumption.find(':')));
  }
  return name_list(names);
}

Sheet results_sheet(const Result& result, const Extra& extra) {
  Sheet out{"results", "Bounds by policy and switch", {}, {}, ""};
  out.lines.push_back(
      "Values at default tunables and the tasks named in each obligation. The papers' bounds are "
      "as "
      "commonly quoted, for comparison; they were not checked against the papers here.");
  out.rows.push_back({"policy",
                      "switches",
                      "aspect",
                      "verdict",
                      "formula",
                      "value",
                      "tight",
                      "assumptions",
                      "the paper's bound",
                      "theorem"});
  for (const char* aspect :
       {"spread", "wait", "buddy delay", "share", "lag", "work conservation", "arithmetic"}) {
    for (const ObligationResult& of : result.obligations) {
      const ProofFacts& facts = facts_of(extra, of.name);
      if (facts.aspect != aspect) continue;
      out.rows.push_back({of.policy,
                          facts.switches,
                          facts.aspect,
                          of.status + (of.reason.empty() ? "" : ": " + of.reason),
                          of.formula.empty() ? "-" : of.formula,
                          value_with_unit(of.bound, of.unit),
                          tightness_of(of),
                          premises_of(of, facts),
                          facts.paper,
                          of.name});
    }
  }
  return out;
}

Sheet answers_sheet(const std::vector<Answer>& answers) {
  Sheet out{"answers", "What the theorems answer", {}, {{"question", "answer", "theorems"}}, ""};
  for (const Answer& answer : answers) {
    out.rows.push_back({answer.question, answer.text, name_list(answer.theorems)});
  }
  return out;
}

}  // namespace

std::vector<Sheet> sheets(const Result& result, const Extra& extra, bool brief) {
  std::vector<Sheet> out;
  if (!extra.tune.points.empty()) out.push_back(tune_sheet(extra.tune));
  if (!extra.proofs.empty() && !brief) out.push_back(results_sheet(result, extra));
  if (!extra.answers.empty()) out.push_back(answers_sheet(extra.answers));
  return out;
}

std::string sheets_text(const Result& result, const Extra& extra) {
  std::string out;
  if (!extra.proofs.empty())
    out += "\nAssumptions left out one by one, and all runs of small instances\n";
  for (const ProofFacts& facts : extra.proofs) {
    const std::string needs = needs_sentence(facts);
    if (needs.empty() && facts.brute_force.empty()) continue;
    out += "  " + printable(facts.theorem) + (needs.empty() ? "" : ": " + printable(needs)) + "\n";
    for (const auto& small : facts.brute_force) {
      out += "    " + printable(brute_force_sentence(small)) + "\n";
    }
  }
  for (const Sheet& sheet : sheets(result, extra, true)) {
    out += "\n" + sheet.title + "\n";
    for (const std::string& line : sheet.lines) out += "  " + printable(line) + "\n";
    if (sheet.id != "answers") {
      out += table_text(sheet.rows);
      continue;
    }
    for (std::size_t i = 1; i < sheet.rows.size(); ++i) {
      out +=
          fmt::format("  {}\n    {}\n", printable(sheet.rows[i][0]), printable(sheet.rows[i][1]));
    }
  }
  return out;
}

std::string sheets_markdown(const Result& result, const Extra& extra) {
  std::string out;
  for (const Sheet& sheet : sheets(result, extra, false)) {
    out += (out.empty() ? "## " : "\n## ") + sheet.title + "\n\n";
    for (const std::string& line : sheet.lines) out += markdown(line) + "\n\n";
    for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
      for (const std::string& cell : sheet.rows[r]) out += "| " + markdown(cell) + " ";
      out += "|\n";
      if (r > 0) continue;
      for (std::size_t i = 0; i < sheet.rows[r].size(); ++i) out += "|---";
      out += "|\n";
    }
  }
  return out;
}

std::string sheets_html(const Result& result, const Extra& extra) {
  std::string out;
  for (const Sheet& sheet : sheets(result, extra, false)) {
    std::vector<Column> columns;
    for (const std::string& title : sheet.rows.front()) columns.push_back({title, Column::plain});
    Table table(columns);
    for (std::size_t i = 1; i < sheet.rows.size(); ++i) table.row(sheet.rows[i]);
    std::string body;
    for (const std::string& line : sheet.lines) body += "<p>" + html(line) + "</p>\n";
    out += section(sheet.id, sheet.title, body + sheet.picture + table.html());
  }
  return out;
}

std::string needs_sentence(const ProofFacts& facts) {
  std::string out;
  for (const char* verdict : {"needed", "not needed", "undecided"}) {
    std::vector<std::string> names;
    for (const ProofFacts::Need& need : facts.needs) {
      if (need.verdict != verdict) continue;
      names.push_back(need.lost > 0
                          ? fmt::format("{} ({} of {})", need.assumption, need.lost, need.queries)
                          : need.assumption);
    }
    if (names.empty()) continue;
    out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", verdict, name_list(names));
  }
  return out;
}

std::string brute_force_sentence(const ProofFacts::BruteForce& small) {
  const std::string worst = small.worst ? std::to_string(*small.worst) : "no greatest";
  const std::string bound =
      small.bound ? fmt::format(" of {} {}", *small.bound, small.unit) : std::string();
  return fmt::format("{}: {}{} in {} states{}",
                     small.instance,
                     worst,
                     bound,
                     grouped(small.states),
                     small.agrees ? "" : ", WHICH CONTRADICTS");
}

std::string html_page_with(const Result& result, const Extra& extra) {
  std::string out = html_page(result);
  const std::string front = "<main>\n";
  const auto at = out.find(front);
  return at == std::string::npos ? out : out.insert(at + front.size(), sheets_html(result, extra));
}

std::string summary_with(const Result& result, const Extra& extra) {
  const std::string sheet = sheets_markdown(result, extra);
  const std::size_t limit = summary_bytes;
  const std::string rest = summary(result, limit - std::min(limit / 2, sheet.size()));
  return rest + (sheet.size() < limit / 2 ? "\n" + sheet : "");
}

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json tune_json(const TuneResult& of) {
  Json points = Json::array();
  for (const TunePoint& point : of.points) {
    Json bounds = Json::array();
    for (const TunePoint::Bound& bound : point.bounds) {
      bounds.push_back({{"theorem", bound.theorem},
                        {"value", or_null(bound.value)},
                        {"unit", bound.unit},
                        {"binds", bound.binds},
                        {"lacks", bound.lacks}});
    }
    points.push_back({{"spec", point.spec},
                      {"knobs", point.knobs},
                      {"bounds", bounds},
                      {"worst_wait_ns", point.worst_wait_ns},
                      {"wakeup_p99_ns", point.wakeup_p99_ns},
                      {"worst_spread_vns", point.worst_spread},
                      {"switches_per_s", point.switches_per_s},
                      {"pareto", point.pareto},
                      {"flags", point.flags},
                      {"failure", point.failure}});
  }
  return {{"knobs", of.knobs},
          {"objectives", of.objectives},
          {"valid_region", of.valid_region},
          {"points", points}};
}

void add_facts(const ProofFacts& facts, Json& obligation) {
  obligation["aspect"] = facts.aspect;
  obligation["switches"] = facts.switches;
  obligation["paper"] = facts.paper;
  obligation["needs"] = Json::array();
  for (const ProofFacts::Need& need : facts.needs) {
    obligation["needs"].push_back({{"assumption", need.assumption},
                                   {"verdict", need.verdict},
                                   {"queries", need.queries},
                                   {"lost", need.lost}});
  }
  obligation["brute_force"] = Json::array();
  for (const ProofFacts::BruteForce& small : facts.brute_force) {
    obligation["brute_force"].push_back({{"instance", small.instance},
                                         {"states", small.states},
                                         {"worst", or_null(small.worst)},
                                         {"bound", or_null(small.bound)},
                                         {"unit", small.unit},
                                         {"agrees", small.agrees}});
  }
}

}  // namespace

std::string json_with(const Result& result, const Extra& extra) {
  Json out = Json::parse(json(result));
  for (Json& obligation : out["obligations"]) {
    add_facts(facts_of(extra, obligation["name"].get<std::string>()), obligation);
  }
  Json answers = Json::array();
  for (const Answer& answer : extra.answers) {
    answers.push_back(
        {{"question", answer.question}, {"answer", answer.text}, {"theorems", answer.theorems}});
  }
  if (!extra.answers.empty()) out["answers"] = answers;
  if (!extra.tune.points.empty()) out["tune"] = tune_json(extra.tune);
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fw::reports
