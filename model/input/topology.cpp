// SPDX-License-Identifier: Apache-2.0
#include "model/input/topology.h"

#include <hwloc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "model/input/file.h"
#include "model/input/jsonc.h"
#include "model/vocab/spec.h"

namespace fw::input {
namespace {

constexpr std::string_view forms =
    "write N, SxC (sockets x cores), SxCxT (x threads), numaq, host, LEVEL:CPUS/CPUS+..., or the "
    "name of an hwloc XML file";

std::optional<int> small_number(std::string_view text) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc() || stop != end || text.empty() || text[0] == '-') return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t end = text.find(separator);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

std::vector<int> blocks(int cpus, int size) {
  std::vector<int> out(static_cast<std::size_t>(cpus));
  for (int cpu = 0; cpu < cpus; ++cpu) out[static_cast<std::size_t>(cpu)] = cpu / size;
  return out;
}

/// Sets renumbered 0, 1, ... by their lowest CPU.
std::vector<int> numbered(const std::vector<int>& sets) {
  std::map<int, int> numbers;
  std::vector<int> out;
  for (const int set : sets) {
    out.push_back(numbers.emplace(set, static_cast<int>(numbers.size())).first->second);
  }
  return out;
}

int count_sets(const std::vector<int>& numbered_sets) {
  return numbered_sets.empty() ? 0
                               : *std::max_element(numbered_sets.begin(), numbered_sets.end()) + 1;
}

std::string members_text(const std::vector<int>& sets, int set) {
  CpuSet out;
  for (std::size_t cpu = 0; cpu < sets.size(); ++cpu) {
    if (sets[cpu] == set) out.insert(CpuId{static_cast<std::int32_t>(cpu)});
  }
  return out.text();
}

/// Whether every set of `fine` lies in one of `coarse`; else the error that says which does not.
std::optional<Error> check_nested(const TopologyLevel& fine,
                                  const TopologyLevel& coarse,
                                  const std::string& name) {
  std::vector<int> parent(fine.set_of_cpu.size(), -1);
  for (std::size_t cpu = 0; cpu < fine.set_of_cpu.size(); ++cpu) {
    int& expected = parent[static_cast<std::size_t>(fine.set_of_cpu[cpu])];
    if (expected == -1) expected = coarse.set_of_cpu[cpu];
    if (expected == coarse.set_of_cpu[cpu]) continue;
    return Error{"level " + std::string(level_name(fine.kind)) + " has the CPUs " +
                     members_text(fine.set_of_cpu, fine.set_of_cpu[cpu]) + " together, level " +
                     std::string(level_name(coarse.kind)) +
                     " divides them: " + members_text(coarse.set_of_cpu, expected) + " and " +
                     members_text(coarse.set_of_cpu, coarse.set_of_cpu[cpu]),
                 "one of two levels must contain the other",
                 name};
  }
  return std::nullopt;
}

bool by_request(LevelKind kind) {
  return kind == LevelKind::cluster || kind == LevelKind::die || kind == LevelKind::group;
}

Outcome<TopologyReading> sized(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, 'x');
  std::array<std::int64_t, 3> sizes = {1, 1, 1};
  const std::size_t shift = parts.size() == 1 ? 1 : 0;  // N means 1xN
  if (parts.size() > 3)
    return Error{"`" + std::string(text.substr(0, 64)) + "` has more than three sizes",
                 std::string(forms),
                 "--topology"};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::optional<int> size = small_number(parts[i]);
    if (!size || *size < 1 || *size > max_topology_cpus) {
      return Error{"the size `" + std::string(parts[i].substr(0, 64)) + "` is outside [1, 4096]",
                   std::string(forms),
                   "--topology"};
    }
    sizes[i + shift] = *size;
  }
  const std::int64_t all = sizes[0] * sizes[1] * sizes[2];
  if (all > max_topology_cpus) {
    return Error{std::to_string(all) + " CPUs are more than 4096", "", "--topology"};
  }
  const int cpus = static_cast<int>(all);
  const int threads = static_cast<int>(sizes[2]);
  const int socket = static_cast<int>(sizes[1] * sizes[2]);
  Outcome<Topology> built = build_topology(std::string(text),
                                           cpus,
                                           {{LevelKind::smt, blocks(cpus, threads)},
                                            {LevelKind::mc, blocks(cpus, socket)},
                                            {LevelKind::cpu, blocks(cpus, socket)},
                                            {LevelKind::node, blocks(cpus, cpus)}});
  if (!built.ok()) return built.error();
  TopologyReading out;
  out.topology = std::move(built).value();
  out.counts = {.packages = sizes[0], .nodes = 1, .cores = sizes[0] * sizes[1], .pus = all};
  return out;
}

Outcome<TopologyReading> numaq() {
  Outcome<Topology> built = build_topology("numaq", 16, {{LevelKind::node, blocks(16, 4)}});
  if (!built.ok()) return built.error();
  TopologyReading out;
  out.topology = std::move(built).value();
  out.counts = {.packages = 16, .nodes = 4, .cores = 16, .pus = 16};
  return out;
}

