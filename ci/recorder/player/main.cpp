// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "ci/recorder/player/player.h"
#include "model/input/rtapp.h"

namespace {

constexpr char usage[] =
    "usage: recorder-player WORKLOAD.json MILLISECONDS [TRACING_ON]\n"
    "Plays an rt-app workload with real threads for that long (1-600000).\n";

int play_file(const std::string& file, long milliseconds, const char* tracing) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "recorder-player: cannot read %s\n", file.c_str());
    return 1;
  }
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  fw::input::RtappOptions reading_options;
  reading_options.custom_slice = true;
  auto reading = fw::input::load_rtapp(text, file, reading_options);
  if (!reading) {
    std::fprintf(stderr, "recorder-player: %s\n", reading.error().text().c_str());
    return 1;
  }
  fw::player::PlayOptions options;
  options.horizon.ns = milliseconds * 1'000'000;
  if (tracing != nullptr) options.tracing = tracing;
  const auto played = fw::player::play(reading->workload, options);
  std::printf("played: threads %ld events %ld %s loops/us %.0f\n",
              played.threads,
              played.events,
              played.ended ? "ended" : "to the horizon",
              played.loops_per_us);
  if (!played.trouble.empty()) std::printf("trouble: %s\n", played.trouble.c_str());
  std::fflush(stdout);
  return played.trouble.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  long milliseconds = 0;
  if (argc == 3 || argc == 4) {
    const std::string_view text = argv[2];
    const auto read = std::from_chars(text.data(), text.data() + text.size(), milliseconds);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) milliseconds = 0;
  }
  if (milliseconds < 1 || milliseconds > 600'000) {
    std::fputs(usage, stderr);
    return 1;
  }
  // Threads that still run are ended with the process.
  std::_Exit(play_file(argv[1], milliseconds, argc == 4 ? argv[3] : nullptr));
}
