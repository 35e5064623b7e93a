// SPDX-License-Identifier: Apache-2.0
#include "reports/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/escape.h"
#include "reports/html_parts.h"
#include "reports/metrics.h"
#include "reports/text.h"
#include "reports/viewer_data.h"
#include "reports/words.h"

namespace fw::reports {
namespace {

constexpr std::string_view head_lines =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'\">\n<link rel=\"icon\" href=\"data:,\">\n";

const char* mood(Exit status) {
  switch (status) {
    case Exit::held:
      return "good";
    case Exit::falsified:
    case Exit::nondeterminism:
    case Exit::proof_failed:
    case Exit::internal:
      return "bad";
    default:
      return "warn";
  }
}

std::string command(std::string_view line) {
  return line.empty() ? ""
                      : fmt::format("<div class=\"command\"><pre>{}</pre></div>\n", html(line));
}

/// The verdict and how to get it again.
std::string header(const Result& result) {
  const std::string sentence = verdict_sentence(result);
  const std::string word = exit_word(result.status);
  std::string facts = sentence.size() > word.size() ? sentence.substr(word.size() + 2) : "";
  if (facts.empty()) facts = result.command;
  return fmt::format(
      "<header class=\"{}\" id=\"verdict\">\n<p class=\"word\">{}</p>\n<h1>{}</h1>\n{}"
      "<p class=\"quiet\">fairwitness {}, seed {}. {}. Exit status: {}.</p>\n</header>\n",
      mood(result.status),
      html(word),
      html(facts),
      command(result.command_line),
      html(result.command),
      result.seed,
      html(effort_sentence(result)),
      html(status_list(result)));
}

std::string case_html(const Case& kase) {
  const CaseWords words = case_words(kase);
  std::string out =
      fmt::format("<h3>Minimal case</h3>\n<p>{}</p>\n<ul class=\"case\">\n", html(words.where));
  for (const TaskWords& task : words.tasks) {
    out += fmt::format("<li><strong>{}</strong>", html(task.who));
    for (const std::string& line : task.does) out += fmt::format("<div>{}</div>", html(line));
    out += "</li>\n";
  }
  out += "</ul>\n";
  for (const std::string& note : words.notes) out += fmt::format("<p>{}</p>\n", html(note));
  return out;
}

std::string divergence_html(const Divergence& divergence) {
  const std::vector<ChangedField> fields = changed_fields(divergence);
  if (fields.empty()) return {};
  std::string plain;
  Table table({{"field"}, {"model", Column::mono}, {"implementation", Column::mono}});
  for (const ChangedField& field : fields) {
    if (field.model.empty() && field.impl.empty()) {
      plain += fmt::format("<p>{}</p>\n", html(field.field));
    } else {
      table.row({field.field, field.model, field.impl});
    }
  }
  return fmt::format("<h3>First divergence</h3>\n<p class=\"quiet\">{}</p>\n{}{}",
                     html(divergence_place(divergence)),
                     plain,
                     table.html());
}

std::string chain_html(const std::vector<PassedOver>& chain) {
  if (chain.empty()) return {};
  Table table({{"t", Column::number}, {"ran instead"}, {"why"}, {"keys", Column::mono}});
  for (const PassedOver& step : chain) {
    table.row({format_duration(Duration{step.t.ns}), step.task, step.why, step.keys});
  }
  return "<h3>Picks that passed the waiting task over</h3>\n" + table.html();
}

std::string recording_html(const Result& result,
                           std::size_t id,
                           const PageData& data,
                           bool with_metrics) {
  const Recording& recording = result.recordings[id];
  std::string title = recording.title;
  if (!recording.spec.empty() && recording.spec != title) {
    title += (title.empty() ? "" : ", ") + recording.spec;
  }
  std::string out = fmt::format("<h3>{}</h3>\n", html(title.empty() ? "Timeline" : title));
  if (!data.cuts[id].empty())
    out += fmt::format("<p class=\"quiet\">{}</p>\n", html(data.cuts[id]));
  out += fmt::format("<div class=\"recording\" data-recording=\"{}\"></div>\n", id);
  out += fmt::format("<details><summary>Timeline as text</summary><pre>{}</pre></details>\n",
                     html(ascii_timeline(recording)));
  return with_metrics ? out + metrics_html(measure(recording)) : out;
}

std::string failure_html(const Result& result, std::size_t index, const PageData& data) {
  const Failure& failure = result.failures[index];
  std::string out = fmt::format("<article id=\"failure-{}\">\n<h2>{} on {}</h2>\n<p>{}</p>\n",
                                index + 1,
                                html(failure.property),
                                html(failure.policy),
                                html(failure.message));
  out += command(failure.reproduce) + "<dl>\n";
  const auto fact = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html(value));
  };
  fact("Blame", failure.blame);
  fact("Size", size_sentence(failure));
  fact("Case file", failure.case_file);
  fact("Signature", failure.signature);
  out += "</dl>\n" + case_html(failure.minimized) + divergence_html(failure.divergence);
  for (std::size_t i = 0; i < result.recordings.size(); ++i) {
    if (!failure.signature.empty() && result.recordings[i].failure == failure.signature) {
      out += recording_html(result, i, data, false);
    }
  }
  out += chain_html(failure.chain);
  if (!failure.notes.empty()) out += "<h3>Notes</h3>\n";
  for (const std::string& note : failure.notes) out += fmt::format("<p>{}</p>\n", html(note));
  return out + "</article>\n";
}

