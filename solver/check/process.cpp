// SPDX-License-Identifier: Apache-2.0
#include "solver/check/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>

namespace fw::solver {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t most_output = 64 * 1024;
constexpr int cannot_run = 127;
constexpr rlim_t most_memory = rlim_t{4} << 30;
/// A busy machine must not turn a proof into a timeout: the limit is one of processor time, and
/// only a child that does not compute, or gets no processor, is stopped by the clock.
constexpr std::int64_t wall_per_limit = 5;

struct Child {
  std::size_t job = 0;
  pid_t pid = -1;
  int out = -1;
  Clock::time_point start;
  Clock::time_point deadline;
};

/// Allocates nothing: it runs between fork and exec, and the limit of memory is already the
/// solver's.
[[noreturn]] void be_the_child(char* const* words, int out, rlim_t cpu_seconds) {
  ::setpgid(0, 0);
  const int null = ::open("/dev/null", O_RDONLY);
  ::dup2(null, 0);
  ::dup2(out, 1);
  ::dup2(out, 2);
  const rlimit memory{most_memory, most_memory};
  ::setrlimit(RLIMIT_AS, &memory);
  const rlimit cpu{cpu_seconds, cpu_seconds + 1};
  ::setrlimit(RLIMIT_CPU, &cpu);
  ::execv(words[0], words);
  ::_exit(cannot_run);
}

bool start(const Job& job, Child& child, JobEnd& end, Duration limit) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  std::vector<char*> words;
  for (const std::string& word : job.command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  child.start = Clock::now();
  child.deadline = child.start + std::chrono::nanoseconds(wall_per_limit * limit.ns);
  const auto cpu_seconds = static_cast<rlim_t>((limit.ns + 999'999'999) / 1'000'000'000);
  child.pid = ::fork();
  if (child.pid == 0) be_the_child(words.data(), ends[1], cpu_seconds);
  ::close(ends[1]);
  if (child.pid < 0) {
    ::close(ends[0]);
    return false;
  }
  ::setpgid(child.pid, child.pid);  // also here: whichever comes first
  child.out = ends[0];
  end.started = true;
  return true;
}

/// True at the end of the child's output.
bool read_some(const Child& child, JobEnd& end) {
  char buffer[8192];
  const ssize_t n = ::read(child.out, buffer, sizeof buffer);
  if (n < 0) return errno != EINTR && errno != EAGAIN;
  if (n == 0) return true;
  const auto room = most_output - std::min(most_output, end.output.size());
  end.output.append(buffer, std::min(room, static_cast<std::size_t>(n)));
  return false;
}

/// Whatever the child left running goes with it.
void finish(const Child& child, JobEnd& end) {
  ::kill(-child.pid, SIGKILL);
  ::close(child.out);
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
  }
  end.seconds = std::chrono::duration<double>(Clock::now() - child.start).count();
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (end.signal == SIGXCPU) end.timed_out = true;
  if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
  if (end.status == cannot_run && end.output.empty()) end.started = false;
}

/// A child that has closed its output but not ended is waited for until its deadline.
bool ended(const Child& child, JobEnd& end) {
  for (;;) {
    siginfo_t info{};
    const int got =
        ::waitid(P_PID, static_cast<id_t>(child.pid), &info, WEXITED | WNOHANG | WNOWAIT);
    if (got == 0 && info.si_pid == child.pid) return true;
    if (Clock::now() >= child.deadline) {
      end.timed_out = true;
      return true;
    }
    ::usleep(500);
  }
}

}  // namespace

std::vector<JobEnd> run_jobs(const std::vector<Job>& jobs,
                             int parallel,
                             Duration limit,
                             const std::function<void(std::size_t)>& on_end) {
  std::vector<JobEnd> ends(jobs.size());
  std::vector<Child> running;
  std::size_t next = 0;
  std::size_t done = 0;
  while (next < jobs.size() || !running.empty()) {
    while (next < jobs.size() && running.size() < static_cast<std::size_t>(std::max(1, parallel))) {
      Child child;
      child.job = next;
      if (start(jobs[next], child, ends[next], limit)) {
        running.push_back(child);
      } else {
        ++done;
      }
      ++next;
    }
    std::vector<pollfd> waiting;
    auto nearest = Clock::time_point::max();
    for (const Child& child : running) {
      waiting.push_back({child.out, POLLIN, 0});
      nearest = std::min(nearest, child.deadline);
    }
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(nearest - Clock::now()).count();
    if (!running.empty()) {
      ::poll(waiting.data(),
             waiting.size(),
             static_cast<int>(std::clamp<long>(static_cast<long>(left) + 1, 0, 1000)));
    }
    for (std::size_t i = running.size(); i-- > 0;) {
      JobEnd& end = ends[running[i].job];
      bool over = waiting[i].revents != 0 && read_some(running[i], end);
      if (over) {
        ended(running[i], end);
      } else if (Clock::now() >= running[i].deadline) {
        end.timed_out = true;
        over = true;
      }
      if (!over) continue;
      finish(running[i], end);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      ++done;
      if (on_end) on_end(done);
    }
  }
  return ends;
}

}  // namespace fw::solver
