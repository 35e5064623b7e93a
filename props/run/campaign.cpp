// SPDX-License-Identifier: Apache-2.0
#include "props/run/campaign.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "model/input/casefile.h"
#include "props/store/store.h"

namespace fw::run {
namespace {

/// Every so many cases one is run a second time, to see that it repeats.
constexpr std::int64_t twice_every = 64;

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

std::int64_t now_ns() { return Clock::now().time_since_epoch().count(); }
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What the workers share with the parent while they run.
struct Board {
  std::atomic<std::int64_t> next{0};   ///< next index to be taken
  std::atomic<std::int64_t> limit{0};  ///< cases from here on are not started
  struct Worker {
    std::atomic<std::int64_t> index{-1};  ///< case in progress
    std::atomic<std::int64_t> started_ns{0};
    std::atomic<std::int64_t> cases{0};
    std::atomic<std::int64_t> events{0};
  };
  Worker workers[256];

  void lower_limit(std::int64_t index) {
    std::int64_t seen = limit.load();
    while (index < seen && !limit.compare_exchange_weak(seen, index)) {
    }
  }
};

/// An anonymous mapping that the workers inherit.
class SharedBoard {
 public:
  SharedBoard() {
    void* memory =
        ::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    FW_ASSERT(memory != MAP_FAILED);
    board_ = new (memory) Board;
  }
  ~SharedBoard() { ::munmap(board_, sizeof(Board)); }
  SharedBoard(const SharedBoard&) = delete;
  SharedBoard& operator=(const SharedBoard&) = delete;
  Board* operator->() { return board_; }
  Board& operator*() { return *board_; }

 private:
  Board* board_;
};

void keep_tightest(std::optional<props::Extreme>& kept, const std::optional<props::Extreme>& seen) {
  if (!seen) return;
  const auto ratio = [](const props::Extreme& e) { return e.bound > 0 ? e.worst / e.bound : 0.0; };
  if (!kept || ratio(*seen) > ratio(*kept)) kept = seen;
}

void add_run(CampaignTotals& totals, const CaseRun& run) {
  totals.cases += 1;
  totals.stimuli += run.stimuli;
  totals.events += run.events;
  if (!run.discard.empty()) {
    totals.discards += 1;
    totals.a_discard = run.discard;
    return;
  }
  for (std::size_t i = 0; i < run.tallies.size(); ++i) {
    totals.tallies[i].checked += run.tallies[i].checked;
    totals.tallies[i].not_applicable += run.tallies[i].not_applicable;
    totals.tallies[i].reached += run.tallies[i].reached;
    keep_tightest(totals.tallies[i].tightest, run.tallies[i].extreme);
  }
}

Json to_json(const CampaignTotals& totals) {
  Json tallies = Json::array();
  for (const Tally& tally : totals.tallies) {
    Json row = {tally.checked, tally.not_applicable, tally.reached};
    if (tally.tightest) {
      row.push_back(tally.tightest->worst);
      row.push_back(tally.tightest->bound);
      row.push_back(tally.tightest->unit);
    }
    tallies.push_back(row);
  }
  Json out = {{"cases", totals.cases},
              {"discards", totals.discards},
              {"a_discard", totals.a_discard},
              {"events", totals.events},
              {"stimuli", totals.stimuli},
              {"generate", totals.generate_seconds},
              {"run", totals.run_seconds},
              {"tallies", tallies}};
  if (totals.found) {
    const CaseFailure& failure = totals.found->failure;
    out["found"] = {{"index", totals.found->index},
                    {"property", failure.property},
                    {"signature", failure.signature},
                    {"message", failure.message},
                    {"event", failure.divergence.event},
                    {"t", failure.divergence.t.ns},
                    {"text", failure.divergence.text},
                    {"task", failure.task ? failure.task->value : -1}};
  }
  return out;
}

CampaignTotals from_json(const Json& in) {
  CampaignTotals totals;
  totals.cases = in["cases"];
  totals.discards = in["discards"];
  totals.a_discard = in["a_discard"];
  totals.events = in["events"];
  totals.stimuli = in["stimuli"];
  totals.generate_seconds = in["generate"];
  totals.run_seconds = in["run"];
  for (const Json& row : in["tallies"]) {
    Tally tally{row[0], row[1], row[2], std::nullopt};
    if (row.size() > 3) tally.tightest = props::Extreme{row[3], row[4], row[5]};
    totals.tallies.push_back(tally);
  }
  if (in.contains("found")) {
    const Json& f = in["found"];
    Found found;
    found.index = f["index"];
    found.failure = CaseFailure{f["property"],
                                f["signature"],
                                f["message"],
                                Divergence{f["event"], Instant{f["t"]}, f["text"]},
                                std::nullopt};
    if (f["task"].get<int>() >= 0) found.failure.task = TaskId{f["task"]};
    totals.found = found;
  }
  return totals;
}

/// The life of one worker process: take an index, make the case, keep it on disk, run it.
class Worker {
 public:
  Worker(const PolicyRow& row,
         const MakeCase& make_case,
         const CampaignOptions& options,
         Board& board,
         int number)
      : row_(row),
        make_case_(make_case),
        options_(options),
        board_(board),
        slot_(board.workers[number]),
        number_(number) {
    totals_.tallies.resize(props::all_properties().size());
  }

