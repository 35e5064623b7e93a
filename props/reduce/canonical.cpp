// SPDX-License-Identifier: Apache-2.0
#include "props/reduce/reduce.h"

namespace fw::reduce {
namespace {

class Text {
 public:
  Text& operator<<(std::string_view word) {
    // Lengths keep neighbouring words apart, whatever characters they hold.
    out_ += std::to_string(word.size());
    out_ += ':';
    out_ += word;
    return *this;
  }
  Text& operator<<(std::int64_t number) {
    out_ += std::to_string(number);
    out_ += ' ';
    return *this;
  }
  Text& operator<<(const std::optional<CpuSet>& cpus) {
    return *this << (cpus ? cpus->text() : std::string("all"));
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

void write(Text& text, const TaskDef& task) {
  text << task.name << std::int64_t{task.instances} << task.delay.ns << task.loop
       << static_cast<std::int64_t>(task.sched_class) << std::int64_t{task.nice} << task.cpus
       << (task.slice ? task.slice->ns : -1) << static_cast<std::int64_t>(task.phases.size());
  for (const Phase& phase : task.phases) {
    text << phase.loop << std::int64_t{phase.nice.value_or(99)} << phase.cpus
         << static_cast<std::int64_t>(phase.ops.size());
    for (const Op& op : phase.ops) {
      text << static_cast<std::int64_t>(op.kind) << op.amount.ns << op.ref << op.mutex
           << std::int64_t{op.absolute};
    }
  }
}

}  // namespace

std::int64_t count_events(const Case& input) {
  std::int64_t out = 0;
  for (const TaskDef& task : input.workload.tasks) {
    for (const Phase& phase : task.phases) out += static_cast<std::int64_t>(phase.ops.size());
  }
  return out;
}

std::string canonical_text(const Case& input) {
  const Workload& workload = input.workload;
  Text text;
  text << input.spec.policy << input.spec.version;
  for (const auto& [name, on] : input.spec.features) text << name << std::int64_t{on};
  text << "knobs";
  for (const auto& [name, value] : input.spec.knobs) text << name << value;
  text << input.topology << std::int64_t{input.balance} << input.horizon.ns << input.mutant
       << (workload.duration ? workload.duration->ns : -1);
  for (const TaskDef& task : workload.tasks) write(text, task);
  text << "threads";
  for (const std::string& name : workload.threads) text << name;
  text << "spin";
  for (const std::string& name : workload.spinlocks) text << name;
  text << std::int64_t{workload.barging};
  for (const auto& [name, label] : workload.labels) text << name << label;
  text << workload.costs.switch_cost.ns << workload.costs.cache_refill.ns
       << workload.costs.migration.ns << workload.spec << workload.topology
       << std::int64_t{workload.hz.value_or(0)};
  return text.take();
}

}  // namespace fw::reduce
