// SPDX-License-Identifier: Apache-2.0
// Events: from a key and its value to an Op.
#include <algorithm>

#include "model/input/rtapp_reader.h"

namespace fw::input {
namespace {

// What stands for work that is not CPU time (simulator.md C9 wants "their calibrated length"; these
// are our calibration, in bytes or accesses a microsecond, and each remark states the result).
constexpr std::int64_t mem_bytes_per_us = 4000;
constexpr std::int64_t io_bytes_per_us = 1000;
constexpr std::int64_t accesses_per_us = 1000;
constexpr std::int64_t chases_per_us = 10;

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

void RtappReader::approximate_event(const Json& item, RtappEvent event, Phase& phase) {
  std::int64_t us = 0;
  if (event == RtappEvent::memrun) {
    if (!is_a(item, JsonKind::object)) return;
    const Json* count = item.find("count");
    const Json* type = item.find("type");
    const std::optional<std::int64_t> accesses = count != nullptr ? c_int(*count) : 1;
    if (!accesses || (type != nullptr && !is_a(*type, JsonKind::string))) return;
    const bool chase = type != nullptr && type->text == "chase";
    us = divide_up(*accesses, chase ? chases_per_us : accesses_per_us);
  } else {
    const std::optional<std::int64_t> bytes = c_int(item);
    if (!bytes) return;
    us = divide_up(*bytes, event == RtappEvent::mem ? mem_bytes_per_us : io_bytes_per_us);
  }
  if (us < 0) {
    refuse(item, "the amount is negative");
    return;
  }
  approximate(item, "as a run of " + std::to_string(us) + " us");
  phase.ops.push_back(Op{.kind = OpKind::run, .amount = Duration{us * 1000}});
}

bool RtappReader::fill_timer(const Json& item, Op& op) {
  op.ref = "unknown";
  if (item.is(JsonKind::integer)) {
    note(item, "a timer that is a number has period 0 and the reference \"unknown\"");
    return true;
  }
  if (!is_a(item, JsonKind::object)) return false;
  if (const Json* ref = item.find("ref")) {
    const std::optional<std::string> text = name(*ref);
    if (!text) return false;
    op.ref = *text;
  } else {
    note(item, "a timer without \"ref\" is the one timer \"unknown\" that all such events share");
  }
  if (const Json* period = item.find("period")) {
    const std::optional<Duration> length = micros(*period);
    if (!length) return false;
    op.amount = *length;
  } else {
    note(item, "a timer without \"period\" has period 0");
  }
  if (const Json* mode = item.find("mode")) {
    const std::optional<std::string> text = name(*mode);
    if (!text) return false;
    op.absolute = text->starts_with("absolute");
  }
  return true;
}

bool RtappReader::fill_wait(const Json& item, Op& op) {
  if (!is_a(item, JsonKind::object)) return false;
  op.ref = "unknown";
  if (const Json* ref = item.find("ref")) {
    const std::optional<std::string> text = name(*ref);
    if (!text) return false;
    op.ref = *text;
  } else {
    note(item, "without \"ref\" it uses the condition \"unknown\"");
  }
  const Json* mutex = item.find("mutex");
  if (mutex == nullptr) {
    refuse(item, "needs a \"mutex\"; rt-app would release one that nobody holds");
    return false;
  }
  const std::optional<std::string> text = name(*mutex);
  if (!text) return false;
  op.mutex = *text;
  return true;
}

/// Reads the value of an event into `op`; false when it was refused.
bool RtappReader::fill(const Json& item, Op& op, const TaskDef& def) {
  switch (op.kind) {
    case OpKind::run:
    case OpKind::runtime:
    case OpKind::sleep: {
      const std::optional<Duration> amount = micros(item);
      if (amount) op.amount = *amount;
      return amount.has_value();
    }
    case OpKind::timer:
      return fill_timer(item, op);
    case OpKind::wait:
    case OpKind::sync:
      locks_used_ = true;
      return fill_wait(item, op);
    case OpKind::yield:
      return true;  // the value is ignored, by rt-app too
    case OpKind::suspend:
      if (item.is(JsonKind::string) && item.text != def.name && !item.text.empty() &&
          suspends_remarked_.insert(def.name + "\n" + item.text).second) {
        note(item,
             "the value " + json_shown(item.text) +
                 " is ignored, by rt-app too: a task only suspends itself");
      }
      return true;
    default:
      break;
  }
  if (op.kind == OpKind::lock || op.kind == OpKind::unlock) locks_used_ = true;
  const std::optional<std::string> ref = name(item);
  if (!ref) return false;
  op.ref = *ref;
  if (op.kind == OpKind::fork || op.kind == OpKind::resume) {
    mentions_.push_back({&item, scope_, op.kind, *ref});
  }
  return true;
}

void RtappReader::event(const Json& item, RtappEvent event, const TaskDef& def, Phase& phase) {
  const std::optional<OpKind> kind = op_of(event);
  if (!kind) {
    approximate_event(item, event, phase);
    return;
  }
  Op op{.kind = *kind};
  if (!fill(item, op, def)) return;
  if (wants_slots_) {
    slots_.emplace(std::array{def.name, phase.name, item.key},
                   Slot{out_.workload.tasks.size(), def.phases.size(), phase.ops.size()});
  }
  phase.ops.push_back(std::move(op));
}

}  // namespace fw::input
