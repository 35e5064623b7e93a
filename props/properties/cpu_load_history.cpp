// SPDX-License-Identifier: Apache-2.0
#include "props/properties/cpu_load_history.h"

#include "props/properties/cfs_checker.h"

namespace fw::props {
namespace {

class CpuLoadHistory final : public Checker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    const StimulusKind kind = m.stimulus.kind;
    if (kind != StimulusKind::tick && kind != StimulusKind::idle_tick) return std::nullopt;
    const CpuView& before = cfs::cpu_of(m.before, m.stimulus.cpu);
    const CpuView& after = cfs::cpu_of(m.after, m.stimulus.cpu);
    for (std::size_t i = 0; i < 5; ++i) {
      const auto which = static_cast<cfs::CpuInt>(cfs::cpu_load0 + i);
      const std::uint64_t old = cfs::get(before, which);
      const std::uint64_t rest = (std::uint64_t{1} << i) - 1;
      const std::uint64_t fresh = before.load + (before.load > old ? rest : 0);
      const std::uint64_t wanted = (old * rest + fresh) >> i;
      if (wanted != old) reach();
      if (cfs::get(after, which) == wanted) continue;
      return cfs::violation("decay",
                            idle_task,
                            fmt::format("cpu_load[{}] of CPU {} went from {} to {}; at load {} the "
                                        "rule gives {}",
                                        i,
                                        m.stimulus.cpu.value,
                                        old,
                                        cfs::get(after, which),
                                        before.load,
                                        wanted));
    }
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Checker> make_cpu_load_history() { return std::make_unique<CpuLoadHistory>(); }

}  // namespace fw::props
