// SPDX-License-Identifier: Apache-2.0
#include "reports/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace fw::reports {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Length of the valid UTF-8 character at `at`, 0 when there is none.
std::size_t character(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  std::uint32_t code = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0u) != 0x80) return 0;
    code = code << 6 | (byte(at + i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return overlong || surrogate || code > 0x10FFFF ? 0 : length;
}

/// Calls `write(character)` for each character, U+FFFD for bytes that are none.
template <class Write>
void for_each_character(std::string_view text, Write write) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character(text, at);
    write(length == 0 ? replacement : text.substr(at, length));
    at += length == 0 ? 1 : length;
  }
}

bool control(std::string_view c) {
  const auto first = static_cast<unsigned char>(c[0]);
  // U+0080..U+009F are controls as well; some terminals obey them.
  return first < 0x20 || first == 0x7F ||
         (first == 0xC2 && static_cast<unsigned char>(c[1]) < 0xA0);
}

/// Characters that turn the direction of what follows, so that a line shows other than it reads.
bool turns_direction(std::string_view c) {
  return c >= "\xE2\x80\xAA" && c <= "\xE2\x80\xAE" ? c.size() == 3
                                                    : c >= "\xE2\x81\xA6" && c <= "\xE2\x81\xA9";
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, [&](std::string_view c) { out += c; });
  return out;
}

std::string shorten(std::string_view text, std::size_t bytes) {
  std::string clean = valid_utf8(text);
  if (clean.size() <= bytes) return clean;
  std::size_t keep = bytes;
  while (keep > 0 && (static_cast<unsigned char>(clean[keep]) & 0xC0u) == 0x80) --keep;
  return fmt::format("{}... ({} bytes cut)", clean.substr(0, keep), clean.size() - keep);
}

std::string printable(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, [&](std::string_view c) {
    if (keep_lines && c == "\n") {
      out += c;
    } else if (control(c) || turns_direction(c)) {
      for (const char byte : c) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    } else {
      out += c;
    }
  });
  return out;
}

void append_json(std::string& out, std::string_view text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
  });
  if (plain) {
    out += text;
    return;
  }
  for_each_character(text, [&](std::string_view c) {
    if (c == "\"" || c == "\\") {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c[0]) < 0x20 || c == "\x7F") {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c[0]));
    } else {
      out += c;
    }
  });
}

std::string html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : printable(text, true)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string xml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, [&](std::string_view c) {
    const auto first = static_cast<unsigned char>(c[0]);
    if (c == "&") {
      out += "&amp;";
    } else if (c == "<") {
      out += "&lt;";
    } else if (c == ">") {
      out += "&gt;";
    } else if (c == "\"") {
      out += "&quot;";
    } else if (first == '\t' || first == '\n' || first == '\r') {
      // As references, because an attribute's plain line ends are read as blanks.
      out += fmt::format("&#{};", static_cast<unsigned>(first));
    } else if (first < 0x20 || c == "\xEF\xBF\xBE" || c == "\xEF\xBF\xBF") {
      out += replacement;
    } else {
      out += c;
    }
  });
  return out;
}

std::string markdown(std::string_view text) {
  const std::string clean = printable(text);
  const auto word = [&](std::size_t i) {
    return i < clean.size() && std::isalnum(static_cast<unsigned char>(clean[i])) != 0;
  };
  std::string out;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    // What stands inside a word is no markup there, and plain text stays readable. Mentions, issue
    // links and emoji are found in the rendered text: only a character of no width parts them.
    const bool starts = i == 0 || !word(i - 1);
    const bool blank_next = i + 1 >= clean.size() || clean[i + 1] == ' ';
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '|':
        out += "\\|";
        break;
      case '@':
        out += starts ? "@&#8203;" : "@";
        break;
      case '#':
        out += "#&#8203;";
        break;
      case ':':
        out += blank_next ? ":" : ":&#8203;";
        break;
      case '_':
        out += starts || !word(i + 1) ? "\\_" : "_";
        break;
      case '\\':
      case '`':
      case '*':
      case '[':
      case ']':
      case '~':
      case '!':
      case '$':
        out += '\\';
        out += c;
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string script_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace fw::reports
