// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "props/store/store.h"

namespace fw::store {
namespace {

Error failed(const std::string& what, const std::string& path, int code) {
  std::string hint;
  if (code == ENOENT) hint = "create the folder first";
  if (code == EACCES || code == EROFS || code == EPERM)
    hint = "choose a folder that can be written";
  if (code == ENOSPC || code == EDQUOT || code == EFBIG) hint = "make room on the disk";
  return Error{what + ": " + std::strerror(code), hint, path};
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = ::write(file, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      if (done == 0) errno = ENOSPC;
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

/// Makes a rename in this folder last. A file system that cannot do this is no error.
void sync_folder(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const int folder =
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  (void)::fsync(folder);
  (void)::close(folder);
}

}  // namespace

Outcome<Done> write_case_atomically(const std::string& path,
                                    std::string_view text,
                                    Durability durability) {
  // Processes differ by pid, writers within one by number: nobody renames another's half a file.
  static std::atomic<unsigned> writes{0};
  const std::string temporary =
      path + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(writes.fetch_add(1));
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return failed("cannot write the case file", path, errno);
  bool good = write_all(file, text);
  if (good && durability == Durability::power_loss) good = ::fsync(file) == 0;
  int code = good ? 0 : errno;
  if (::close(file) != 0 && good) {
    good = false;
    code = errno;
  }
  if (good && ::rename(temporary.c_str(), path.c_str()) != 0) {
    good = false;
    code = errno;
  }
  if (!good) {
    (void)::unlink(temporary.c_str());
    return failed("cannot write the case file", path, code);
  }
  if (durability == Durability::power_loss) sync_folder(path);
  return Done{};
}

}  // namespace fw::store
