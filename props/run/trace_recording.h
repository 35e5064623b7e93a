// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/input/trace.h"
#include "model/vocab/result.h"

namespace fw::run {

/// A recorded trace as a Recording: what the kernel itself decided, for waits and explanations.
/// Tasks are named COMM-PID; times count from the trace's first line. `v` is the vruntime the
/// kernel last printed for the task, where the trace has it.
Recording recording_of(const input::Trace& trace);

}  // namespace fw::run
