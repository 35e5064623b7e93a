// SPDX-License-Identifier: Apache-2.0
#include "props/bridge/impl_side.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "impl/base/fault.h"
#include "impl/machine/simulation.h"

namespace fw::bridge {
namespace {

// --- in ----------------------------------------------------------------------------------------

impl::OpCode code_of(OpKind kind) {
  switch (kind) {
    case OpKind::run:
      return impl::OpCode::run;
    case OpKind::runtime:
      return impl::OpCode::runtime;
    case OpKind::sleep:
      return impl::OpCode::sleep;
    case OpKind::timer:
      return impl::OpCode::timer;
    case OpKind::lock:
      return impl::OpCode::lock;
    case OpKind::unlock:
      return impl::OpCode::unlock;
    case OpKind::wait:
      return impl::OpCode::wait;
    case OpKind::signal:
      return impl::OpCode::signal;
    case OpKind::broad:
      return impl::OpCode::broad;
    case OpKind::sync:
      return impl::OpCode::sync;
    case OpKind::barrier:
      return impl::OpCode::barrier;
    case OpKind::suspend:
      return impl::OpCode::suspend;
    case OpKind::resume:
      return impl::OpCode::resume;
    case OpKind::sem_post:
      return impl::OpCode::sem_post;
    case OpKind::sem_wait:
      return impl::OpCode::sem_wait;
    case OpKind::yield:
      return impl::OpCode::yield;
    case OpKind::fork:
      return impl::OpCode::fork;
  }
  FW_ASSERT(false);
  return {};
}

bool has_ref(OpKind kind) {
  switch (kind) {
    case OpKind::run:
    case OpKind::runtime:
    case OpKind::sleep:
    case OpKind::suspend:
    case OpKind::yield:
      return false;
    default:
      return true;
  }
}

impl::TaskPolicy policy_of(SchedClass sched_class) {
  switch (sched_class) {
    case SchedClass::normal:
      return impl::TaskPolicy::normal;
    case SchedClass::batch:
      return impl::TaskPolicy::batch;
    case SchedClass::idle:
      return impl::TaskPolicy::idle;
  }
  FW_ASSERT(false);
  return {};
}

std::optional<std::vector<int>> numbers(const std::optional<CpuSet>& cpus) {
  if (!cpus) return std::nullopt;
  std::vector<int> out;
  for (const CpuId cpu : cpus->members()) out.push_back(cpu.value);
  return out;
}

class Translator {
 public:
  explicit Translator(const Workload& workload) : workload_(workload) {}

  impl::Program program() {
    out_.barging = workload_.barging;
    out_.switch_cost = workload_.costs.switch_cost.ns;
    out_.cache_refill = workload_.costs.cache_refill.ns;
    out_.migration = workload_.costs.migration.ns;
    for (const TaskDef& def : workload_.tasks) out_.tasks.push_back(task(def));
    return std::move(out_);
  }

 private:
  impl::TaskDef task(const TaskDef& def) {
    impl::TaskDef out;
    out.name = def.name;
    out.instances = def.instances;
    out.delay = def.delay.ns;
    out.loop = def.loop;
    out.policy = policy_of(def.sched_class);
    out.nice = def.nice;
    if (def.slice) out.slice = def.slice->ns;
    out.thread = workload_.threads.count(def.name) > 0;
    const auto label = workload_.labels.find(def.name);
    out.input = label != workload_.labels.end() && label->second == "input";
    out.cpus = numbers(def.cpus);
    for (const Phase& phase : def.phases) {
      impl::PhaseDef& to = out.phases.emplace_back();
      to.loop = phase.loop;
      to.nice = phase.nice;
      to.cpus = numbers(phase.cpus);
      for (const Op& op : phase.ops) to.ops.push_back(event(op));
    }
    return out;
  }

  impl::OpDef event(const Op& op) {
    impl::OpDef out;
    out.code = code_of(op.kind);
    out.amount = op.amount.ns;
    if (has_ref(op.kind)) out.ref = intern(op.ref);
    if (!op.mutex.empty()) out.mutex = intern(op.mutex);
    out.absolute = op.absolute;
    return out;
  }

  int intern(const std::string& name) {
    const auto [place, added] = refs_.emplace(name, static_cast<int>(out_.refs.size()));
    if (added) out_.refs.push_back({name, workload_.spinlocks.count(name) > 0});
    return place->second;
  }

