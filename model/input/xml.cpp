// SPDX-License-Identifier: Apache-2.0
#include "model/input/xml.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "model/input/file.h"

namespace fw::input {
namespace {

constexpr int max_depth = 200;
constexpr int max_elements = 500'000;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == ':' || c == '.';
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view file_name) : text_(text), file_(file_name) {}

  Outcome<Xml> read() {
    if (text_.size() > default_max_bytes) return Error{"the text is longer than 64 MiB", "", file_};
    Xml root;
    if (!between() || !element(root, 0)) return *error_;
    return root;
  }

 private:
  bool more() const { return at_ < text_.size(); }
  char peek() const { return more() ? text_[at_] : '\0'; }
  void step() { line_ += text_[at_++] == '\n' ? 1 : 0; }
  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void spaces() {
    while (more() && is_space(peek())) step();
  }
  bool fail(std::string what) {
    if (!error_) {
      error_ = Error{(more() ? "" : "the text ends too early: ") + std::move(what),
                     "expected XML as hwloc writes it (lstopo --of xml)",
                     file_ + ":" + std::to_string(line_)};
    }
    return false;
  }
  bool skip_past(std::string_view end) {
    while (more() && !starts(end)) step();
    if (!more()) return fail("expected `" + std::string(end) + "`");
    for (std::size_t i = 0; i < end.size(); ++i) step();
    return true;
  }

  /// Everything that is no element; ends at the `<` of a tag.
  bool between() {
    for (;;) {
      while (more() && peek() != '<') step();
      if (!more()) return fail("expected a tag");
      if (starts("<!--")) {
        if (!skip_past("-->")) return false;
      } else if (starts("<![CDATA[")) {
        if (!skip_past("]]>")) return false;
      } else if (starts("<?")) {
        if (!skip_past("?>")) return false;
      } else if (starts("<!")) {
        const std::size_t end = text_.find('>', at_);
        if (text_.substr(at_, end - at_).find('[') != std::string_view::npos) {
          return fail("a document type with its own rules is not read");
        }
        if (!skip_past(">")) return false;
      } else {
        return true;
      }
    }
  }

  std::string name() {
    const std::size_t start = at_;
    while (more() && is_name(peek())) step();
    return std::string(text_.substr(start, at_ - start));
  }

  bool value(std::string& out) {
    const char quote = peek();
    if (quote != '"' && quote != '\'') return fail("expected a quoted value");
    step();
    while (more() && peek() != quote) {
      if (peek() == '<' || peek() == '\0') return fail("the value is never closed");
      if (peek() == '&') {
        if (!entity(out)) return false;
      } else {
        out += peek();
        step();
      }
    }
    if (!more()) return fail("the value is never closed");
    step();
    return true;
  }

  bool entity(std::string& out) {
    static constexpr std::pair<std::string_view, char> known[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (const auto& [text, sign] : known) {
      if (starts(text)) {
        out += sign;
        at_ += text.size();
        return true;
      }
    }
    // Numeric ones only stand in descriptions, which nobody here reads: kept as written.
    if (!starts("&#")) return fail("unknown entity");
    out += peek();
    step();
    return true;
  }

  bool element(Xml& out, int depth) {
    if (depth > max_depth) return fail("elements are nested too deep");
    if (++elements_ > max_elements) return fail("too many elements");
    out.line = line_;
    step();  // <
    out.name = name();
    if (out.name.empty()) return fail("expected the name of an element after `<`");
    for (;;) {
      spaces();
      if (starts("/>")) {
        at_ += 2;
        return true;
      }
      if (peek() == '>') break;
      const std::string key = name();
      if (key.empty()) return fail("expected an attribute or `>` in <" + out.name + ">");
      spaces();
      if (peek() != '=') return fail("expected `=` after attribute " + key);
      step();
      spaces();
      if (!value(out.attributes[key])) return false;
    }
    step();
    return content(out, depth);
  }

  bool content(Xml& out, int depth) {
    for (;;) {
      if (!between()) return false;
      if (!starts("</")) {
        if (!element(out.children.emplace_back(), depth + 1)) return false;
        continue;
      }
      at_ += 2;
      const std::string end = name();
      spaces();
      if (end != out.name || peek() != '>') {
        return fail("expected </" + out.name + ">, opened in line " + std::to_string(out.line));
      }
      step();
      return true;
    }
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  int line_ = 1;
  int elements_ = 0;
  std::optional<Error> error_;
};

}  // namespace

std::string_view Xml::attribute(std::string_view key) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? std::string_view() : std::string_view(found->second);
}

Outcome<Xml> read_xml(std::string_view text, std::string_view file_name) {
  return Reader(text, file_name).read();
}

}  // namespace fw::input
