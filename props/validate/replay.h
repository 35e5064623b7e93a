// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "props/validate/marks.h"
#include "props/validate/queue.h"
#include "props/validate/validate.h"

namespace fw::validate {

/// validate() at work.
class Replay {
 public:
  Replay(const input::Trace& trace, const Settings& settings, Tally& tally);
  void run();

 private:
  using Event = input::TraceEvent;
  struct Cpu {
    explicit Cpu(const Settings& settings) : queue(settings) {}
    Queue queue;
    std::int32_t on_cpu = -1;  ///< pid, -1 unknown
    bool fair = false;         ///< on_cpu is of the fair class
    Marks marks;
    bool yielded = false;
    std::vector<Entity*> arriving;  ///< moved here, to be queued after the next charge
  };

  // replay.cpp
  Cpu& cpu(std::int32_t number);
  Entity& entity(std::int32_t pid);
  Entity& entity(std::int32_t pid, input::NameId name);
  void see_prio(Entity& entity, std::int32_t prio);
  void settle_doubts(Entity& entity);
  void adopt_current(const Event& event);
  void resolve(Cpu& c, const Event& event);
  void lost(const Event& event);
  void yielded(const Event& event);
  void announce(const Event& event);
  void take_announced(Entity& task);
  std::string describe(const Entity& entity) const;
  std::string describe(const Queue& queue) const;
  Miss miss(Rule rule, const Event& event, const Entity& about, std::string reason) const;

  // replay_charge.cpp
  void runtime(const Event& event, std::size_t at);
  void check_step(Entity& entity, const Event& event, u64 delta, u64 after);
  void doubt(Entity& entity, Miss miss, u64 delta, u64 before, u64 after);
  void check_placement(Entity& entity, const Event& event, u64 delta, u64 after);
  void check_exit_step(Cpu& c, Entity& entity, const Event& event, u64 delta, u64 after);
  bool followed_by_wakeup(std::size_t at) const;
  void tick(Cpu& c, const Event& event);

  // replay_wakeup.cpp
  void wakeup(const Event& event);
  void wakeup_new(const Event& event);
  void fork(const Event& event);
  void migrate(const Event& event);
  void enqueue_sleeper(Cpu& c, Entity& entity);
  void remember_fork_base(Cpu& c, const Event& event);
  void arrive(Cpu& c);
  /// check_preempt_wakeup(): whether it marks; sets the buddies.
  bool preempts(Cpu& c, Entity& woken, bool fork, bool marked);

  // replay_switch.cpp
  void switched(const Event& event);
  void check_pick(Cpu& c, const Event& event, Entity* prev, Entity* taken);
  bool is_unseen_yield(const Cpu& c, const Event& event) const;
  void check_kept(Cpu& c, const Event& event);

  const input::Trace& trace_;
  const Settings& settings_;
  Tally& tally_;
  std::map<std::int32_t, std::unique_ptr<Entity>> entities_;
  std::map<std::int32_t, std::unique_ptr<Cpu>> cpus_;
  std::vector<std::size_t> following_;  ///< by event: the next one of that CPU, or the end
};

}  // namespace fw::validate
