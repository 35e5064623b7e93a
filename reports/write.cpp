// SPDX-License-Identifier: Apache-2.0
#include "reports/write.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "reports/html.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/sarif.h"

namespace fw::reports {
namespace {

Error system_error(std::string_view what, const std::string& path, int code) {
  std::string hint;
  switch (code) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      hint = "free some space, or give another folder with --report";
      break;
    case EACCES:
    case EPERM:
    case EROFS:
      hint = "give a folder you may write to with --report";
      break;
    case ENOTDIR:
    case EEXIST:
      hint = "a file is in the way; give another folder with --report";
      break;
    default:
      break;
  }
  return {fmt::format("cannot {}: {}", what, std::strerror(code)), std::move(hint), path};
}

/// 0, or the errno of what failed.
int write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  // Some file systems report a full disk only here.
  return ::fsync(file) == 0 || errno == EINVAL ? 0 : errno;
}

/// Writes to an open file and closes it; 0, or the errno of what failed.
int fill(int file, std::string_view content) {
  int code = write_all(file, content);
  if (::close(file) != 0 && code == 0) code = errno;
  return code;
}

/// The regular file at `path` whole or not at all.
Outcome<Done> replace(const std::string& path, std::string_view content) {
  const std::string temporary = fmt::format("{}.tmp-{}", path, ::getpid());
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return system_error("create the file", path, errno);
  int code = fill(file, content);
  if (code == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) code = errno;
  if (code == 0) return Done{};
  ::unlink(temporary.c_str());
  return system_error("write the file", path, code);
}

}  // namespace

Outcome<Done> write_file(const std::string& path, std::string_view content) {
  using Type = std::filesystem::file_type;
  std::error_code ignored;
  const Type type = std::filesystem::status(path, ignored).type();
  if (type == Type::directory) return system_error("write the file", path, EISDIR);
  if (type == Type::regular || type == Type::not_found) {
    // A link stays one: what it points to is replaced.
    const auto target = std::filesystem::weakly_canonical(path, ignored);
    return replace(target.empty() ? path : target.string(), content);
  }
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  const int code = file < 0 ? errno : fill(file, content);
  if (code == 0) return Done{};
  return system_error("write the file", path, code);
}

Outcome<Done> write_report(const Result& result, const std::string& dir) {
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  if (error) return system_error("make the report folder", dir, error.value());
  // create_directories is content with an existing file on some systems.
  if (!std::filesystem::is_directory(dir, error)) {
    return system_error("use as the report folder", dir, ENOTDIR);
  }
  const std::pair<const char*, std::string (*)(const Result&)> files[] = {
      {"index.html", [](const Result& of) { return html_page(of); }},
      {"result.json", json},
      {"junit.xml", junit},
      {"results.sarif", sarif},
      {"summary.md", [](const Result& of) { return summary(of); }}};
  for (const auto& file : files) {
    Outcome<Done> done = write_file(dir + "/" + file.first, file.second(result));
    if (!done) return done;
  }
  return Done{};
}

}  // namespace fw::reports
