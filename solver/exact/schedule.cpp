// SPDX-License-Identifier: Apache-2.0
#include "solver/exact/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "model/vocab/contract.h"

namespace fw::exact {
namespace {

/// One stay of a task in the system.
struct Life {
  std::size_t slot = 0;
  bool forked = false;
  std::int64_t start = 0;  ///< ticks
  std::int64_t first_pick = INT64_MAX;
  std::vector<std::string> actions;  ///< `"run": 3000`
  std::int64_t running = 0;          ///< ticks run since the last action
  std::optional<std::int64_t> left;  ///< asleep since
  std::size_t fork_order = 0;        ///< of a forked life: how many were forked before it
};

class Writer {
 public:
  Writer(const CfsInstance& instance, std::int64_t tick_us)
      : instance_(instance), tick_us_(tick_us), life_of_(instance.weights.size()) {}

  std::optional<Error> follow(const std::vector<CfsEvent>& events) {
    for (const CfsEvent& event : events) {
      if (auto error = take(event)) return error;
      ++count_;
    }
    for (Life& life : lives_) end_run(life);
    return std::nullopt;
  }

  Schedule finish() {
    // Tasks that tie are picked in the order of their start: the one picked first comes first, and
    // the observed one last.
    std::vector<Life*> started;
    Life* observed = nullptr;
    for (Life& life : lives_) {
      if (!life.forked) started.push_back(&life);
      if (life.slot == instance_.observed) observed = &life;
    }
    FW_EXPECT(observed != nullptr);
    observed->actions.push_back("\"run\": 60000000");
    std::stable_sort(started.begin(), started.end(), [&](const Life* a, const Life* b) {
      const bool a_last = a->slot == instance_.observed;
      const bool b_last = b->slot == instance_.observed;
      return a_last != b_last ? b_last : a->first_pick < b->first_pick;
    });
    Schedule out;
    out.ticks = now_;
    std::string tasks;
    for (std::size_t i = 0; i < started.size(); ++i) {
      const std::string name = name_of(started[i]->slot);
      if (started[i] == observed) out.observed = fmt::format("{}-{}", name, i);
      tasks += fmt::format("{}\"{}\": {{\"loop\": 1, \"delay\": {}{}}}",
                           tasks.empty() ? "" : ",\n  ",
                           name,
                           started[i]->start * tick_us_,
                           joined(*started[i]));
    }
    if (observed->forked) {
      // Threads are numbered as they come to be; its program is nobody else's.
      out.observed =
          fmt::format("{}-{}-0", child_program(*observed), started.size() + observed->fork_order);
    }
    for (const auto& [program, name] : programs_) {
      tasks += fmt::format(",\n  \"{}\": {{\"instance\": 0, \"loop\": 1{}}}", name, program);
    }
    out.workload = fmt::format("{{\"tasks\": {{\n  {}}},\n \"global\": {{\"duration\": {}}}}}\n",
                               tasks,
                               (now_ + 1) * tick_us_ / 1'000'000 + 1);
    return out;
  }

 private:
  std::optional<Error> refuse(const CfsEvent& event, const std::string& why) const {
    return Error{fmt::format("event {}, {}: {}", count_ + 1, event_text(event), why)};
  }

  Life* life(std::size_t slot) { return life_of_[slot] ? &lives_[*life_of_[slot]] : nullptr; }

  void begin(std::size_t slot, bool forked) {
    life_of_[slot] = lives_.size();
    lives_.push_back({slot, forked, now_, INT64_MAX, {}, 0, std::nullopt, forks_});
    if (forked) ++forks_;
  }

  void end_run(Life& who) const {
    if (who.running > 0) who.actions.push_back(fmt::format("\"run\": {}", who.running * tick_us_));
    who.running = 0;
  }

  std::optional<Error> take(const CfsEvent& event) {
    Life* const own = life(event.task);
    switch (event.kind) {
      case CfsEvent::Kind::run:
        ++now_;
        ++own->running;
        return std::nullopt;
      case CfsEvent::Kind::pick:
        if (current_) {
          end_run(*life(*current_));
          life(*current_)->actions.push_back("\"yield\": \"\"");
        }
        current_ = event.task;
        own->first_pick = std::min(own->first_pick, count_);
        return std::nullopt;
      case CfsEvent::Kind::leave:
        end_run(*own);
        own->left = now_;
        current_.reset();
        return std::nullopt;
      case CfsEvent::Kind::wake:
        return wake(event, own);
      case CfsEvent::Kind::fork: {
        // The slot's last life is over.
        Life& parent = *life(*current_);
        end_run(parent);
        parent.actions.push_back(fmt::format("\"fork\": {}", lives_.size()));
        begin(event.task, true);
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  std::optional<Error> wake(const CfsEvent& event, Life* own) {
    if (own == nullptr) {
      begin(event.task, false);
      return std::nullopt;
    }
    const std::int64_t slept = now_ - *own->left;
    if (slept > 0) {
      own->actions.push_back(fmt::format("\"sleep\": {}", slept * tick_us_));
    } else if (current_ && !own->forked) {
      own->actions.push_back("\"suspend\": \"\"");
      Life& waker = *life(*current_);
      end_run(waker);
      waker.actions.push_back(fmt::format("\"resume\": \"{}\"", name_of(event.task)));
    } else {
      return refuse(event, "nobody is there to wake it at the instant it leaves");
    }
    own->left.reset();
    return std::nullopt;
  }

  std::string name_of(std::size_t slot) const {
    return std::string(1, static_cast<char>('A' + slot));
  }

  /// The actions as members of an object, keys made different by numbers.
  std::string joined(const Life& who) {
    std::string out;
    for (std::size_t i = 0; i < who.actions.size(); ++i) {
      std::string action = who.actions[i];
      const auto end = action.find('"', 1);
      if (action.compare(1, end - 1, "fork") == 0) {
        const auto index = static_cast<std::size_t>(std::stoul(action.substr(end + 2)));
        action = fmt::format("\"fork\": \"{}\"", child_program(lives_[index]));
      }
      out += ", " + action.insert(end, std::to_string(i));
    }
    return out;
  }

  /// Children that do the same share a task.
  std::string child_program(const Life& child) {
    const std::string program = joined(child);
    const auto found = programs_.find(program);
    if (found != programs_.end()) return found->second;
    const std::string name = fmt::format("child{}", programs_.size() + 1);
    programs_.emplace(program, name);
    return name;
  }

  const CfsInstance& instance_;
  std::int64_t tick_us_;
  std::vector<std::optional<std::size_t>> life_of_;
  std::vector<Life> lives_;
  std::map<std::string, std::string> programs_;
  std::optional<std::size_t> current_;
  std::int64_t now_ = 0;
  std::int64_t count_ = 0;
  std::size_t forks_ = 0;
};

}  // namespace

Outcome<Schedule> schedule_of(const CfsInstance& instance,
                              const std::vector<CfsEvent>& events,
                              std::int64_t tick_us) {
  Writer writer(instance, tick_us);
  if (auto error = writer.follow(events)) return *error;
  return writer.finish();
}

std::vector<CfsEvent> unrolled(const CfsWorst& worst, int rounds) {
  std::vector<CfsEvent> out = worst.lead;
  for (int i = 0; i < rounds; ++i) out.insert(out.end(), worst.worst.begin(), worst.worst.end());
  return out;
}

}  // namespace fw::exact
