// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/policy/eevdf/state.h"
#include "props/validate/eevdf_settings.h"
#include "props/validate/marks.h"
#include "props/validate/validate.h"

namespace fw::validate {

/// validate() of EEVDF at work: the reference model takes each line as the stimulus it tells of, is
/// compared with what the line (or its probe) shows, and is then set to that.
///
/// The model counts v from 0; the kernel's v is `offset` more, which the first printed one tells.
class EevdfReplay {
 public:
  EevdfReplay(const input::Trace& trace, const EevdfSettings& settings, Tally& tally);
  void run();

 private:
  using Event = input::TraceEvent;
  using Task = model::eevdf::Task;
  using Queue = model::eevdf::Queue;
  using u64 = std::uint64_t;

  /// Where a placement shows at the first charge only.
  struct Placed {
    Rule rule = Rule::wakeup_placement;
    bool sure = false;
    bool contested = false;
    u64 deadline = 0;
  };
  /// What is known of the model's task of the same index.
  struct Known {
    std::int32_t pid = 0;
    std::string name;
    std::int32_t prio = 120;
    bool keys = false;        ///< v and deadline
    bool lag = false;         ///< the stored lag, while it is off the queue
    bool lag_shown = false;   ///< and a line has printed it
    bool protection = false;  ///< what protects it, while it runs
    bool exited = false;
    bool regrouped = false;  ///< taken out of its autogroup by now
    std::optional<Placed> placed;
  };
  struct Cpu {
    int number = 0;
    std::int32_t on_cpu = -1;  ///< pid, -1 unknown
    bool fair = false;
    bool yielded = false;
    bool complete = false;  ///< no task waits that no line has named
    Instant complete_from{INT64_MIN};
    std::optional<u64> offset;
    std::optional<std::size_t> deferred;  ///< a charge that belongs into the next line's wakeup
    /// What an exiting task's change of group would make of the state.
    std::optional<model::eevdf::State> regrouped;
    Marks marks;
  };
  struct Keys {
    u64 vruntime = 0, deadline = 0, weight = 0;
  };

  // eevdf_replay.cpp: the state
  Cpu& cpu(std::int32_t number);
  Queue& queue(const Cpu& c) { return state_.queues[static_cast<std::size_t>(c.number)]; }
  Task& task(TaskId id);
  Known& known(TaskId id) { return known_[static_cast<std::size_t>(id.value)]; }
  TaskId find(std::int32_t pid, input::NameId name, int cpu);
  TaskId born(std::int32_t pid, input::NameId name, int cpu);
  void forget(TaskId id);
  Task* current(const Cpu& c);
  std::size_t count(const Cpu& c);
  /// Whether every v and deadline on the queue is the kernel's.
  bool queue_known(const Cpu& c);
  model::Event stimulus(StimulusKind kind, const Event& event, const Cpu& c, TaskId task);
  void apply(const model::Event& event) { apply(event, settings_.config); }
  void apply(const model::Event& event, const model::eevdf::Config& config);
  void insert(Queue& q, const Task& task);
  void remove(Queue& q, TaskId id);
  /// Whatever the model holds of it: this task is the CPU's current now.
  void force_current(Cpu& c, TaskId id, const Event& event);
  void put_current(Cpu& c);
  void set_keys(Cpu& c, TaskId id, u64 vruntime, u64 deadline);
  void see_prio(TaskId id, std::int32_t prio);
  void set_weight(Task& p, rules::eevdf::Weight weight);
  const input::TraceProbe* probe_of(std::size_t event) const;
  void resolve(Cpu& c, const Event& event);
  void lost(const Event& event);
  void finish();
  std::string describe(TaskId id);
  std::string describe(const Cpu& c);
  /// Explained, unexplained with `reason`, or skipped for `unknown` history.
  void check(Rule rule,
             bool sure,
             bool agrees,
             bool contested,
             const Event& event,
             TaskId about,
             const std::string& reason);
  void check_average(Cpu& c, std::size_t at);

  // eevdf_charge.cpp
  void runtime(std::size_t at);
  void check_charge(Cpu& c, std::size_t at, TaskId id, Keys before);
  void check_shown_placement(Cpu& c, std::size_t at, TaskId id, u64 shown);
  void expect_mark(Cpu& c, const Event& event, bool was_marked, bool sure);
  void renice_before(Cpu& c, std::size_t at, TaskId id);
  bool opens_delayed_wakeup(std::size_t at);

  // eevdf_wakeup.cpp
  void wakeup(std::size_t at);
  void wakeup_new(std::size_t at);
  void fork(const Event& event);
  void migrate(const Event& event);
  void check_lag_before(Cpu& c, std::size_t at, TaskId id);
  void check_placement(Cpu& c, std::size_t at, TaskId id, Rule rule, bool sure, bool contested);
  void check_wakeup_mark(Cpu& c, const Event& event, TaskId id, bool was_marked, bool sure);

  // eevdf_switch.cpp
  void switched(std::size_t at);
  void leave(Cpu& c, const Event& event, TaskId id);
  void pick(Cpu& c, std::size_t at, TaskId taken, bool skipped);
  void check_kept(Cpu& c, const Event& event);
  void check_leaver(Cpu& c, std::size_t at, TaskId id, u64 marker, bool sure);
  void read_switch(Cpu& c, std::size_t at, TaskId prev, TaskId next);

  const input::Trace& trace_;
  const EevdfSettings& settings_;
  Tally& tally_;
  model::eevdf::Config without_delay_;
  model::eevdf::State state_;
  std::vector<Known> known_;
  std::vector<Decision> log_;
  std::map<std::int32_t, TaskId> ids_;
  std::map<std::int32_t, Cpu> cpus_;
  std::vector<std::size_t> following_;  ///< by event: the next one of that CPU, or the end
  std::map<std::size_t, const input::TraceProbe*> probes_;
  bool prints_vruntime_ = false;
  bool prints_queue_ = false;
};

}  // namespace fw::validate
