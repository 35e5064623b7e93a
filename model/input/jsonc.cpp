// SPDX-License-Identifier: Apache-2.0
#include "model/input/jsonc.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "model/input/file.h"

namespace fw::input {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Length of the UTF-8 character at the start of `text`; 0 when there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and what lies beyond U+10FFFF.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f) ||
      (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)) {
    return 0;
  }
  return length;
}

void append_utf8(std::string& out, unsigned code) {
  const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

/// Recursive descent; the depth limit bounds the recursion. The first fault stops everything.
class Reader {
 public:
  Reader(std::string_view text, std::string_view file_name, const JsonOptions& options)
      : text_(text), file_name_(file_name), options_(options) {}

  Outcome<JsonDocument> read() {
    if (text_.size() > default_max_bytes) {
      return Error{"the text is longer than 64 MiB", "split it", std::string(file_name_)};
    }
    JsonDocument out;
    if (text_.starts_with("\xef\xbb\xbf")) {
      fail("a byte order mark, where `{` is expected", "save the file without one");
      return *error_;
    }
    if (!spaces() || !value(out.root, 0) || !spaces()) return *error_;
    if (more()) {
      out.ignored_line = line_;
      out.ignored_column = column();
    }
    return out;
  }

 private:
  int column() const { return static_cast<int>(at_ - line_start_) + 1; }
  bool more() const { return at_ < text_.size(); }
  char peek() const { return more() ? text_[at_] : '\0'; }
  void step() {
    if (text_[at_] == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    }
    ++at_;
  }

  /// Keeps the fault; gives false, for `return fail(...)`.
  bool fail(std::string what, std::string hint = "") {
    if (!error_) {
      error_ = Error{
          std::move(what),
          std::move(hint),
          std::string(file_name_) + ":" + std::to_string(line_) + ":" + std::to_string(column())};
    }
    return false;
  }
  std::string found() const {
    if (!more()) return "the end of the text";
    const char c = peek();
    if (c == '\n' || c == '\r') return "the end of the line";
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      return "a control character (" + std::to_string(static_cast<int>(c)) + ")";
    }
    const std::size_t length = utf8_length(text_.substr(at_));
    return length == 0 ? "a byte that is not UTF-8"
                       : "`" + std::string(text_.substr(at_, length)) + "`";
  }
  bool expected(std::string_view what, std::string hint = "") {
    return fail("expected " + std::string(what) + ", found " + found(), std::move(hint));
  }

  /// White space and comments.
  bool spaces() {
    for (;;) {
      while (more() && is_space(peek())) step();
      if (peek() != '/') return true;
      const int line = line_, start = column();
      step();
      const char kind = peek();
      if (kind != '/' && kind != '*') return expected("`//` or `/*`");
      step();
      // json-c takes the sign after a star with it, so `/***/` is not closed: stars go in pairs.
      bool star = false;
      for (; more() && peek() != '\0'; step()) {
        if (kind == '/' && peek() == '\n') break;
        if (kind == '*' && star && peek() == '/') break;
        star = !star && peek() == '*';
      }
      if (peek() == '\0') {
        line_ = line;  // point at the comment, not at the end of the text
        line_start_ = at_ - static_cast<std::size_t>(start - 1);
        return fail(kind == '/' ? "the `//` comment does not end with a line break, as json-c wants"
                                : "the `/*` comment is never closed",
                    kind == '/' ? "end the last line" : "add `*/`");
      }
      step();
    }
  }

  bool value(Json& out, int depth) {
    if (depth >= options_.max_depth) {
      return fail("arrays and objects are nested deeper than " +
                  std::to_string(options_.max_depth - 1));
    }
    if (++values_ > options_.max_values) {
      return fail("more than " + std::to_string(options_.max_values) + " values");
    }
    out.line = line_;
    out.column = column();
    const char c = peek();
    if (c == '{') return object(out, depth);
    if (c == '[') return array(out, depth);
    if (c == '"' || c == '\'') {
      out.kind = JsonKind::string;
      return string(out.text);
    }
    if (is_digit(c) || c == '-') return number(out);
    return word(out);
  }

  bool object(Json& out, int depth) {
    out.kind = JsonKind::object;
    step();
    for (;;) {
      if (!spaces()) return false;
      if (peek() == '}') break;
      const std::string_view what =
          out.items.empty() ? "a quoted key or `}`" : "a quoted key or `}` after `,`";
      if (peek() != '"' && peek() != '\'') return expected(what, key_hint());
      Json& item = out.items.emplace_back();
      item.key_line = line_;
      item.key_column = column();
      if (!string(item.key) || !spaces()) return false;
      if (peek() != ':') {
        return expected("`:` after the key " + json_shown(item.key),
                        "every key needs a value; an event without one takes \"\"");
      }
      step();
      if (!spaces() || !value(item, depth + 1) || !spaces()) return false;
      if (peek() == ',') {
        step();
      } else if (peek() != '}') {
        return expected("`,` or `}`");
      }
    }
    step();
    return true;
  }
  std::string key_hint() const {
    if (peek() == ',') return "remove one of the commas";
    if (peek() == '#') return "comments begin with // or /*";
    return peek() == '\0' ? "" : "keys stand in quotes";
  }

  bool array(Json& out, int depth) {
    out.kind = JsonKind::array;
    step();
    for (;;) {
      if (!spaces()) return false;
      if (peek() == ']') break;
      if (!value(out.items.emplace_back(), depth + 1) || !spaces()) return false;
      if (peek() == ',') {
        step();
      } else if (peek() != ']') {
        return expected("`,` or `]`");
      }
    }
    step();
    return true;
  }

  bool string(std::string& out) {
    const char quote = peek();
    const int line = line_, start = column();
    step();
    while (more() && peek() != quote) {
      if (peek() == '\\') {
        if (!escape(out)) return false;
        continue;
      }
      const std::size_t length = peek() == '\0' ? 0 : utf8_length(text_.substr(at_));
      if (length == 0) {
        return fail("the string holds " + (peek() == '\0' ? "a NUL byte" : found()),
                    "save the file as UTF-8");
      }
      for (std::size_t i = 0; i < length; ++i) {
        out += peek();
        step();
      }
    }
    if (!more()) {
      line_ = line;
      line_start_ = at_ - static_cast<std::size_t>(start - 1);
      return fail("the string that begins here is never closed");
    }
    step();
    return true;
  }

  bool escape(std::string& out) {
    step();
    static constexpr std::string_view names = "\"\\/bnrtf";
    static constexpr std::string_view values = "\"\\/\b\n\r\t\f";
    if (peek() != 'u') {
      const std::size_t index = more() ? names.find(peek()) : std::string_view::npos;
      if (index == std::string_view::npos) return expected("one of \" \\ / b f n r t u after `\\`");
      out += values[index];
      step();
      return true;
    }
    unsigned code = 0;
    if (!hex(code)) return false;
    if (code >= 0xd800 && code < 0xdc00 && text_.substr(at_).starts_with("\\u")) {
      const std::size_t back = at_;
      step();
      unsigned low = 0;
      if (!hex(low)) return false;
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      } else {
        at_ = back;  // no line break lies between
      }
    }
    if (code >= 0xd800 && code < 0xe000) code = 0xfffd;  // json-c's replacement for a lone half
    if (code == 0) return fail("the string holds a NUL character (\\u0000)", "remove it");
    append_utf8(out, code);
    return true;
  }
  /// The four digits after `u`, which stands at `at_`.
  bool hex(unsigned& code) {
    step();
    for (int i = 0; i < 4; ++i, step()) {
      const char c = lower(peek());
      const bool letter = c >= 'a' && c <= 'f';
      if (!is_digit(c) && !letter) return expected("four hexadecimal digits after `\\u`");
      code = code * 16 + static_cast<unsigned>(letter ? c - 'a' + 10 : c - '0');
    }
    return true;
  }

  bool number(Json& out) {
    const std::size_t start = at_;
    bool real = false, exponent = false;
    for (; more(); step()) {
      const char c = peek();
      const bool sign_may_stand = at_ == start || lower(text_[at_ - 1]) == 'e';
      if (is_digit(c)) continue;
      if (c == '-' && sign_may_stand) continue;
      if (c == '+' && exponent && sign_may_stand) continue;
      if (c == '.' && !real) {
        real = true;
      } else if ((c == 'e' || c == 'E') && !exponent) {
        real = exponent = true;
      } else {
        break;
      }
    }
    out.text = text_.substr(start, at_ - start);
    if (out.text == "-") {
      if (lower(peek()) == 'i') return word(out);
      return expected("a digit after `-`");
    }
    const std::string_view mantissa =
        std::string_view(out.text).substr(0, out.text.find_first_of("eE"));
    if (mantissa.find_first_of("0123456789") == std::string_view::npos) {
      return expected("a number with a digit before its exponent");
    }
    out.kind = real ? JsonKind::real : JsonKind::integer;
    if (!real) {
      const auto [stop, fault] =
          std::from_chars(out.text.data(), out.text.data() + out.text.size(), out.integer);
      if (fault == std::errc::result_out_of_range) {
        out.integer = out.text[0] == '-' ? INT64_MIN : INT64_MAX;
      }
    }
    return true;
  }

  /// null, true, false, NaN, Infinity in any case, or a placeholder.
  bool word(Json& out) {
    struct Word {
      std::string_view text;
      JsonKind kind;
      std::int64_t integer;
    };
    static constexpr std::array<Word, 5> words = {{{"null", JsonKind::null, 0},
                                                   {"true", JsonKind::boolean, 1},
                                                   {"false", JsonKind::boolean, 0},
                                                   {"nan", JsonKind::real, 0},
                                                   {"infinity", JsonKind::real, 0}}};
    const std::string_view rest = text_.substr(at_);
    for (const Word& known : words) {
      const std::string_view here = rest.substr(0, known.text.size());
      if (!std::equal(
              here.begin(), here.end(), known.text.begin(), known.text.end(), [](char a, char b) {
                return lower(a) == b;
              })) {
        continue;
      }
      out.kind = known.kind;
      out.integer = known.integer;
      out.text += here;
      for (std::size_t i = 0; i < known.text.size(); ++i) step();
      return true;
    }
    const std::size_t end = std::min(
        rest.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"),
        rest.size());
    const std::string_view whole = rest.substr(0, end);
    if (whole.size() > 4 && whole.starts_with("__") && whole.ends_with("__")) {
      if (!options_.placeholders) {
        return fail("the placeholder " + std::string(whole.substr(0, 64)) + " is not filled in",
                    "run the template's own preparation first");
      }
      out.kind = JsonKind::placeholder;
      out.text = whole;
      for (std::size_t i = 0; i < whole.size(); ++i) step();
      return true;
    }
    const char c = peek();
    return expected("a value",
                    c == '#'         ? "comments begin with // or /*"
                    : c == '+'       ? "numbers have no plus sign"
                    : c == ','       ? "remove the comma, or put a value before it"
                    : !whole.empty() ? "strings stand in quotes"
                                     : "");
  }

  std::string_view text_;
  std::string_view file_name_;
  JsonOptions options_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
  std::size_t values_ = 0;
  std::optional<Error> error_;
};

}  // namespace

