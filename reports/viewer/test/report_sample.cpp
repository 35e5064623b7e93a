// SPDX-License-Identifier: Apache-2.0
// report_sample DIR [hostile]: writes the sample report, for the browser test and for looking at
// it.
#include <cstdio>
#include <string_view>

#include "reports/sample/sample.h"
#include "reports/write.h"

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3 || (argc == 3 && std::string_view(argv[2]) != "hostile")) {
    std::fprintf(stderr, "usage: report_sample DIR [hostile]\n");
    return 1;
  }
  const fw::Result result =
      argc == 3 ? fw::reports::hostile_result() : fw::reports::sample_result();
  const fw::Outcome<fw::Done> done = fw::reports::write_report(result, argv[1]);
  if (!done) std::fprintf(stderr, "%s\n", done.error().text().c_str());
  return done.ok() ? 0 : 1;
}
