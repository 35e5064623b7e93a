// SPDX-License-Identifier: Apache-2.0
#include "solver/check/verdict.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "model/vocab/contract.h"

namespace fw::solver {
namespace {

Answer expected(Part part) {
  return part == Part::vacuity || part == Part::control ? Answer::sat : Answer::unsat;
}

bool decided(Answer answer) { return answer == Answer::sat || answer == Answer::unsat; }

std::string contradiction(const Asked& asked) {
  const std::string who = asked.solver + " says " + answer_word(asked.answer) + " to ";
  switch (asked.part) {
    case Part::control:
      return who + "the negative control " + asked.query + ", which must fail to be proved";
    case Part::vacuity:
      return who + asked.query + ": the assumptions contradict each other";
    default:
      return who + asked.query + ", which must be unsat";
  }
}

std::string silence(const Asked& asked) {
  std::string out =
      asked.solver + " has no verdict on " + asked.query + " (" + answer_word(asked.answer) + ")";
  if (!asked.output.empty()) out += ": " + asked.output;
  return out;
}

bool all_as_expected(const std::vector<Asked>& asked, Part part) {
  bool any = false;
  for (const Asked& one : asked) {
    if (one.part != part) continue;
    any = true;
    if (one.answer != expected(part)) return false;
  }
  return any;
}

/// What a solver printed instead of an answer, on one line.
std::string excerpt(const JobEnd& end) {
  if (!end.started) return "the program could not be run";
  std::string out = end.output.substr(0, 160);
  std::replace(out.begin(), out.end(), '\n', ' ');
  if (end.signal != 0 && !end.timed_out) out = "killed by signal " + std::to_string(end.signal);
  return out;
}

Outcome<Done> write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) return Error{"cannot write the query", "free space, or choose --keep", path.string()};
  return Done{};
}

}  // namespace

Judgement judge(const Obligation& obligation, std::vector<Asked> asked) {
  Judgement out;
  out.negative_control = all_as_expected(asked, Part::control);
  out.vacuity = all_as_expected(asked, Part::vacuity);
  const std::size_t solvers =
      obligation.queries.empty() ? 0 : asked.size() / obligation.queries.size();
  std::string silent;
  for (const Asked& one : asked) {
    if (decided(one.answer) && one.answer != expected(one.part)) {
      if (out.status != Status::failed) out.reason = contradiction(one);
      out.status = Status::failed;
    } else if (!decided(one.answer) && silent.empty()) {
      silent = silence(one);
    }
  }
  // A contradiction in which another solver answered as expected is a disagreement: say so.
  for (std::size_t i = 0; out.status == Status::failed && i + 1 < asked.size(); ++i) {
    const Asked& a = asked[i];
    const Asked& b = asked[i + 1];
    if (a.query == b.query && decided(a.answer) && decided(b.answer) && a.answer != b.answer) {
      out.reason = "the solvers disagree on " + a.query + ": " + a.solver + " says " +
                   answer_word(a.answer) + ", " + b.solver + " says " + answer_word(b.answer);
      break;
    }
  }
  const bool complete = solvers >= 2 && asked.size() == solvers * obligation.queries.size() &&
                        out.negative_control && out.vacuity &&
                        std::any_of(obligation.queries.begin(),
                                    obligation.queries.end(),
                                    [](const Query& query) { return must_hold(query); });
  if (out.status != Status::failed) {
    out.status = silent.empty() && complete ? Status::proved : Status::unknown;
    out.reason = !silent.empty() ? silent
                 : complete      ? ""
                                 : "the obligation lacks a control, a vacuity check or a solver";
  }
  out.asked = std::move(asked);
  return out;
}

Outcome<std::vector<Judgement>> discharge(
    const std::vector<std::pair<std::string, Obligation>>& obligations,
    const std::vector<Solver>& solvers,
    const DischargeOptions& options,
    const std::function<void(double)>& on_progress) {
  FW_EXPECT(!options.folder.empty());
  std::vector<Job> jobs;
  for (const auto& [name, obligation] : obligations) {
    const std::filesystem::path folder = std::filesystem::path(options.folder) / name;
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    for (const Query& query : obligation.queries) {
      const auto file = folder / (query.name + ".smt2");
      const auto written = write(file, query.text);
      if (!written) return written.error();
      for (const Solver& solver : solvers) jobs.push_back(ask(solver, query, file.string()));
    }
  }
  const auto ends = run_jobs(jobs, options.jobs, options.limit, [&](std::size_t done) {
    if (on_progress) on_progress(static_cast<double>(done) / static_cast<double>(jobs.size()));
  });
  std::vector<Judgement> out;
  std::size_t at = 0;
  for (const auto& entry : obligations) {
    std::vector<Asked> asked;
    for (const Query& query : entry.second.queries) {
      for (const Solver& solver : solvers) {
        const JobEnd& end = ends[at++];
        const Answer answer = answer_of(end);
        asked.push_back({query.name,
                         query.part,
                         solver.name,
                         answer,
                         end.seconds,
                         answer == Answer::crashed ? excerpt(end) : ""});
      }
    }
    out.push_back(judge(entry.second, std::move(asked)));
  }
  return out;
}

}  // namespace fw::solver
