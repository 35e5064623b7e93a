// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/version.hpp>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "reports/json.h"
#include "reports/text.h"
#include "reports/words.h"
#include "reports/write.h"

namespace fw::cli {
namespace {

double monotonic_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Writes to stdout; whether it could is asked once, at the end (stdout_status).
void say(const std::string& text) { (void)std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace

ProgressLine::ProgressLine(const OutputOptions& options, std::string label)
    : on_(!options.quiet && !options.no_progress),
      terminal_(::isatty(STDERR_FILENO) != 0),
      label_(std::move(label)),
      last_(terminal_ ? -1e9 : monotonic_seconds()) {}

ProgressLine::~ProgressLine() {
  if (drawn_ && terminal_) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::show(double part, const std::string& text) {
  if (!on_) return;
  const double now = monotonic_seconds();
  if (now - last_ < (terminal_ ? 0.1 : 10.0)) return;
  last_ = now;
  drawn_ = true;
  if (!terminal_) {
    fmt::print(stderr, "{}: {}\n", label_, text);
    return;
  }
  constexpr int width = 24;
  std::string bar;
  if (part >= 0) {
    const int full = static_cast<int>(std::min(part, 1.0) * width);
    bar = fmt::format("[{:<{}}] ", std::string(static_cast<std::size_t>(full), '#'), width);
  }
  fmt::print(stderr, "\r\033[K{} {}{}", label_, bar, text);
  std::fflush(stderr);
}

Exit complain(const Error& error) {
  fmt::print(stderr, "fairwitness: {}\n", error.text());
  return Exit::usage;
}

Outcome<Done> write_output(const std::string& path, const std::string& text) {
  auto written = reports::write_file(path, text);
  if (written) return written;
  Error error = written.error();
  error.hint = "name a file in a folder that can be written and has room";
  error.where = path;
  return error;
}

Exit stdout_status(Exit status) {
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0) return status;
  return more_severe(complain({fmt::format("stdout cannot take the result: {}",
                                           errno != 0 ? std::strerror(errno) : "write error"),
                               "make room, or send it to another place"}),
                     status);
}

Exit finish(Result& result, const OutputOptions& options, Verdict verdict) {
  for (const Exit status : result.all_statuses) result.status = more_severe(result.status, status);
  result.identity = identity();
  if (options.json) {
    say(reports::json(result));
  } else if (options.quiet) {
    say(reports::verdict_sentence(result) + "\n");
  } else if (verdict == Verdict::printed) {
    say(reports::text(result));
  }
  if (!options.report.empty()) {
    const auto written = reports::write_report(result, options.report);
    if (!written) return more_severe(complain(written.error()), result.status);
    if (!options.json && !options.quiet) {
      say(fmt::format("report: {}/index.html\n", options.report));
    }
  }
  return result.status;
}

std::map<std::string, std::string> identity() {
  std::map<std::string, std::string> out;
  out["version"] = FW_VERSION;
  out["commit"] = FW_COMMIT;
  out["build"] = FW_BUILD_TYPE;
#ifdef __clang__
  out["compiler"] = "clang " __clang_version__;
#else
  out["compiler"] = "g++ " __VERSION__;
#endif
  out["boost"] = BOOST_LIB_VERSION;
  out["cores"] = std::to_string(std::thread::hardware_concurrency());
  return out;
}

}  // namespace fw::cli
