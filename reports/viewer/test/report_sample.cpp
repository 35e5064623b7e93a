// SPDX-License-Identifier: Apache-2.0
// report_sample DIR [hostile|large]: writes the sample report, for the browser test and for looking
// at it.
#include <cstdio>
#include <string_view>

#include "reports/sample/sample.h"
#include "reports/write.h"

int main(int argc, char** argv) {
  const std::string_view kind = argc == 3 ? argv[2] : "sample";
  fw::Result (*make)() = kind == "sample"    ? fw::reports::sample_result
                         : kind == "hostile" ? fw::reports::hostile_result
                         : kind == "large"   ? fw::reports::large_result
                                             : nullptr;
  if (argc < 2 || argc > 3 || make == nullptr) {
    std::fprintf(stderr, "usage: report_sample DIR [hostile|large]\n");
    return 1;
  }
  const fw::Outcome<fw::Done> done = fw::reports::write_report(make(), argv[1]);
  if (!done) std::fprintf(stderr, "%s\n", done.error().text().c_str());
  return done.ok() ? 0 : 1;
}
