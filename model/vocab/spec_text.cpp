// SPDX-License-Identifier: Apache-2.0
#include "model/vocab/spec.h"

namespace fw {
namespace {
std::string value_text(const KnobInfo* knob, std::int64_t value) {
  if (knob == nullptr) return std::to_string(value);
  if (knob->unit == KnobUnit::duration) return format_duration({value});
  if (knob->unit == KnobUnit::wide) return std::to_string(static_cast<std::uint64_t>(value));
  if (knob->unit == KnobUnit::ticks && value < 0) return format_duration({-value});
  const bool choice = knob->unit == KnobUnit::choice;
  const auto index = static_cast<std::size_t>(choice ? value : value - knob->lowest);
  return index < knob->choices.size() ? std::string(knob->choices[index]) : std::to_string(value);
}
}  // namespace

std::string spec_text(const PolicySpec& spec, const PolicyInfo& info) {
  std::string out = spec.policy;
  if (!spec.version.empty()) out += "@" + spec.version;
  for (const auto& [name, on] : spec.features) out += (on ? "+" : "-") + name;
  for (const auto& [name, value] : spec.knobs) {
    const KnobInfo* row = nullptr;
    for (const KnobInfo& knob : info.knobs) {
      if (knob.name == name) row = &knob;
    }
    out += "," + name + "=" + value_text(row, value);
  }
  return out;
}
}  // namespace fw
