// SPDX-License-Identifier: Apache-2.0
#include "model/input/trace_gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace fw::input {
namespace {

/// inflateEnd on every way out.
struct Inflater {
  z_stream stream = {};
  bool ready = false;
  Inflater() { ready = inflateInit2(&stream, 15 + 16) == Z_OK; }
  ~Inflater() {
    if (ready) inflateEnd(&stream);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

Outcome<std::string> gunzip(std::string_view bytes,
                            std::size_t limit,
                            bool cut,
                            std::string_view where) {
  Inflater inflater;
  if (!inflater.ready) return Error{"zlib does not start", "", std::string(where)};
  z_stream& stream = inflater.stream;
  std::string out;
  std::array<char, 65536> block;
  // zlib takes non-const input but does not write to it; its counters are 32 bits wide.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  std::size_t left = bytes.size();
  const auto feed = [&stream, &left] {
    if (stream.avail_in != 0 || left == 0) return;
    stream.avail_in = static_cast<uInt>(std::min<std::size_t>(left, std::size_t{1} << 30));
    left -= stream.avail_in;
  };
  for (;;) {
    feed();
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = block.size();
    const int status = inflate(&stream, Z_NO_FLUSH);
    const std::size_t got = block.size() - stream.avail_out;
    out.append(block.data(), got);
    if (out.size() > limit) {
      if (!cut) {
        return Error{"unpacks to more than " + std::to_string(limit >> 20) + " MiB",
                     "record a shorter time",
                     std::string(where)};
      }
      out.resize(limit);
      return out;
    }
    if (status == Z_STREAM_END) {
      if (stream.avail_in == 0 && left == 0) return out;
      if (inflateReset(&stream) == Z_OK && stream.avail_in + left >= 2) continue;
      return out;
    }
    if (status != Z_OK || (got == 0 && stream.avail_in == 0 && left == 0)) {
      if (cut) return out;
      return Error{"the gzip data is damaged or cut short after " + std::to_string(out.size()) +
                       " bytes of text",
                   "unpack it by hand (gzip -dc) to use what is left",
                   std::string(where)};
    }
  }
}

}  // namespace fw::input
