// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "props/validate/settings.h"
#include "props/validate/tally.h"

/// One CPU's fair queue of a recorded kernel, as far as the trace lets it be known.
namespace fw::validate {

using rules::u64;

/// A placement whose outcome shows at the task's next charge.
struct Placement {
  Rule rule = Rule::wakeup_placement;
  bool sure = false;  ///< the queue's min_vruntime and the task's own vruntime were known
  bool contested = false;
  bool learns_min = false;  ///< the outcome tells the queue's min_vruntime, shifted
  u64 placed = 0;
  u64 own = 0;    ///< what the task would keep
  u64 min = 0;    ///< the queue's min_vruntime then
  u64 shift = 0;  ///< outcome - min_vruntime when the queue's rule won; modulo 2^64
  std::string skip_cause;
};

/// Steps that do not fit the weight last seen: a changed nice shows only at the next switch.
struct Doubt {
  Miss miss;
  u64 delta = 0, before = 0, after = 0;
};

/// A fork hook's outcome, kept until the child is queued.
struct Born {
  bool sure = false;
  bool contested = false;
  u64 placed = 0, own = 0, shift = 0, min = 0;
};

struct Entity {
  enum class Where { away, queued, running };
  std::int32_t pid = 0;
  std::string name;
  std::int32_t prio = 120;
  rules::cfs::Load<u64> load = rules::cfs::load_of_nice(0);
  Where where = Where::away;
  std::int32_t cpu = -1;
  bool known = false;    ///< `v` was printed, or follows from printed values
  bool guessed = false;  ///< first seen asleep: taken for a long sleeper at min_vruntime:
  u64 guessed_at = 0;
  bool relative = false;  ///< the old queue's min_vruntime has been taken off `v`
  u64 v = 0;
  u64 ran = 0;             ///< since it was put on the CPU
  std::deque<std::int32_t> announced;  ///< prios to come, by setpriority calls in the trace
  bool nice_open = false;  ///< a first run that may have begun with a change of nice
  bool exited = false;
  bool cut_in_kernel = false;  ///< last preempted within the kernel, perhaps in a fork
  std::optional<Placement> placement;
  std::optional<Born> child;  ///< what a fork at the last charge would give
  std::vector<Doubt> doubts;
  bool on_rq() const { return where != Where::away; }
};

/// prio 100..139.
bool is_fair(std::int32_t prio);
rules::cfs::Load<u64> load_of_prio(std::int32_t prio);

struct Choice {
  Entity* entity = nullptr;
  const char* why = "idle";
};

class Queue {
 public:
  explicit Queue(const Settings& settings) : settings_(settings) {}

  Entity* curr = nullptr;  ///< the fair task on the CPU
  std::vector<Entity*> tree;
  Entity* next = nullptr;
  Entity* last = nullptr;
  Entity* skip = nullptr;

  /// Takes the running task's printed vruntime as the floor's beginning, when there is none.
  void start(u64 v, Instant now);
  /// A runnable task was not known of: min_vruntime may be lower than thought.
  void doubtful(Instant now);
  bool started() const { return started_; }
  bool min_sure() const { return min_sure_; }
  u64 min() const { return min_; }
  void learn_min(u64 min);
  void update_min(Instant now);
  /// Everything unknown again.
  void forget(Instant now);
  /// Whether tasks may wait that no line has named, after a loss or such a task's appearance.
  bool may_hide_tasks(Instant now) const { return now < complete_from_; }

  std::size_t nr_running() const;
  u64 weight() const;
  bool many() const { return nr_running() >= settings_.tunables.nr_latency; }
  /// Whether all runnable tasks' vruntimes are known.
  bool all_known() const;
  void insert(Entity& entity);
  void remove(Entity& entity);
  void clear_buddies(const Entity& entity);

  u64 slice(const Entity& entity) const;
  u64 credit() const;
  /// What the fork hook gives a child of the running task.
  Born born() const;
  bool overtakes(const Entity& current, const Entity& challenger) const;
  rules::cfs61::TickVerdict tick() const;
  /// `prev`: the running task when it stays runnable, else null.
  Choice pick(Entity* prev) const;

 private:
  void expect_lower_min(Instant now);

  const Settings& settings_;
  bool started_ = false;
  Instant unsure_since_;
  Instant complete_from_{INT64_MIN};
  bool min_sure_ = false;
  u64 min_ = 0;
  u64 min_limit_ = 0;  ///< the true min_vruntime was not above this at the start
};

}  // namespace fw::validate
