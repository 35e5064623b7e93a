// SPDX-License-Identifier: Apache-2.0
#include "model/input/rtapp.h"

#include <algorithm>
#include <array>
#include <set>

#include "model/input/file.h"
#include "model/input/rtapp_reader.h"
#include "model/vocab/spec.h"

namespace fw::input {
namespace {

// More remarks than this tell a reader nothing.
constexpr std::size_t max_remarks = 1000;

constexpr std::array<std::string_view, 8> resource_types = {
    "mutex", "signal", "wait", "broadcast", "sync", "sleep", "run", "timer"};
constexpr std::array<std::string_view, 6> ftrace_names = {
    "main", "task", "loop", "event", "stats", "none"};

bool is_number_of_cpu(std::string_view text) {
  return text.size() > 3 && text.starts_with("CPU") &&
         text.find_first_not_of("0123456789", 3) == std::string_view::npos;
}

std::string keys_text(const std::vector<Remark>& remarks, std::string_view file_name) {
  std::string out;
  for (const Remark& remark : remarks) {
    out += "\n  " + std::string(file_name) + ":" + std::to_string(remark.line) + ": " +
           (remark.key.empty() ? "" : json_shown(remark.key) + ": ") + remark.text;
  }
  return out;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  static constexpr std::array<std::string_view, 3> names = {"accept", "approximate", "refuse"};
  return names[static_cast<std::size_t>(verdict)];
}

void RtappReader::add(std::vector<Remark>& list, const Json& item, std::string text) {
  if (list.size() > max_remarks) return;
  if (list.size() == max_remarks) {
    list.push_back({"", item.line, "there are more like these"});
    return;
  }
  list.push_back({item.key, item.key_line != 0 ? item.key_line : item.line, text + scope_});
}
void RtappReader::refuse(const Json& item, std::string text) {
  add(out_.refusals, item, std::move(text));
}
void RtappReader::approximate(const Json& item, std::string text) {
  add(out_.approximations, item, std::move(text));
}
void RtappReader::note(const Json& item, std::string text) {
  add(out_.notes, item, std::move(text));
}

bool RtappReader::is_a(const Json& item, JsonKind kind) {
  if (item.is(kind)) return true;
  if (item.is(JsonKind::placeholder)) {
    refuse(item, "the template's placeholder " + item.text + " is not filled in");
  } else {
    refuse(item,
           "expected " + std::string(json_kind_name(kind)) + ", found " +
               std::string(json_kind_name(item.kind)) +
               (item.is(JsonKind::real) ? " " + item.text.substr(0, 40) : ""));
  }
  return false;
}

std::optional<std::int64_t> RtappReader::c_int(const Json& item) {
  if (!is_a(item, JsonKind::integer)) return std::nullopt;
  const std::int64_t value = std::clamp<std::int64_t>(item.integer, INT32_MIN, INT32_MAX);
  if (value != item.integer) {
    note(item,
         "too large for rt-app, which reads it as " + std::to_string(value) + ", as is done here");
  }
  return value;
}

std::optional<Duration> RtappReader::micros(const Json& item) {
  const std::optional<std::int64_t> us = c_int(item);
  if (!us) return std::nullopt;
  if (*us < 0) {
    refuse(item, "a time of " + std::to_string(*us) + " us is negative");
    return std::nullopt;
  }
  return Duration{*us * 1000};
}

std::optional<std::int64_t> RtappReader::loops(const Json& item) {
  const std::optional<std::int64_t> value = c_int(item);
  if (!value || *value > 0) return value;
  if (*value != -1) note(item, "a loop of " + std::to_string(*value) + " never ends, as -1");
  return -1;
}

std::optional<std::string> RtappReader::name(const Json& item) {
  if (!is_a(item, JsonKind::string)) return std::nullopt;
  return item.text;
}

void RtappReader::settings_given_twice(const Json& object, bool events_are_settings) {
  std::set<std::string_view> seen;
  for (const Json& item : object.items) {
    if (!events_are_settings && rtapp_event(item.key)) continue;
    if (!seen.insert(item.key).second) note(item, "repeated: only the last one counts");
  }
}

void RtappReader::global_text(const Json& item) {
  const std::string& key = item.key;
  if (key == "calibration" && item.is(JsonKind::integer)) return;
  if (key == "log_size" && item.is(JsonKind::integer)) return;
  if (key == "ftrace" && item.is(JsonKind::boolean)) return;
  if (!is_a(item, JsonKind::string)) return;
  if (key == "calibration" && !is_number_of_cpu(item.text)) {
    refuse(item, "expected CPU0 or another CPU, or an integer, found " + json_shown(item.text));
  }
  if (key != "ftrace") return;
  for (std::size_t at = 0; at <= item.text.size();) {
    const std::size_t end = std::min(item.text.find(',', at), item.text.size());
    const std::string_view word = std::string_view(item.text).substr(at, end - at);
    if (std::find(ftrace_names.begin(), ftrace_names.end(), word) == ftrace_names.end()) {
      refuse(item,
             "rt-app knows no category " + json_shown(word) +
                 "; nearest: " + std::string(nearest(word, ftrace_names)));
    }
    at = end + 1;
  }
}

void RtappReader::global(const Json& object) {
  if (!is_a(object, JsonKind::object)) return;
  settings_given_twice(object, true);
  static constexpr std::array<std::string_view, 4> truths = {
      "gnuplot", "lock_pages", "pi_enabled", "cumulative_slack"};
  static constexpr std::array<std::string_view, 6> texts = {
      "calibration", "ftrace", "logdir", "log_basename", "log_size", "io_device"};
  const auto among = [](const auto& names, const std::string& key) {
    return std::find(names.begin(), names.end(), key) != names.end();
  };
  for (const Json& item : object.items) {
    if (item.key == "duration") {
      if (item.is(JsonKind::real)) {
        refuse(item,
               "rt-app takes whole seconds only, not " + item.text.substr(0, 40) +
                   " (a dialect of scxsim)");
        continue;
      }
      const std::optional<std::int64_t> seconds = c_int(item);
      if (!seconds) continue;
      out_.workload.duration.reset();
      if (*seconds > 0) out_.workload.duration = Duration{*seconds * 1'000'000'000};
      if (*seconds == 0 || *seconds < -1) note(item, "no time limit, as -1");
    } else if (item.key == "default_policy") {
      default_policy_item_ = &item;
      default_policy_ = policy_of(&item).value_or(RtPolicy::other);
    } else if (among(truths, item.key)) {
      if (is_a(item, JsonKind::boolean) && item.key == "pi_enabled") {
        pi_enabled_ = item.integer != 0 ? &item : nullptr;
      }
    } else if (among(texts, item.key)) {
      global_text(item);
    } else if (item.key == "mem_buffer_size") {
      c_int(item);
    } else if (!item.key.starts_with('_')) {
      note(item, "ignored, by rt-app too");
    }
  }
}

void RtappReader::resources(const Json& object) {
  if (!object.is(JsonKind::object)) {
    note(object, "ignored, by rt-app too: not an object");
    return;
  }
  for (const Json& item : object.items) {
    if (!item.is(JsonKind::object)) continue;
    const Json* type = item.find("type");
    if (type == nullptr || !type->is(JsonKind::string) ||
        std::find(resource_types.begin(), resource_types.end(), type->text) ==
            resource_types.end()) {
      refuse(
          item,
          "a resource needs a \"type\": mutex, signal, wait, broadcast, sync, sleep, run or timer");
    }
  }
}

void RtappReader::top_level(const Json& root) {
  settings_given_twice(root, true);
  // What other parts depend on comes first, wherever it stands.
  const Json* ours = root.find("fairwitness");
  wants_slots_ = ours != nullptr && ours->find("exact_ns") != nullptr;
  if (const Json* item = root.find("global")) global(*item);
  const Json* tasks = root.find("tasks");
  if (tasks == nullptr) {
    out_.refusals.push_back({"tasks",
                             root.line,
                             root.find("threads") != nullptr
                                 ? "missing; \"threads\" is the dialect of rt-muse"
                                 : "missing: a fragment, or no rt-app workload"});
  } else if (is_a(*tasks, JsonKind::object)) {
    for (const Json& item : tasks->items) task(item);
  }
  for (const Json& item : root.items) {
    if (item.key == "resources") {
      resources(item);
    } else if (item.key == "threads" && tasks == nullptr) {
      refuse(item, "a key of rt-muse, not of rt-app");
    } else if (item.key != "tasks" && item.key != "global" && item.key != "fairwitness" &&
               !item.key.starts_with('_') && !item.key.starts_with('$')) {
      note(item, "ignored, by rt-app too");
    }
  }
  check_names();
  check_timers();
  if (ours != nullptr) fairwitness(*ours);
}

RtappReading RtappReader::read(const Json& root, std::string_view file_name) {
  out_.workload.name = stem(file_name);
  out_.counts = count_rtapp(root);
  if (is_a(root, JsonKind::object)) top_level(root);
  if (out_.counts.kept_events < out_.counts.events) {
    note(root,
         "rt-app keeps " + std::to_string(out_.counts.kept_events) + " of " +
             std::to_string(out_.counts.events) +
             " events because of repeated keys; all are read here, in order");
  }
  if (out_.counts.threads > 100'000) {
    refuse(root, std::to_string(out_.counts.threads) + " threads are more than 100000");
  }
  out_.verdict = !out_.refusals.empty()         ? Verdict::refuse
                 : !out_.approximations.empty() ? Verdict::approximate
                                                : Verdict::accept;
  return std::move(out_);
}

RtappReading read_rtapp(const Json& root, std::string_view file_name, const RtappOptions& options) {
  return RtappReader(options).read(root, file_name);
}

Outcome<RtappReading> read_rtapp(std::string_view text,
                                 std::string_view file_name,
                                 const RtappOptions& options) {
  const Outcome<JsonDocument> document = read_json(text, file_name, {.placeholders = true});
  if (!document.ok()) return document.error();
  RtappReading reading = read_rtapp(document->root, file_name, options);
  if (document->ignored_line != 0) {
    reading.notes.push_back({"",
                             document->ignored_line,
                             "the text from column " + std::to_string(document->ignored_column) +
                                 " on stands after the end and is ignored, by rt-app too"});
  }
  return reading;
}

Outcome<RtappReading> runnable(RtappReading reading,
                               std::string_view file_name,
                               const RtappOptions& options) {
  const bool refused = reading.verdict == Verdict::refuse;
  const std::vector<Remark>& keys = refused ? reading.refusals : reading.approximations;
  if (!refused && (options.approximate || keys.empty())) return reading;
  return Error{
      (refused ? "the workload cannot be represented:" : "the workload can only be approximated:") +
          keys_text(keys, file_name),
      refused ? "change these keys; `inspect` shows everything about the file"
              : "--approximate runs it so",
      std::string(file_name) + ":" + std::to_string(keys.front().line)};
}

Outcome<RtappReading> load_rtapp(std::string_view text,
                                 std::string_view file_name,
                                 const RtappOptions& options) {
  Outcome<RtappReading> reading = read_rtapp(text, file_name, options);
  if (!reading.ok()) return reading;
  return runnable(std::move(reading).value(), file_name, options);
}

}  // namespace fw::input
