// SPDX-License-Identifier: Apache-2.0
// The state of an EEVDF replay: tasks, queues, what is known of them.
#include "props/validate/eevdf_replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "props/validate/queue.h"

namespace fw::validate {

namespace me = model::eevdf;
namespace re = rules::eevdf;
using Kind = input::TraceEventKind;
using rules::s64;

/// By then every task that was runnable without a line having said so has run.
constexpr Duration settling{100'000'000};

EevdfReplay::EevdfReplay(const input::Trace& trace, const EevdfSettings& settings, Tally& tally)
    : trace_(trace),
      settings_(settings),
      tally_(tally),
      without_delay_(settings.config),
      state_(me::initial(settings.config, {})),
      following_(trace.events.size()) {
  without_delay_.delay_dequeue = false;
  std::map<std::int32_t, std::size_t> ahead;
  for (std::size_t i = trace.events.size(); i-- > 0;) {
    const auto found = ahead.find(trace.events[i].cpu);
    following_[i] = found == ahead.end() ? trace.events.size() : found->second;
    ahead[trace.events[i].cpu] = i;
    prints_vruntime_ = prints_vruntime_ || trace.events[i].vruntime_ns != -1;
  }
  for (const input::TraceProbe& probe : trace.probes) {
    probes_[probe.event] = &probe;
    prints_vruntime_ = prints_vruntime_ || probe.entity.vruntime_ns.has_value();
    prints_queue_ = prints_queue_ || probe.queued.has_value();
  }
}

void EevdfReplay::run() {
  auto yield = trace_.yields.begin();
  for (std::size_t i = 0; i < trace_.events.size(); ++i) {
    const Event& event = trace_.events[i];
    for (; yield != trace_.yields.end() && yield->line < event.line; ++yield) {
      Cpu& c = cpu(yield->cpu);
      if (c.on_cpu == yield->pid && c.fair) c.yielded = true;
    }
    if (event.kind == Kind::lost) {
      lost(event);
      continue;
    }
    Cpu& c = cpu(event.cpu);
    if (c.on_cpu < 0 && event.context_pid >= 0) {
      c.on_cpu = event.context_pid;
      if (event.context_pid > 0) {
        const TaskId first = find(event.context_pid, event.context_name, c.number);
        force_current(c, first, event);
        // Whom the trace begins with is the origin of the queue's v.
        if (known_.size() == 1) known(first).keys = true;
      }
    }
    switch (event.kind) {
      case Kind::runtime:
        runtime(i);
        break;
      case Kind::wakeup:
        wakeup(i);
        break;
      case Kind::wakeup_new:
        wakeup_new(i);
        break;
      case Kind::fork:
        fork(event);
        break;
      case Kind::exit:
        resolve(c, event);
        known(find(event.pid, event.name, c.number)).exited = true;
        break;
      case Kind::migrate:
        migrate(event);
        break;
      case Kind::sched_switch:
        switched(i);
        break;
      default:  // waking: before anything happens; exec: nothing changes
        resolve(c, event);
        break;
    }
  }
  finish();
}

void EevdfReplay::finish() {
  for (auto& [number, c] : cpus_) c.marks.hide(tally_, "the trace ends before it shows");
  tally_.sort();
}

EevdfReplay::Cpu& EevdfReplay::cpu(std::int32_t number) {
  const auto [at, fresh] = cpus_.try_emplace(number);
  if (fresh) {
    at->second.number = number;
    at->second.complete = !prints_queue_;
  }
  return at->second;
}

EevdfReplay::Task& EevdfReplay::task(TaskId id) {
  return state_.tasks[me::index_of(state_, id)];
}

TaskId EevdfReplay::born(std::int32_t pid, input::NameId name, int on) {
  const TaskId id{static_cast<std::int32_t>(known_.size())};
  Known& made = known_.emplace_back();
  made.pid = pid;
  made.name = trace_.name(name);
  ids_[pid] = id;
  model::NewTask newcomer;
  newcomer.id = id;
  newcomer.allowed = CpuSet::first(settings_.config.cpus);
  Task p = me::initial(settings_.config, {newcomer}).tasks.front();
  p.cpu = on;
  const Queue& q = state_.queues[static_cast<std::size_t>(on)];
  p.vruntime = me::average(q, me::totals(state_, q));
  p.deadline = p.vruntime + re::vdelta(p.slice, p.weight);
  state_.tasks.push_back(p);
  return id;
}

TaskId EevdfReplay::find(std::int32_t pid, input::NameId name, int on) {
  const auto found = ids_.find(pid);
  if (found == ids_.end()) return born(pid, name, on);
  if (name != 0) known(found->second).name = trace_.name(name);
  return found->second;
}

/// Of a task that has ended.
void EevdfReplay::forget(TaskId id) {
  if (task(id).queued()) return;
  const auto found = ids_.find(known(id).pid);
  if (found != ids_.end() && found->second == id) ids_.erase(found);
  state_.tasks.erase(state_.tasks.begin() +
                     static_cast<std::ptrdiff_t>(me::index_of(state_, id)));
}

EevdfReplay::Task* EevdfReplay::current(const Cpu& c) {
  const TaskId id = queue(c).curr;
  if (id.idle()) return nullptr;
  Task& p = task(id);
  return p.queued() ? &p : nullptr;
}

std::size_t EevdfReplay::count(const Cpu& c) {
  return queue(c).tree.size() + (current(c) == nullptr ? 0 : 1);
}

bool EevdfReplay::queue_known(const Cpu& c) {
  if (!c.complete || settings_.grouped) return false;
  const Task* const running = current(c);
  if (running != nullptr && !known(running->id).keys) return false;
  const std::vector<me::Waiting>& tree = queue(c).tree;
  return std::all_of(
      tree.begin(), tree.end(), [&](const me::Waiting& each) { return known(each.task).keys; });
}

model::Event EevdfReplay::stimulus(StimulusKind kind,
                                          const Event& event,
                                          const Cpu& c,
                                          TaskId about) {
  for (Queue& q : state_.queues) {
    if (!q.curr.idle()) task(q.curr).exec_start = static_cast<u64>(event.t.ns);
  }
  model::Event out;
  out.kind = kind;
  out.t = event.t;
  out.cpu = CpuId{c.number};
  out.task = about;
  return out;
}

void EevdfReplay::apply(const model::Event& event, const me::Config& config) {
  model::Step<me::State> next = me::step(config, std::move(state_), event, std::move(log_));
  state_ = std::move(next.state);
  log_ = std::move(next.decisions);
}

void EevdfReplay::insert(Queue& q, const Task& p) {
  auto at = q.tree.end();
  while (at != q.tree.begin() && rules::later((at - 1)->deadline, p.deadline)) --at;
  q.tree.insert(at, {p.vruntime, p.deadline, p.slice, p.weight.weight, p.id});
}

void EevdfReplay::remove(Queue& q, TaskId id) {
  q.tree.erase(std::remove_if(q.tree.begin(),
                              q.tree.end(),
                              [id](const me::Waiting& each) { return each.task == id; }),
               q.tree.end());
}

void EevdfReplay::put_current(Cpu& c) {
  Queue& q = queue(c);
  const Task* const running = current(c);
  q.curr = q.on_cpu = idle_task;
  q.left = false;
  if (running != nullptr) insert(q, *running);
}

void EevdfReplay::force_current(Cpu& c, TaskId id, const Event& event) {
  Queue& q = queue(c);
  if (q.curr != id) put_current(c);
  Task& p = task(id);
  if (p.queued() && p.cpu != c.number) {
    Queue& other = state_.queues[static_cast<std::size_t>(p.cpu)];
    remove(other, id);
    if (other.curr == id) other.curr = other.on_cpu = idle_task;
    if (p.on_rq) --other.nr_running, other.load -= p.weight.weight;
    p.on_rq = false;
  }
  remove(q, id);
  if (!p.on_rq) {
    p.on_rq = true;
    ++q.nr_running;
    q.load += p.weight.weight;
  }
  p.delayed = p.relative = false;
  p.cpu = c.number;
  p.exec_start = static_cast<u64>(event.t.ns);
  p.protection = p.deadline;
  q.curr = q.on_cpu = id;
  q.marked = q.left = false;
  c.fair = true;
}

void EevdfReplay::set_keys(Cpu& c, TaskId id, u64 vruntime, u64 deadline) {
  Task& p = task(id);
  p.vruntime = vruntime;
  p.deadline = deadline;
  known(id).keys = true;
  Queue& q = queue(c);
  if (!p.queued() || q.curr == id) return;
  // Only a changed key moves it: equal keys keep the order in which they came.
  const auto held = std::find_if(
      q.tree.begin(), q.tree.end(), [id](const me::Waiting& each) { return each.task == id; });
  if (held != q.tree.end() && held->vruntime == vruntime && held->deadline == deadline) return;
  remove(q, id);
  insert(q, p);
}

void EevdfReplay::set_weight(Task& p, re::Weight weight) {
  Queue& q = state_.queues[static_cast<std::size_t>(p.cpu)];
  if (p.on_rq) q.load += weight.weight - p.weight.weight;
  p.weight = weight;
  for (me::Waiting& each : q.tree) {
    if (each.task == p.id) each.weight = weight.weight;
  }
}

/// A nice that was changed while the task waited or slept.
void EevdfReplay::see_prio(TaskId id, std::int32_t prio) {
  if (!is_fair(prio)) return;
  Known& seen = known(id);
  if (seen.prio == prio) return;
  seen.prio = prio;
  Task& p = task(id);
  p.nice = prio - 120;
  set_weight(p, re::weight_of_nice(p.nice));
  seen.keys = false;
}

const input::TraceProbe* EevdfReplay::probe_of(std::size_t event) const {
  const auto found = probes_.find(event);
  return found == probes_.end() ? nullptr : found->second;
}

void EevdfReplay::resolve(Cpu& c, const Event& event) {
  if (c.marks.take(tally_, event)) check_kept(c, event);
  if (event.need_resched != '?') queue(c).marked = c.marks.marked;
}

void EevdfReplay::lost(const Event& event) {
  tally_.resynchronized("events were lost");
  for (auto& [number, c] : cpus_) {
    c.marks.hide(tally_, "events were lost");
    Queue& q = queue(c);
    put_current(c);
    for (const me::Waiting& each : q.tree) {
      Task& p = task(each.task);
      p.on_rq = p.delayed = false;
    }
    q.tree.clear();
    q.nr_running = q.load = 0;
    c = Cpu{};
    c.number = number;
    c.complete = !prints_queue_;
    c.complete_from = event.t + settling;
  }
  for (Known& each : known_) {
    each.keys = each.lag = each.lag_shown = each.protection = false;
    each.placed.reset();
  }
}

std::string EevdfReplay::describe(TaskId id) {
  return id.idle() ? "idle" : fmt::format("{}-{}", known(id).name, known(id).pid);
}

std::string EevdfReplay::describe(const Cpu& c) {
  const Queue& q = queue(c);
  const me::Totals all = me::totals(state_, q);
  const u64 middle = me::average(q, all);
  std::string out = fmt::format("{} queued, weight {}", all.count, all.weight);
  const auto add = [&](const char* role, TaskId id, u64 v, u64 deadline) {
    out += fmt::format(", {} {} v V{:+} deadline V{:+}{}",
                       role,
                       describe(id),
                       static_cast<s64>(v - middle),
                       static_cast<s64>(deadline - middle),
                       known(id).keys ? "" : " (unknown)");
  };
  const Task* const running = current(c);
  if (running != nullptr) add("running", running->id, running->vruntime, running->deadline);
  int left = 4;
  for (const me::Waiting& each : q.tree) {
    if (left-- == 0) return out + ", ...";
    add(task(each.task).delayed ? "delayed" : "waiting", each.task, each.vruntime, each.deadline);
  }
  return out;
}

void EevdfReplay::check(Rule rule,
                        bool sure,
                        bool agrees,
                        bool contested,
                        const Event& event,
                        TaskId about,
                        const std::string& reason) {
  if (!sure) {
    return tally_.skip(rule,
                       settings_.grouped ? "task groups, or tasks that are not shown"
                                         : "unknown history");
  }
  if (agrees) return tally_.explained(rule, contested);
  Miss miss;
  miss.rule = rule;
  miss.line = event.line;
  miss.t = event.t;
  miss.task = describe(about);
  miss.reason = reason;
  tally_.unexplained(std::move(miss), contested);
}

/// The queue's sum of w*v, weight and count as printed. When the kernel moves the reference of the
/// sum decides nothing, so it is taken out.
void EevdfReplay::check_average(Cpu& c, std::size_t at) {
  const input::TraceProbe* const probe = probe_of(at);
  if (probe == nullptr || !probe->queued) return;
  const Event& event = trace_.events[at];
  Queue& q = queue(c);
  const bool sure = queue_known(c) && c.offset.has_value();
  me::Totals all = me::totals(state_, q);
  if (const Task* const running = current(c)) {
    all.weight -= running->weight.weight;
    all.sum -= static_cast<rules::Exact>(static_cast<s64>(running->vruntime - q.base)) *
               static_cast<s64>(running->weight.weight);
  }
  const u64 base = static_cast<u64>(probe->reference.value_or(0)) - c.offset.value_or(0);
  const bool same = static_cast<s64>(all.count) == *probe->queued &&
                    static_cast<s64>(all.weight) == probe->load.value_or(-1);
  const s64 sum = static_cast<s64>(all.sum) + static_cast<s64>(all.weight) *
                                                  static_cast<s64>(q.base - base);
  const bool agrees = same && sum == probe->weighted_sum.value_or(0);
  check(Rule::average,
        sure,
        agrees,
        !q.tree.empty(),
        event,
        q.curr,
        fmt::format("{} queued, waiting weight {}, sum {}; the kernel has {}, {}, {}",
                    all.count,
                    all.weight,
                    sum,
                    *probe->queued,
                    probe->load.value_or(-1),
                    probe->weighted_sum.value_or(0)));
  if (c.complete && !same) tally_.resynchronized("tasks are queued that no line has named");
  c.complete = same;
  q.base = base;
}

Outcome<Validation> validate(const input::Trace& trace, const EevdfSettings& settings) {
  Validation out;
  out.events = static_cast<std::int64_t>(trace.events.size());
  out.notes = settings.notes;
  EevdfReplay(trace, settings, out.tally).run();
  return out;
}

}  // namespace fw::validate
