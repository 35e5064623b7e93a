// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "model/input/rtapp_reader.h"

namespace fw::input {
namespace {

/// For one object: how many of its pairs a later one of the same key replaces.
std::int64_t count_repeated(const Json& object) {
  std::set<std::string_view> seen;
  std::int64_t repeated = 0;
  for (const Json& item : object.items) repeated += seen.insert(item.key).second ? 0 : 1;
  return repeated;
}

/// The pairs that json-c keeps: the last of each key.
std::set<const Json*> kept_pairs(const Json& object) {
  std::set<const Json*> last;
  std::set<std::string_view> seen;
  for (auto item = object.items.rbegin(); item != object.items.rend(); ++item) {
    if (seen.insert(item->key).second) last.insert(&*item);
  }
  return last;
}

void count_events(const Json& object, bool live, RtappCounts& counts) {
  counts.repeated += count_repeated(object);
  std::set<std::string_view> seen;
  for (const Json& item : object.items) {
    if (!rtapp_event(item.key)) continue;
    ++counts.events;
    if (live && seen.insert(item.key).second) ++counts.kept_events;
  }
}

void count_task(const Json& task, bool live, RtappCounts& counts) {
  ++counts.tasks;
  const Json* instance = task.find("instance");
  const bool given = instance != nullptr && instance->is(JsonKind::integer);
  counts.threads += given ? std::clamp<std::int64_t>(instance->integer, 0, INT32_MAX) : 1;
  const Json* phases = task.find("phases");
  if (phases == nullptr || !phases->is(JsonKind::object)) {
    ++counts.phases;
    count_events(task, live, counts);
    return;
  }
  counts.repeated += count_repeated(task) + count_repeated(*phases);
  const std::set<const Json*> kept = kept_pairs(*phases);
  for (const Json& phase : phases->items) {
    ++counts.phases;
    count_events(phase, live && kept.count(&phase) != 0, counts);
  }
}

}  // namespace

RtappCounts count_rtapp(const Json& root) {
  RtappCounts counts;
  const Json* tasks = root.find("tasks");
  if (tasks == nullptr) tasks = root.find("threads");  // rt-muse
  if (tasks == nullptr || !tasks->is(JsonKind::object)) return counts;
  counts.repeated += count_repeated(*tasks);
  const std::set<const Json*> kept = kept_pairs(*tasks);
  for (const Json& task : tasks->items) {
    if (task.is(JsonKind::object)) count_task(task, kept.count(&task) != 0, counts);
  }
  return counts;
}

}  // namespace fw::input
