// SPDX-License-Identifier: Apache-2.0
#include "impl/eevdf/tunables.h"

#include <algorithm>
#include <bit>

#include "impl/base/fault.h"

namespace impl::eevdf {
namespace {
template <class Value>
void take(const Request& request, std::string_view name, Value& out) {
  const auto found = request.knobs.find(name);
  if (found != request.knobs.end()) out = static_cast<Value>(found->second);
}

void take(const Request& request, std::string_view name, bool known, bool& out) {
  const auto found = request.features.find(name);
  if (found != request.features.end()) out = found->second;
  out = out && known;
}

Profile profile_of(std::string_view version) {
  if (version == "6.6") return Profile::e66;
  return version == "6.12" ? Profile::e612 : Profile::e618;
}

void set_rules(Tunables& out) {
  if (out.profile == Profile::e66) {
    out.reweight = Reweight::e66;
  } else if (out.profile == Profile::e612) {
    out.reweight = Reweight::e612;
  }
  if (out.knows(Profile::e618s)) {
    out.reference = Reference::zero;
    out.forfeiting_yield = true;
  }
  if (out.knows(Profile::e618l)) {
    out.reference = Reference::zero_at_use;
    out.lag_limit = LagLimit::queue_slice;
    out.vprot_at_pick_only = true;
    out.vprot_on_reweight = true;
  }
}
}  // namespace

u64 scaling_factor(int cpus) {
  return static_cast<u64>(std::bit_width(static_cast<unsigned>(std::clamp(cpus, 1, 8))));
}

u64 clamp_slice(i64 ns) {
  if (ns == 0) return 0;
  if (IMPL_FAULT(E04_request_not_clamped)) return static_cast<u64>(ns);
  return static_cast<u64>(std::clamp<i64>(ns, 100'000, 100'000'000));
}

Tunables resolve(const Request& request, int cpus) {
  Tunables out;
  out.profile = profile_of(request.version);
  take(request, "profile", out.profile);
  set_rules(out);
  const u64 factor = scaling_factor(cpus);
  out.base_slice = (out.knows(Profile::e618) ? 700'000 : 750'000) * factor;

  take(request, "base_slice", out.base_slice);
  take(request, "reference", out.reference);
  take(request, "yield", out.forfeiting_yield);
  take(request, "lag_limit", out.lag_limit);
  take(request, "reweight", out.reweight);
  take(request, "vprot_set", out.vprot_at_pick_only);
  take(request, "vprot_on_reweight", out.vprot_on_reweight);
  take(request, "vdelta_kind", out.vdelta_kind);
  take(request, "hz", out.hz);
  take(request, "clock_base", out.clock_base);
  take(request, "vruntime_base", out.vruntime_base);
  out.unscaled_slice = out.base_slice / factor;
  const u64 hz = static_cast<u64>(out.hz);
  out.tick = (1'000'000'000 + hz / 2) / hz;

  const bool since_612 = out.knows(Profile::e612);
  take(request, "PLACE_LAG", true, out.place_lag);
  take(request, "PLACE_DEADLINE_INITIAL", true, out.place_deadline_initial);
  take(request, "RUN_TO_PARITY", true, out.run_to_parity);
  take(request, "WAKEUP_PREEMPTION", true, out.wakeup_preemption);
  take(request, "NEXT_BUDDY", true, out.next_buddy);
  take(request, "PLACE_REL_DEADLINE", since_612, out.place_rel_deadline);
  take(request, "PREEMPT_SHORT", since_612, out.preempt_short);
  take(request, "DELAY_DEQUEUE", since_612, out.delay_dequeue);
  take(request, "DELAY_ZERO", since_612, out.delay_zero);
  take(request, "PICK_BUDDY", out.knows(Profile::e618), out.pick_buddy);
  return out;
}

}  // namespace impl::eevdf
