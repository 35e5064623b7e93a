// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ci/cli/output.h"
#include "reports/extra.h"

namespace fw::cli {

/// finish() with what `prove` and `tune` have beside the result, in every format.
Exit finish_with(Result& result, const reports::Extra& extra, const OutputOptions& options);

}  // namespace fw::cli
