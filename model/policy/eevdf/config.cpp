// SPDX-License-Identifier: Apache-2.0
#include "model/policy/eevdf/config.h"

#include "model/rules/eevdf.h"

namespace fw::model::eevdf {
namespace {

std::uint64_t knob(const PolicySpec& spec, const char* name, std::uint64_t standard) {
  const auto found = spec.knobs.find(name);
  return found == spec.knobs.end() ? standard : static_cast<std::uint64_t>(found->second);
}

template <class Enum>
Enum choice(const PolicySpec& spec, const char* name, Enum standard) {
  return static_cast<Enum>(knob(spec, name, static_cast<std::uint64_t>(standard)));
}

bool feature(const PolicySpec& spec, const char* name, bool standard) {
  const auto found = spec.features.find(name);
  return found == spec.features.end() ? standard : found->second;
}

Profile profile_of(const std::string& version) {
  return version == "6.6" ? Profile::e66 : version == "6.12" ? Profile::e612 : Profile::e618;
}

void set_features(const PolicySpec& spec, Config& config) {
  const bool since_612 = config.since(Profile::e612);
  config.place_lag = feature(spec, "PLACE_LAG", true);
  // 6.6 gives the flag when the fork is prepared, where it has no effect (section 5).
  config.place_deadline_initial = since_612 && feature(spec, "PLACE_DEADLINE_INITIAL", true);
  config.place_rel_deadline = since_612 && feature(spec, "PLACE_REL_DEADLINE", true);
  config.run_to_parity = feature(spec, "RUN_TO_PARITY", true);
  config.preempt_short = since_612 && feature(spec, "PREEMPT_SHORT", true);
  config.delay_dequeue = since_612 && feature(spec, "DELAY_DEQUEUE", true);
  config.delay_zero = since_612 && feature(spec, "DELAY_ZERO", true);
  config.wakeup_preemption = feature(spec, "WAKEUP_PREEMPTION", true);
  config.next_buddy = feature(spec, "NEXT_BUDDY", false);
  config.pick_buddy =
      config.since(Profile::e618) ? feature(spec, "PICK_BUDDY", true) : config.next_buddy;
}

}  // namespace

Config configure(const Setup& setup) {
  const PolicySpec& spec = setup.spec;
  Config config;
  config.profile = choice(spec, "profile", profile_of(spec.version));
  config.cpus = setup.topology.cpus;
  const std::uint64_t factor = rules::eevdf::scaling(config.cpus);
  const std::uint64_t unscaled = config.since(Profile::e618) ? 700'000 : 750'000;
  config.base_slice_ns = knob(spec, "base_slice", unscaled * factor);
  config.unscaled_slice_ns = config.base_slice_ns / factor;

  const bool stable = config.since(Profile::e618s);
  const bool later = config.since(Profile::e618l);
  config.reference = choice(spec,
                            "reference",
                            later    ? Reference::zero_at_use
                            : stable ? Reference::zero
                                     : Reference::min);
  config.yield_forfeits = choice(spec, "yield", stable);
  config.lag_limit_new = choice(spec, "lag_limit", later);
  config.reweight = choice(spec,
                           "reweight",
                           config.since(Profile::e618)   ? Reweight::e618
                           : config.since(Profile::e612) ? Reweight::e612
                                                         : Reweight::e66);
  config.vprot_at_pick_only = choice(spec, "vprot_set", later);
  config.vprot_scaled = choice(spec, "vprot_on_reweight", later);
  config.vdelta_divides = choice(spec, "vdelta_kind", false);

  config.hz = static_cast<int>(
      knob(spec, "hz", static_cast<std::uint64_t>(setup.workload.hz.value_or(1000))));
  config.tick_ns = rules::eevdf::tick_ns(static_cast<std::uint64_t>(config.hz));
  config.clock_base = knob(spec, "clock_base", 0);
  config.vruntime_base = knob(spec, "vruntime_base", std::uint64_t{0} - 1048576);
  set_features(spec, config);
  return config;
}

}  // namespace fw::model::eevdf