Outcome<TopologyReading> host(const TopologyOptions& options) {
  const Error failed{
      "hwloc cannot read this machine's topology", "name a size, for example 4", "--topology host"};
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return failed;
  const std::unique_ptr<hwloc_topology, void (*)(hwloc_topology_t)> topology(
      raw, hwloc_topology_destroy);
  char* xml = nullptr;
  int length = 0;
  if (hwloc_topology_load(raw) != 0 ||
      hwloc_topology_export_xmlbuffer(raw, &xml, &length, 0) != 0) {
    return failed;
  }
  const std::string text(xml, static_cast<std::size_t>(length > 0 ? length - 1 : 0));
  hwloc_free_xmlbuffer(raw, xml);
  return read_hwloc(text, "host", options);
}

/// `0-3,8` into `set`; false when it is no CPU list.
bool read_cpu_list(std::string_view text, std::vector<int>& out) {
  for (const std::string_view part : split(text, ',')) {
    const std::size_t dash = part.find('-');
    const std::optional<int> first = small_number(part.substr(0, dash));
    const std::optional<int> last =
        dash == std::string_view::npos ? first : small_number(part.substr(dash + 1));
    if (!first || !last || *last < *first || *last >= max_topology_cpus) return false;
    for (int cpu = *first; cpu <= *last; ++cpu) out.push_back(cpu);
    if (out.size() > max_topology_cpus) return false;
  }
  return true;
}

struct LevelWord {
  std::string_view word;
  LevelKind kind;
};
constexpr std::array<LevelWord, 10> level_words = {{{"SMT", LevelKind::smt},
                                                    {"CLS", LevelKind::cluster},
                                                    {"MC", LevelKind::mc},
                                                    {"DIE", LevelKind::die},
                                                    {"PKG", LevelKind::cpu},
                                                    {"CPU", LevelKind::cpu},
                                                    {"GROUP", LevelKind::group},
                                                    {"NODE", LevelKind::node},
                                                    {"NUMA", LevelKind::node},
                                                    {"TOP", LevelKind::top}}};

bool looks_like_kstep(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(':'));
  return word.size() < text.size() && word.find('/') == std::string_view::npos &&
         word.find('.') == std::string_view::npos;
}

struct KstepLevel {
  LevelKind kind = LevelKind::top;
  std::vector<std::vector<int>> sets;
};

Outcome<KstepLevel> read_kstep_level(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  KstepLevel out;
  const auto found = std::find_if(
      level_words.begin(), level_words.end(), [&](const LevelWord& w) { return w.word == word; });
  if (found == level_words.end() || colon == std::string_view::npos) {
    std::vector<std::string_view> words;
    for (const LevelWord& known : level_words) words.push_back(known.word);
    return Error{
        "expected LEVEL:CPUS, found " + json_shown(text),
        "levels: SMT CLS MC DIE PKG GROUP NODE TOP; nearest: " + std::string(nearest(word, words)),
        "--topology"};
  }
  out.kind = found->kind;
  std::set<int> seen;
  for (const std::string_view list : split(text.substr(colon + 1), '/')) {
    std::vector<int> cpus;
    if (!read_cpu_list(list, cpus)) {
      return Error{
          "level " + std::string(word) + ": " + json_shown(list) + " is no list of CPUs below 4096",
          "for example 0-3,8",
          "--topology"};
    }
    for (const int cpu : cpus) {
      if (!seen.insert(cpu).second) {
        return Error{"level " + std::string(word) + " names CPU " + std::to_string(cpu) + " twice",
                     "the sets of a level do not overlap",
                     "--topology"};
      }
    }
    out.sets.push_back(std::move(cpus));
  }
  return out;
}

}  // namespace

Outcome<TopologyOptions> parse_levels(std::string_view text) {
  static constexpr std::array<std::string_view, 3> words = {"cluster", "die", "group"};
  TopologyOptions out;
  const std::array<bool*, 3> targets = {&out.cluster, &out.die, &out.group};
  for (const std::string_view word : split(text, ',')) {
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) {
      return Error{"unknown level " + json_shown(word),
                   "levels that can be named: cluster die group; nearest: " +
                       std::string(nearest(word, words)),
                   "--levels"};
    }
    *targets[static_cast<std::size_t>(found - words.begin())] = true;
  }
  return out;
}

