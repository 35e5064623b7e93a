// SPDX-License-Identifier: Apache-2.0
#include "props/properties/bfs_no_idle_waste.h"

#include "props/properties/bfs_view.h"
#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class BfsNoIdleWaste final : public Checker {
 public:
  bool applies(const Setup& setup) override {
    return setup.topology.cpus > 1 && !bfs::has_masks(setup);
  }

  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.t > last_) {
      if (auto bad = settled(m.before)) return bad;
      last_ = m.stimulus.t;
      offers_ = 0;
    }
    const bool idle_beside = idle_cpu(m.before) >= 0;
    if (cfs::brings_task(m.stimulus.kind)) {
      ++offers_;
      if (idle_beside) reach();
    }
    // Who is put back offers itself, too.
    if (m.stimulus.kind == StimulusKind::schedule &&
        cfs::running_on(m.before, m.stimulus.cpu) != nullptr) {
      ++offers_;
    }
    return std::nullopt;
  }

  std::optional<Violation> at_end(const View& last) override { return settled(last); }

 private:
  static int idle_cpu(const View& view) {
    for (std::size_t c = 0; c < view.cpus.size(); ++c) {
      if (view.cpus[c].curr.idle()) return static_cast<int>(c);
    }
    return -1;
  }

  std::optional<Violation> settled(const View& view) {
    const int idle = idle_cpu(view);
    const std::vector<const TaskView*> queue = bfs::queue_of(view);
    if (idle < 0 || queue.empty()) {
      excused_ = false;
      return std::nullopt;
    }
    excused_ = excused_ || offers_ >= 2;
    if (excused_) return std::nullopt;
    return cfs::violation(
        "waste",
        queue.front()->id,
        fmt::format("CPU {} idles while task {} waits", idle, queue.front()->id.value));
  }

  Instant last_{-1};
  int offers_ = 0;
  bool excused_ = false;
};

}  // namespace

std::unique_ptr<Checker> make_bfs_no_idle_waste() { return std::make_unique<BfsNoIdleWaste>(); }

}  // namespace fw::props
