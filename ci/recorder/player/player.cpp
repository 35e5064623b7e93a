// SPDX-License-Identifier: Apache-2.0
#include "ci/recorder/player/player.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <string_view>
#include <vector>

namespace fw::player {
namespace {

std::int64_t now_ns() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

void sleep_until(std::int64_t at_ns) {
  const timespec t{at_ns / 1'000'000'000, at_ns % 1'000'000'000};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
  }
}

void spin(std::uint64_t loops) {
  for (std::uint64_t i = 0; i < loops; ++i) asm volatile("" ::: "memory");
}

/// The fastest of a few goes: what else runs only makes one slower.
double calibrate() {
  constexpr std::uint64_t loops = 400'000;
  std::int64_t best_ns = 1'000'000'000;
  for (int i = 0; i < 5; ++i) {
    const std::int64_t begin = now_ns();
    spin(loops);
    best_ns = std::min(best_ns, std::max<std::int64_t>(1, now_ns() - begin));
  }
  return static_cast<double>(loops) * 1000.0 / static_cast<double>(best_ns);
}

/// A custom slice, which kernels before 6.12 pass over: they refuse or ignore it.
void ask_for_slice(Duration slice, int nice) {
  struct {  // the kernel's struct sched_attr, first version
    std::uint32_t size = 48;
    std::uint32_t policy = 0;
    std::uint64_t flags = 0;
    std::int32_t nice = 0;
    std::uint32_t priority = 0;
    std::uint64_t runtime = 0, deadline = 0, period = 0;
  } attributes;
  attributes.nice = nice;
  attributes.runtime = static_cast<std::uint64_t>(slice.ns);
  (void)::syscall(SYS_sched_setattr, 0, &attributes, 0);
}

/// Whatever a name can stand for: a lock, a condition, a barrier, a semaphore, a suspended task.
struct Object {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  sem_t semaphore{};
  int parties = 0;  ///< of a barrier
  int arrived = 0;
  std::uint64_t round = 0;
  Object() { ::sem_init(&semaphore, 0, 0); }
};

class Play;

/// One instance of a task.
class Thread {
 public:
  Thread(Play& play, const TaskDef& task, std::string name, std::int64_t start_ns)
      : play_(play), task_(task), name_(std::move(name)), start_ns_(start_ns) {}
  void run();
  static void* main(void* self);

 private:
  void settle(const std::optional<int>& nice, const std::optional<CpuSet>& cpus);
  void phase(const Phase& phase);
  void op(const Op& op);
  void timer(const Op& op);
  void wait(const Op& op);

  Play& play_;
  const TaskDef& task_;
  std::string name_;
  std::int64_t start_ns_;
  int forks_ = 0;
  std::map<std::string, std::int64_t, std::less<>> timers_;
  std::vector<std::string> held_;
};

class Play {
 public:
  Play(const Workload& workload, const PlayOptions& options)
      : workload_(workload), options_(options), loops_per_us_(calibrate()) {
    ::sem_init(&done_, 0, 0);
    for (const TaskDef& task : workload.tasks) {
      objects_[task.name];
      for (const Phase& phase : task.phases) {
        for (const Op& op : phase.ops) {
          if (!op.mutex.empty()) objects_[op.mutex];
          if (op.ref.empty()) continue;
          objects_[op.ref];
        }
      }
    }
    for (const TaskDef& task : workload.tasks) count_parties(task);
  }

