// SPDX-License-Identifier: Apache-2.0
#include "solver/check/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace fw::solver {
namespace {

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text;
}

}  // namespace

Outcome<Done> write_certificate(const std::string& folder,
                                const std::string& name,
                                const std::string& verdict,
                                const Obligation& obligation,
                                const Judgement& judgement,
                                const std::vector<Solver>& solvers) {
  std::string out = fmt::format("# theorem: {}\n# verdict: {}\n", name, verdict);
  if (!judgement.reason.empty()) out += "# reason: " + one_line(judgement.reason) + "\n";
  for (const Solver& solver : solvers) {
    out += fmt::format("# {}: {}\n", solver.name, one_line(solver.version));
  }
  for (const Assumption& assumption : obligation.assumptions) {
    out += fmt::format("# assumes {}: {}\n", assumption.name, one_line(assumption.words));
  }
  out += "file\tmust be\tquantified";
  for (const Solver& solver : solvers) out += "\t" + solver.name + "\tseconds";
  out += "\n";
  for (const Query& query : obligation.queries) {
    out += fmt::format("{}.smt2\t{}\t{}",
                       query.name,
                       must_hold(query) ? "unsat" : "sat",
                       query.quantified ? "yes" : "no");
    for (const Solver& solver : solvers) {
      const auto found =
          std::find_if(judgement.asked.begin(), judgement.asked.end(), [&](const Asked& asked) {
            return asked.query == query.name && asked.solver == solver.name;
          });
      out += found == judgement.asked.end()
                 ? "\tnot asked\t0"
                 : fmt::format("\t{}\t{:.3f}", answer_word(found->answer), found->seconds);
    }
    out += "\n";
  }
  const std::string path = folder + "/certificate.tsv";
  std::ofstream file(path, std::ios::binary);
  file << out;
  file.close();
  if (!file) return Error{"cannot write the certificate", "free space, or choose --keep", path};
  return Done{};
}

}  // namespace fw::solver
