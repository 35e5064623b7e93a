// SPDX-License-Identifier: Apache-2.0
#include "props/run/trace_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fw::run {
namespace {

/// Turns trace lines into decisions; pid 0 is the idle task.
class Translator {
 public:
  explicit Translator(const input::Trace& trace) : trace_(trace) {
    out_.title = trace.file;
    out_.spec = "recorded";
    out_.end = Instant{(trace.last - trace.first).ns};
    const bool has_vruntime =
        std::any_of(trace.events.begin(), trace.events.end(), [](const input::TraceEvent& e) {
          return e.vruntime_ns >= 0;
        });
    if (has_vruntime) {
      out_.log_keys = {"v"};
      out_.task_log_keys = 1;
    }
    for (const std::int32_t cpu : trace.cpus) out_.cpus = std::max(out_.cpus, cpu + 1);
  }

  Recording run() {
    for (const input::TraceEvent& e : trace_.events) line(e);
    return std::move(out_);
  }

 private:
  TaskId task(std::int32_t pid, input::NameId name) {
    if (pid <= 0) return idle_task;
    const auto [at, fresh] = ids_.try_emplace(pid, TaskId{static_cast<std::int32_t>(ids_.size())});
    const auto index = static_cast<std::size_t>(at->second.value);
    if (fresh) {
      out_.task_names.emplace_back();
      vruntime_.push_back(0);
    }
    const std::string_view comm = trace_.name(name);
    if (!comm.empty() && comm != "<...>") out_.task_names[index] = fmt::format("{}-{}", comm, pid);
    if (out_.task_names[index].empty()) out_.task_names[index] = fmt::format("?-{}", pid);
    return at->second;
  }

  Decision& add(const input::TraceEvent& e, DecisionKind kind, TaskId about) {
    Decision& d = out_.decisions.emplace_back();
    d.t = Instant{(e.t - trace_.first).ns};
    d.cpu = CpuId{std::max(e.cpu, 0)};
    d.kind = kind;
    d.task = about;
    if (!about.idle()) d.state[0] = vruntime_[static_cast<std::size_t>(about.value)];
    return d;
  }

  void line(const input::TraceEvent& e) {
    using input::TraceEventKind;
    switch (e.kind) {
      case TraceEventKind::runtime:
        if (e.vruntime_ns >= 0) {
          const TaskId about = task(e.pid, e.name);
          if (!about.idle()) vruntime_[static_cast<std::size_t>(about.value)] = e.vruntime_ns;
        }
        break;
      case TraceEventKind::wakeup:
      case TraceEventKind::wakeup_new: {
        const TaskId about = task(e.pid, e.name);
        const TaskId waker = task(e.context_pid, e.context_name);
        if (about.idle()) break;
        Decision& d = add(
            e, e.kind == TraceEventKind::wakeup ? DecisionKind::wake : DecisionKind::fork, about);
        if (e.target_cpu >= 0) d.cpu = CpuId{e.target_cpu};
        d.other = e.context == input::TraceContext::interrupt ? idle_task : waker;
        if (d.other.idle()) d.why = Why::timer;
        break;
      }
      case TraceEventKind::migrate: {
        const TaskId about = task(e.pid, e.name);
        if (about.idle() || e.target_cpu < 0) break;
        Decision& d = add(e, DecisionKind::migrate, about);
        d.cpu = CpuId{e.target_cpu};
        d.from = CpuId{std::max(e.from_cpu, 0)};
        break;
      }
      case TraceEventKind::sched_switch: {
        const TaskId previous = task(e.pid, e.name);
        const bool stays = e.preempted || e.prev_state == 'R';
        if (!previous.idle() && !stays) add(e, DecisionKind::block, previous);
        if (e.other_pid < 0) break;
        const TaskId next = task(e.other_pid, e.other_name);
        Decision& d = add(e, DecisionKind::pick, next);
        d.other = previous;
        if (next.idle()) d.why = Why::idle;
        break;
      }
      default:
        break;
    }
  }

  const input::Trace& trace_;
  std::map<std::int32_t, TaskId> ids_;
  std::vector<std::int64_t> vruntime_;
  Recording out_;
};

}  // namespace

Recording recording_of(const input::Trace& trace) { return Translator(trace).run(); }

}  // namespace fw::run
