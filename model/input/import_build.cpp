// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "model/input/import_tasks.h"

namespace fw::input {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '+' || c == '-';
}

/// A comm as a task name: other characters become `_`.
std::string plain_name(std::string_view comm) {
  std::string out(comm.empty() ? std::string_view("task") : comm);
  for (char& c : out) {
    if (!is_plain(c)) c = '_';
  }
  return out;
}

std::int64_t median(std::vector<std::int64_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The median distance of `values` from the nearest multiple (one at least) of `step`.
std::int64_t spread_around(const std::vector<std::int64_t>& values, std::int64_t step) {
  std::vector<std::int64_t> off;
  for (const std::int64_t value : values) {
    const std::int64_t times = std::max<std::int64_t>((value + step / 2) / step, 1);
    off.push_back(std::abs(value - times * step));
  }
  return median(std::move(off));
}

/// Whether a task's timed wakeups follow a clock of their own: their distances are multiples of one
/// period, and steadier than the lengths of the sleeps.
bool is_periodic(const Draft& draft) {
  std::vector<std::int64_t> gaps, lengths;
  Instant previous;
  for (const Step& step : draft.steps) {
    if (step.kind != StepKind::sleep || !step.live) continue;
    if (!lengths.empty()) gaps.push_back((step.wake - previous).ns);
    previous = step.wake;
    lengths.push_back(step.amount);
  }
  if (gaps.size() < 4) return false;
  const std::int64_t period = median(gaps);
  if (period <= 0) return false;
  const std::int64_t length = std::max<std::int64_t>(median(lengths), 1);
  const std::int64_t steady = spread_around(gaps, period);
  std::vector<std::int64_t> off;
  for (const std::int64_t value : lengths) off.push_back(std::abs(value - length));
  return steady * 50 <= period && steady * 2 < median(std::move(off));
}

/// Whether the task's demand goes on beyond the recording.
bool is_open_ended(const Draft& draft, Instant end) {
  if (draft.state != DraftState::running && draft.state != DraftState::queued) return false;
  const std::int64_t unbroken = (end - draft.last_block).ns;
  return unbroken * 2 >= (end - draft.start).ns && unbroken * 10 >= end.ns && end.ns > 0;
}

class Builder {
 public:
  Builder(Drafts& drafts, const Trace& trace, const ImportOptions& options)
      : drafts_(drafts), trace_(trace), options_(options) {}

  Imported build() {
    choose();
    give_names();
    Workload& workload = out_.workload;
    workload.name = options_.name;
    workload.duration = std::max(drafts_.end - Instant{}, Duration{1});
    workload.topology = std::to_string(machine_cpus());
    const auto hz = trace_.facts.find("hz");
    if (hz != trace_.facts.end() && hz->second.size() <= 5 &&
        hz->second.find_first_not_of("0123456789") == std::string::npos) {
      workload.hz = std::max(std::stoi(hz->second), 1);
    }
    for (std::size_t i = 0; i < drafts_.tasks.size(); ++i) {
      if (kept_[i]) task(drafts_.tasks[i], names_[i]);
    }
    closing_notes();
    for (const auto& [text, note] : drafts_.notes) out_.notes.push_back(note);
    return std::move(out_);
  }

 private:
  void note(std::string_view text, std::int64_t count = 1) { drafts_.note(text, 0, count); }

  /// Tasks that ran and are no stopper threads.
  void choose() {
    for (const Draft& draft : drafts_.tasks) {
      kept_.push_back(draft.ran && !draft.stopper);
      if (draft.stopper) note("dropped: stopper threads (migration/N)");
      if (!draft.stopper && !draft.ran) note("dropped: tasks that were named but never ran");
    }
  }

  void give_names() {
    std::map<std::string, int> uses;
    for (std::size_t i = 0; i < drafts_.tasks.size(); ++i) {
      if (kept_[i]) ++uses[plain_name(trace_.name(drafts_.tasks[i].name))];
    }
    std::set<std::string> taken;
    for (std::size_t i = 0; i < drafts_.tasks.size(); ++i) {
      const Draft& draft = drafts_.tasks[i];
      const std::string_view comm = trace_.name(draft.name);
      std::string name = plain_name(comm);
      if (draft.cpu >= 0) {
        name += ".cpu" + std::to_string(draft.cpu);
      } else if (name != comm || uses[name] > 1) {
        name += "." + std::to_string(draft.pid);
      }
      if (kept_[i]) {
        const std::string base = name;
        for (int n = 2; !taken.insert(name).second; ++n) name = base + "." + std::to_string(n);
      }
      names_.push_back(std::move(name));
    }
  }

  int machine_cpus() const {
    const int seen = std::max(static_cast<int>(trace_.cpus.size()), 1);
    // Placeholders are pinned by the place of their CPU among those seen.
    return std::max(trace_.cpus_named, seen);
  }

  /// CPUs have no holes here: the n-th CPU seen is n, unless the recording names all CPUs.
  CpuId place(std::int32_t cpu) const {
    if (cpu < trace_.cpus_named) return CpuId{cpu};
    const auto at = std::lower_bound(trace_.cpus.begin(), trace_.cpus.end(), cpu);
    return CpuId{static_cast<std::int32_t>(at - trace_.cpus.begin())};
  }

  void task(const Draft& draft, const std::string& name) {
    TaskDef def;
    def.name = name;
    def.loop = 1;
    def.nice = draft.first_nice;
    def.instances = draft.forked ? 0 : 1;
    if (!draft.forked) def.delay = draft.start - Instant{};
    if (draft.placeholder) {
      CpuSet cpus;
      cpus.insert(place(draft.cpu));
      def.cpus = cpus;
      note("approximated: one name stands for many tasks; one task for each CPU, kept there");
    }
    ImportedTask from;
    from.name = name;
    from.comm = std::string(trace_.name(draft.name));
    from.pid = draft.pid;
    from.dropped = Duration{draft.dropped_ns};
    from.forked = draft.forked;
    from.approximated = draft.approximated;
    from.open_end = is_open_ended(draft, drafts_.end);
    program(draft, def, from);
    ending(draft, def, from.open_end);
    if (draft.approximated) note("approximated: real-time and deadline tasks run at nice -20");
    out_.workload.tasks.push_back(std::move(def));
    out_.tasks.push_back(std::move(from));
  }

  Phase& new_phase(TaskDef& def) {
    def.phases.emplace_back();
    def.phases.back().name = "p" + std::to_string(def.phases.size() - 1);
    return def.phases.back();
  }

  void add(TaskDef& def, Op op) {
    if (def.phases.empty()) new_phase(def);
    def.phases.back().ops.push_back(std::move(op));
    ++out_.ops;
  }

  void program(const Draft& draft, TaskDef& def, ImportedTask& from) {
    const bool periodic = is_periodic(draft);
    std::int64_t timers = 0;
    for (const Step& step : draft.steps) {
      if (!step.live) continue;
      switch (step.kind) {
        case StepKind::run:
          from.run = from.run + Duration{step.amount};
          run(def, step.amount);
          break;
        case StepKind::post:
          if (kept_[static_cast<std::size_t>(step.task)]) {
            add(def, Op{OpKind::sem_post, {}, "w." + names_[static_cast<std::size_t>(step.task)]});
          }
          break;
        case StepKind::wait:
          add(def, Op{OpKind::sem_wait, {}, "w." + def.name});
          break;
        case StepKind::fork:
          if (kept_[static_cast<std::size_t>(step.task)]) {
            add(def, Op{OpKind::fork, {}, names_[static_cast<std::size_t>(step.task)]});
          }
          break;
        case StepKind::nice:
          if (def.phases.empty() || !def.phases.back().ops.empty()) new_phase(def);
          def.phases.back().nice = static_cast<int>(step.amount);
          break;
        case StepKind::sleep:
          if (periodic && step.wake > draft.start) {
            add(def,
                Op{OpKind::timer,
                   step.wake - draft.start,
                   "unique." + std::to_string(timers++),
                   {},
                   true});
          } else {
            add(def, Op{OpKind::sleep, Duration{step.amount}});
          }
          break;
      }
    }
    if (timers > 0) note("timed wakeups at a steady period are absolute timers, in tasks");
  }

  /// Runs in a row are one.
  void run(TaskDef& def, std::int64_t ns) {
    if (!def.phases.empty() && !def.phases.back().ops.empty() &&
        def.phases.back().ops.back().kind == OpKind::run) {
      def.phases.back().ops.back().amount = def.phases.back().ops.back().amount + Duration{ns};
      return;
    }
    add(def, Op{OpKind::run, Duration{ns}});
  }

  void ending(const Draft& draft, TaskDef& def, bool open_end) {
    if (draft.state == DraftState::dead) {
      if (!def.phases.empty() && def.phases.back().ops.empty()) def.phases.pop_back();
      // It came and went within one instant of the recording's clock.
      if (def.phases.empty()) add(def, Op{OpKind::run});
      return;
    }
    if (open_end) {
      if (def.phases.empty() || !def.phases.back().ops.empty()) new_phase(def);
      def.phases.back().name = std::string(open_end_phase);
      // Nobody gets more CPU time than the workload is long.
      add(def, Op{OpKind::run, *out_.workload.duration});
      note("tasks that had not blocked for long run on when their recorded program is done");
    } else {
      add(def, Op{OpKind::suspend});
    }
  }

  void closing_notes() {
    if (machine_cpus() > 1) {
      note("not reproduced: affinity; a task seen on one CPU only is not pinned to it",
           static_cast<std::int64_t>(out_.tasks.size()));
    }
    if (trace_.lost_markers > 0) {
      note("the recording lost events: what happened then is missing", trace_.lost_markers);
    }
    if (trace_.steps_back > 0) note("lines were sorted by time", trace_.steps_back);
    std::int64_t forks = 0;
    for (const ImportedTask& task : out_.tasks) forks += task.forked ? 1 : 0;
    if (forks > 0) note("a trace does not tell threads from processes: forks are processes", forks);
  }

  Drafts& drafts_;
  const Trace& trace_;
  const ImportOptions& options_;
  std::vector<bool> kept_;
  std::vector<std::string> names_;
  Imported out_;
};

}  // namespace

Imported build_workload(Drafts& drafts, const Trace& trace, const ImportOptions& options) {
  return Builder(drafts, trace, options).build();
}

}  // namespace fw::input
