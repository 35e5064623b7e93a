// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "impl/eevdf/weights.h"

namespace impl::eevdf {

/// What the user asked for: a version, and deviations from its defaults by their spec spelling.
/// Durations in ns, choices by index. Unknown names are ignored: the reader of specs has refused
/// them.
struct Request {
  std::string version = "6.18";
  std::map<std::string, bool, std::less<>> features;
  std::map<std::string, i64, std::less<>> knobs;
};

/// Rule sets by kernel, oldest first. Source: eevdf-semantics sections 1 and 5b.
enum class Profile : std::uint8_t { e66, e612, e618, e618s, e618l };
/// What a queue's base vruntime follows: the least vruntime; the average at each insertion into and
/// removal from the tree; the average whenever a lag is stored, too.
enum class Reference : std::uint8_t { min, zero, zero_at_use };
/// How far a stored lag may reach: two of the own slice or a tick; or the greatest queued slice and
/// a tick.
enum class LagLimit : std::uint8_t { own_slice, queue_slice };
/// What a weight change keeps of a relative deadline, and how a queued entity is reweighted.
enum class Reweight : std::uint8_t { e66, e612, e618, e71 };

/// Everything adjustable of one run, after defaults, boot scaling and overrides. Times in ns.
struct Tunables {
  Profile profile = Profile::e618;
  u64 base_slice = 0;
  u64 unscaled_slice = 0;  ///< base slice before boot scaling
  u64 tick = 0;
  int hz = 1000;
  u64 clock_base = 0;
  u64 vruntime_base = ~u64{0} - 1'048'575;

  Reference reference = Reference::min;
  bool forfeiting_yield = false;
  LagLimit lag_limit = LagLimit::own_slice;
  Reweight reweight = Reweight::e618;
  bool vprot_at_pick_only = false;
  bool vprot_on_reweight = false;
  VdeltaKind vdelta_kind = VdeltaKind::inverse;

  bool place_lag = true;
  bool place_deadline_initial = true;
  bool place_rel_deadline = true;
  bool run_to_parity = true;
  bool wakeup_preemption = true;
  bool preempt_short = true;
  bool delay_dequeue = true;
  bool delay_zero = true;
  bool next_buddy = false;
  bool pick_buddy = true;

  bool knows(Profile since) const { return profile >= since; }
  bool custom_slices() const { return knows(Profile::e612); }
  /// The queue keeps its entities by deadline (else by vruntime).
  bool by_deadline() const { return knows(Profile::e612); }
  /// Protection is a vruntime to run up to (else the deadline at the pick).
  bool has_vprot() const { return knows(Profile::e618); }
};

/// Boot scaling: 1 + floor(log2(min(cpus, 8))).
u64 scaling_factor(int cpus);

/// A requested custom slice as the kernel takes it: within 0.1 ms and 100 ms; 0 stays 0 (none).
u64 clamp_slice(i64 ns);

/// Defaults of the version on that many CPUs, with the overrides applied.
Tunables resolve(const Request& request, int cpus);

}  // namespace impl::eevdf