/// Recordings that stand for themselves, and ones whose failure is not in the result.
std::string runs_html(const Result& result, const PageData& data) {
  std::string out;
  for (std::size_t i = 0; i < result.recordings.size(); ++i) {
    const std::string& signature = result.recordings[i].failure;
    const bool shown =
        !signature.empty() &&
        std::any_of(result.failures.begin(), result.failures.end(), [&](const Failure& failure) {
          return failure.signature == signature;
        });
    if (!shown) out += recording_html(result, i, data, true);
  }
  return section("runs", "Runs", out);
}

std::string navigation(const Result& result, const std::string& sections) {
  std::string out;
  for (std::size_t i = 0; i < result.failures.size(); ++i) {
    out += fmt::format("<a href=\"#failure-{}\">{} on {}</a>\n",
                       i + 1,
                       html(shorten(result.failures[i].property, 60)),
                       html(shorten(result.failures[i].policy, 60)));
  }
  for (const auto& entry : section_titles) {
    if (sections.find(fmt::format("<section id=\"{}\">", entry.first)) != std::string::npos) {
      out += fmt::format("<a href=\"#{}\">{}</a>\n", entry.first, entry.second);
    }
  }
  return out.empty() ? out : "<nav aria-label=\"Sections\">\n" + out + "</nav>\n";
}

}  // namespace

std::string html_page(const Result& result, const PageLimits& limits) {
  const PageData data = page_data(result, limits);
  std::string sections = properties_html(result) + required_html(result) +
                         obligations_html(result) + mutants_html(result) + benchmarks_html(result) +
                         runs_html(result, data) + notes_html(result) + identity_html(result);
  std::string out(head_lines);
  out += fmt::format("<title>{}: fairwitness {}</title>\n<style>\n",
                     html(exit_word(result.status)),
                     html(result.command));
  out += viewer_css();
  out += "</style>\n</head>\n<body>\n" + header(result) + navigation(result, sections) + "<main>\n";
  for (std::size_t i = 0; i < result.failures.size(); ++i) out += failure_html(result, i, data);
  out += sections + "</main>\n<script type=\"application/json\" id=\"data\">";
  out += script_json(data.json);
  out += "</script>\n<script>\n";
  out += viewer_js();
  return out + "</script>\n</body>\n</html>\n";
}

}  // namespace fw::reports