Outcome<Topology> build_topology(std::string name, int cpus, std::vector<RawLevel> raw) {
  FW_EXPECT(cpus >= 1);
  Topology out;
  out.name = std::move(name);
  out.cpus = cpus;
  raw.push_back({LevelKind::top, std::vector<int>(static_cast<std::size_t>(cpus), 0)});
  std::vector<TopologyLevel> levels;
  for (const RawLevel& level : raw) {
    FW_EXPECT(level.set_of_cpu.size() == static_cast<std::size_t>(cpus));
    levels.push_back({level.kind, numbered(level.set_of_cpu)});
  }
  // Fine before coarse; of equal ones first the level that stays.
  std::stable_sort(
      levels.begin(), levels.end(), [](const TopologyLevel& a, const TopologyLevel& b) {
        const int sets_a = count_sets(a.set_of_cpu), sets_b = count_sets(b.set_of_cpu);
        if (sets_a != sets_b) return sets_a > sets_b;
        if (by_request(a.kind) != by_request(b.kind)) return by_request(b.kind);
        return a.kind < b.kind;
      });
  for (const TopologyLevel& level : levels) {
    if (level.kind == LevelKind::smt) {
      std::map<int, int> sizes;
      for (const int core : level.set_of_cpu) ++sizes[core];
      for (const int core : level.set_of_cpu) out.thread_siblings.push_back(sizes[core]);
    }
    if (count_sets(level.set_of_cpu) == cpus) continue;
    if (!out.levels.empty()) {
      if (out.levels.back().set_of_cpu == level.set_of_cpu) continue;
      if (auto error = check_nested(out.levels.back(), level, out.name)) return *std::move(error);
    }
    out.levels.push_back(level);
  }
  if (out.thread_siblings.empty()) out.thread_siblings.assign(static_cast<std::size_t>(cpus), 1);
  return out;
}

Outcome<TopologyReading> read_kstep_topology(std::string_view text) {
  std::vector<KstepLevel> levels;
  int highest = -1;
  std::set<int> named;
  for (const std::string_view part : split(text, '+')) {
    Outcome<KstepLevel> level = read_kstep_level(part);
    if (!level.ok()) return level.error();
    for (const KstepLevel& before : levels) {
      if (before.kind == level->kind) {
        return Error{"level " + std::string(level_name(level->kind)) + " is given twice",
                     "join its sets with /",
                     "--topology"};
      }
    }
    for (const std::vector<int>& set : level->sets) named.insert(set.begin(), set.end());
    levels.push_back(std::move(level).value());
    highest = std::max(highest, *named.rbegin());
    if (levels.size() > level_words.size()) break;
  }
  for (int cpu = 0; cpu <= highest; ++cpu) {
    if (named.count(cpu) == 0) {
      return Error{
          "CPU " + std::to_string(cpu) + " is in no level, CPU " + std::to_string(highest) + " is",
          "number the CPUs from 0 without holes",
          "--topology"};
    }
  }
  std::vector<RawLevel> raw;
  for (const KstepLevel& level : levels) {
    if (level.kind == LevelKind::top && level.sets.size() == 1 &&
        level.sets[0].size() == named.size()) {
      continue;  // build_topology adds it
    }
    RawLevel& out = raw.emplace_back();
    out.kind = level.kind;
    for (int cpu = 0; cpu <= highest; ++cpu) out.set_of_cpu.push_back(-1 - cpu);
    for (std::size_t set = 0; set < level.sets.size(); ++set) {
      for (const int cpu : level.sets[set]) {
        out.set_of_cpu[static_cast<std::size_t>(cpu)] = static_cast<int>(set);
      }
    }
  }
  Outcome<Topology> built = build_topology(std::string(text), highest + 1, std::move(raw));
  if (!built.ok()) return built.error();
  TopologyReading out;
  out.topology = std::move(built).value();
  const auto sets_of = [&](LevelKind kind, std::int64_t none) {
    for (const KstepLevel& level : levels) {
      if (level.kind == kind) return static_cast<std::int64_t>(level.sets.size());
    }
    return none;
  };
  out.counts.pus = highest + 1;
  out.counts.cores = sets_of(LevelKind::smt, highest + 1);
  out.counts.packages = sets_of(LevelKind::cpu, 1);
  out.counts.nodes = sets_of(LevelKind::node, 1);
  out.counts.dies = sets_of(LevelKind::die, 0);
  out.counts.groups = sets_of(LevelKind::group, 0);
  return out;
}

Outcome<TopologyReading> read_topology_reading(std::string_view text,
                                               const TopologyOptions& options) {
  if (text.empty()) return Error{"the topology is empty", std::string(forms), "--topology"};
  if (text == "numaq") return numaq();
  if (text == "host") return host(options);
  if (text.find_first_not_of("0123456789x") == std::string_view::npos) return sized(text);
  if (looks_like_kstep(text)) return read_kstep_topology(text);
  const std::string path(text);
  Outcome<std::string> bytes = read_file(path);
  if (!bytes.ok()) {
    Error error = bytes.error();
    error.hint = std::string(forms);
    return error;
  }
  return read_hwloc(*bytes, path, options);
}

Outcome<Topology> read_topology(std::string_view text, const TopologyOptions& options) {
  Outcome<TopologyReading> reading = read_topology_reading(text, options);
  if (!reading.ok()) return reading.error();
  return std::move(reading->topology);
}

}  // namespace fw::input
