// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "model/input/casefile.h"
#include "model/input/features.h"
#include "model/input/file.h"
#include "model/input/import.h"
#include "model/input/rtapp.h"
#include "model/input/topology.h"
#include "model/input/trace.h"

namespace fw::cli {
namespace {

constexpr std::size_t largest_input = std::size_t{256} << 20;

bool looks_like_case(std::string_view text) {
  const std::string_view head = text.substr(0, 4096);
  return head.find("fairwitness.case/") != std::string_view::npos;
}

/// Times in a trace are exact to the nanosecond, rt-app's unit is the microsecond: the workload is
/// rounded once, here, so that it and every case made from it are the same file.
Outcome<Workload> in_rtapp_units(const Workload& workload, const std::string& path) {
  auto reading = input::load_rtapp(input::write_rtapp(workload), path, {});
  if (!reading) return reading.error();
  return std::move(reading->workload);
}

Outcome<LoadedWorkload> load_trace(std::string_view text, const std::string& path) {
  auto trace = input::read_trace(text, path);
  if (!trace) return trace.error();
  auto imported = input::import_trace(*trace, {});
  if (!imported) return imported.error();
  LoadedWorkload out;
  for (const input::TraceNote& note : trace->notes) out.notes.push_back(input::note_text(note));
  for (const input::TraceNote& note : imported->notes) out.notes.push_back(input::note_text(note));
  const auto losses = input::rtapp_losses(imported->workload);
  if (!losses.empty()) {
    out.notes.push_back(
        fmt::format("times are rounded to rt-app's units ({} places)", losses.size()));
  }
  auto rounded = in_rtapp_units(imported->workload, path);
  if (!rounded) return rounded.error();
  out.workload = std::move(*rounded);
  out.workload.name = imported->workload.name;
  out.topology = std::to_string(std::max<std::size_t>(1, trace->cpus.size()));
  return out;
}

std::string remark_text(const std::string& path, const input::Remark& remark) {
  return fmt::format("{}:{}: {}: {}", path, remark.line, remark.key, remark.text);
}

Outcome<LoadedWorkload> load_rtapp_file(std::string_view text,
                                        const std::string& path,
                                        bool approximate,
                                        bool custom_slice) {
  input::RtappOptions options;
  options.approximate = approximate;
  options.custom_slice = custom_slice;
  auto reading = input::load_rtapp(text, path, options);
  if (!reading) {
    Error error = reading.error();
    if (error.hint.empty()) {
      error.hint = "a workload is rt-app JSON, a recorded trace as text, or a case file";
    }
    return error;
  }
  LoadedWorkload out;
  for (const input::Remark& remark : reading->approximations) {
    out.notes.push_back("approximated: " + remark_text(path, remark));
  }
  for (const input::Remark& remark : reading->notes) out.notes.push_back(remark_text(path, remark));
  out.workload = std::move(reading->workload);
  out.topology = out.workload.topology;
  return out;
}

/// CPUs that the workload's own masks name; 1 when there are none.
int cpus_named(const Workload& workload) {
  int out = 1;
  const auto widen = [&out](const std::optional<CpuSet>& cpus) {
    if (!cpus) return;
    for (const CpuId cpu : cpus->members()) out = std::max(out, cpu.value + 1);
  };
  for (const TaskDef& task : workload.tasks) {
    widen(task.cpus);
    for (const Phase& phase : task.phases) widen(phase.cpus);
  }
  return std::min(out, input::max_topology_cpus);
}

}  // namespace

void OutputOptions::add_to(CLI::App& app) {
  app.add_option("--report",
                 report,
                 "write index.html, result.json, junit.xml, results.sarif, summary.md there")
      ->type_name("DIR");
  app.add_flag("--json", json, "the result on stdout as one JSON object");
  app.add_flag("--quiet", quiet, "only the verdict line");
  app.add_flag("--no-progress", no_progress, "no progress on stderr");
}

void WorkloadOptions::add_to(CLI::App& app, bool required) {
  auto* option = app.add_option("--workload", file, "rt-app JSON, a recorded trace or a case file")
                     ->type_name("FILE");
  if (required) option->required();
  app.add_option("--topology",
                 topology,
                 "4, 2x4 or 2x4x2 (sockets x cores x threads), numaq, host, kSTEP style "
                 "(SMT:0-1/2-3+PKG:0-3), or an hwloc XML file; default: what the workload asks for")
      ->type_name("T");
  app.add_flag("--no-balance", no_balance, "turn load balancing off");
  app.add_flag(
      "--approximate", approximate, "run workloads with keys that can only be approximated");
  add_duration(app, "--duration", duration, "end the run at this simulated time", {1});
}

Outcome<LoadedWorkload> load_workload(const std::string& path,
                                      bool approximate,
                                      const Program& program,
                                      bool custom_slice) {
  auto text = input::read_file(path, largest_input);
  if (!text) return text.error();
  if (looks_like_case(*text)) {
    auto loaded = input::read_case(*text, path, program.catalogue);
    if (!loaded) return loaded.error();
    LoadedWorkload out;
    out.workload = std::move(loaded->workload);
    out.topology = loaded->topology;
    return out;
  }
  auto out = input::looks_like_trace(*text)
                 ? load_trace(*text, path)
                 : load_rtapp_file(*text, path, approximate, custom_slice);
  if (!out) return out;
  if (out->workload.name.empty()) out->workload.name = path;
  return out;
}

Outcome<LoadedWorkload> load_trace_file(const std::string& path) {
  auto text = input::read_file(path, largest_input);
  if (!text) return text.error();
  const auto first = text->find_first_not_of(" \t\r\n");
  if (!input::looks_like_trace(*text) && first != std::string::npos && (*text)[first] == '{') {
    return Error{"this is JSON, not a trace: there is nothing to import",
                 "a workload or a case is run as it is: fairwitness check --workload FILE",
                 path};
  }
  auto out = load_trace(*text, path);
  if (out && out->workload.name.empty()) out->workload.name = path;
  return out;
}

Outcome<PolicySpec> load_spec(const std::string& text,
                              const std::string& features_file,
                              const Program& program,
                              std::vector<std::string>& notes) {
  auto spec = parse_spec(text, program.catalogue);
  if (!spec || features_file.empty()) return spec;
  auto content = input::read_file(features_file, std::size_t{1} << 20);
  if (!content) return content.error();
  const PolicyInfo& info = *row_of(program, *spec).info;
  auto features = input::read_features(*content, features_file, info);
  if (!features) return features.error();
  input::apply_features(*features, info, *spec);
  for (const std::string& name : features->without_effect) {
    notes.push_back(fmt::format(
        "{}: {} is known to that kernel but has no effect on the model", features_file, name));
  }
  for (const std::string& note : features->notes) notes.push_back(features_file + ": " + note);
  return spec;
}

Outcome<Case> load_case(const std::string& spec_words,
                        const std::string& features_file,
                        const WorkloadOptions& options,
                        const Program& program,
                        std::vector<std::string>& notes) {
  Case out;
  // A task may ask for a slice of its own from EEVDF of 6.12 on.
  const bool custom_slice =
      spec_words.rfind("eevdf", 0) == 0 && spec_words.rfind("eevdf@6.6", 0) != 0;
  auto loaded = load_workload(options.file, options.approximate, program, custom_slice);
  if (!loaded) return loaded.error();
  notes.insert(notes.end(), loaded->notes.begin(), loaded->notes.end());
  const std::string& own = loaded->workload.spec;
  const std::string words = !spec_words.empty() ? spec_words : !own.empty() ? own : "cfs";
  auto spec = load_spec(words, features_file, program, notes);
  if (!spec) return spec.error();
  out.spec = std::move(*spec);
  if (loaded->workload.hz && out.spec.knobs.count("hz") == 0) {
    out.spec.knobs["hz"] = *loaded->workload.hz;
    out.spec.text = spec_text(out.spec, *row_of(program, out.spec).info);
  }
  out.workload = std::move(loaded->workload);
  out.topology = !options.topology.empty() ? options.topology : loaded->topology;
  if (out.topology.empty()) {
    const int cpus = cpus_named(out.workload);
    out.topology = std::to_string(cpus);
    if (cpus > 1) {
      notes.push_back(
          fmt::format("the workload names no topology: it gets {} CPUs, as many as its tasks name "
                      "(--topology changes that)",
                      cpus));
    }
  }
  out.balance = !options.no_balance;
  out.horizon = options.duration;
  if (!out.workload.duration && out.horizon.ns == 0) {
    out.horizon = endless_cap;
    notes.push_back(
        fmt::format("the workload names no duration: the run ends at {} at the latest (--duration "
                    "changes that)",
                    format_duration(endless_cap)));
  }
  return out;
}

bool is_case_file(const std::string& path) {
  const auto text = input::read_file(path, largest_input);
  return text && looks_like_case(*text);
}

Outcome<Case> load_case_file(const std::string& path, const Program& program) {
  auto text = input::read_file(path, largest_input);
  if (!text) return text.error();
  if (!looks_like_case(*text)) {
    return Error{"this is not a case file: \"schema\": \"fairwitness.case/1\" is missing",
                 "a workload or a trace is run with 'fairwitness check --workload FILE'",
                 path};
  }
  return input::read_case(*text, path, program.catalogue);
}

Error hand_over(const Program& program) {
  const auto other = std::filesystem::path(program.path).parent_path() / "fairwitness-mutants";
  std::error_code ignored;
  if (!std::filesystem::exists(other, ignored)) {
    return {fmt::format("{}, the build with seeded faults, is missing", other.string()),
            "build it: cmake --build --preset release --target fairwitness-mutants"};
  }
  std::vector<std::string> words = {other.string()};
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(words.front().c_str(), pointers.data());
  return {fmt::format("cannot run {}: {}", words.front(), std::strerror(errno))};
}

std::optional<Error> plant_for(const Case& c, const Program& program) {
  if (c.mutant.empty() || program.plant(c.mutant)) return std::nullopt;
  Error error = hand_over(program);
  error.what = fmt::format("the case needs the seeded fault {}: {}", c.mutant, error.what);
  return error;
}

const PolicyRow& row_of(const Program& program, const PolicySpec& spec) {
  for (const PolicyRow& row : program.rows) {
    if (row.info->name == spec.policy) return row;
  }
  FW_EXPECT(false && "a checked spec names a known policy");
  return program.rows.front();
}

}  // namespace fw::cli