  Played run() {
    Played out;
    const int tracing =
        options_.tracing.empty() ? -1 : ::open(options_.tracing.c_str(), O_WRONLY | O_CLOEXEC);
    if (tracing < 0 && !options_.tracing.empty()) out.trouble = "cannot open " + options_.tracing;
    if (tracing >= 0 && ::write(tracing, "1", 1) != 1) out.trouble = "cannot switch tracing on";
    const std::int64_t begin = now_ns();
    live_ = 1;
    for (const TaskDef& task : workload_.tasks) {
      for (int i = 0; i < task.instances; ++i) {
        start(task, task.name + "-" + std::to_string(i), begin + task.delay.ns);
      }
    }
    leave();
    const std::int64_t end = begin + options_.horizon.ns;
    timespec until{};
    ::clock_gettime(CLOCK_REALTIME, &until);  // the clock of sem_timedwait
    const std::int64_t real = std::int64_t{until.tv_sec} * 1'000'000'000 + until.tv_nsec +
                              std::max<std::int64_t>(0, end - now_ns());
    until = {real / 1'000'000'000, real % 1'000'000'000};
    int waited = 0;
    while ((waited = ::sem_timedwait(&done_, &until)) != 0 && errno == EINTR) {
    }
    if (tracing >= 0 && ::write(tracing, "0", 1) != 1) out.trouble = "cannot switch tracing off";
    out.ended = waited == 0;
    out.threads = threads_;
    out.events = events_;
    out.loops_per_us = loops_per_us_;
    if (failed_) out.trouble = "a thread could not be started";
    return out;
  }

  void start(const TaskDef& task, std::string name, std::int64_t start_ns) {
    auto* thread = new Thread(*this, task, std::move(name), start_ns);
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstacksize(&attributes, 128 * 1024);
    ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    ++live_;
    ++threads_;
    pthread_t id{};
    if (::pthread_create(&id, &attributes, &Thread::main, thread) != 0) {
      failed_ = true;
      delete thread;
      leave();
    }
    ::pthread_attr_destroy(&attributes);
  }

  void leave() {
    if (--live_ == 0) ::sem_post(&done_);
  }

  void burn(std::int64_t amount_ns) const {
    spin(static_cast<std::uint64_t>(loops_per_us_ * static_cast<double>(amount_ns) / 1000.0));
  }

  Object& object(const std::string& name) { return objects_.find(name)->second; }

  const TaskDef* task(std::string_view name) const {
    for (const TaskDef& each : workload_.tasks) {
      if (each.name == name) return &each;
    }
    return nullptr;
  }

  bool may_fork() { return forks_++ < options_.forks; }
  void count_event() { ++events_; }

 private:
  void count_parties(const TaskDef& task) {
    std::map<std::string, bool> named;
    for (const Phase& phase : task.phases) {
      for (const Op& op : phase.ops) {
        if (op.kind == OpKind::barrier) named[op.ref] = true;
      }
    }
    for (const auto& entry : named) object(entry.first).parties += task.instances;
  }

  const Workload& workload_;
  PlayOptions options_;
  double loops_per_us_;
  std::map<std::string, Object> objects_;
  sem_t done_{};
  std::atomic<int> live_ = 0;
  std::atomic<int> forks_ = 0;
  std::atomic<long> threads_ = 0;
  std::atomic<long> events_ = 0;
  std::atomic<bool> failed_ = false;
};

void* Thread::main(void* self) {
  auto* thread = static_cast<Thread*>(self);
  Play& play = thread->play_;
  thread->run();
  delete thread;
  play.leave();
  return nullptr;
}

void Thread::settle(const std::optional<int>& nice, const std::optional<CpuSet>& cpus) {
  const auto id = static_cast<id_t>(::syscall(SYS_gettid));
  // Without the right to, a thread keeps its nice level.
  if (nice) (void)::setpriority(PRIO_PROCESS, id, *nice);
  if (!cpus) return;
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (cpus->contains(CpuId{cpu})) CPU_SET(static_cast<std::size_t>(cpu), &mask);
  }
  // A set without a CPU of this machine is refused by the kernel and changes nothing.
  (void)::sched_setaffinity(0, sizeof mask, &mask);
}

void Thread::run() {
  ::prctl(PR_SET_NAME, name_.substr(0, 15).c_str());
  settle(task_.nice == 0 ? std::nullopt : std::optional(task_.nice), task_.cpus);
  if (task_.slice) ask_for_slice(*task_.slice, task_.nice);
  if (start_ns_ > now_ns()) sleep_until(start_ns_);
  for (std::int64_t i = 0; task_.loop < 0 || i < task_.loop; ++i) {
    for (const Phase& each : task_.phases) phase(each);
    if (task_.phases.empty()) break;
  }
  for (const std::string& name : held_) ::pthread_mutex_unlock(&play_.object(name).mutex);
}

