// SPDX-License-Identifier: Apache-2.0
// The program. It is linked twice: with the shipping sides (fairwitness), and with the seeded
// faults compiled in (fairwitness-mutants).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "ci/cli/command.h"
#include "ci/cli/output.h"
#include "props/bridge/policies.h"

namespace fw::cli {
namespace {

#ifdef FW_FAULTS
constexpr bool faulty_build = true;
constexpr std::string_view program_name = "fairwitness-mutants";
#else
constexpr bool faulty_build = false;
constexpr std::string_view program_name = "fairwitness";
#endif

int usage_error(const std::string& what, const std::string& hint) {
  fmt::print(stderr, "{}: {}\n", program_name, what);
  if (!hint.empty()) fmt::print(stderr, "  {}\n", hint);
  return static_cast<int>(Exit::usage);
}

/// The nearest command or option to a word nobody knows.
std::string suggestion(const std::string& word, const CLI::App* command) {
  std::vector<std::string> names;
  if (word.rfind("--", 0) == 0 && command != nullptr) {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  } else {
    for (const CommandRow& row : commands()) names.emplace_back(row.name);
  }
  std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view found = nearest(word.substr(0, word.find('=')), views);
  return found.empty() ? "" : fmt::format("did you mean '{}'?", found);
}

/// The word that CLI11 says at the end of its complaint: "...: WORD" or "...: WORD WORD ...".
std::string first_extra(const CLI::ParseError& error) {
  const std::string text = error.what();
  const auto colon = text.rfind(": ");
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 2);
  return rest.substr(0, rest.find(' '));
}

/// CLI11's complaint in the words of the other errors.
std::string complaint(const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string name = text.substr(0, text.find_first_of(": "));
  switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::RequiredError:
      return name == "A" ? "a command is missing" : name + " is missing";  // "A subcommand ..."
    case CLI::ExitCodes::ArgumentMismatch:
      return text.find("At Most") != std::string::npos || text.find("Exactly") != std::string::npos
                 ? name + " is given more than once"
                 : name + " needs a value";
    default:
      return text;
  }
}

int explain_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App* command = chosen.empty() ? nullptr : chosen.front();
  const std::string help =
      fmt::format("see '{}{} --help'", program_name, command ? " " + command->get_name() : "");
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    return usage_error(complaint(error), help);
  }
  const std::string word = first_extra(error);
  if (command != nullptr && word.rfind("-", 0) != 0) {
    return usage_error(fmt::format("'{}' is one argument too many", word), help);
  }
  const std::string hint = suggestion(word, command);
  return usage_error(
      fmt::format("unknown {} '{}'", command == nullptr ? "command" : "option", word),
      hint.empty() ? help : hint + " " + help);
}

/// What every command's help looks like; options may be given once only.
void dress(CLI::App& app) {
  app.set_help_flag("-h,--help", "print this and exit");
  app.get_formatter()->column_width(26);
  app.get_formatter()->label("REQUIRED", "(required)");
  for (CLI::Option* option : app.get_options()) {
    if (option->get_expected_max() <= 1) {
      option->multi_option_policy(CLI::MultiOptionPolicy::Throw);
    }
  }
}

int run(int argc, char** argv) {
  Program program;
  program.name = program_name;
  std::error_code ignored;
  program.path = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
  program.arguments.assign(argv + 1, argv + argc);
  program.rows = bridge::policies();
  program.catalogue = bridge::catalogue();
  program.plant = bridge::plant_fault;
  program.faulty = faulty_build;
  program.bench_driver = bridge::bench_driver;

  CLI::App app{
      "Keeps CPU-scheduler policies to their promises: reference model and implementation\n"
      "in lockstep, properties, bounds, and the smallest workload that breaks them."};
  app.name(std::string(program_name));
  app.set_version_flag(
      "--version", std::string("fairwitness ") + FW_VERSION, "print the version and exit");
  app.require_subcommand(1);
  dress(app);
  app.footer(
      "Exit status: 0 held, 1 usage or input, 2 falsified, 3 deadline, 4 stale case, 5 vacuous,\n"
      "6 nondeterminism, 7 proof failed, 8 unknown, 70 internal fault.\n"
      "Example: fairwitness check cfs@2.6.36 --time 10s --seed 1");
  std::vector<std::pair<CLI::App*, std::unique_ptr<Command>>> made;
  for (const CommandRow& row : commands()) {
    CLI::App* sub = app.add_subcommand(std::string(row.name), std::string(row.about));
    sub->footer("Example: " + std::string(row.example));
    made.emplace_back(sub, row.make(*sub));
    dress(*sub);
  }
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {
    return app.exit(wanted);  // --help, --version
  } catch (const CLI::ParseError& error) {
    // CLI11 complains of a missing subcommand before it complains of an unknown one.
    if (!words.empty() && app.get_subcommands().empty() && words.front().rfind("-", 0) != 0) {
      const std::string hint = suggestion(words.front(), nullptr);
      return usage_error(fmt::format("unknown command '{}'", words.front()),
                         hint + fmt::format(" see '{} --help'", program_name));
    }
    if (words.empty()) {
      fmt::print(stderr, "{}", app.help());
      return static_cast<int>(Exit::usage);
    }
    return explain_parse_error(app, error);
  }
  for (auto& [sub, command] : made) {
    if (sub->parsed()) return static_cast<int>(stdout_status(command->run(program)));
  }
  return static_cast<int>(Exit::usage);
}

}  // namespace
}  // namespace fw::cli

int main(int argc, char** argv) {
  try {
    return fw::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("fairwitness: out of memory\n", stderr);
  } catch (const std::system_error& error) {  // fmt's word for a full disk or a closed pipe
    std::fprintf(stderr, "fairwitness: the output cannot be written: %s\n", error.what());
    return static_cast<int>(fw::Exit::usage);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fairwitness: internal fault: %s\n", error.what());
  }
  return static_cast<int>(fw::Exit::internal);
}
