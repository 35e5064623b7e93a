// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "model/vocab/workload.h"

/// The key words of rt-app's tasks and phases, and of the dialects that look like it.
namespace fw::input {

/// The events of rt-app; those beyond OpKind only have an approximation.
enum class RtappEvent {
  run,
  runtime,
  sleep,
  timer,
  lock,
  unlock,
  wait,
  signal,
  broad,
  sync,
  barrier,
  suspend,
  resume,
  sem_post,
  sem_wait,
  yield,
  fork,
  mem,
  memrun,
  iorun
};

/// The event that `key` names: rt-app asks only how a key begins.
std::optional<RtappEvent> rtapp_event(std::string_view key);

/// The OpKind of an event; none for mem, memrun and iorun.
std::optional<OpKind> op_of(RtappEvent event);

enum class KeyPlace { task, phase };

/// How rt-app's head, or another tool, understands a key that is no event.
enum class KeyUse {
  setting,  ///< of rt-app, at that place
  legacy,   ///< of the dialect before 2014
  scxsim,   ///< an extension of scxsim
  rtmuse,   ///< of rt-muse
  comment,  ///< begins with `_` or `$`
  unknown
};
KeyUse key_use(std::string_view key, KeyPlace place);

/// Keys worth suggesting for a misspelt one.
std::string_view nearest_key(std::string_view key);

}  // namespace fw::input
