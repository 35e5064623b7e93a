// SPDX-License-Identifier: Apache-2.0
#include "props/validate/settings.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "model/input/features.h"

namespace fw::validate {
namespace {
using namespace std::string_view_literals;

constexpr std::int64_t second = 1'000'000'000;
constexpr std::array versions = {"6.1"sv};

constexpr std::array features = {
    FeatureInfo{"GENTLE_FAIR_SLEEPERS", true, "*", "halves the credit of a sleeper at its wakeup"},
    FeatureInfo{"START_DEBIT", true, "*", "a new task starts one virtual slice late"},
    FeatureInfo{"NEXT_BUDDY", true, "", "the task woken last is favoured at the next pick"},
    FeatureInfo{"LAST_BUDDY", true, "*", "a task preempted by a wakeup is favoured afterwards"},
    FeatureInfo{"WAKEUP_PREEMPTION", true, "*", "wakeups may preempt"},
    FeatureInfo{"BASE_SLICE", true, "*", "slices are never below the minimum granularity"},
    FeatureInfo{"ALT_PERIOD", false, "*", "counts all tasks of the CPU; the same without groups"},
    FeatureInfo{"CACHE_HOT_BUDDY", false, "*", "the balancer, which is not predicted"},
    FeatureInfo{"HRTICK", false, "", "preemption by high-resolution timer"},
    FeatureInfo{"HRTICK_DL", false, "", "deadline class"},
    FeatureInfo{"DOUBLE_TICK", false, "", "timer tick beside HRTICK"},
    FeatureInfo{"NONTASK_CAPACITY", false, "*", "balancing"},
    FeatureInfo{"TTWU_QUEUE", false, "*", "remote wakeups by interrupt"},
    FeatureInfo{"SIS_PROP", false, "", "search for an idle CPU"},
    FeatureInfo{"SIS_UTIL", false, "*", "search for an idle CPU"},
    FeatureInfo{"WARN_DOUBLE_CLOCK", false, "", "debugging"},
    FeatureInfo{"RT_PUSH_IPI", false, "", "real-time class"},
    FeatureInfo{"RT_RUNTIME_SHARE", false, "", "real-time class"},
    FeatureInfo{"LB_MIN", false, "", "balancing"},
    FeatureInfo{"ATTACH_AGE_LOAD", false, "*", "balancing"},
    FeatureInfo{"WA_IDLE", false, "*", "choice of a CPU"},
    FeatureInfo{"WA_WEIGHT", false, "*", "choice of a CPU"},
    FeatureInfo{"WA_BIAS", false, "*", "choice of a CPU"},
    FeatureInfo{"UTIL_EST", false, "*", "balancing"},
    FeatureInfo{"UTIL_EST_FASTUP", false, "*", "balancing"},
    FeatureInfo{"LATENCY_WARN", false, "", "debugging"},
    FeatureInfo{"NI_RANDOM", false, "*", "balancing"},
};

constexpr std::array knobs = {
    KnobInfo{"latency",
             KnobUnit::duration,
             100'000,
             second,
             "trace, else 6ms by CPUs",
             "period of a queue with up to nr_latency tasks (effective value)"},
    KnobInfo{"min_granularity",
             KnobUnit::duration,
             100'000,
             second,
             "trace, else 750us by CPUs",
             "least part of the period (effective value)"},
    KnobInfo{"wakeup_granularity",
             KnobUnit::duration,
             0,
             second,
             "trace, else 1ms by CPUs",
             "lead a woken task needs to preempt (effective value)"},
    KnobInfo{"nr_latency",
             KnobUnit::count,
             1,
             1'000'000,
             "8",
             "tasks up to which the period is latency, and from which buddies are set"},
    KnobInfo{"hz", KnobUnit::count, 10, 10'000, "trace, else 250", "ticks a second"},
};

constexpr PolicyInfo info = {
    "cfs", versions, features, knobs, {}, "Completely Fair Scheduler of Linux 6.1, for validate"};

/// `latency_ns` and the like of the header.
Outcome<bool> take_fact(const input::Trace& trace, const char* key, std::uint64_t& out) {
  const auto found = trace.facts.find(key);
  if (found == trace.facts.end()) return false;
  const std::string& text = found->second;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value == 0 ||
      value > 100 * static_cast<std::uint64_t>(second)) {
    return Error{std::string("header line `# ") + key + ": " + text + "` is not a number of ns",
                 "write it as the kernel prints it, e.g. `# " + std::string(key) + ": 6000000`",
                 trace.file};
  }
  out = value;
  return true;
}

struct Switch {
  const char* name;
  bool* value;
};

std::array<Switch, 6> switches(Settings& settings) {
  return {{{"GENTLE_FAIR_SLEEPERS", &settings.gentle_fair_sleepers},
           {"START_DEBIT", &settings.start_debit},
           {"NEXT_BUDDY", &settings.next_buddy},
           {"LAST_BUDDY", &settings.last_buddy},
           {"WAKEUP_PREEMPTION", &settings.wakeup_preemption},
           {"BASE_SLICE", &settings.tunables.base_slice}}};
}

void take_features(const input::Trace& trace, Settings& out) {
  const auto found = trace.facts.find("features");
  if (found == trace.facts.end()) {
    out.notes.push_back("the trace names no features: the defaults of 6.1 are taken");
    return;
  }
  const auto listing = input::list_features(found->second, trace.file);
  if (!listing) return out.notes.push_back("the trace's features line is not understood");
  for (const auto& [name, on] : listing->names) {
    for (const Switch& each : switches(out)) {
      if (name == each.name) *each.value = on;
    }
    const bool known =
        std::any_of(features.begin(), features.end(), [n = std::string_view(name)](const auto& f) {
          return f.name == n;
        });
    if (!known) out.notes.push_back("unknown feature of the trace's header: " + name);
    const bool hrtick = name == "HRTICK" && on;
    if (hrtick) out.notes.push_back("HRTICK is on, and not modelled");
  }
}

}  // namespace

const PolicyInfo& recorded_cfs_info() { return info; }

Outcome<Settings> settings_of(const PolicySpec& spec, const input::Trace& trace) {
  Settings out;
  const int cpus = std::max(trace.cpus_named, static_cast<int>(trace.cpus.size()));
  const std::uint64_t factor = rules::cfs::boot_factor(cpus);
  rules::cfs61::Tunables& t = out.tunables;
  t.latency *= factor;
  t.min_granularity *= factor;
  t.wakeup_granularity *= factor;
  struct Row {
    const char* knob;
    const char* fact;
    std::uint64_t* value;
  };
  std::uint64_t hz = 250;
  for (const Row& row : {Row{"latency", "latency_ns", &t.latency},
                         Row{"min_granularity", "min_granularity_ns", &t.min_granularity},
                         Row{"wakeup_granularity", "wakeup_granularity_ns", &t.wakeup_granularity},
                         Row{"nr_latency", "nr_latency", &t.nr_latency},
                         Row{"hz", "hz", &hz}}) {
    const auto taken = take_fact(trace, row.fact, *row.value);
    if (!taken) return taken.error();
    const auto knob = spec.knobs.find(row.knob);
    if (knob != spec.knobs.end()) *row.value = static_cast<std::uint64_t>(knob->second);
  }
  out.hz = static_cast<int>(hz);
  take_features(trace, out);
  for (const Switch& each : switches(out)) {
    const auto wanted = spec.features.find(each.name);
    if (wanted != spec.features.end()) *each.value = wanted->second;
  }
  return out;
}

}  // namespace fw::validate
