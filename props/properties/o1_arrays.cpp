// SPDX-License-Identifier: Apache-2.0
#include "props/properties/o1_arrays.h"

#include "props/properties/cfs_checker.h"
#include "props/properties/o1_view.h"

namespace fw::props {
namespace {

class O1Arrays final : public Checker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    counts_.assign(m.after.cpus.size(), Counts{});
    for (const TaskView& task : m.after.tasks) {
      const std::int64_t array = o1::get(task, o1::array);
      if ((array == o1::none) == cfs::runnable(task)) {
        return cfs::violation(
            "place", task.id, fmt::format("task {} stands in array {}", task.id.value, array));
      }
      if (array == o1::none) continue;
      Counts& counts = counts_[static_cast<std::size_t>(task.cpu.value)];
      const std::size_t which = array == o1::active ? 0 : 1;
      ++counts.nr[which];
      counts.bits[which] |= std::int64_t{1} << (o1::get(task, o1::prio) - 100);
    }
    for (std::size_t c = 0; c < counts_.size(); ++c) {
      if (auto bad = recount(m.after.cpus[c], c)) return bad;
      if (auto bad = order(m, c)) return bad;
    }
    return std::nullopt;
  }

 private:
  struct Counts {
    std::int64_t nr[2] = {};
    std::int64_t bits[2] = {};
  };

  std::optional<Violation> recount(const CpuView& cpu, std::size_t c) {
    const Counts& counts = counts_[c];
    if (counts.nr[0] > 0 && counts.nr[1] > 0) reach();
    const bool equal = counts.nr[0] == o1::get(cpu, o1::nr_active) &&
                       counts.nr[1] == o1::get(cpu, o1::nr_expired) &&
                       counts.nr[0] + counts.nr[1] == cpu.nr_running;
    if (!equal) {
      return cfs::violation("count",
                            cpu.curr,
                            fmt::format("CPU {} counts {} active, {} expired and {} in all; a "
                                        "recount gives {} and {}",
                                        c,
                                        o1::get(cpu, o1::nr_active),
                                        o1::get(cpu, o1::nr_expired),
                                        cpu.nr_running,
                                        counts.nr[0],
                                        counts.nr[1]));
    }
    if (counts.bits[0] == o1::get(cpu, o1::active_bitmap) &&
        counts.bits[1] == o1::get(cpu, o1::expired_bitmap)) {
      return std::nullopt;
    }
    return cfs::violation(
        "bitmap",
        cpu.curr,
        fmt::format("the bitmaps of CPU {} are {:x} and {:x}; its lists give {:x} and {:x}",
                    c,
                    o1::get(cpu, o1::active_bitmap),
                    o1::get(cpu, o1::expired_bitmap),
                    counts.bits[0],
                    counts.bits[1]));
  }

  static bool same_list(const TaskView& a, const TaskView& b) {
    return a.cpu == b.cpu && o1::get(a, o1::array) == o1::get(b, o1::array) &&
           o1::get(a, o1::prio) == o1::get(b, o1::prio);
  }
  static bool stayed(const Moment& m, const TaskView& task) {
    const TaskView* old = cfs::find(m.before, task.id);
    return old != nullptr && same_list(*old, task);
  }

  static std::optional<Violation> order(const Moment& m, std::size_t c) {
    const TaskView* previous = nullptr;
    for (const TaskId id : m.after.cpus[c].queue) {
      const TaskView* task = cfs::find(m.after, id);
      if (task == nullptr) return std::nullopt;  // task_conservation's
      if (previous != nullptr) {
        const auto place = [](const TaskView& of) {
          return std::pair(o1::get(of, o1::array), o1::get(of, o1::prio));
        };
        if (place(*task) < place(*previous)) {
          return cfs::violation(
              "order", id, fmt::format("task {} stands behind a worse one on CPU {}", id.value, c));
        }
        if (same_list(*previous, *task) && !stayed(m, *previous) && stayed(m, *task)) {
          return cfs::violation("fifo",
                                previous->id,
                                fmt::format("task {} joined a list before a task that was in it",
                                            previous->id.value));
        }
      }
      previous = task;
    }
    return std::nullopt;
  }

  std::vector<Counts> counts_;
};

}  // namespace

std::unique_ptr<Checker> make_o1_arrays() { return std::make_unique<O1Arrays>(); }

}  // namespace fw::props