void Thread::phase(const Phase& phase) {
  settle(phase.nice, phase.cpus);
  for (std::int64_t i = 0; phase.loop < 0 || i < phase.loop; ++i) {
    for (const Op& each : phase.ops) {
      op(each);
      play_.count_event();
    }
    if (phase.ops.empty()) break;
  }
}

void Thread::timer(const Op& op) {
  const std::int64_t now = now_ns();
  const auto [at, first] = timers_.try_emplace(op.ref, now);
  at->second += op.amount.ns;
  if (at->second > now) {
    sleep_until(at->second);
  } else if (!op.absolute) {
    at->second = now;
  }
}

/// The mutex is taken for the wait when the program does not hold it.
void Thread::wait(const Op& op) {
  Object& condition = play_.object(op.ref);
  pthread_mutex_t& mutex = play_.object(op.mutex).mutex;
  const bool held = std::find(held_.begin(), held_.end(), op.mutex) != held_.end();
  if (!held) ::pthread_mutex_lock(&mutex);
  if (op.kind == OpKind::sync) ::pthread_cond_signal(&condition.changed);
  ::pthread_cond_wait(&condition.changed, &mutex);
  if (!held) ::pthread_mutex_unlock(&mutex);
}

void meet(Object& barrier) {
  ::pthread_mutex_lock(&barrier.mutex);
  if (++barrier.arrived >= barrier.parties) {
    barrier.arrived = 0;
    ++barrier.round;
    ::pthread_cond_broadcast(&barrier.changed);
  } else {
    const std::uint64_t round = barrier.round;
    while (barrier.round == round) ::pthread_cond_wait(&barrier.changed, &barrier.mutex);
  }
  ::pthread_mutex_unlock(&barrier.mutex);
}

void suspend(Object& self) {
  ::pthread_mutex_lock(&self.mutex);
  ::pthread_cond_wait(&self.changed, &self.mutex);
  ::pthread_mutex_unlock(&self.mutex);
}

void Thread::op(const Op& op) {
  switch (op.kind) {
    case OpKind::run:
      return play_.burn(op.amount.ns);
    case OpKind::runtime: {
      const std::int64_t end = now_ns() + op.amount.ns;
      while (now_ns() < end) spin(500);
      return;
    }
    case OpKind::sleep:
      return sleep_until(now_ns() + op.amount.ns);
    case OpKind::timer:
      return timer(op);
    case OpKind::lock:
      ::pthread_mutex_lock(&play_.object(op.ref).mutex);
      held_.push_back(op.ref);
      return;
    case OpKind::unlock: {
      const auto at = std::find(held_.begin(), held_.end(), op.ref);
      if (at == held_.end()) return;
      held_.erase(at);
      ::pthread_mutex_unlock(&play_.object(op.ref).mutex);
      return;
    }
    case OpKind::wait:
    case OpKind::sync:
      return wait(op);
    case OpKind::signal:
      ::pthread_cond_signal(&play_.object(op.ref).changed);
      return;
    case OpKind::broad:
    case OpKind::resume:
      ::pthread_cond_broadcast(&play_.object(op.ref).changed);
      return;
    case OpKind::barrier:
      return meet(play_.object(op.ref));
    case OpKind::suspend:
      return suspend(play_.object(task_.name));
    case OpKind::sem_post:
      ::sem_post(&play_.object(op.ref).semaphore);
      return;
    case OpKind::sem_wait:
      while (::sem_wait(&play_.object(op.ref).semaphore) != 0 && errno == EINTR) {
      }
      return;
    case OpKind::yield:
      ::sched_yield();
      return;
    case OpKind::fork:
      if (const TaskDef* child = play_.task(op.ref); child != nullptr && play_.may_fork()) {
        play_.start(*child, child->name + "-0-" + std::to_string(forks_++), 0);
      }
      return;
  }
}

}  // namespace

Played play(const Workload& workload, const PlayOptions& options) {
  // Threads may run on after the horizon, so what they use is never freed.
  auto* run = new Play(workload, options);
  return run->run();
}

}  // namespace fw::player
