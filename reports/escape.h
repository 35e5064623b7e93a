// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Names come from users' files: each format has its one way of writing any bytes at all. All of
/// these first replace what is not UTF-8 by U+FFFD.
namespace fw::reports {

/// The same text with every byte that is not part of valid UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// At most `bytes` bytes, cut between characters; a cut text ends in `... (N bytes cut)`, which is
/// not counted.
std::string shorten(std::string_view text, std::size_t bytes);

/// For a terminal: control characters (escape sequences too) as `\xNN`; newlines stay when
/// `keep_lines` is set.
std::string printable(std::string_view text, bool keep_lines = false);

/// The inside of a JSON string, appended to `out` without quotes.
void append_json(std::string& out, std::string_view text);

/// HTML text and quoted attribute values.
std::string html(std::string_view text);

/// XML 1.0 text and quoted attribute values; characters that XML cannot hold become U+FFFD.
std::string xml(std::string_view text);

/// Markdown text of one line, also inside a table cell: no markup, no HTML, no mentions.
std::string markdown(std::string_view text);

/// JSON to stand in an HTML script element: no `<`, so neither `</script` nor `<!--` can occur.
std::string script_json(std::string_view json);

}  // namespace fw::reports
