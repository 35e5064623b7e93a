// SPDX-License-Identifier: Apache-2.0
#include "model/input/rtapp.h"

#include "reports/exports/exporter.h"

namespace fw::exports {

Exported export_rtapp(const Case& c, const Recording&) {
  Exported out;
  Workload workload = c.workload;
  // A run that the case cuts off is cut off in the file, too.
  if (c.horizon.ns > 0 && (!workload.duration || c.horizon < *workload.duration)) {
    workload.duration = c.horizon;
  }
  out.text = input::write_rtapp(workload) + "\n";
  out.losses = input::rtapp_losses(workload);
  out.losses.push_back("policy and topology: rt-app runs on the kernel and machine it finds");
  return out;
}

}  // namespace fw::exports