  const Workload& workload_;
  impl::Program out_;
  std::map<std::string, int> refs_;
};

impl::DomainKind kind_of(LevelKind kind) {
  switch (kind) {
    case LevelKind::smt:
      return impl::DomainKind::smt;
    case LevelKind::cluster:
    case LevelKind::mc:
    case LevelKind::die:
      return impl::DomainKind::mc;
    case LevelKind::cpu:
      return impl::DomainKind::cpu;
    case LevelKind::group:
    case LevelKind::node:
      return impl::DomainKind::node;
    case LevelKind::top:
      return impl::DomainKind::all_nodes;
  }
  FW_ASSERT(false);
  return {};
}

impl::MachineConfig machine_of(const Setup& setup) {
  impl::MachineConfig out;
  out.shape.cpus = setup.topology.cpus;
  for (const TopologyLevel& level : setup.topology.levels) {
    out.shape.levels.push_back({kind_of(level.kind), level.set_of_cpu});
  }
  out.shape.threads_of_core = setup.topology.thread_siblings;
  out.balance = setup.balance;
  out.end = setup.end.ns;
  if (setup.workload.duration) out.end = std::min(out.end, setup.workload.duration->ns);
  return out;
}

template <class Request>
Request request_of(const Setup& setup) {
  Request out;
  out.version = setup.spec.version;
  for (const auto& [name, on] : setup.spec.features) out.features.emplace(name, on);
  if (setup.workload.hz) out.knobs.emplace("hz", *setup.workload.hz);
  for (const auto& [name, value] : setup.spec.knobs) out.knobs.insert_or_assign(name, value);
  return out;
}

// --- out ---------------------------------------------------------------------------------------

Why why_of(impl::Reason reason) {
  switch (reason) {
    case impl::Reason::none:
      return Why::none;
    case impl::Reason::only:
      return Why::only;
    case impl::Reason::leftmost:
      return Why::leftmost;
    case impl::Reason::next:
      return Why::next;
    case impl::Reason::last:
      return Why::last;
    case impl::Reason::idle:
      return Why::idle;
    case impl::Reason::slice:
      return Why::slice;
    case impl::Reason::wakeup:
      return Why::wakeup;
    case impl::Reason::fork:
      return Why::fork;
    case impl::Reason::periodic:
      return Why::periodic;
    case impl::Reason::newidle:
      return Why::newidle;
    case impl::Reason::active:
      return Why::active;
    case impl::Reason::affinity:
      return Why::affinity;
    case impl::Reason::timer:
      return Why::timer;
    case impl::Reason::start:
      return Why::start;
    case impl::Reason::earliest_deadline:
      return Why::earliest_deadline;
    case impl::Reason::protected_:
      return Why::protected_;
    case impl::Reason::deadline:
      return Why::deadline;
    case impl::Reason::protection:
      return Why::protection;
  }
  FW_ASSERT(false);
  return {};
}

DecisionKind kind_of(impl::RecordKind kind) {
  switch (kind) {
    case impl::RecordKind::fork:
      return DecisionKind::fork;
    case impl::RecordKind::wake:
      return DecisionKind::wake;
    case impl::RecordKind::block:
      return DecisionKind::block;
    case impl::RecordKind::exit:
      return DecisionKind::exit;
    case impl::RecordKind::yield:
      return DecisionKind::yield;
    case impl::RecordKind::renice:
      return DecisionKind::renice;
    case impl::RecordKind::affinity:
      return DecisionKind::affinity;
    case impl::RecordKind::preempt:
      return DecisionKind::preempt;
    case impl::RecordKind::pick:
      return DecisionKind::pick;
    case impl::RecordKind::migrate:
      return DecisionKind::migrate;
  }
  FW_ASSERT(false);
  return {};
}

StimulusKind kind_of(impl::StepKind kind) {
  switch (kind) {
    case impl::StepKind::start:
      return StimulusKind::start;
    case impl::StepKind::wake:
      return StimulusKind::wake;
    case impl::StepKind::fork:
      return StimulusKind::fork;
    case impl::StepKind::block:
      return StimulusKind::block;
    case impl::StepKind::exit:
      return StimulusKind::exit;
    case impl::StepKind::yield:
      return StimulusKind::yield;
    case impl::StepKind::renice:
      return StimulusKind::renice;
    case impl::StepKind::affinity:
      return StimulusKind::affinity;
    case impl::StepKind::tick:
      return StimulusKind::tick;
    case impl::StepKind::idle_tick:
      return StimulusKind::idle_tick;
    case impl::StepKind::balance:
      return StimulusKind::balance;
    case impl::StepKind::schedule:
      return StimulusKind::schedule;
  }
  FW_ASSERT(false);
  return {};
}

SchedClass class_of(impl::TaskPolicy policy) {
  return policy == impl::TaskPolicy::normal  ? SchedClass::normal
         : policy == impl::TaskPolicy::batch ? SchedClass::batch
                                             : SchedClass::idle;
}

TaskState state_of(impl::ShownState state) {
  return state == impl::ShownState::running  ? TaskState::running
         : state == impl::ShownState::queued ? TaskState::queued
                                             : TaskState::blocked;
}

class ImplSide final : public Side {
 public:
  explicit ImplSide(std::unique_ptr<impl::Simulation> simulation)
      : simulation_(std::move(simulation)) {}

