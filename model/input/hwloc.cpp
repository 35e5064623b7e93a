// SPDX-License-Identifier: Apache-2.0
// hwloc XML, read without hwloc: the library of this age refuses version 3, regroups version 1, and
// trusts its input.
#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "model/input/jsonc.h"
#include "model/input/topology.h"
#include "model/input/xml.h"

namespace fw::input {
namespace {

// PU numbers beyond this are nonsense, and a bitmap of them a bomb.
constexpr int max_os_index = 65'536;

enum class Kind { machine, package, die, group, node, cache, core, pu, other };

Kind kind_of(const Xml& object) {
  const std::string_view type = object.attribute("type");
  if (type == "Machine" || type == "System") return Kind::machine;
  if (type == "Package" || type == "Socket") return Kind::package;
  if (type == "Die") return Kind::die;
  if (type == "Group") return Kind::group;
  if (type == "NUMANode" || type == "Node") return Kind::node;
  if (type == "Core") return Kind::core;
  if (type == "PU") return Kind::pu;
  if (type == "Cache") {
    return object.attribute("cache_type") == "2" ? Kind::other : Kind::cache;
  }
  const bool cache = type.size() == 7 && type[0] == 'L' && type.ends_with("Cache");
  return cache ? Kind::cache : Kind::other;  // L1iCache: instructions only
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc() || stop != end || value < 0) return std::nullopt;
  return value;
}

/// An hwloc bitmap: 32-bit words in hexadecimal, highest first, `0xf...f` for "all above".
struct Bitmap {
  std::vector<std::uint32_t> words;  ///< lowest first
  bool infinite = false;
  bool contains(int bit) const {
    const auto word = static_cast<std::size_t>(bit / 32);
    return word < words.size() ? (words[word] >> (bit % 32) & 1) != 0 : infinite;
  }
};

std::optional<Bitmap> read_bitmap(std::string_view text) {
  Bitmap out;
  if (text.size() > max_os_index) return std::nullopt;
  for (bool first = true;; first = false) {
    const std::size_t end = text.find(',');
    std::string_view word = text.substr(0, end);
    if (first && word == "0xf...f") {
      out.infinite = true;
    } else {
      if (word.starts_with("0x")) word.remove_prefix(2);
      std::uint32_t value = 0;
      const auto [stop, fault] = std::from_chars(word.data(), word.data() + word.size(), value, 16);
      const bool empty = word.empty() && !first;  // a zero word may be left out
      if (!empty && (fault != std::errc() || stop != word.data() + word.size()))
        return std::nullopt;
      out.words.push_back(value);
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  std::reverse(out.words.begin(), out.words.end());
  return out;
}

/// One object of the tree with the CPUs (by os_index) it spans.
struct Object {
  Kind kind = Kind::other;
  int line = 0;
  int os_index = -1;
  int cache_depth = 0;
  std::vector<int> pus;  ///< ascending, of those that may be used
};

class Reader {
 public:
  Reader(std::string_view file_name, const TopologyOptions& options)
      : file_(file_name), options_(options) {}

  Outcome<TopologyReading> read(std::string_view xml) {
    const Outcome<Xml> root = read_xml(xml, file_);
    if (!root.ok()) return root.error();
    if (root->name != "topology") {
      return Error{"expected <topology>, found <" + root->name.substr(0, 60) + ">",
                   "write the file with lstopo --of xml",
                   where(*root)};
    }
    const Xml* machine = nullptr;
    for (const Xml& child : root->children) {
      if (child.name == "object" && machine == nullptr) machine = &child;
      if (child.name == "cpukind") ++out_.counts.cpukinds;
      if (child.name.starts_with("distances")) ++out_.counts.distances;
    }
    if (machine == nullptr) return Error{"the topology has no object", "", where(*root)};
    if (!masks(*machine) || !find_pus(*machine)) return *error_;
    if (pus_.empty()) return Error{"no PU is online and allowed", "", where(*machine)};
    if (pus_.size() > max_topology_cpus) {
      return Error{std::to_string(pus_.size()) + " CPUs are more than 4096", "", file_};
    }
    usable_.assign(pus_.begin(), pus_.end());
    if (!walk(*machine)) return *error_;
    return finish();
  }

 private:
  std::string where(const Xml& xml) const { return file_ + ":" + std::to_string(xml.line); }
  bool fail(const Xml& xml, std::string what) {
    error_ =
        Error{std::move(what), "expected XML as hwloc writes it (lstopo --of xml)", where(xml)};
    return false;
  }

  /// The masks of the whole machine; absent ones allow everything.
  bool masks(const Xml& machine) {
    for (const std::string_view name : {"allowed_cpuset", "online_cpuset"}) {
      const std::string_view text = machine.attribute(name);
      if (text.empty()) continue;
      const std::optional<Bitmap> mask = read_bitmap(text);
      if (!mask) return fail(machine, std::string(name) + " is no bitmap: " + json_shown(text));
      masks_.push_back(*mask);
    }
    return true;
  }

  bool find_pus(const Xml& object) {
    if (kind_of(object) == Kind::pu && object.name == "object") {
      const std::optional<int> index = number(object.attribute("os_index"));
      if (!index || *index >= max_os_index) return fail(object, "a PU without a usable os_index");
      if (!all_pus_.insert(*index).second) {
        return fail(object, "PU " + std::to_string(*index) + " stands twice");
      }
      const bool usable = std::all_of(
          masks_.begin(), masks_.end(), [&](const Bitmap& mask) { return mask.contains(*index); });
      if (usable) pus_.insert(*index);
    }
    return std::all_of(object.children.begin(), object.children.end(), [&](const Xml& child) {
      return child.name != "object" || find_pus(child);
    });
  }

  void count(Kind kind) {
    TopologyCounts& counts = out_.counts;
    if (kind == Kind::package) ++counts.packages;
    if (kind == Kind::node) ++counts.nodes;
    if (kind == Kind::group) ++counts.groups;
    if (kind == Kind::die) ++counts.dies;
    if (kind == Kind::core) ++counts.cores;
    if (kind == Kind::pu) ++counts.pus;
  }

  bool walk(const Xml& xml) {
    for (const Xml& child : xml.children) {
      if (child.name.starts_with("distances")) ++out_.counts.distances;  // version 1
      if (child.name == "object" && !walk(child)) return false;
    }
    Object object;
    object.kind = kind_of(xml);
    count(object.kind);
    if (object.kind == Kind::other || object.kind == Kind::machine || object.kind == Kind::pu) {
      return true;
    }
    object.line = xml.line;
    object.os_index = number(xml.attribute("os_index")).value_or(-1);
    const std::string_view type = xml.attribute("type");
    object.cache_depth = object.kind != Kind::cache ? 0
                         : type == "Cache"          ? number(xml.attribute("depth")).value_or(0)
                                                    : type[1] - '0';
    const std::string_view text = xml.attribute("cpuset");
    if (text.empty()) {
      std::set<int> below;
      descendants(xml, below);
      object.pus.assign(below.begin(), below.end());
    } else {
      const std::optional<Bitmap> set = read_bitmap(text);
      if (!set) return fail(xml, "cpuset is no bitmap: " + json_shown(text));
      std::copy_if(usable_.begin(), usable_.end(), std::back_inserter(object.pus), [&](int pu) {
        return set->contains(pu);
      });
    }
    total_members_ += object.pus.size();
    if (total_members_ > 50'000'000) return fail(xml, "the objects overlap without end");
    objects_.push_back(std::move(object));
    return true;
  }

  void descendants(const Xml& xml, std::set<int>& out) const {
    if (kind_of(xml) == Kind::pu) {
      const int index = number(xml.attribute("os_index")).value_or(-1);
      if (pus_.count(index) != 0) out.insert(index);
    }
    for (const Xml& child : xml.children) {
      if (child.name == "object") descendants(child, out);
    }
  }

  /// For each CPU the index of the chosen object of that kind, or -1; `better(a, b)`: a before b.
  template <class Wanted, class Better>
  std::vector<int> choose(Wanted wanted, Better better) const {
    std::vector<int> best(usable_.size(), -1);
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      if (!wanted(objects_[i])) continue;
      for (const int pu : objects_[i].pus) {
        int& chosen = best[cpu_of(pu)];
        if (chosen == -1 || better(objects_[i], objects_[static_cast<std::size_t>(chosen)])) {
          chosen = static_cast<int>(i);
        }
      }
    }
    return best;
  }
  std::size_t cpu_of(int pu) const {
    return static_cast<std::size_t>(std::lower_bound(usable_.begin(), usable_.end(), pu) -
                                    usable_.begin());
  }

  static bool smaller(const Object& a, const Object& b) {
    if (a.pus.size() != b.pus.size()) return a.pus.size() < b.pus.size();
    return a.os_index < b.os_index;
  }
  static bool larger(const Object& a, const Object& b) { return a.pus.size() > b.pus.size(); }

  bool any(const std::vector<int>& chosen) const {
    return std::any_of(chosen.begin(), chosen.end(), [](int index) { return index >= 0; });
  }

  Outcome<TopologyReading> finish() {
    const auto of = [](Kind kind) { return [kind](const Object& o) { return o.kind == kind; }; };
    std::vector<int> cores = choose(of(Kind::core), smaller);
    for (std::size_t cpu = 0; cpu < cores.size(); ++cpu) {
      if (cores[cpu] < 0) cores[cpu] = -1 - static_cast<int>(cpu);  // a PU without a core
    }
    const auto shared = [&](const Object& o) {
      if (o.kind != Kind::cache) return false;
      return std::any_of(o.pus.begin(), o.pus.end(), [&](int pu) {
        return cores[cpu_of(pu)] != cores[cpu_of(o.pus.front())];
      });
    };
    // Without a shared cache a CPU's set is its core.
    const auto or_core = [&](std::vector<int> chosen) {
      for (std::size_t cpu = 0; cpu < chosen.size(); ++cpu) {
        if (chosen[cpu] < 0) chosen[cpu] = -1'000'000 - cores[cpu];
      }
      return chosen;
    };
    std::vector<RawLevel> levels;
    const auto add = [&](LevelKind kind, std::vector<int> chosen) {
      if (any(chosen)) levels.push_back({kind, std::move(chosen)});
    };
    levels.push_back({LevelKind::smt, cores});
    if (const auto mc = choose(shared, larger); any(mc)) add(LevelKind::mc, or_core(mc));
    add(LevelKind::cpu, choose(of(Kind::package), larger));
    add(LevelKind::node, choose(of(Kind::node), smaller));
    if (options_.cluster) {
      const auto second = [&](const Object& o) { return o.cache_depth == 2 && shared(o); };
      if (const auto cluster = choose(second, larger); any(cluster)) {
        add(LevelKind::cluster, or_core(cluster));
      }
    }
    if (options_.die) add(LevelKind::die, choose(of(Kind::die), larger));
    if (options_.group) add(LevelKind::group, choose(of(Kind::group), larger));
    return build(std::move(levels));
  }

  Outcome<TopologyReading> build(std::vector<RawLevel> levels) {
    Outcome<Topology> built =
        build_topology(file_, static_cast<int>(usable_.size()), std::move(levels));
    if (!built.ok()) return built.error();
    out_.topology = std::move(built).value();
    bool holes = false;
    for (std::size_t cpu = 0; cpu < usable_.size(); ++cpu) {
      holes = holes || usable_[cpu] != static_cast<int>(cpu);
    }
    if (holes) out_.topology.os_index = usable_;
    if (pus_.size() < all_pus_.size()) {
      out_.notes.push_back(std::to_string(all_pus_.size() - pus_.size()) + " of " +
                           std::to_string(all_pus_.size()) +
                           " PUs are not allowed or not online and are left out");
    }
    if (holes) {
      std::string text = "CPUs are numbered without holes; CPU = PU:";
      for (std::size_t cpu = 0; cpu < usable_.size(); ++cpu) {
        text += " " + std::to_string(cpu) + "=" + std::to_string(usable_[cpu]);
      }
      out_.notes.push_back(text);
    }
    for (std::size_t i = 1; i < out_.topology.levels.size(); ++i) {
      const LevelKind below = out_.topology.levels[i - 1].kind;
      const LevelKind above = out_.topology.levels[i].kind;
      if (below > above) {
        out_.notes.push_back("level " + std::string(level_name(above)) + " contains several of " +
                             std::string(level_name(below)) + " and stands above it");
      }
    }
    return std::move(out_);
  }

  std::string file_;
  TopologyOptions options_;
  TopologyReading out_;
  std::vector<Bitmap> masks_;
  std::set<int> all_pus_, pus_;
  std::vector<int> usable_;  ///< pus_, ascending: CPU -> os_index
  std::vector<Object> objects_;
  std::size_t total_members_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Outcome<TopologyReading> read_hwloc(std::string_view xml,
                                    std::string_view file_name,
                                    const TopologyOptions& options) {
  return Reader(file_name, options).read(xml);
}

}  // namespace fw::input
