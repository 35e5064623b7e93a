// SPDX-License-Identifier: Apache-2.0
#include "reports/decisions.h"

#include <fmt/format.h>

#include "reports/escape.h"

namespace fw::reports {
namespace {

class Line {
 public:
  Line(std::string& out, std::span<const std::string> names) : out_(out), names_(names) {}

  void number(std::string_view key, std::int64_t value) {
    start(key);
    append(value);
  }
  void flag(std::string_view key, bool value) {
    start(key);
    out_ += value ? "true" : "false";
  }
  /// `value` must not need escaping.
  void word(std::string_view key, std::string_view value) {
    start(key);
    out_ += '"';
    out_ += value;
    out_ += '"';
  }
  void task(std::string_view key, TaskId id) {
    if (id.idle()) return word(key, "idle");
    const auto index = static_cast<std::size_t>(id.value);
    start(key);
    out_ += '"';
    if (index < names_.size()) {
      append_json(out_, names_[index]);
    } else {
      out_ += "task-";
      append(id.value);
    }
    out_ += '"';
  }
  void by(const Decision& decision) {
    if (decision.other.idle() && decision.why != Why::none) {
      word("by", why_name(decision.why));
    } else {
      task("by", decision.other);
    }
  }
  void cpus(const CpuSet& set) {
    start("cpus");
    out_ += '[';
    bool first = true;
    for (const CpuId cpu : set.members()) {
      if (!first) out_ += ',';
      first = false;
      append(cpu.value);
    }
    out_ += ']';
  }

 private:
  void start(std::string_view key) {
    out_ += first_ ? "{\"" : ",\"";
    first_ = false;
    out_ += key;
    out_ += "\":";
  }
  void append(std::int64_t value) {
    const fmt::format_int digits(value);
    out_.append(digits.data(), digits.size());
  }

  std::string& out_;
  std::span<const std::string> names_;
  bool first_ = true;
};

void own_keys(Line& line, const Decision& decision) {
  switch (decision.kind) {
    case DecisionKind::fork:
    case DecisionKind::wake:
      line.by(decision);
      line.flag("preempt", decision.preempt);
      break;
    case DecisionKind::renice:
      line.number("nice", decision.nice);
      break;
    case DecisionKind::affinity:
      line.cpus(decision.cpus.value_or(CpuSet{}));
      break;
    case DecisionKind::preempt:
      line.word("why", why_name(decision.why));
      break;
    case DecisionKind::pick:
      line.task("prev", decision.other);
      line.word("why", why_name(decision.why));
      break;
    case DecisionKind::migrate:
      line.number("from", decision.from.value);
      line.word("why", why_name(decision.why));
      break;
    case DecisionKind::block:
    case DecisionKind::exit:
    case DecisionKind::yield:
      break;
  }
}

}  // namespace

void append_decision_line(std::string& out,
                          const Decision& decision,
                          std::span<const std::string> names,
                          std::span<const std::string_view> log_keys,
                          std::size_t task_log_keys) {
  FW_EXPECT(log_keys.size() <= decision.state.size());
  Line line(out, names);
  line.number("t", decision.t.ns);
  line.number("cpu", decision.cpu.value);
  line.word("kind", decision_name(decision.kind));
  line.task("task", decision.task);
  line.number("nr", decision.nr);
  own_keys(line, decision);
  for (std::size_t i = decision.task.idle() ? task_log_keys : 0; i < log_keys.size(); ++i) {
    const std::string_view word = state_word(log_keys[i], decision.state[i]);
    if (word.empty()) {
      line.number(log_keys[i], decision.state[i]);
    } else {
      line.word(log_keys[i], word);
    }
  }
  out += "}\n";
}

std::string decision_line(const Decision& decision,
                          std::span<const std::string> names,
                          std::span<const std::string_view> log_keys,
                          std::size_t task_log_keys) {
  std::string out;
  append_decision_line(out, decision, names, log_keys, task_log_keys);
  out.pop_back();
  return out;
}

}  // namespace fw::reports
