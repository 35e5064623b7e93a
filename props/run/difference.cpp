// SPDX-License-Identifier: Apache-2.0
#include "props/run/difference.h"

#include <fmt/format.h>

namespace fw::run {
namespace {

std::string model_impl(std::string_view field, const std::string& model, const std::string& impl) {
  return fmt::format("{}: model {}, impl {}", field, model, impl);
}

template <class T>
std::string as_text(const T& value) {
  return fmt::format("{}", value);
}
std::string as_text(bool value) { return value ? "true" : "false"; }

std::string_view state_name(TaskState state) {
  switch (state) {
    case TaskState::running:
      return "running";
    case TaskState::queued:
      return "queued";
    case TaskState::blocked:
      return "blocked";
  }
  return "?";
}

/// Gathers the fields of one pair of values; the first that differs wins the kind.
class FieldCompare {
 public:
  explicit FieldCompare(std::string where) : where_(std::move(where)) {}
  template <class T>
  void field(std::string_view name, const T& model, const T& impl) {
    if (model == impl) return;
    note(name, as_text(model), as_text(impl));
  }
  void note(std::string_view name, const std::string& model, const std::string& impl) {
    if (kind_.empty()) kind_ = std::string(name);
    if (!text_.empty()) text_ += "; ";
    text_ += model_impl(fmt::format("{}({})", name, where_), model, impl);
  }
  std::optional<Difference> result(std::string_view prefix = "") const {
    if (kind_.empty()) return std::nullopt;
    return Difference{std::string(prefix) + kind_, text_};
  }

 private:
  std::string where_;
  std::string kind_;
  std::string text_;
};

std::string queue_text(const std::vector<TaskId>& queue, const Side& names) {
  std::string out = "[";
  for (const TaskId task : queue) out += (out.size() > 1 ? " " : "") + names.task_name(task);
  return out + "]";
}

std::optional<Difference> compare_decision(const Decision& model,
                                           const Decision& impl,
                                           const Side& model_names,
                                           const Side& impl_names,
                                           const PolicySchema& schema) {
  if (model == impl) return std::nullopt;
  if (model.kind != impl.kind) {
    return Difference{
        "decision",
        model_impl(
            "decision", describe(model, model_names, schema), describe(impl, impl_names, schema))};
  }
  const std::string prefix = fmt::format("{} ", decision_name(model.kind));
  FieldCompare fields(fmt::format("{} of {} at {}",
                                  decision_name(model.kind),
                                  model_names.task_name(model.task),
                                  format_duration(model.t - Instant{})));
  fields.field("t", model.t.ns, impl.t.ns);
  fields.field("cpu", model.cpu.value, impl.cpu.value);
  if (model.task != impl.task) {
    fields.note("task", model_names.task_name(model.task), impl_names.task_name(impl.task));
  }
  fields.field("nr", model.nr, impl.nr);
  if (model.other != impl.other) {
    fields.note("other", model_names.task_name(model.other), impl_names.task_name(impl.other));
  }
  fields.field("from", model.from.value, impl.from.value);
  fields.field("why", why_name(model.why), why_name(impl.why));
  fields.field("preempt", model.preempt, impl.preempt);
  fields.field("nice", model.nice, impl.nice);
  const auto cpus_text = [](const std::optional<CpuSet>& set) { return set ? set->text() : "-"; };
  if (!(model.cpus == impl.cpus)) fields.note("cpus", cpus_text(model.cpus), cpus_text(impl.cpus));
  for (std::size_t i = 0; i < schema.log_keys.size(); ++i) {
    fields.field(schema.log_keys[i], model.state[i], impl.state[i]);
  }
  auto found = fields.result(prefix);
  if (!found) found = Difference{prefix + "state", "decision states differ beyond the logged keys"};
  return found;
}

void compare_cpu(const CpuView& model,
                 const CpuView& impl,
                 const Side& names,
                 const PolicySchema& schema,
                 FieldCompare& fields) {
  if (model.curr != impl.curr) {
    fields.note("curr", names.task_name(model.curr), names.task_name(impl.curr));
  }
  fields.field("mark", model.marked, impl.marked);
  fields.field("nr_running", model.nr_running, impl.nr_running);
  fields.field("load", model.load, impl.load);
  fields.field("ints", model.ints.size(), impl.ints.size());
  for (std::size_t i = 0; i < model.ints.size() && i < impl.ints.size(); ++i) {
    if (model.ints[i] == impl.ints[i]) continue;
    std::string name;
    if (i < schema.cpu_ints.size()) {
      name = std::string(schema.cpu_ints[i]);
    } else {
      const std::size_t rest = i - schema.cpu_ints.size();
      const std::size_t per_level = schema.domain_ints.size();
      name = fmt::format("level{}.{}", rest / per_level, schema.domain_ints[rest % per_level]);
    }
    fields.field(name, model.ints[i], impl.ints[i]);
  }
  if (model.queue != impl.queue) {
    fields.note("queue", queue_text(model.queue, names), queue_text(impl.queue, names));
  }
}

void compare_task(const TaskView& model,
                  const TaskView& impl,
                  const PolicySchema& schema,
                  FieldCompare& fields) {
  fields.field("state", state_name(model.state), state_name(impl.state));
  fields.field("cpu", model.cpu.value, impl.cpu.value);
  fields.field("nice", model.nice, impl.nice);
  fields.field("class", static_cast<int>(model.sched_class), static_cast<int>(impl.sched_class));
  fields.field("weight", model.weight, impl.weight);
  fields.field("sum_exec", model.sum_exec_ns, impl.sum_exec_ns);
  for (std::size_t i = 0; i < max_task_ints; ++i) {
    const std::string_view name =
        i < schema.task_ints.size() ? schema.task_ints[i] : std::string_view("unnamed");
    fields.field(name, model.ints[i], impl.ints[i]);
  }
}

}  // namespace

std::string describe(const Stimulus& stimulus, const Side& names) {
  std::string out = fmt::format("{} cpu {} {}",
                                format_duration(stimulus.t - Instant{}),
                                stimulus.cpu.value,
                                stimulus_name(stimulus.kind));
  if (!stimulus.task.idle()) out += " " + names.task_name(stimulus.task);
  return out;
}

std::string describe(const Decision& d, const Side& names, const PolicySchema& schema) {
  std::string out = fmt::format("{} cpu {} {} {}",
                                format_duration(d.t - Instant{}),
                                d.cpu.value,
                                decision_name(d.kind),
                                names.task_name(d.task));
  switch (d.kind) {
    case DecisionKind::pick:
      out += fmt::format(" ({}, prev {})", why_name(d.why), names.task_name(d.other));
      break;
    case DecisionKind::wake:
    case DecisionKind::fork:
      out += fmt::format(" by {}{}",
                         d.other.idle() ? std::string(why_name(d.why)) : names.task_name(d.other),
                         d.preempt ? ", preempts" : "");
      break;
    case DecisionKind::migrate:
      out += fmt::format(" from cpu {} ({})", d.from.value, why_name(d.why));
      break;
    case DecisionKind::preempt:
      out += fmt::format(" ({})", why_name(d.why));
      break;
    case DecisionKind::renice:
      out += fmt::format(" to {}", d.nice);
      break;
    default:
      break;
  }
  out += fmt::format(" nr={}", d.nr);
  const std::size_t first = d.task.idle() ? schema.task_log_keys : 0;
  for (std::size_t i = first; i < schema.log_keys.size(); ++i) {
    const std::string_view word = state_word(schema.log_keys[i], d.state[i]);
    out += fmt::format(" {}={}",
                       schema.log_keys[i],
                       word.empty() ? std::to_string(d.state[i]) : std::string(word));
  }
  return out;
}

std::optional<Difference> compare_decisions(const Side& model,
                                            const std::optional<Stimulus>& model_stimulus,
                                            const Side& impl,
                                            const std::optional<Stimulus>& impl_stimulus,
                                            const PolicySchema& schema) {
  if (model_stimulus != impl_stimulus) {
    const auto text = [](const std::optional<Stimulus>& stimulus, const Side& side) {
      if (stimulus) return describe(*stimulus, side);
      return side.fault().empty() ? std::string("end of the run") : "fault: " + side.fault();
    };
    return Difference{
        "stimulus", model_impl("stimulus", text(model_stimulus, model), text(impl_stimulus, impl))};
  }
  const auto left = model.decisions();
  const auto right = impl.decisions();
  for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
    if (auto found = compare_decision(left[i], right[i], model, impl, schema)) return found;
  }
  if (left.size() != right.size()) {
    const auto text = [&schema](std::span<const Decision> all, std::size_t i, const Side& side) {
      return i < all.size() ? describe(all[i], side, schema) : std::string("nothing");
    };
    const std::size_t i = std::min(left.size(), right.size());
    return Difference{"decision",
                      model_impl("decision", text(left, i, model), text(right, i, impl))};
  }
  return std::nullopt;
}