  std::string work() {
    for (;;) {
      const std::int64_t index = board_.next.fetch_add(1);
      if (index >= board_.limit.load()) break;
      run_one(index);
    }
    slot_.index = -1;
    std::error_code ignored;
    if (!running_file_.empty()) std::filesystem::remove(running_file_, ignored);
    return to_json(totals_).dump();
  }

 private:
  void run_one(std::int64_t index) {
    const auto start = Clock::now();
    slot_.started_ns = now_ns();
    slot_.index = index;
    const Case c = make_case_(index);
    const auto made = Clock::now();
    keep_running_case(c, index);
    CaseOptions checks = options_.checks;
    checks.relations = checks.relations && index % options_.relation_every == 0;
    CaseRun run = run_case(row_, c, checks);
    if (index % twice_every == 0 && !run.failure) check_again(c, checks, run);
    totals_.generate_seconds += std::chrono::duration<double>(made - start).count();
    totals_.run_seconds += seconds_since(made);
    add_run(totals_, run);
    slot_.cases = totals_.cases;
    slot_.events = totals_.events;
    if (run.failure && (!totals_.found || index < totals_.found->index)) {
      totals_.found = Found{index, *run.failure, false, false};
      board_.lower_limit(index);
    }
  }

  /// The same case must take the same decisions again.
  void check_again(const Case& c, CaseOptions checks, CaseRun& run) const {
    checks.lockstep = false;
    checks.checkers = false;
    checks.relations = false;
    const CaseRun again = run_case(row_, c, checks);
    if (again.log_hash == run.log_hash) return;
    run.failure = CaseFailure{"determinism",
                              signature_of("determinism", "log"),
                              "the same case took other decisions when run again",
                              Divergence{},
                              std::nullopt};
  }

  /// Written before the case runs, so that a kill at any moment leaves it. Each case gets a fresh
  /// name and the one before goes after it: replacing a file by rename makes some file systems wait
  /// for the disk.
  void keep_running_case(const Case& c, std::int64_t index) {
    if (options_.directory.empty()) return;
    const auto path = fmt::format("{}/running-{}-{}.case.json", options_.directory, number_, index);
    // A full disk must not stop the campaign; the case can be made again from its index.
    const bool written = store::write_case_atomically(path, input::write_case(c)).ok();
    std::error_code ignored;
    if (!running_file_.empty()) std::filesystem::remove(running_file_, ignored);
    running_file_ = written ? path : "";
  }

  const PolicyRow& row_;
  const MakeCase& make_case_;
  const CampaignOptions& options_;
  Board& board_;
  Board::Worker& slot_;
  std::string running_file_;
  int number_;
  CampaignTotals totals_;
};

struct Process {
  pid_t pid = -1;
  int in = -1;
  std::string output;
  bool hung = false;
  std::int64_t last_index = -1;
};

/// The parent's side: starts the workers, watches for hangs, gathers what they say.
class Campaign {
 public:
  Campaign(const PolicyRow& row,
           const MakeCase& make_case,
           const CampaignOptions& options,
           const OnProgress& on_progress)
      : row_(row), make_case_(make_case), options_(options), on_progress_(on_progress) {
    board_->limit = options.cases;
    totals_.tallies.resize(props::all_properties().size());
  }

  CampaignTotals run() {
    const int jobs = std::max(1, std::min(options_.jobs, 256));
    for (int i = 0; i < jobs; ++i) start(i);
    while (open_ > 0) {
      poll_once();
      watch();
    }
    for (Process& process : processes_) close_up(process);
    totals_.seconds = seconds_since(start_);
    return totals_;
  }

 private:
  void start(int number) {
    int ends[2];
    FW_ASSERT(::pipe(ends) == 0);
    std::fflush(nullptr);
    const pid_t pid = ::fork();
    FW_ASSERT(pid >= 0);
    if (pid == 0) {
      ::close(ends[0]);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a killed parent leaves no workers behind
      Worker worker(row_, make_case_, options_, *board_, number);
      const std::string text = worker.work();
      std::size_t sent = 0;
      while (sent < text.size()) {
        const ssize_t n = ::write(ends[1], text.data() + sent, text.size() - sent);
        if (n <= 0 && errno != EINTR) break;
        if (n > 0) sent += static_cast<std::size_t>(n);
      }
      ::_exit(0);
    }
    ::close(ends[1]);
    Process process;
    process.pid = pid;
    process.in = ends[0];
    processes_.push_back(std::move(process));
    ++open_;
  }

