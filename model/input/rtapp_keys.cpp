// SPDX-License-Identifier: Apache-2.0
#include "model/input/rtapp_keys.h"

#include <algorithm>
#include <array>

#include "model/vocab/spec.h"

namespace fw::input {
namespace {

struct Prefix {
  std::string_view text;
  RtappEvent event;
};
// Longer words stand before those they begin with.
constexpr std::array<Prefix, 20> prefixes = {
    {{"lock", RtappEvent::lock},         {"unlock", RtappEvent::unlock},
     {"wait", RtappEvent::wait},         {"signal", RtappEvent::signal},
     {"broad", RtappEvent::broad},       {"sync", RtappEvent::sync},
     {"sleep", RtappEvent::sleep},       {"runtime", RtappEvent::runtime},
     {"run", RtappEvent::run},           {"timer", RtappEvent::timer},
     {"suspend", RtappEvent::suspend},   {"resume", RtappEvent::resume},
     {"memrun", RtappEvent::memrun},     {"mem", RtappEvent::mem},
     {"iorun", RtappEvent::iorun},       {"yield", RtappEvent::yield},
     {"barrier", RtappEvent::barrier},   {"fork", RtappEvent::fork},
     {"sem_post", RtappEvent::sem_post}, {"sem_wait", RtappEvent::sem_wait}}};

struct Word {
  std::string_view text;
  KeyUse use;
  bool in_phase = true;
};
constexpr std::array<Word, 29> words = {{{"loop", KeyUse::setting},
                                         {"policy", KeyUse::setting},
                                         {"priority", KeyUse::setting},
                                         {"cpus", KeyUse::setting},
                                         {"taskgroup", KeyUse::setting},
                                         {"util_min", KeyUse::setting},
                                         {"util_max", KeyUse::setting},
                                         {"nodes_membind", KeyUse::setting},
                                         {"dl-runtime", KeyUse::setting},
                                         {"dl-period", KeyUse::setting},
                                         {"dl-deadline", KeyUse::setting},
                                         {"instance", KeyUse::setting, false},
                                         {"delay", KeyUse::setting, false},
                                         {"phases", KeyUse::setting, false},
                                         {"exec", KeyUse::legacy},
                                         {"period", KeyUse::legacy},
                                         {"deadline", KeyUse::legacy},
                                         {"lock_order", KeyUse::legacy},
                                         {"resources", KeyUse::legacy},
                                         {"duration", KeyUse::legacy},
                                         {"loops", KeyUse::legacy},
                                         {"grub", KeyUse::legacy},
                                         {"thread_of", KeyUse::scxsim},
                                         {"parent", KeyUse::scxsim},
                                         {"uid", KeyUse::scxsim},
                                         {"gid", KeyUse::scxsim},
                                         {"kthread", KeyUse::scxsim},
                                         {"memory", KeyUse::rtmuse},
                                         {"res", KeyUse::rtmuse}}};

}  // namespace

std::optional<RtappEvent> rtapp_event(std::string_view key) {
  for (const Prefix& prefix : prefixes) {
    if (key.starts_with(prefix.text)) return prefix.event;
  }
  return std::nullopt;
}

std::optional<OpKind> op_of(RtappEvent event) {
  if (event > RtappEvent::fork) return std::nullopt;
  return static_cast<OpKind>(event);
}
static_assert(static_cast<int>(RtappEvent::fork) == static_cast<int>(OpKind::fork));
static_assert(static_cast<int>(RtappEvent::wait) == static_cast<int>(OpKind::wait));
static_assert(static_cast<int>(RtappEvent::barrier) == static_cast<int>(OpKind::barrier));

KeyUse key_use(std::string_view key, KeyPlace place) {
  for (const Word& word : words) {
    if (word.text == key && (place == KeyPlace::task || word.in_phase)) return word.use;
  }
  return key.starts_with('_') || key.starts_with('$') ? KeyUse::comment : KeyUse::unknown;
}

std::string_view nearest_key(std::string_view key) {
  std::vector<std::string_view> known;
  for (const Prefix& prefix : prefixes) known.push_back(prefix.text);
  for (const Word& word : words) {
    if (word.use == KeyUse::setting) known.push_back(word.text);
  }
  return nearest(key, known);
}

}  // namespace fw::input
