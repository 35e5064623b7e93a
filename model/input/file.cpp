// SPDX-License-Identifier: Apache-2.0
#include "model/input/file.h"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace fw::input {
namespace {

Error too_large(const std::string& name, std::size_t max_bytes) {
  return Error{"the file holds more than " + std::to_string(max_bytes) + " bytes",
               "cut it to the part that matters",
               name};
}

bool is_gzip(std::string_view bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

Outcome<std::string> read_file(const std::string& path, std::size_t max_bytes) {
  struct stat info = {};
  if (path.empty()) return Error{"the file name is empty", "name a file"};
  if (::stat(path.c_str(), &info) != 0) {
    return Error{std::string("cannot be read: ") + std::strerror(errno), "check the path", path};
  }
  if (S_ISDIR(info.st_mode)) return Error{"is a directory, not a file", "name a file in it", path};
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    return Error{
        std::string("cannot be read: ") + std::strerror(errno), "check its permissions", path};
  }
  std::string bytes;
  std::array<char, 1 << 16> block;
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), file.get())) {
    bytes.append(block.data(), got);
    if (bytes.size() > max_bytes) return too_large(path, max_bytes);
  }
  if (std::ferror(file.get()) != 0) {
    return Error{std::string("cannot be read: ") + std::strerror(errno), "read it again", path};
  }
  return unpack(std::move(bytes), path, max_bytes);
}

Outcome<std::string> unpack(std::string bytes, const std::string& name, std::size_t max_bytes) {
  if (!is_gzip(bytes)) return bytes;
  z_stream stream = {};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) {
    return Error{"gzip cannot be unpacked here: out of memory", "", name};
  }
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(std::min<std::size_t>(bytes.size(), UINT32_MAX));
  std::string out;
  std::array<char, 1 << 16> block;
  for (;;) {
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    out.append(block.data(), block.size() - stream.avail_out);
    if (out.size() > max_bytes) return too_large(name, max_bytes);
    if (status == Z_STREAM_END) {
      const bool more = is_gzip({reinterpret_cast<const char*>(stream.next_in), stream.avail_in});
      if (!more) return out;  // gzip(1) ignores what follows the last member, too
      if (inflateReset(&stream) != Z_OK) break;
    } else if (status != Z_OK) {
      break;
    }
  }
  const bool cut = stream.avail_in == 0;
  return Error{cut ? "the gzip data ends too early" : "the gzip data is damaged",
               "test it with gzip -t",
               name};
}

std::string stem(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);
  for (const std::string_view ending : {".gz", ".json", ".case"}) {
    if (path.ends_with(ending) && path.size() > ending.size()) path.remove_suffix(ending.size());
  }
  return std::string(path);
}

}  // namespace fw::input
