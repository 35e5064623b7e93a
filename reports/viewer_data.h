// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fw::reports {

/// The page's style and script, as committed in viewer/dist; the build embeds them.
std::string_view viewer_css();
std::string_view viewer_js();

}  // namespace fw::reports
