// SPDX-License-Identifier: Apache-2.0
#include "props/gen/shape.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace fw::gen {
namespace {

constexpr std::int64_t us = 1'000;
constexpr std::int64_t ms = 1'000'000;

/// Whether `version` is one of the blank- or comma-separated words of `list`, or `list` means all.
bool lists(std::string_view list, std::string_view version) {
  if (list == "*") return true;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(" ,"), list.size());
    if (list.substr(0, end) == version) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

/// A knob's default as a number, when its text is one.
std::optional<std::int64_t> standard_of(const KnobInfo& knob) {
  if (knob.unit == KnobUnit::duration) {
    const Outcome<Duration> read = parse_duration(knob.standard);
    return read ? std::optional(read->ns) : std::nullopt;
  }
  if (knob.unit != KnobUnit::count) return std::nullopt;
  std::int64_t value = 0;
  const char* end = knob.standard.data() + knob.standard.size();
  const auto result = std::from_chars(knob.standard.data(), end, value);
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return value;
}

/// A base offset just before a wrap or sign change that falls within the run, or any word.
std::int64_t draw_wide(Draw& draw, std::int64_t horizon_ns) {
  const auto before = static_cast<std::uint64_t>(draw.log_between(1, 4 * horizon_ns));
  switch (draw.between(0, 5)) {
    case 0:
      return 0;
    case 1:
      return static_cast<std::int64_t>((std::uint64_t{1} << 32) - before);
    case 2:
      return static_cast<std::int64_t>(draw.word());
    case 3:
      return static_cast<std::int64_t>(std::uint64_t{0} - before);
    default:
      return static_cast<std::int64_t>((std::uint64_t{1} << 63) - before);
  }
}

std::int64_t draw_knob(Draw& draw, const KnobInfo& knob, std::int64_t horizon_ns) {
  if (knob.unit == KnobUnit::choice) {
    return draw.between(std::int64_t{0}, static_cast<std::int64_t>(knob.choices.size()) - 1);
  }
  if (knob.unit == KnobUnit::wide) return draw_wide(draw, horizon_ns);
  if (knob.name == "word") return draw.percent(50) ? 32 : 64;
  const auto within = [&](std::int64_t value) {
    return std::clamp(value, knob.lowest, knob.highest);
  };
  const std::optional<std::int64_t> standard = standard_of(knob);
  switch (draw.between(0, standard ? 7 : 2)) {
    case 0:
      return draw.percent(70) ? knob.lowest : knob.highest;
    case 1:
      return draw.between(knob.lowest, within(knob.lowest + 10));
    case 2: {
      const std::int64_t from = std::max<std::int64_t>(1, knob.lowest);
      return from > knob.highest ? knob.highest : draw.log_between(from, knob.highest);
    }
    case 3:
      return within(*standard * draw.between(2, 8));
    case 4:
      return within(*standard / draw.between(2, 8));
    default:
      return within(*standard + draw.between(-1, 1));
  }
}

std::int64_t draw_hz(Draw& draw, const KnobInfo& knob) {
  static constexpr std::array<std::int64_t, 10> common = {
      1000, 1000, 1000, 250, 250, 250, 100, 100, 300, 1024};
  return std::clamp(draw.of(common), knob.lowest, knob.highest);
}

void draw_features(Draw& draw, const PolicyInfo& info, PolicySpec& spec) {
  // None, one or two, or many: with a rate for each a long list would never be left alone.
  const int kind = draw.between(0, 3);
  if (kind < 2 || info.features.empty()) return;
  if (kind == 2) {
    for (int left = draw.between(1, 2); left > 0; --left) {
      const FeatureInfo& feature = draw.of(info.features);
      if (feature.modelled) {
        spec.features.emplace(feature.name, !lists(feature.on_in, spec.version));
      }
    }
    return;
  }
  for (const FeatureInfo& feature : info.features) {
    if (!feature.modelled || !draw.percent(50)) continue;
    spec.features.emplace(feature.name, !lists(feature.on_in, spec.version));
  }
}

void draw_knobs(Draw& draw, const PolicyInfo& info, std::int64_t horizon_ns, PolicySpec& spec) {
  static constexpr std::array<int, 4> rates = {0, 0, 10, 40};
  const int rate = draw.of(rates);
  for (const KnobInfo& knob : info.knobs) {
    const bool hz = knob.name == "hz";
    const bool base = knob.unit == KnobUnit::wide;
    // Tick rate and base offsets matter whatever the policy: they have rates of their own.
    if (!draw.percent(hz ? 50 : base ? 30 : rate)) continue;
    const std::int64_t value = hz ? draw_hz(draw, knob) : draw_knob(draw, knob, horizon_ns);
    if (!base && standard_of(knob) == value) continue;
    spec.knobs.emplace(knob.name, value);
  }
}

TopologyChoice draw_topology(Draw& draw) {
  struct Row {
    int weight;
    const char* name;
    int cpus;
  };
  static constexpr std::array<Row, 10> rows = {{{38, "1", 1},
                                                {22, "2", 2},
                                                {12, "4", 4},
                                                {10, "2x2", 4},
                                                {5, "2x2x2", 8},
                                                {4, "3", 3},
                                                {3, "1x2x2", 4},
                                                {3, "8", 8},
                                                {2, "2x4", 8},
                                                {1, "numaq", 16}}};
  int left = draw.between(0, 99);
  for (const Row& row : rows) {
    if (left < row.weight) return {row.name, row.cpus};
    left -= row.weight;
  }
  return {"1", 1};
}

std::int64_t draw_horizon(Draw& draw, int cpus, Duration longest) {
  // Balancing takes its time: an active push needs several failed attempts.
  const int kind = cpus > 1 ? std::min(97, draw.between(0, 99) + 15) : draw.between(0, 99);
  std::int64_t out = 0;
  if (kind < 10) {
    out = draw.log_between(500 * us, 5 * ms);
  } else if (kind < 80) {
    out = draw.between(5, 60) * ms;
  } else if (kind < 92) {
    out = draw.between(60, 200) * ms;
  } else if (kind < 98) {
    out = draw.between(200, 500) * ms;
  } else {
    out = draw.between(500, 2'000) * ms;
  }
  // Every CPU ticks: many CPUs for long would spend the case on ticks.
  if (cpus > 4) out = std::min(out, 80 * ms);
  return std::max<std::int64_t>(1, std::min(out, longest.ns));
}

std::vector<std::int64_t> landmarks(const PolicyInfo& info,
                                    const PolicySpec& spec,
                                    std::int64_t tick_ns) {
  std::vector<std::int64_t> out = {tick_ns, tick_ns, tick_ns * 2, tick_ns / 2};
  for (const KnobInfo& knob : info.knobs) {
    if (knob.unit != KnobUnit::duration) continue;
    const auto named = spec.knobs.find(std::string(knob.name));
    const auto value = named != spec.knobs.end() ? std::optional(named->second) : standard_of(knob);
    if (value && *value > 0) out.push_back(*value);
  }
  return out;
}

}  // namespace

Shape draw_shape(Draw& draw, const PolicyInfo& info, const GenOptions& options, Case& out) {
  const TopologyChoice topology = options.topology ? *options.topology : draw_topology(draw);
  out.topology = topology.name;
  out.balance = options.balance ? *options.balance : draw.percent(75);
  Shape shape;
  shape.cpus = topology.cpus;
  shape.horizon_ns = draw_horizon(draw, topology.cpus, options.max_duration);
  out.horizon = {shape.horizon_ns};

  if (options.spec) {
    out.spec = *options.spec;
  } else {
    out.spec.policy = info.name;
    // The newest one, which most people mean, more often than each of the others.
    if (!info.versions.empty()) {
      out.spec.version = draw.percent(40) ? info.versions.back() : draw.of(info.versions);
    }
  }
  if (options.vary_features) draw_features(draw, info, out.spec);
  if (options.vary_knobs) draw_knobs(draw, info, shape.horizon_ns, out.spec);
  out.spec.text = spec_text(out.spec, info);

  const auto hz = out.spec.knobs.find("hz");
  shape.tick_ns =
      1'000'000'000 / (hz != out.spec.knobs.end() && hz->second > 0 ? hz->second : 1000);
  shape.landmarks_ns = landmarks(info, out.spec, shape.tick_ns);
  shape.grain_ns = std::max<std::int64_t>(1, options.grain.ns);
  shape.events = std::max(50, options.events);
  shape.max_tasks = std::max(1, options.max_tasks);
  static constexpr std::array<NiceStyle, 5> styles = {
      NiceStyle::zero, NiceStyle::zero, NiceStyle::near, NiceStyle::extreme, NiceStyle::any};
  shape.nice = draw.of(styles);
  static constexpr std::array<int, 4> rates = {0, 0, 15, 50};
  shape.class_percent = draw.of(rates) / 2;
  if (info.name == "o1") shape.class_percent = 0;  // refuses SCHED_BATCH and SCHED_IDLE
  shape.pin_percent = shape.cpus > 1 ? draw.of(rates) : draw.of(rates) / 5;
  shape.delay_percent = draw.of(rates);
  shape.many_percent = draw.of(rates) / 2;
  if (options.slices) shape.slice_percent = draw.of(rates);
  return shape;
}

Duration draw_amount(Draw& draw,
                     const Shape& shape,
                     std::int64_t lowest_ns,
                     std::int64_t highest_ns) {
  highest_ns = std::max(lowest_ns, highest_ns);
  std::int64_t value = 0;
  const int kind = draw.between(0, 9);
  if (kind < 4) {
    value = draw.log_between(lowest_ns, highest_ns);
  } else if (kind < 7) {  // one significant digit
    value = draw.log_between(lowest_ns, highest_ns);
    std::int64_t unit = 1;
    while (value / unit >= 10) unit *= 10;
    value -= value % unit;
  } else {
    value = draw.of(shape.landmarks_ns);
    if (kind == 8) value *= draw.between(1, 4);
    if (kind == 9) value += draw.percent(50) ? 1 : -1;
  }
  value = std::clamp(value, lowest_ns, highest_ns);
  return {std::max(shape.grain_ns, value - value % shape.grain_ns)};
}

int draw_nice(Draw& draw, const Shape& shape) {
  static constexpr std::array<int, 7> extreme = {-20, 19, 0, -19, 18, -20, 19};
  switch (shape.nice) {
    case NiceStyle::zero:
      return draw.percent(90) ? 0 : draw.between(-20, 19);
    case NiceStyle::near:
      return draw.between(-2, 2);
    case NiceStyle::extreme:
      return draw.of(extreme);
    case NiceStyle::any:
      return draw.between(-20, 19);
  }
  return 0;
}

CpuSet draw_cpus(Draw& draw, const Shape& shape) {
  CpuSet out;
  out.insert(CpuId{draw.between(0, shape.cpus - 1)});
  if (draw.percent(60)) return out;
  for (int cpu = 0; cpu < shape.cpus; ++cpu) {
    if (draw.percent(40)) out.insert(CpuId{cpu});
  }
  return out;
}

}  // namespace fw::gen
