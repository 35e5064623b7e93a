// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/decision_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "props/run/record.h"
#include "reports/decisions.h"

namespace fw::cli {

Outcome<std::int64_t> write_decisions(const PolicyRow& row,
                                      const Setup& setup,
                                      bool model,
                                      const std::string& path) {
  const bool to_stdout = path == "-";
  std::FILE* file = to_stdout ? stdout : std::fopen(path.c_str(), "wb");
  const auto cannot = [&path](const char* what) {
    return Error{fmt::format("cannot {}: {}", what, std::strerror(errno)),
                 "name a file in a folder that can be written and has room",
                 path};
  };
  if (file == nullptr) return cannot("create the decision log");
  const PolicySchema& schema = row.info->schema;
  std::vector<std::string> names;
  std::string line;
  auto events = run::follow(
      row, setup, model, [&](const Decision& d, const Side& side) -> std::optional<Error> {
        for (auto id = static_cast<std::int32_t>(names.size());
             id <= std::max(d.task.value, d.other.value);
             ++id) {
          names.push_back(side.task_name(TaskId{id}));
        }
        line.clear();
        reports::append_decision_line(line, d, names, schema.log_keys, schema.task_log_keys);
        if (std::fwrite(line.data(), 1, line.size(), file) != line.size()) return cannot("write");
        return std::nullopt;
      });
  const bool flushed = std::fflush(file) == 0;
  if (!to_stdout && std::fclose(file) != 0) return cannot("write");
  if (!flushed) return cannot("write");
  return events;
}

Error decisions_to_stdout() {
  return {"stdout holds the result already",
          "name a file, or use 'fairwitness simulate ... --decisions -'",
          "--decisions"};
}

}  // namespace fw::cli
