// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/result.h"
#include "model/vocab/side.h"

namespace fw::cli {

/// What the program is linked with: the shipping sides, or the ones with seeded faults.
struct Program {
  std::string_view name;               ///< `fairwitness` or `fairwitness-mutants`
  std::string path;                    ///< where the running program lies
  std::vector<std::string> arguments;  ///< as given, without the program's name
  std::span<const PolicyRow> rows;
  std::span<const PolicyInfo* const> catalogue;
  bool (*plant)(std::string_view id) = nullptr;  ///< false: this build has no seeded faults
  bool faulty = false;
  std::vector<BenchmarkResult> (*bench_driver)(double seconds_each) = nullptr;
};

/// One command: its options live in the object, registered with CLI11 at construction.
class Command {
 public:
  virtual ~Command() = default;
  virtual Exit run(const Program& program) = 0;
};

/// One registry row.
struct CommandRow {
  std::string_view name;
  std::string_view about;
  std::string_view example;  ///< works when pasted after a build, in the repository
  std::unique_ptr<Command> (*make)(CLI::App& app);
};

/// All commands in the order of the help.
std::span<const CommandRow> commands();

std::unique_ptr<Command> make_check(CLI::App& app);
std::unique_ptr<Command> make_simulate(CLI::App& app);
std::unique_ptr<Command> make_compare(CLI::App& app);
std::unique_ptr<Command> make_minimize(CLI::App& app);
std::unique_ptr<Command> make_replay(CLI::App& app);
std::unique_ptr<Command> make_import(CLI::App& app);
std::unique_ptr<Command> make_export(CLI::App& app);
std::unique_ptr<Command> make_inspect(CLI::App& app);
std::unique_ptr<Command> make_explain(CLI::App& app);
std::unique_ptr<Command> make_validate(CLI::App& app);
std::unique_ptr<Command> make_prove(CLI::App& app);
std::unique_ptr<Command> make_mutants(CLI::App& app);
std::unique_ptr<Command> make_bench(CLI::App& app);
std::unique_ptr<Command> make_list(CLI::App& app);

}  // namespace fw::cli
