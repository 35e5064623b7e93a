// SPDX-License-Identifier: Apache-2.0
#include "props/properties/load_recount.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class LoadRecount final : public Checker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind == StimulusKind::idle_tick) return std::nullopt;
    const View& view = m.after;
    sums_.assign(view.cpus.size(), Sum{});
    for (const TaskView& task : view.tasks) {
      const std::uint64_t weight = cfs::row_of(task).weight;
      if (task.weight != weight) {
        return cfs::violation("weight",
                              task.id,
                              fmt::format("task {} of nice {} has weight {}, not {}",
                                          task.id.value,
                                          task.nice,
                                          task.weight,
                                          weight));
      }
      if (!cfs::runnable(task)) continue;
      Sum& sum = sums_[static_cast<std::size_t>(task.cpu.value)];
      sum.load += weight;
      sum.nr += 1;
    }
    for (std::size_t c = 0; c < sums_.size(); ++c) {
      const CpuView& cpu = view.cpus[c];
      if (sums_[c].nr >= 2) reach();
      if (cpu.nr_running == sums_[c].nr && cpu.load == sums_[c].load) continue;
      return cfs::violation(cpu.nr_running != sums_[c].nr ? "nr_running" : "load",
                            m.stimulus.task,
                            fmt::format("CPU {} counts {} runnable of load {}; a recount gives {} "
                                        "of load {}",
                                        c,
                                        cpu.nr_running,
                                        cpu.load,
                                        sums_[c].nr,
                                        sums_[c].load));
    }
    return std::nullopt;
  }

 private:
  struct Sum {
    int nr = 0;
    std::uint64_t load = 0;
  };
  std::vector<Sum> sums_;
};

}  // namespace

std::unique_ptr<Checker> make_load_recount() { return std::make_unique<LoadRecount>(); }

}  // namespace fw::props
