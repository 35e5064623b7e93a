// SPDX-License-Identifier: Apache-2.0
// The o1 and bfs properties on random runs of the reference models: none may blame a correct
// scheduler, each must meet its situation, and each must find a state damaged in one place. They
// enter the registry together with the policies' rows in props/bridge.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/input/topology.h"
#include "model/machine/bfs_model.h"
#include "model/machine/o1_model.h"
#include "model/policy/bfs/catalog.h"
#include "model/policy/o1/catalog.h"
#include "props/gen/generate.h"
#include "props/properties/bfs_deadline.h"
#include "props/properties/bfs_no_idle_waste.h"
#include "props/properties/bfs_pick.h"
#include "props/properties/bfs_queue.h"
#include "props/properties/bfs_view.h"
#include "props/properties/o1_arrays.h"
#include "props/properties/o1_pick.h"
#include "props/properties/o1_reinsertion.h"
#include "props/properties/o1_slice.h"
#include "props/properties/o1_view.h"

namespace fw::props {
namespace {

using Make = std::unique_ptr<Checker> (*)();
struct Named {
  const char* name;
  Make make;
};
const std::vector<Named> o1_checkers = {{"o1_arrays", make_o1_arrays},
                                        {"o1_slice", make_o1_slice},
                                        {"o1_reinsertion", make_o1_reinsertion},
                                        {"starving", make_o1_reinsertion_starving},
                                        {"o1_pick", make_o1_pick}};
const std::vector<Named> bfs_checkers = {{"bfs_queue", make_bfs_queue},
                                         {"bfs_pick", make_bfs_pick},
                                         {"expired", make_bfs_pick_expired},
                                         {"bfs_deadline", make_bfs_deadline},
                                         {"bfs_no_idle_waste", make_bfs_no_idle_waste}};

/// Case `index` of a campaign over some specs of the policy.
fw::Setup random_setup(const PolicyInfo& info,
                       const std::vector<std::string>& specs,
                       std::uint64_t index) {
  const PolicyInfo* const infos[] = {&info};
  gen::GenOptions options;
  options.vary_knobs = options.vary_features = false;
  options.spec = *parse_spec(specs[index % specs.size()], infos);
  const Case made = gen::generate(info, 20030213, index, options);
  fw::Setup out;
  out.spec = made.spec;
  out.topology = *input::read_topology(made.topology);
  out.balance = made.balance;
  out.workload = made.workload;
  out.end = Instant{} + made.horizon;
  return out;
}

using Reached = std::map<std::string, std::int64_t>;

void watch(Side& side, const fw::Setup& setup, const std::vector<Named>& all, Reached& reached) {
  std::vector<std::pair<const char*, std::unique_ptr<Checker>>> checkers;
  for (const Named& named : all) {
    auto checker = named.make();
    if (checker->applies(setup)) checkers.emplace_back(named.name, std::move(checker));
  }
  View before, after;
  side.look(before);
  while (const auto stimulus = side.advance()) {
    side.look(after);
    const Moment moment{0, *stimulus, side.decisions(), before, after};
    for (const auto& entry : checkers) {
      const auto bad = entry.second->after_event(moment);
      ASSERT_FALSE(bad) << entry.first << " at " << stimulus->t.ns << ": " << bad->what << " ("
                        << setup.spec.text << ", " << setup.topology.name << ")";
    }
    std::swap(before, after);
  }
  ASSERT_EQ(side.fault(), "");
  for (const auto& entry : checkers) {
    const auto bad = entry.second->at_end(before);
    ASSERT_FALSE(bad) << entry.first << ": " << bad->what;
    reached[entry.first] += entry.second->reached();
  }
}

const std::vector<std::string> o1_specs = {
    "o1",
    "o1,variant=both,max_timeslice=40ms,max_sleep_avg=100ms",
    "o1,max_timeslice=12,max_sleep_avg=50,starvation_limit=1",
    "o1,min_timeslice=1,max_timeslice=3,max_sleep_avg=20,starvation_limit=0"};
const std::vector<std::string> bfs_specs = {"bfs",
                                            "bfs@0.31x",
                                            "bfs+FORK_DEPTH_PENALTY,rr_interval=2",
                                            "bfs@0.31x+FORK_DEPTH_PENALTY,depth_rule=additive"};

TEST(O1Properties, AcceptTheReferenceModelAndMeetTheirSituations) {
  Reached reached;
  for (std::uint64_t index = 0; index < 120; ++index) {
    const fw::Setup setup = random_setup(model::o1_info(), o1_specs, index);
    watch(*model::make_o1_model(setup), setup, o1_checkers, reached);
    if (HasFatalFailure()) return;
  }
  for (const Named& named : o1_checkers) EXPECT_GT(reached[named.name], 10) << named.name;
}

TEST(BfsProperties, AcceptTheReferenceModelAndMeetTheirSituations) {
  Reached reached;
  for (std::uint64_t index = 0; index < 120; ++index) {
    const fw::Setup setup = random_setup(model::bfs_info(), bfs_specs, index);
    watch(*model::make_bfs_model(setup), setup, bfs_checkers, reached);
    if (HasFatalFailure()) return;
  }
  for (const Named& named : bfs_checkers) EXPECT_GT(reached[named.name], 10) << named.name;
}

/// Damages the state after one stimulus; true when it did.
using Damage = std::function<bool(const Moment&, View&)>;

/// The kind of the first violation that a checker sees in runs damaged once each.
std::string found(const PolicyInfo& info,
                  std::unique_ptr<Side> (*make)(const fw::Setup&),
                  const std::vector<std::string>& specs,
                  Make checker,
                  const Damage& damage) {
  for (std::uint64_t index = 0; index < 60; ++index) {
    const fw::Setup setup = random_setup(info, specs, index);
    const auto watcher = checker();
    if (!watcher->applies(setup)) continue;
    const auto side = make(setup);
    View before, after;
    side->look(before);
    while (const auto stimulus = side->advance()) {
      side->look(after);
      View damaged = after;
      const Moment sound{0, *stimulus, side->decisions(), before, after};
      const bool done = damage(sound, damaged);
      const Moment seen{0, *stimulus, side->decisions(), before, done ? damaged : after};
      const auto bad = watcher->after_event(seen);
      if (bad) return bad->kind;
      if (done) return "missed";
      std::swap(before, after);
    }
  }
  return "never damaged";
}

std::string in_o1(Make checker, const Damage& damage) {
  return found(model::o1_info(), model::make_o1_model, o1_specs, checker, damage);
}
std::string in_bfs(Make checker, const Damage& damage) {
  return found(model::bfs_info(), model::make_bfs_model, bfs_specs, checker, damage);
}

/// The task whose slice this tick renews, in the View after; nullptr if there is none.
TaskView* renewed(const Moment& m, View& after) {
  if (m.stimulus.kind != StimulusKind::tick) return nullptr;
  const TaskView* old = o1::ticking(m.before, m.stimulus.cpu);
  if (old == nullptr || o1::get(*old, o1::time_slice) != 1) return nullptr;
  for (TaskView& task : after.tasks) {
    if (task.id == old->id) return &task;
  }
  return nullptr;
}

TEST(O1Properties, FindDamage) {
  EXPECT_EQ(in_o1(make_o1_arrays,
                  [](const Moment&, View& v) {
                    if (v.cpus[0].ints[o1::nr_active] == 0) return false;
                    v.cpus[0].ints[o1::active_bitmap] &= v.cpus[0].ints[o1::active_bitmap] - 1;
                    return true;
                  }),
            "bitmap");
  EXPECT_EQ(in_o1(make_o1_arrays,
                  [](const Moment&, View& v) {
                    v.cpus[0].ints[o1::nr_expired] += 1;
                    return v.cpus[0].nr_running > 0;
                  }),
            "count");
  EXPECT_EQ(in_o1(make_o1_arrays,
                  [](const Moment& m, View& v) {
                    // A newcomer goes before those of its list.
                    auto& queue = v.cpus[0].queue;
                    if (m.stimulus.kind != StimulusKind::start || queue.size() < 2) return false;
                    const TaskView* last = cfs::find(v, queue.back());
                    const TaskView* other = cfs::find(v, queue[queue.size() - 2]);
                    if (last->id != m.stimulus.task ||
                        last->ints[o1::array] != other->ints[o1::array] ||
                        last->ints[o1::prio] != other->ints[o1::prio]) {
                      return false;
                    }
                    std::swap(queue.back(), queue[queue.size() - 2]);
                    return true;
                  }),
            "fifo");
  EXPECT_EQ(in_o1(make_o1_slice,
                  [](const Moment& m, View& v) {
                    TaskView* task = renewed(m, v);
                    if (task != nullptr) task->ints[o1::time_slice] -= 1;
                    return task != nullptr;
                  }),
            "slice");
  EXPECT_EQ(in_o1(make_o1_slice,
                  [](const Moment& m, View& v) {
                    if (m.stimulus.kind != StimulusKind::fork) return false;
                    v.tasks.back().ints[o1::sleep_avg] += 1;
                    return true;
                  }),
            "sleep_avg");
  EXPECT_EQ(in_o1(make_o1_reinsertion,
                  [](const Moment& m, View& v) {
                    TaskView* task = renewed(m, v);
                    if (task == nullptr || task->ints[o1::array] != o1::active) return false;
                    task->ints[o1::array] = o1::expired;
                    return true;
                  }),
            "expired");
  EXPECT_EQ(
      in_o1(make_o1_pick,
            [](const Moment& m, View& v) {
              const CpuView& old = cfs::cpu_of(m.before, m.stimulus.cpu);
              if (m.stimulus.kind != StimulusKind::schedule || old.nr_running == 0 ||
                  old.ints[o1::nr_active] != 0 || old.ints[o1::expired_timestamp] == 0) {
                return false;
              }
              v.cpus[static_cast<std::size_t>(m.stimulus.cpu.value)].ints[o1::expired_timestamp] =
                  7;
              return true;
            }),
      "timestamp");
}

TEST(BfsProperties, FindDamage) {
  const auto two_waiting = [](View& v) {
    std::vector<TaskView*> out;
    for (const TaskView* task : bfs::queue_of(v)) {
      if (bfs::get(*task, bfs::prio) == 101) out.push_back(const_cast<TaskView*>(task));
    }
    return out;
  };
  EXPECT_EQ(in_bfs(make_bfs_queue,
                   [&](const Moment& m, View& v) {
                     const auto waiting = two_waiting(v);
                     if (m.stimulus.kind != StimulusKind::tick || waiting.size() < 2) return false;
                     std::swap(waiting[0]->ints[bfs::place], waiting[1]->ints[bfs::place]);
                     return true;
                   }),
            "fifo");
  EXPECT_EQ(in_bfs(make_bfs_queue,
                   [](const Moment&, View& v) {
                     v.cpus[0].ints[bfs::qnr] += 1;
                     return true;
                   }),
            "qnr");
  EXPECT_EQ(in_bfs(make_bfs_pick,
                   [](const Moment& m, View& v) {
                     auto& curr = v.cpus[static_cast<std::size_t>(m.stimulus.cpu.value)].curr;
                     if (m.stimulus.kind != StimulusKind::schedule || curr.idle()) return false;
                     curr = idle_task;
                     return true;
                   }),
            "pick");
  EXPECT_EQ(in_bfs(make_bfs_deadline,
                   [](const Moment& m, View& v) {
                     for (TaskView& task : v.tasks) {
                       const TaskView* old = cfs::find(m.before, task.id);
                       if (old == nullptr || m.stimulus.kind != StimulusKind::schedule ||
                           old->ints[bfs::deadline] == task.ints[bfs::deadline]) {
                         continue;
                       }
                       task.ints[bfs::deadline] += 1;
                       return true;
                     }
                     return false;
                   }),
            "deadline");
}

TEST(BfsProperties, FindAnIdleCpuThatWasForgotten) {
  fw::Setup setup;
  setup.topology.cpus = 2;
  const auto checker = make_bfs_no_idle_waste();
  ASSERT_TRUE(checker->applies(setup));
  View view;
  view.cpus.resize(2);
  for (CpuView& cpu : view.cpus) cpu.ints.assign(bfs::cpu_ints, 0);
  for (int i = 0; i < 2; ++i) {
    TaskView task;
    task.id = TaskId{i};
    task.state = i == 0 ? TaskState::running : TaskState::queued;
    task.ints[bfs::place] = i;
    view.tasks.push_back(task);
  }
  view.cpus[0].curr = TaskId{0};
  const Stimulus wake{Instant{5}, CpuId{0}, StimulusKind::wake, TaskId{1}};
  const Stimulus tick{Instant{9}, CpuId{0}, StimulusKind::tick, idle_task};
  View asleep = view;
  asleep.tasks[1].state = TaskState::blocked;
  asleep.tasks[1].ints[bfs::place] = 0;
  EXPECT_FALSE(checker->after_event(Moment{0, wake, {}, asleep, view}));
  const auto bad = checker->after_event(Moment{0, tick, {}, view, view});
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->kind, "waste");
}

}  // namespace
}  // namespace fw::props
