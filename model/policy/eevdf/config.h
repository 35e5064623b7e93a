// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/vocab/side.h"

namespace fw::model::eevdf {

/// Kernel generations, in order of time: section 1 of the dossier, and 5b for E618L.
enum class Profile { e66, e612, e618, e618s, e618l };
/// Enumerators in the order of the knobs' choices.
enum class Reference { min, zero, zero_at_use };
enum class Reweight { e66, e612, e618, e71 };

/// A run's fixed part: effective tunables (after boot scaling and knobs) and features.
struct Config {
  Profile profile = Profile::e618;
  std::uint64_t base_slice_ns = 0;
  std::uint64_t unscaled_slice_ns = 0;
  Reference reference = Reference::min;
  bool yield_forfeits = false;
  bool lag_limit_new = false;
  Reweight reweight = Reweight::e618;
  bool vprot_at_pick_only = false;
  bool vprot_scaled = false;
  bool vdelta_divides = false;
  int hz = 1000;
  std::uint64_t tick_ns = 0;
  std::uint64_t clock_base = 0;
  std::uint64_t vruntime_base = 0;

  bool place_lag = true;
  bool place_deadline_initial = true;
  bool place_rel_deadline = true;
  bool run_to_parity = true;
  bool preempt_short = true;
  bool delay_dequeue = true;
  bool delay_zero = true;
  bool wakeup_preemption = true;
  bool next_buddy = false;
  bool pick_buddy = true;  ///< the hint, if there is one, is looked at

  int cpus = 1;
  bool since(Profile other) const { return profile >= other; }
};

/// Defaults of the spec's version and profile, scaled for the topology, with the spec's deviations.
/// Precondition: the spec was checked against the catalogue.
Config configure(const Setup& setup);

}  // namespace fw::model::eevdf
