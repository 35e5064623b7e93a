// SPDX-License-Identifier: Apache-2.0
#include "props/run/child.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>

namespace fw::run {
namespace {

constexpr char end_mark = '\x04';

[[noreturn]] void be_the_child(int out, const std::function<std::string()>& work) {
  const std::string text = work() + end_mark;
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t n = ::write(out, text.data() + sent, text.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    sent += static_cast<std::size_t>(n);
  }
  ::close(out);
  std::fflush(nullptr);
  ::_exit(0);
}

/// Reads until the child closes its end; false when the limit ran out first.
bool drain(int in, std::chrono::steady_clock::time_point deadline, std::string& output) {
  char buffer[65536];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd waiting{in, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::min<long>(left.count(), 60'000)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) continue;
    const ssize_t n = ::read(in, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    output.append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace

std::string ChildEnd::text() const {
  if (timed_out) return "no answer within the time limit";
  if (signal != 0) return fmt::format("killed by signal {}", signal);
  return fmt::format("exit status {}", status);
}

ChildEnd run_in_child(const std::function<std::string()>& work, Duration limit) {
  ChildEnd end;
  int ends[2];
  if (::pipe(ends) != 0) {
    end.status = 71;
    return end;
  }
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(ends[0]);
    be_the_child(ends[1], work);
  }
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    end.status = 71;
    return end;
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::nanoseconds(limit.ns);
  end.timed_out = !drain(ends[0], deadline, end.output);
  if (end.timed_out) ::kill(pid, SIGKILL);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
  if (!end.output.empty() && end.output.back() == end_mark && end.signal == 0 && end.status == 0) {
    end.output.pop_back();
    end.finished = true;
  }
  return end;
}

}  // namespace fw::run