std::string_view json_kind_name(JsonKind kind) {
  static constexpr std::array<std::string_view, 8> names = {"null",
                                                            "true or false",
                                                            "an integer",
                                                            "a fraction",
                                                            "a string",
                                                            "an array",
                                                            "an object",
                                                            "a placeholder"};
  return names[static_cast<std::size_t>(kind)];
}

const Json* Json::find(std::string_view name) const {
  const auto found = std::find_if(
      items.rbegin(), items.rend(), [&](const Json& item) { return item.key == name; });
  return kind == JsonKind::object && found != items.rend() ? &*found : nullptr;
}

std::string Json::where(std::string_view file_name) const {
  return std::string(file_name) + ":" + std::to_string(line) + ":" + std::to_string(column);
}

Outcome<JsonDocument> read_json(std::string_view text,
                                std::string_view file_name,
                                const JsonOptions& options) {
  return Reader(text, file_name, options).read();
}

std::string json_quote(std::string_view text) {
  static constexpr std::string_view hex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += hex[static_cast<std::size_t>(c) >> 4];
      out += hex[static_cast<std::size_t>(c) & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string json_shown(std::string_view text) {
  std::size_t end = 60;
  if (text.size() <= end) return json_quote(text);
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return json_quote(std::string(text.substr(0, end)) + "...");
}

}  // namespace fw::input
