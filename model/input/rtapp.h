// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/input/jsonc.h"
#include "model/vocab/outcome.h"
#include "model/vocab/workload.h"

/// Workload files: rt-app JSON, and our additions under the top-level key "fairwitness".
namespace fw::input {

/// What can be done with a file (semantics/simulator.md C9).
enum class Verdict { accept, approximate, refuse };
std::string_view verdict_name(Verdict verdict);

/// Something a reader should know about one key.
struct Remark {
  std::string key;
  int line = 0;
  std::string text;
};

/// Counted over every pair in the file, those that rt-app drops included.
struct RtappCounts {
  std::int64_t tasks = 0;
  std::int64_t threads = 0;  ///< started at t = 0
  std::int64_t phases = 0;   ///< inline events are one
  std::int64_t events = 0;
  std::int64_t repeated = 0;     ///< keys already seen in the same object
  std::int64_t kept_events = 0;  ///< what rt-app itself keeps
};

struct RtappOptions {
  bool approximate = false;   ///< only read by load_rtapp
  bool custom_slice = false;  ///< the policy knows `dl-runtime` on SCHED_OTHER
};

struct RtappReading {
  Workload workload;  ///< complete unless the verdict is refuse
  RtappCounts counts;
  Verdict verdict = Verdict::accept;
  std::vector<Remark> approximations;  ///< what `workload` holds instead
  std::vector<Remark> refusals;        ///< all of them
  std::vector<Remark> notes;           ///< what rt-app drops, clamps, ignores
};

/// Reads a workload and judges it. Repeated keys are kept in order (what their author meant).
/// Errors: only what json-c refuses, with `FILE:LINE:COLUMN`; all else is in the reading.
Outcome<RtappReading> read_rtapp(std::string_view text,
                                 std::string_view file_name,
                                 const RtappOptions& options = {});

/// The same for a value already read; `root` may be part of another file (cases).
RtappReading read_rtapp(const Json& root,
                        std::string_view file_name,
                        const RtappOptions& options = {});

/// The reading if it may be run: not refused, and approximated only when the options say so.
/// Errors: one line a key, `FILE:LINE` of the first.
Outcome<RtappReading> load_rtapp(std::string_view text,
                                 std::string_view file_name,
                                 const RtappOptions& options);
Outcome<RtappReading> runnable(RtappReading reading,
                               std::string_view file_name,
                               const RtappOptions& options);

/// rt-app JSON that rt-app and read_rtapp read back to `workload`: unique keys (run, run1), an
/// event a line, "fairwitness" only when needed. `indent`: blanks before every line but the first.
/// Rounds:  for rt-app times to the nearest us, but not to 0, and the duration up to whole seconds;
///          the exact figures then stand under "fairwitness", "exact_ns", for read_rtapp.
std::string write_rtapp(const Workload& workload, int indent = 0);

/// What does not read back the same (names used twice, phases without a name or an event), one
/// sentence each; empty: all does.
std::vector<std::string> rtapp_losses(const Workload& workload);

}  // namespace fw::input
