// SPDX-License-Identifier: Apache-2.0
#include "solver/check/solvers.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace fw::solver {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string from_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

Outcome<Solver> find(const std::string& name, const char* variable) {
  Solver out;
  out.name = name;
  const char* given = std::getenv(variable);
  out.path = given != nullptr ? given : from_path(name);
  if (out.path.empty() || ::access(out.path.c_str(), X_OK) != 0) {
    return Error{
        given != nullptr
            ? std::string(variable) + ": '" + out.path + "' is not a program that can be run"
            : "the solver '" + name + "' is missing: every proof needs z3 and cvc5",
        "install the Debian package " + name + ", or name the program in " + variable};
  }
  const auto ends = run_jobs({{{out.path, "--version"}}}, 1, Duration{2'000'000'000});
  out.version = ends.front().started && !ends.front().timed_out
                    ? first_line(ends.front().output).substr(0, 80)
                    : "unknown";
  return out;
}

}  // namespace

Outcome<std::vector<Solver>> find_solvers() {
  auto z3 = find("z3", "FAIRWITNESS_Z3");
  if (!z3) return z3.error();
  auto cvc5 = find("cvc5", "FAIRWITNESS_CVC5");
  if (!cvc5) return cvc5.error();
  z3->options = {"-smt2"};
  cvc5->options = {"--lang=smt2"};
  cvc5->finite_model_options = {"--finite-model-find"};
  return std::vector<Solver>{std::move(*z3), std::move(*cvc5)};
}

std::string answer_word(Answer answer) {
  switch (answer) {
    case Answer::sat:
      return "sat";
    case Answer::unsat:
      return "unsat";
    case Answer::unknown:
      return "unknown";
    case Answer::timeout:
      return "timeout";
    case Answer::crashed:
      return "no answer";
  }
  return "";
}

Job ask(const Solver& solver, const Query& query, const std::string& file) {
  Job out;
  out.command.push_back(solver.path);
  out.command.insert(out.command.end(), solver.options.begin(), solver.options.end());
  if (!must_hold(query) && query.quantified) {
    out.command.insert(
        out.command.end(), solver.finite_model_options.begin(), solver.finite_model_options.end());
  }
  out.command.push_back(file);
  return out;
}

Answer answer_of(const JobEnd& end) {
  if (end.timed_out) return Answer::timeout;
  if (!end.started || end.signal != 0 || end.status != 0) return Answer::crashed;
  std::string word = end.output;
  while (!word.empty() && (word.back() == '\n' || word.back() == '\r')) word.pop_back();
  if (word == "sat") return Answer::sat;
  if (word == "unsat") return Answer::unsat;
  if (word == "unknown") return Answer::unknown;
  return Answer::crashed;
}

}  // namespace fw::solver
