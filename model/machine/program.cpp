// SPDX-License-Identifier: Apache-2.0
#include "model/machine/program.h"

#include <map>
#include <string_view>

namespace fw::model {
namespace {

/// Numbers names in the order in which they are met.
class Names {
 public:
  int number(const std::string& name) {
    return numbers_.emplace(name, static_cast<int>(numbers_.size())).first->second;
  }
  int known(const std::string& name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? -1 : found->second;
  }
  int size() const { return static_cast<int>(numbers_.size()); }
  const std::map<std::string, int>& all() const { return numbers_; }

 private:
  std::map<std::string, int> numbers_;
};

class Compiler {
 public:
  Compiler(const Workload& workload, int cpus)
      : workload_(workload), machine_(CpuSet::first(cpus)), cpus_(cpus) {}

  Program run() {
    for (const TaskDef& def : workload_.tasks) names_.number(def.name);
    for (const TaskDef& def : workload_.tasks) {
      out_.tasks.push_back(task(def));
      for (int i = 0; i < def.instances; ++i) {
        out_.started.push_back(static_cast<int>(out_.tasks.size()) - 1);
      }
    }
    out_.locks.resize(static_cast<std::size_t>(locks_.size()));
    out_.spins.resize(out_.locks.size());
    for (const auto& [name, number] : locks_.all()) {
      out_.locks[static_cast<std::size_t>(number)] = name;
      out_.spins[static_cast<std::size_t>(number)] = workload_.spinlocks.count(name) > 0;
    }
    out_.conditions = conditions_.size();
    out_.semaphores = semaphores_.size();
    out_.timers = timers_.size();
    out_.own_timers = own_timers_.size();
    out_.names = names_.size();
    out_.barging = workload_.barging;
    out_.costs = workload_.costs;
    return std::move(out_);
  }

 private:
  void fail(const std::string& text) {
    if (out_.fault.empty()) out_.fault = text;
  }

  CpuSet mask(const TaskDef& def, const std::optional<CpuSet>& wanted) {
    if (!wanted) return machine_;
    CpuSet out;
    for (const CpuId cpu : wanted->members()) {
      if (machine_.contains(cpu)) out.insert(cpu);
    }
    if (out.empty()) {
      fail("task " + def.name + ": cpus " + wanted->text() + " has no CPU of this machine of " +
           std::to_string(cpus_) + "; use a larger topology or other cpus");
      return machine_;
    }
    return out;
  }

  int nice(const TaskDef& def, int wanted) {
    if (wanted >= -20 && wanted <= 19) return wanted;
    fail("task " + def.name + ": priority " + std::to_string(wanted) + " is outside [-20, 19]");
    return 0;
  }

  CompiledTask task(const TaskDef& def) {
    CompiledTask out;
    out.name = def.name;
    out.name_number = names_.number(def.name);
    out.loop = def.loop;
    out.delay_ns = def.delay.ns;
    out.sched_class = def.sched_class;
    out.nice = nice(def, def.nice);
    if (def.slice) out.slice_ns = def.slice->ns;
    out.thread = workload_.threads.contains(def.name);
    out.input = workload_.labels.contains(def.name);
    out.allowed = mask(def, def.cpus);
    for (const Phase& phase : def.phases) {
      CompiledPhase compiled;
      compiled.loop = phase.loop;
      if (phase.nice) compiled.nice = nice(def, *phase.nice);
      if (phase.cpus) compiled.cpus = mask(def, phase.cpus);
      for (const Op& op : phase.ops) compiled.ops.push_back(event(def, op));
      out.phases.push_back(std::move(compiled));
    }
    return out;
  }

  CompiledOp event(const TaskDef& def, const Op& op) {
    CompiledOp out;
    out.kind = op.kind;
    out.amount_ns = op.amount.ns;
    out.absolute = op.absolute;
    switch (op.kind) {
      case OpKind::run:
      case OpKind::runtime:
      case OpKind::sleep:
      case OpKind::suspend:
      case OpKind::yield:
        break;
      case OpKind::timer:
        out.own = std::string_view(op.ref).substr(0, 6) == "unique";
        out.ref = (out.own ? own_timers_ : timers_).number(op.ref);
        break;
      case OpKind::lock:
      case OpKind::unlock:
        out.ref = locks_.number(op.ref);
        break;
      case OpKind::wait:
      case OpKind::sync:
        if (!op.mutex.empty()) out.mutex = locks_.number(op.mutex);
        [[fallthrough]];
      case OpKind::signal:
      case OpKind::broad:
        out.ref = conditions_.number(op.ref);
        break;
      case OpKind::barrier: {
        out.ref = barriers_.number(op.ref);
        out_.barrier_users.resize(static_cast<std::size_t>(barriers_.size()));
        out_.barrier_users[static_cast<std::size_t>(out.ref)] += def.instances;
        break;
      }
      case OpKind::resume:
        out.ref = names_.known(op.ref);
        break;
      case OpKind::sem_post:
      case OpKind::sem_wait:
        out.ref = semaphores_.number(op.ref);
        break;
      case OpKind::fork:
        for (std::size_t i = 0; i < workload_.tasks.size() && out.ref < 0; ++i) {
          if (workload_.tasks[i].name == op.ref) out.ref = static_cast<int>(i);
        }
        break;
    }
    return out;
  }

  const Workload& workload_;
  const CpuSet machine_;
  const int cpus_;
  Program out_;
  Names names_, locks_, conditions_, barriers_, semaphores_, timers_, own_timers_;
};

}  // namespace

Program compile(const Workload& workload, int cpus) { return Compiler(workload, cpus).run(); }

}  // namespace fw::model
