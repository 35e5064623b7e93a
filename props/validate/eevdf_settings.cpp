// SPDX-License-Identifier: Apache-2.0
#include "props/validate/eevdf_settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "model/input/features.h"
#include "model/policy/eevdf/catalog.h"

namespace fw::validate {
namespace {

namespace me = model::eevdf;

/// `6.12.117+deb12` and the like at the beginning of the header's `kernel` line.
struct Release {
  int major = 0, minor = 0, patch = 0;
};

std::optional<Release> release_of(const std::string& text) {
  Release out;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (int* part : {&out.major, &out.minor, &out.patch}) {
    const auto [next, error] = std::from_chars(at, end, *part);
    if (error != std::errc{}) return std::nullopt;
    at = next;
    if (at != end && *at == '.') ++at;
  }
  return out;
}

using Knob = std::pair<const char*, std::int64_t>;

template <class Enum>
Knob knob(const char* name, Enum value) {
  return {name, static_cast<std::int64_t>(value)};
}

/// Sections 1 and 5b of the dossier: what stable releases changed inside a series. The first
/// release of each change is known within a few numbers only.
std::vector<Knob> changes_of(const Release& release) {
  std::vector<Knob> out;
  if (release.major != 6) return out;
  if (release.minor == 18 && release.patch >= 2) {
    out.push_back(knob("profile", release.patch >= 17 ? me::Profile::e618l : me::Profile::e618s));
  }
  if (release.minor == 12 && release.patch >= 64) {
    out.push_back(knob("reference", me::Reference::zero));
    out.push_back({"yield", 1});
  }
  if (release.minor == 12 && release.patch >= 77) {
    out.push_back(knob("reweight", me::Reweight::e618));
    out.push_back({"lag_limit", 1});
  }
  return out;
}

Outcome<std::optional<std::int64_t>> number_of(const input::Trace& trace, const char* key) {
  const auto found = trace.facts.find(key);
  if (found == trace.facts.end()) return std::optional<std::int64_t>{};
  const std::string& text = found->second;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value <= 0 ||
      value > 100'000'000'000) {
    return Error{std::string("header line `# ") + key + ": " + text + "` is not a number above 0",
                 "write it as the kernel prints it, e.g. `# " + std::string(key) + ": 700000`",
                 trace.file};
  }
  return std::optional<std::int64_t>{value};
}

void take_features(const input::Trace& trace, PolicySpec& spec, EevdfSettings& out) {
  const auto found = trace.facts.find("features");
  if (found == trace.facts.end()) {
    out.notes.push_back("the trace names no features: the defaults of the version are taken");
    return;
  }
  const auto listing = input::list_features(found->second, trace.file);
  if (!listing) return out.notes.push_back("the trace's features line is not understood");
  const auto known = model::eevdf_info().features;
  for (const auto& [name, on] : listing->names) {
    const auto row = std::find_if(
        known.begin(), known.end(), [n = std::string_view(name)](const FeatureInfo& each) {
          return each.name == n;
        });
    if (row == known.end()) {
      out.notes.push_back("unknown feature of the trace's header: " + name);
    } else if (row->modelled) {
      spec.features.try_emplace(name, on);
    } else if (name == "HRTICK" && on) {
      out.notes.push_back("HRTICK is on, and not modelled");
    }
  }
}

void take_release(const input::Trace& trace, PolicySpec& spec, EevdfSettings& out) {
  const auto found = trace.facts.find("kernel");
  const auto release = found == trace.facts.end() ? std::nullopt : release_of(found->second);
  if (!release) return;
  const std::string series = std::to_string(release->major) + '.' + std::to_string(release->minor);
  const std::string name = series + '.' + std::to_string(release->patch);
  if (series != spec.version) {
    out.notes.push_back("the trace was recorded on " + name + ", not on " + spec.version);
    return;
  }
  std::string taken;
  for (const auto& [key, value] : changes_of(*release)) {
    if (spec.knobs.try_emplace(key, value).second) taken += std::string(" ") + key;
  }
  if (!taken.empty()) out.notes.push_back("as kernel " + name + " changed them:" + taken);
}

/// Other tasks than those shown share the CPUs, or tasks sit in groups.
bool is_grouped(const input::Trace& trace) {
  const auto autogroup = trace.facts.find("autogroup");
  if (autogroup != trace.facts.end() && autogroup->second == "1") return true;
  return std::any_of(trace.names.begin(), trace.names.end(), [](const std::string& name) {
    return name == "other";
  });
}

}  // namespace

Outcome<EevdfSettings> eevdf_settings_of(const PolicySpec& spec, const input::Trace& trace) {
  EevdfSettings out;
  PolicySpec full = spec;
  take_release(trace, full, out);
  const auto slice = number_of(trace, "base_slice_ns");
  if (!slice) return slice.error();
  if (*slice) full.knobs.try_emplace("base_slice", **slice);
  const auto hz = number_of(trace, "hz");
  if (!hz) return hz.error();
  full.knobs.try_emplace("hz", hz->value_or(250));
  full.knobs.try_emplace("vruntime_base", 0);
  take_features(trace, full, out);
  Setup setup;
  setup.spec = full;
  setup.topology.cpus = std::max({1, trace.cpus_named, static_cast<int>(trace.cpus.size())});
  for (const std::int32_t cpu : trace.cpus) {
    setup.topology.cpus = std::max(setup.topology.cpus, cpu + 1);
  }
  out.config = model::eevdf::configure(setup);
  out.grouped = is_grouped(trace);
  if (out.grouped) {
    out.notes.push_back("tasks sit in groups or are not shown: queues and averages are unknown");
  }
  return out;
}

}  // namespace fw::validate
