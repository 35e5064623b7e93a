// SPDX-License-Identifier: Apache-2.0
#include "props/gen/jitter.h"

#include "props/gen/draw.h"

namespace fw::gen {

Workload jitter(Workload workload, std::uint64_t seed, Duration most) {
  if (seed == 0) return workload;
  constexpr std::int64_t microsecond = 1'000;
  Draw draw(seed, 0, 100);
  for (TaskDef& task : workload.tasks) {
    const std::int64_t late = draw.between(std::int64_t{0}, most.ns / microsecond);
    task.delay = task.delay + Duration{late * microsecond};
  }
  return workload;
}

}  // namespace fw::gen