  void poll_once() {
    std::vector<pollfd> waiting;
    for (const Process& process : processes_) {
      if (process.in >= 0) waiting.push_back({process.in, POLLIN, 0});
    }
    if (::poll(waiting.data(), waiting.size(), 100) <= 0) return;
    for (const pollfd& ready : waiting) {
      if (ready.revents == 0) continue;
      for (Process& process : processes_) {
        if (process.in == ready.fd) read_some(process);
      }
    }
  }

  void read_some(Process& process) {
    char buffer[65536];
    const ssize_t n = ::read(process.in, buffer, sizeof buffer);
    if (n > 0) {
      process.output.append(buffer, static_cast<std::size_t>(n));
    } else if (n == 0 || errno != EINTR) {
      ::close(process.in);
      process.in = -1;
      --open_;
      // A worker that dies without a word has found something; cases above it are not needed.
      const std::int64_t index = board_->workers[&process - processes_.data()].index;
      if (process.output.empty() && index >= 0) board_->lower_limit(index);
    }
  }

  void watch() {
    const double seconds = seconds_since(start_);
    if (options_.time.ns > 0 && seconds * 1e9 >= static_cast<double>(options_.time.ns)) {
      // Cases already started run to their end; none is started any more.
      board_->limit = std::min(board_->limit.load(), board_->next.load());
    }
    Progress progress{0, 0, seconds};
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      Board::Worker& slot = board_->workers[i];
      progress.cases += slot.cases;
      progress.events += slot.events;
      const bool busy = slot.index.load() >= 0 && processes_[i].in >= 0;
      if (busy && !processes_[i].hung && now_ns() - slot.started_ns > options_.case_limit.ns) {
        processes_[i].hung = true;
        processes_[i].last_index = slot.index;
        ::kill(processes_[i].pid, SIGKILL);
      }
    }
    if (on_progress_) on_progress_(progress);
  }

  void close_up(Process& process) {
    int status = 0;
    while (::waitpid(process.pid, &status, 0) < 0 && errno == EINTR) {
    }
    const auto i = static_cast<std::size_t>(&process - processes_.data());
    const Json in = Json::parse(process.output, nullptr, false);
    if (!in.is_discarded()) {
      const CampaignTotals part = from_json(in);
      add_totals(totals_, part);
      return;
    }
    const std::string how =
        process.hung ? "took longer than the limit"
        : WIFSIGNALED(status)
            ? fmt::format("ended its process with signal {}", WTERMSIG(status))
            : fmt::format("ended its process with status {}", WEXITSTATUS(status));
    Found found;
    found.index = board_->workers[i].index;
    found.crashed = !process.hung;
    found.hung = process.hung;
    const std::string property = process.hung ? "no_hang" : "no_crash";
    found.failure = CaseFailure{property,
                                signature_of(property, how),
                                fmt::format("case {} {}", found.index, how),
                                Divergence{},
                                std::nullopt};
    CampaignTotals part;
    part.cases = board_->workers[i].cases + 1;
    part.events = board_->workers[i].events;
    part.tallies.resize(totals_.tallies.size());
    part.found = found;
    add_totals(totals_, part);
  }

  const PolicyRow& row_;
  const MakeCase& make_case_;
  const CampaignOptions& options_;
  const OnProgress& on_progress_;
  const Clock::time_point start_ = Clock::now();
  SharedBoard board_;
  std::vector<Process> processes_;
  int open_ = 0;
  CampaignTotals totals_;
};

}  // namespace

void add_totals(CampaignTotals& sum, const CampaignTotals& more) {
  sum.cases += more.cases;
  sum.discards += more.discards;
  if (!more.a_discard.empty()) sum.a_discard = more.a_discard;
  sum.events += more.events;
  sum.stimuli += more.stimuli;
  sum.seconds += more.seconds;
  sum.generate_seconds += more.generate_seconds;
  sum.run_seconds += more.run_seconds;
  sum.tallies.resize(std::max(sum.tallies.size(), more.tallies.size()));
  for (std::size_t i = 0; i < more.tallies.size(); ++i) {
    sum.tallies[i].checked += more.tallies[i].checked;
    sum.tallies[i].not_applicable += more.tallies[i].not_applicable;
    sum.tallies[i].reached += more.tallies[i].reached;
    keep_tightest(sum.tallies[i].tightest, more.tallies[i].tightest);
  }
  if (more.found && (!sum.found || more.found->index < sum.found->index)) sum.found = more.found;
}

CampaignTotals run_campaign(const PolicyRow& row,
                            const MakeCase& make_case,
                            const CampaignOptions& options,
                            const OnProgress& on_progress) {
  return Campaign(row, make_case, options, on_progress).run();
}

}  // namespace fw::run
