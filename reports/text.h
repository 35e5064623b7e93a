// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/vocab/result.h"
#include "reports/metrics.h"

namespace fw::reports {

/// The terminal report: verdict first, each failure with its reproduce line, minimal case, first
/// divergence, chain of picks and blame, then the tables; the last line lists every exit status
/// that applies. Ends in a newline. Control characters in names are shown as `\xNN`.
std::string text(const Result& result);

/// One failure as the terminal shows it, also what JUnit and the page quote.
std::string failure_text(const Failure& failure);

/// One line a CPU, `width` columns of equal time (at least 10), letters for tasks: the task that
/// ran longest in the column; `.` idle. A second line marks the columns with wakeups (`^`),
/// preemptions
/// (`!`) and migrations (`>`). With a legend.
std::string ascii_timeline(const Recording& recording, int width = 96);

/// The figures of one run as a table in the manner of schbench: one row a task, percentiles across.
std::string metrics_text(const Metrics& metrics);

/// Rows of cells as columns of equal width, two blanks between; the first row is the heading.
/// Columns whose cells (all but the heading) look like numbers are set right.
std::string table_text(const std::vector<std::vector<std::string>>& rows);

}  // namespace fw::reports
