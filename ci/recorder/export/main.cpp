// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "ci/recorder/export/kernels.h"
#include "model/input/rtapp.h"
#include "props/gen/draw.h"
#include "props/gen/generate.h"

namespace {

constexpr std::int64_t ms = 1'000'000;

int threads(const fw::Workload& workload) {
  int out = 0;
  for (const fw::TaskDef& task : workload.tasks) out += task.instances;
  return out;
}

/// A campaign mostly keeps the defaults; here a case in two has other tunables, of any magnitude.
void draw_tunables(const fw::PolicyInfo& info, fw::Case& out) {
  fw::gen::Draw draw(out.seed, ~out.index, 100);
  if (draw.percent(50)) return;
  for (const fw::KnobInfo& knob : info.knobs) {
    if (knob.unit != fw::KnobUnit::duration || draw.percent(30)) continue;
    out.spec.knobs[std::string(knob.name)] =
        draw.log_between(std::max<std::int64_t>(knob.lowest, 100'000), knob.highest);
  }
}

/// A random case with few events: on the kernel it runs for about ten of its horizons.
fw::Case draw_case(const fw::PolicyInfo& info, std::uint64_t seed, std::uint64_t index, int cpus) {
  fw::gen::GenOptions options;
  options.topology = fw::gen::TopologyChoice{std::to_string(cpus), cpus};
  options.slices = info.name == "eevdf";
  options.max_duration = {200 * ms};
  options.grain = {1'000};
  options.events = 400;
  // A task or two alone decide little.
  constexpr std::uint64_t tries = 1'000;
  fw::Case out;
  for (std::uint64_t i = 0; i < tries; ++i) {
    out = fw::gen::generate(info, seed, index * tries + i, options);
    if (threads(out.workload) >= 3 * cpus) break;
  }
  // Lines of a trace do not tell SCHED_BATCH and SCHED_IDLE from SCHED_OTHER.
  for (fw::TaskDef& task : out.workload.tasks) task.sched_class = fw::SchedClass::normal;
  out.workload.costs = {};
  draw_tunables(info, out);
  return out;
}

bool write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) fmt::print(stderr, "recorder-workloads: cannot write {}\n", path.string());
  return static_cast<bool>(out);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Writes random workloads (NN.json, rt-app) with settings (NN.sh) for a kernel"};
  std::string kernel = "6.1";
  std::string folder;
  int count = 20;
  int cpus = 1;
  std::uint64_t seed = 1;
  app.add_option("--kernel", kernel, "6.1 or 6.12")->capture_default_str();
  app.add_option("--count", count, "how many")->check(CLI::Range(1, 99))->capture_default_str();
  app.add_option("--cpus", cpus, "of the guest")->check(CLI::Range(1, 8))->capture_default_str();
  app.add_option("--seed", seed, "workload NN is a function of seed and NN")->capture_default_str();
  app.add_option("--output", folder, "an existing folder")->required()->check(CLI::ExistingDirectory);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 1;
  }
  const fw::PolicyInfo* info = fw::recorder::settable_in(kernel);
  if (info == nullptr) {
    fmt::print(stderr, "recorder-workloads: kernel {} is not known; take 6.1 or 6.12\n", kernel);
    return 1;
  }
  for (int i = 0; i < count; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    const fw::Case drawn = draw_case(*info, seed, index, cpus);
    const fw::Duration run_for{std::clamp(10 * drawn.horizon.ns, 150 * ms, 1'500 * ms)};
    const auto path = std::filesystem::path(folder) / fmt::format("{:02}", i);
    if (!write(path.string() + ".json", fw::input::write_rtapp(drawn.workload) + "\n") ||
        !write(path.string() + ".sh",
               fw::recorder::settings_lines(*info, drawn.spec, index, run_for))) {
      return 1;
    }
  }
  return 0;
}
