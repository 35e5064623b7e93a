// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "ci/cli/output.h"
#include "model/input/inspect.h"

namespace fw::cli {
namespace {

std::string text_of(const input::Remark& remark) {
  std::string out = remark.line > 0 ? fmt::format("line {}: ", remark.line) : "";
  if (!remark.key.empty()) out += remark.key + ": ";
  return out + remark.text;
}

nlohmann::ordered_json list_of(const std::vector<input::Remark>& remarks) {
  auto out = nlohmann::ordered_json::array();
  for (const input::Remark& remark : remarks) {
    out.push_back({{"key", remark.key}, {"line", remark.line}, {"text", remark.text}});
  }
  return out;
}

class Inspect : public Command {
 public:
  explicit Inspect(CLI::App& app) {
    app.add_option("FILE", file_, "a workload, trace, topology, features or case file")
        ->required()
        ->type_name("");
    app.add_flag("--json", json_, "as one JSON object");
  }

  Exit run(const Program& program) override {
    auto seen = input::inspect_file(file_, program.catalogue);
    if (!seen) return complain(seen.error());
    if (json_) {
      print_json(*seen);
    } else {
      print_text(*seen);
    }
    return seen->verdict == input::Verdict::refuse ? Exit::usage : Exit::held;
  }

 private:
  void print_text(const input::Inspection& seen) const {
    fmt::print("{}: {}, {}\n", file_, seen.kind, input::verdict_name(seen.verdict));
    for (const auto& [name, value] : seen.counts) fmt::print("  {:<18} {}\n", name, value);
    for (const auto& r : seen.refusals) fmt::print("  refused: {}\n", text_of(r));
    for (const auto& r : seen.approximations) fmt::print("  approximated: {}\n", text_of(r));
    for (const auto& r : seen.notes) fmt::print("  note: {}\n", text_of(r));
  }

  void print_json(const input::Inspection& seen) const {
    nlohmann::ordered_json out;
    out["file"] = file_;
    out["kind"] = seen.kind;
    out["verdict"] = input::verdict_name(seen.verdict);
    for (const auto& [name, value] : seen.counts) out["counts"][name] = value;
    out["refusals"] = list_of(seen.refusals);
    out["approximations"] = list_of(seen.approximations);
    out["notes"] = list_of(seen.notes);
    fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }

  std::string file_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_inspect(CLI::App& app) { return std::make_unique<Inspect>(app); }

}  // namespace fw::cli
