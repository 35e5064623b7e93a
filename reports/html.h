// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/vocab/result.h"
#include "reports/page_data.h"

namespace fw::reports {

/// The report as one page that needs nothing else: style, script and data are inside, and its
/// policy forbids it to load anything. Verdict and tables are there without script; timelines then
/// are text.
std::string html_page(const Result& result, const PageLimits& limits = {});

}  // namespace fw::reports