std::optional<Difference> compare_views(const View& model,
                                        const View& impl,
                                        const Side& names,
                                        const PolicySchema& schema) {
  if (model == impl) return std::nullopt;
  if (model.tasks.size() != impl.tasks.size() || model.cpus.size() != impl.cpus.size()) {
    return Difference{
        "tasks",
        model_impl(
            "live tasks", std::to_string(model.tasks.size()), std::to_string(impl.tasks.size()))};
  }
  std::optional<Difference> first;
  const auto keep = [&first](std::optional<Difference> found) {
    if (!found) return;
    if (!first) {
      first = std::move(found);
    } else {
      first->text += "; " + found->text;
    }
  };
  for (std::size_t i = 0; i < model.tasks.size(); ++i) {
    const TaskView& left = model.tasks[i];
    const TaskView& right = impl.tasks[i];
    if (left == right) continue;
    FieldCompare fields(names.task_name(left.id));
    fields.field("id", left.id.value, right.id.value);
    compare_task(left, right, schema, fields);
    keep(fields.result());
  }
  for (std::size_t i = 0; i < model.cpus.size(); ++i) {
    if (model.cpus[i] == impl.cpus[i]) continue;
    FieldCompare fields(fmt::format("cpu {}", i));
    compare_cpu(model.cpus[i], impl.cpus[i], names, schema, fields);
    keep(fields.result());
  }
  if (!first) {
    first = Difference{"now", model_impl("time", as_text(model.now.ns), as_text(impl.now.ns))};
  }
  return first;
}

}  // namespace fw::run
