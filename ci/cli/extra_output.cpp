// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/extra_output.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <utility>

#include "reports/sheets.h"
#include "reports/text.h"
#include "reports/words.h"
#include "reports/write.h"

namespace fw::cli {

Exit finish_with(Result& result, const reports::Extra& extra, const OutputOptions& options) {
  for (const Exit status : result.all_statuses) result.status = more_severe(result.status, status);
  result.identity = identity();
  std::string out;
  if (options.json) {
    out = reports::json_with(result, extra);
  } else if (options.quiet) {
    out = reports::verdict_sentence(result) + "\n";
  } else {
    out = reports::text(result);
    const auto last = out.rfind("\nexit status: ");
    out.insert(last == std::string::npos ? out.size() : last, reports::sheets_text(result, extra));
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  if (options.report.empty()) return result.status;
  auto written = reports::write_report(result, options.report);
  if (!written) return more_severe(complain(written.error()), result.status);
  const std::array<std::pair<const char*, std::string>, 3> files = {
      {{"index.html", reports::html_page_with(result, extra)},
       {"summary.md", reports::summary_with(result, extra)},
       {"result.json", reports::json_with(result, extra)}}};
  for (const auto& [name, content] : files) {
    written = reports::write_file(fmt::format("{}/{}", options.report, name), content);
    if (!written) return more_severe(complain(written.error()), result.status);
  }
  if (!options.json && !options.quiet) fmt::print("report: {}/index.html\n", options.report);
  return result.status;
}

}  // namespace fw::cli
