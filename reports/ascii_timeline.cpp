// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/escape.h"
#include "reports/text.h"
#include "reports/words.h"

namespace fw::reports {
namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

char letter_of(TaskId task) {
  const auto index = static_cast<std::size_t>(task.value);
  return index < letters.size() ? letters[index] : '#';
}

/// The shown span of time in equal columns. The last column may reach beyond the end.
struct Columns {
  std::int64_t from_ns, length_ns;
  std::size_t count;
  std::size_t at(std::int64_t t_ns) const {
    const auto column =
        static_cast<std::size_t>(std::max<std::int64_t>(t_ns - from_ns, 0) / length_ns);
    return std::min(column, count - 1);
  }
  std::int64_t start(std::size_t column) const {
    return from_ns + static_cast<std::int64_t>(column) * length_ns;
  }
};

/// The task that ran longest in each column; `.` where the CPU was idle longer than any task ran.
std::string run_line(const std::vector<Stretch>& line, const Columns& columns) {
  std::vector<std::map<TaskId, std::int64_t>> ran(columns.count);
  for (const Stretch& stretch : line) {
    const std::size_t last = columns.at(std::max(stretch.to_ns - 1, stretch.from_ns));
    for (std::size_t i = columns.at(stretch.from_ns); i <= last; ++i) {
      const std::int64_t from = std::max(stretch.from_ns, columns.start(i));
      const std::int64_t to = std::min(stretch.to_ns, columns.start(i + 1));
      ran[i][stretch.task] += std::max<std::int64_t>(to - from, 0);
    }
  }
  std::string out;
  for (const auto& column : ran) {
    std::int64_t busy = 0, longest = 0;
    char letter = '.';
    for (const auto& entry : column) {
      busy += entry.second;
      if (entry.second <= longest) continue;
      longest = entry.second;
      letter = letter_of(entry.first);
    }
    out += columns.length_ns - busy > longest ? '.' : letter;
  }
  return out;
}

/// Marks by rank: a preemption hides a wakeup of the same column, a migration both.
std::string mark_line(const Recording& recording, int cpu, const Columns& columns) {
  std::string out(columns.count, ' ');
  constexpr std::string_view ranks = " ^!>";
  for (const Decision& decision : recording.decisions) {
    if (decision.cpu.value != cpu) continue;
    char mark = ' ';
    if (decision.kind == DecisionKind::wake || decision.kind == DecisionKind::fork) {
      mark = decision.preempt ? '!' : '^';
    } else if (decision.kind == DecisionKind::preempt) {
      mark = '!';
    } else if (decision.kind == DecisionKind::migrate) {
      mark = '>';
    }
    char& cell = out[columns.at(decision.t.ns)];
    if (ranks.find(mark) > ranks.find(cell)) cell = mark;
  }
  return out.substr(0, out.find_last_not_of(' ') + 1);
}

std::string legend(const Recording& recording) {
  std::string out;
  std::size_t shown = std::min(recording.task_names.size(), letters.size());
  for (std::size_t i = 0; i < shown; ++i) {
    out +=
        fmt::format("{}{} {}", i == 0 ? "" : ", ", letters[i], printable(recording.task_names[i]));
  }
  if (shown < recording.task_names.size()) {
    out += fmt::format(", # the other {}", recording.task_names.size() - shown);
  }
  return out + "; . idle; ^ wakeup, ! preemption, > migration";
}

}  // namespace

std::string ascii_timeline(const Recording& recording, int width) {
  if (recording.cpus < 1 || recording.decisions.empty()) return {};
  const std::int64_t from_ns = recording.decisions.front().t.ns;
  const std::int64_t to_ns = std::max(recording.end.ns, recording.decisions.back().t.ns + 1);
  Columns columns{from_ns, 1, static_cast<std::size_t>(std::max(width, 10))};
  const auto count = static_cast<std::int64_t>(columns.count);
  columns.length_ns = (to_ns - from_ns + count - 1) / count;
  columns.count = columns.at(to_ns - 1) + 1;

  std::string out;
  if (!recording.title.empty()) out += fmt::format("  {}\n", printable(recording.title));
  const std::vector<std::vector<Stretch>> lines = stretches(recording);
  for (int cpu = 0; cpu < recording.cpus; ++cpu) {
    out += fmt::format(
        "  CPU {:<3} |{}|\n", cpu, run_line(lines[static_cast<std::size_t>(cpu)], columns));
    const std::string marks = mark_line(recording, cpu, columns);
    if (!marks.empty()) out += fmt::format("          |{}\n", marks);
  }
  out += fmt::format("  {} to {}, {} a column\n  {}\n",
                     readable_ns(static_cast<double>(from_ns)),
                     readable_ns(static_cast<double>(to_ns)),
                     readable_ns(static_cast<double>(columns.length_ns)),
                     legend(recording));
  return out;
}

}  // namespace fw::reports
