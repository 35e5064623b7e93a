// SPDX-License-Identifier: Apache-2.0
#include "props/gen/profiles.h"

#include <algorithm>
#include <array>

#include "props/gen/ops.h"

namespace fw::gen {

std::string_view profile_name(Profile profile) {
  static constexpr std::array<std::string_view, profile_count> names = {
      "hogs",   "ties",      "sleepers",  "long_sleeper", "periodic", "ping_pong", "ring",
      "hub",    "semaphore", "condition", "locks",        "barrier",  "crowd",     "forks",
      "yields", "renice",    "affinity",  "runtime",      "finite",   "soup"};
  return names[static_cast<std::size_t>(profile)];
}

TaskDef Draft::task(std::string_view stem, std::vector<Op> ops, std::size_t place) const {
  TaskDef out;
  out.name = std::string(stem) + std::to_string(workload.tasks.size() + place);
  Phase phase;
  phase.ops = std::move(ops);
  out.phases.push_back(std::move(phase));
  return out;
}

Duration Draft::any() {
  switch (draw.between(0, 7)) {
    case 0:
      return draw_amount(draw, shape, 1, 1'000);
    case 1:
    case 2:
      return brief();
    case 3:
      return long_one();
    default:
      return middling();
  }
}

namespace {

void put(Draft& draft, TaskDef task) {
  dress(draft, task);
  draft.workload.tasks.push_back(std::move(task));
}

void hogs(Draft& d) {
  for (int left = d.draw.length(1, 4); left > 0 && d.room() > 0; --left) {
    put(d, d.task("hog", {run(d.long_one())}));
  }
}

/// The same program several times over: equal virtual times, so that order of arrival decides.
void ties(Draft& d) {
  TaskDef task = d.task("tie", {run(d.middling())});
  if (d.draw.percent(60)) task.phases[0].ops.push_back(sleep(d.middling()));
  dress(d, task);
  task.instances = d.draw.length(2, 6);
  task.delay = {};
  d.workload.tasks.push_back(std::move(task));
}

void sleepers(Draft& d) {
  for (int left = d.draw.length(1, 3); left > 0 && d.room() > 0; --left) {
    std::vector<Op> ops;
    for (int pairs = d.draw.length(1, 3); pairs > 0; --pairs) {
      ops.push_back(run(d.draw.percent(70) ? d.brief() : d.any()));
      ops.push_back(sleep(d.any()));
    }
    put(d, d.task("nap", std::move(ops)));
  }
}

/// Sleeps so long that its credit is the largest there is.
void long_sleeper(Draft& d) {
  const std::int64_t longest = std::max<std::int64_t>(2, d.shape.horizon_ns / 2);
  const std::int64_t least = std::max<std::int64_t>(1, d.shape.horizon_ns / 10);
  put(d, d.task("rip", {run(d.any()), sleep(draw_amount(d.draw, d.shape, least, longest))}));
  if (d.room() > 0) put(d, d.task("hog", {run(d.long_one())}));
}

void periodic(Draft& d) {
  // In rt-app a timer has one mode for all its users.
  const std::string shared = d.new_ref("tick");
  const bool shared_absolute = d.draw.percent(50);
  for (int left = d.draw.length(1, 3); left > 0 && d.room() > 0; --left) {
    const bool own = d.draw.percent(70);
    const std::string ref = own ? d.new_ref("unique") : shared;
    const bool absolute = own ? d.draw.percent(50) : shared_absolute;
    put(d, d.task("per", {run(d.brief()), timer(ref, d.middling(), absolute)}));
  }
}

/// The partner that waits comes first in the file: an early resume would be lost.
void ping_pong(Draft& d) {
  if (d.room() < 2) return;
  const TaskDef names = d.task("pong", {}), first = d.task("ping", {}, 1);
  const Duration work = d.brief();
  TaskDef pong =
      d.task("pong", {plain(OpKind::suspend), run(work), named(OpKind::resume, first.name)});
  put(d, std::move(pong));
  TaskDef ping = d.task("ping",
                        {run(d.draw.percent(50) ? work : d.brief()),
                         named(OpKind::resume, names.name),
                         plain(OpKind::suspend)});
  if (d.draw.percent(30)) ping.phases[0].ops.insert(ping.phases[0].ops.begin(), sleep(d.any()));
  put(d, std::move(ping));
}

void ring(Draft& d) {
  const int count = d.draw.between(3, 5);
  if (d.room() < count) return;
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    names.push_back(d.task("ring", {}, static_cast<std::size_t>(i)).name);
  }
  for (int i = 0; i < count; ++i) {
    const std::string& next = names[static_cast<std::size_t>((i + 1) % count)];
    // The last member starts the round, when all the others wait.
    std::vector<Op> ops = {plain(OpKind::suspend), run(d.brief()), named(OpKind::resume, next)};
    if (i + 1 == count) ops = {run(d.brief()), named(OpKind::resume, next), plain(OpKind::suspend)};
    put(d, d.task("ring", std::move(ops)));
  }
}

/// One task that wakes many at once: crowded queues full of buddies.
void hub(Draft& d) {
  const int workers = d.draw.between(2, 5);
  if (d.room() < workers + 1) return;
  std::vector<Op> ops = {run(d.brief())};
  for (int i = 0; i < workers; ++i) {
    TaskDef worker = d.task("work", {plain(OpKind::suspend), run(d.any())});
    if (d.draw.percent(25)) worker.phases[0].ops.push_back(sleep(d.brief()));
    ops.push_back(named(OpKind::resume, worker.name));
    if (d.draw.percent(20)) ops.push_back(run(d.brief()));
    put(d, std::move(worker));
  }
  if (d.draw.percent(60)) ops.push_back(sleep(d.any()));
  put(d, d.task("hub", std::move(ops)));
}

void semaphore(Draft& d) {
  if (d.room() < 2) return;
  const std::string ref = d.new_ref("sem");
  put(d, d.task("eat", {named(OpKind::sem_wait, ref), run(d.any())}));
  std::vector<Op> ops = {run(d.any())};
  for (int posts = d.draw.between(1, 3); posts > 0; --posts) {
    ops.push_back(named(OpKind::sem_post, ref));
  }
  if (d.draw.percent(50)) ops.push_back(sleep(d.any()));
  put(d, d.task("cook", std::move(ops)));
}

void condition(Draft& d) {
  if (d.room() < 2) return;
  const std::string mutex = d.new_ref("m"), ref = d.new_ref("cond");
  for (int left = d.draw.between(1, 3); left > 0 && d.room() > 1; --left) {
    put(d,
        d.task("wait",
               {named(OpKind::lock, mutex),
                named(OpKind::wait, ref, mutex),
                named(OpKind::unlock, mutex),
                run(d.any())}));
  }
  const bool broad = d.draw.percent(40), sync = !broad && d.draw.percent(40);
  const OpKind kind = broad ? OpKind::broad : sync ? OpKind::sync : OpKind::signal;
  std::vector<Op> ops = {run(d.any())};
  const bool locked = sync || d.draw.percent(60);
  if (locked) ops.push_back(named(OpKind::lock, mutex));
  ops.push_back(named(kind, ref, sync ? mutex : ""));
  if (locked) ops.push_back(named(OpKind::unlock, mutex));
  if (d.draw.percent(60)) ops.push_back(sleep(d.any()));
  put(d, d.task("call", std::move(ops)));
}

/// Locks are always taken in the order of their numbers: no deadlock.
void locks(Draft& d) {
  const std::string outer = d.new_ref("m"), inner = d.new_ref("m");
  if (d.draw.percent(20)) d.workload.spinlocks.insert(inner);
  if (d.draw.percent(20)) d.workload.barging = true;
  for (int left = d.draw.length(2, 4); left > 0 && d.room() > 0; --left) {
    const bool nested = d.draw.percent(35);
    const std::string& first = nested || d.draw.percent(50) ? outer : inner;
    std::vector<Op> ops;
    if (d.draw.percent(70)) ops.push_back(run(d.brief()));
    ops.push_back(named(OpKind::lock, first));
    ops.push_back(run(d.any()));
    if (d.draw.percent(30)) ops.push_back(sleep(d.brief()));
    if (nested) {
      ops.push_back(named(OpKind::lock, inner));
      ops.push_back(run(d.brief()));
      ops.push_back(named(OpKind::unlock, inner));
    }
    ops.push_back(named(OpKind::unlock, first));
    if (d.draw.percent(50)) ops.push_back(sleep(d.any()));
    put(d, d.task("lock", std::move(ops)));
  }
}

void barrier(Draft& d) {
  if (d.room() < 2) return;
  const std::string ref = d.new_ref("bar");
  for (int left = d.draw.between(2, 4); left > 0 && d.room() > 0; --left) {
    std::vector<Op> ops = {run(d.any()), named(OpKind::barrier, ref)};
    if (d.draw.percent(30)) ops.push_back(sleep(d.brief()));
    put(d, d.task("bar", std::move(ops)));
  }
}

/// Hogs that start on one CPU and may leave it later: work for the load balancer, which has to find
/// pinned tasks, busy groups and tasks that have just run.
void crowd(Draft& d) {
  TaskDef task = d.task("mob", {run(d.long_one())});
  dress(d, task);
  task.instances = d.draw.between(2, 6);
  task.cpus.reset();
  Phase& pinned = task.phases[0];
  pinned.name = "p0";
  pinned.cpus = draw_cpus(d.draw, d.shape);
  if (d.draw.percent(70)) {
    Phase freed;
    freed.name = "p1";
    freed.cpus = CpuSet::first(d.shape.cpus);
    freed.loop = d.draw.between(1, 20);
    freed.ops = {run(d.long_one())};
    if (d.draw.percent(30)) freed.ops.push_back(sleep(d.brief()));
    pinned.ops = {run(d.any())};
    task.phases.push_back(std::move(freed));
  }
  d.workload.tasks.push_back(std::move(task));
}

void forks(Draft& d) {
  if (d.room() < 2) return;
  std::vector<Op> ops = {run(d.any())};
  if (d.draw.percent(30)) ops.push_back(sleep(d.any()));
  TaskDef child = d.task("kid", std::move(ops));
  dress(d, child);
  child.instances = 0;
  child.loop = d.draw.between(1, 4);
  if (d.draw.percent(75)) child.delay = {};
  // A child that forks needs a grandchild, which comes first in the file.
  if (d.room() > 2 && d.draw.percent(25)) {
    TaskDef grand = child;
    grand.loop = 1;
    d.workload.tasks.push_back(grand);
    child.name = d.task("kid", {}).name;
    child.phases[0].ops.push_back(named(OpKind::fork, grand.name));
  }
  if (d.draw.percent(25)) d.workload.threads.insert(child.name);
  TaskDef parent = d.task("fork", {}, 1);
  Phase& phase = parent.phases[0];
  phase.ops = {named(OpKind::fork, child.name)};
  if (d.draw.percent(30)) {  // a storm: all at one instant
    phase.name = "p0";
    phase.loop = d.draw.between(2, 30);
    Phase rest;
    rest.name = "p1";
    rest.ops = {run(d.any()), sleep(d.long_one())};
    parent.phases.push_back(std::move(rest));
  } else {
    phase.ops.insert(phase.ops.begin(), run(d.any()));
    if (d.draw.percent(50)) phase.ops.push_back(sleep(d.any()));
  }
  d.workload.tasks.push_back(std::move(child));
  put(d, std::move(parent));
}

void yields(Draft& d) {
  for (int left = d.draw.length(1, 3); left > 0 && d.room() > 0; --left) {
    std::vector<Op> ops = {run(d.any()), plain(OpKind::yield)};
    if (d.draw.percent(30)) ops.push_back(plain(OpKind::yield));
    if (d.draw.percent(20)) ops.push_back(sleep(d.brief()));
    put(d, d.task("yld", std::move(ops)));
  }
}

/// Tasks whose nice or affinity changes while they run, wait or have just slept.
void phased(Draft& d, bool nice, bool cpus) {
  for (int left = d.draw.length(1, 2); left > 0 && d.room() > 0; --left) {
    TaskDef task = d.task(nice ? "nice" : "hop", {});
    task.phases.clear();
    for (int i = 0, count = d.draw.between(2, 3); i < count; ++i) {
      Phase phase;
      phase.name = "p" + std::to_string(i);
      phase.loop = d.draw.percent(70) ? 1 : d.draw.between(2, 3);
      if (nice && d.draw.percent(85)) {
        phase.nice = d.draw.percent(50) ? draw_nice(d.draw, d.shape) : d.draw.between(-20, 19);
      }
      if (cpus) phase.cpus = draw_cpus(d.draw, d.shape);
      phase.ops = {run(d.any())};
      if (d.draw.percent(40)) phase.ops.push_back(sleep(d.any()));
      task.phases.push_back(std::move(phase));
    }
    put(d, std::move(task));
  }
}

void runtime(Draft& d) {
  std::vector<Op> ops = {timed(OpKind::runtime, d.any())};
  if (d.draw.percent(50)) ops.push_back(sleep(d.any()));
  put(d, d.task("wall", std::move(ops)));
}

void finite(Draft& d) {
  for (int left = d.draw.length(1, 3); left > 0 && d.room() > 0; --left) {
    TaskDef task = d.task("once", {run(d.any())});
    if (d.draw.percent(40)) task.phases[0].ops.push_back(sleep(d.any()));
    task.loop = d.draw.between(1, 5);
    put(d, std::move(task));
  }
}

/// Anything, in any order, with references to tasks and things that exist.
void soup(Draft& d) {
  const std::string mutex = d.new_ref("m"), sem = d.new_ref("sem"), shared = d.new_ref("tick");
  const bool absolute = d.draw.percent(50);
  for (int left = d.draw.length(1, 4); left > 0 && d.room() > 0; --left) {
    std::vector<Op> ops;
    for (int count = d.draw.length(1, 6); count > 0; --count) {
      switch (d.draw.between(0, 9)) {
        case 0:
          ops.push_back(sleep(d.any()));
          break;
        case 1:
          ops.push_back(timer(shared, d.any(), absolute));
          break;
        case 2:
          ops.push_back(named(OpKind::sem_post, sem));
          break;
        case 3:
          ops.push_back(named(d.draw.percent(50) ? OpKind::sem_post : OpKind::sem_wait, sem));
          break;
        case 4:
          ops.push_back(plain(OpKind::yield));
          break;
        case 5:
          if (!d.workload.tasks.empty()) {
            ops.push_back(named(OpKind::resume, d.draw.of(d.workload.tasks).name));
          }
          break;
        case 6:
          ops.push_back(named(OpKind::lock, mutex));
          ops.push_back(d.draw.percent(70) ? run(d.brief()) : sleep(d.brief()));
          ops.push_back(named(OpKind::unlock, mutex));
          break;
        case 7:
          if (d.draw.percent(30)) ops.push_back(plain(OpKind::suspend));
          [[fallthrough]];
        default:
          ops.push_back(run(d.any()));
      }
    }
    ops.push_back(run(d.any()));
    put(d, d.task("mix", std::move(ops)));
  }
}

}  // namespace

void add_profile(Draft& draft, Profile profile) {
  if (draft.room() < 1) return;
  switch (profile) {
    case Profile::hogs:
      return hogs(draft);
    case Profile::ties:
      return ties(draft);
    case Profile::sleepers:
      return sleepers(draft);
    case Profile::long_sleeper:
      return long_sleeper(draft);
    case Profile::periodic:
      return periodic(draft);
    case Profile::ping_pong:
      return ping_pong(draft);
    case Profile::ring:
      return ring(draft);
    case Profile::hub:
      return hub(draft);
    case Profile::semaphore:
      return semaphore(draft);
    case Profile::condition:
      return condition(draft);
    case Profile::locks:
      return locks(draft);
    case Profile::barrier:
      return barrier(draft);
    case Profile::crowd:
      return crowd(draft);
    case Profile::forks:
      return forks(draft);
    case Profile::yields:
      return yields(draft);
    case Profile::renice:
      return phased(draft, true, draft.draw.percent(20));
    case Profile::affinity:
      return phased(draft, draft.draw.percent(20), true);
    case Profile::runtime:
      return runtime(draft);
    case Profile::finite:
      return finite(draft);
    case Profile::soup:
      return soup(draft);
  }
}

}  // namespace fw::gen
