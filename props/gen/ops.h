// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "model/vocab/workload.h"

/// Short ways to write program events.
namespace fw::gen {
inline Op timed(OpKind kind, Duration amount) {
  Op op;
  op.kind = kind;
  op.amount = amount;
  return op;
}
inline Op run(Duration amount) { return timed(OpKind::run, amount); }
inline Op sleep(Duration amount) { return timed(OpKind::sleep, amount); }
inline Op plain(OpKind kind) { return timed(kind, {}); }
inline Op named(OpKind kind, std::string ref, std::string mutex = {}) {
  Op op;
  op.kind = kind;
  op.ref = std::move(ref);
  op.mutex = std::move(mutex);
  return op;
}
inline Op timer(std::string ref, Duration period, bool absolute) {
  Op op = timed(OpKind::timer, period);
  op.ref = std::move(ref);
  op.absolute = absolute;
  return op;
}
}  // namespace fw::gen
