// SPDX-License-Identifier: Apache-2.0
#include "props/validate/validate.h"

#include <array>

#include "model/policy/eevdf/catalog.h"

namespace fw::validate {

std::span<const PolicyInfo* const> catalogue() {
  static const std::array<const PolicyInfo*, 2> infos = {&recorded_cfs_info(),
                                                         &model::eevdf_info()};
  return infos;
}

Outcome<Validation> validate(const input::Trace& trace, const PolicySpec& spec) {
  if (spec.policy == "eevdf") {
    const auto settings = eevdf_settings_of(spec, trace);
    if (!settings) return settings.error();
    return validate(trace, *settings);
  }
  const auto settings = settings_of(spec, trace);
  if (!settings) return settings.error();
  return validate(trace, *settings);
}

}  // namespace fw::validate