  std::optional<Stimulus> advance() override {
    impl::Step step;
    decisions_.clear();
    if (!simulation_->advance(step)) return std::nullopt;
    for (const impl::Record& record : simulation_->records()) append(record);
    misbehave(step.t);
    return Stimulus{{step.t}, {step.cpu}, kind_of(step.kind), {step.task}, step.counts};
  }

  std::span<const Decision> decisions() const override { return decisions_; }

  void look(View& out) const override {
    out.now = {std::max<std::int64_t>(simulation_->now(), 0)};
    const auto cpus = static_cast<std::size_t>(simulation_->cpus());
    out.cpus.resize(cpus);
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) look_at_cpu(static_cast<int>(cpu), out.cpus[cpu]);
    const std::span<const int> live = simulation_->live();
    out.tasks.resize(live.size());
    for (std::size_t i = 0; i < live.size(); ++i) look_at_task(live[i], out.tasks[i]);
  }

  std::string task_name(TaskId task) const override { return simulation_->task_name(task.value); }
  std::string fault() const override { return simulation_->fault(); }

 private:
  /// Faults of the harness's own (mutants build only): they show that a hang, a crash and a run
  /// that does not repeat are noticed and told apart from a property's failure.
  void misbehave([[maybe_unused]] std::int64_t t) {
#ifdef FW_FAULTS
    if (t < 1'000'000) return;
    if (IMPL_FAULT(H02_crash)) std::abort();
    while (IMPL_FAULT(H01_hang)) ::pause();
    static std::int64_t runs = 0;
    if (IMPL_FAULT(H03_unrepeatable) && !decisions_.empty())
      decisions_.back().nr += runs++ % 2 != 0;
#endif
  }

  void append(const impl::Record& record) {
    Decision& out = decisions_.emplace_back();
    out.t = {record.t};
    out.cpu = {record.cpu};
    out.kind = kind_of(record.kind);
    out.task = {record.task};
    out.nr = record.nr;
    out.other = {record.other};
    out.from = {record.from};
    out.why = why_of(record.why);
    out.preempt = record.preempt;
    out.nice = record.nice;
    if (record.cpus != nullptr) {
      out.cpus.emplace();
      for (int cpu = record.cpus->first(); cpu >= 0; cpu = record.cpus->next(cpu + 1)) {
        out.cpus->insert({cpu});
      }
    }
    out.state = record.state;
  }

  void look_at_cpu(int cpu, CpuView& out) const {
    simulation_->show_cpu(cpu, cpu_);
    out.curr = {cpu_.curr};
    out.marked = cpu_.marked;
    out.nr_running = cpu_.nr_running;
    out.load = cpu_.load;
    out.ints.assign(cpu_.ints.begin(), cpu_.ints.end());
    out.queue.clear();
    for (const int id : cpu_.queue) out.queue.push_back({id});
  }

  void look_at_task(int id, TaskView& out) const {
    simulation_->show_task(id, task_);
    out.id = {id};
    out.state = state_of(task_.state);
    out.cpu = {task_.cpu};
    out.nice = task_.nice;
    out.sched_class = class_of(task_.policy);
    out.weight = task_.weight;
    out.sum_exec_ns = task_.sum_exec;
    static_assert(max_task_ints == 8);
    out.ints = task_.ints;
  }

  std::unique_ptr<impl::Simulation> simulation_;
  std::vector<Decision> decisions_;
  mutable impl::CpuShown cpu_;  // storage that look() reuses
  mutable impl::TaskShown task_;
};

}  // namespace

std::unique_ptr<Side> make_cfs_impl(const Setup& setup) {
  return std::make_unique<ImplSide>(impl::simulate_cfs(Translator(setup.workload).program(),
                                                       machine_of(setup),
                                                       request_of<impl::cfs::Request>(setup)));
}

std::unique_ptr<Side> make_eevdf_impl(const Setup& setup) {
  return std::make_unique<ImplSide>(impl::simulate_eevdf(Translator(setup.workload).program(),
                                                         machine_of(setup),
                                                         request_of<impl::eevdf::Request>(setup)));
}

}  // namespace fw::bridge
