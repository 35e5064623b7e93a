// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/outcome.h"

namespace fw::input {

/// An element: its attributes and child elements. Text between elements is not kept.
struct Xml {
  std::string name;
  int line = 0;
  std::map<std::string, std::string, std::less<>> attributes;
  std::vector<Xml> children;

  /// The attribute's value; empty when absent.
  std::string_view attribute(std::string_view key) const;
};

/// Reads the elements of `text`; no DTD is fetched or obeyed, no entity beyond the five of XML.
/// Range:   64 MiB, 200 levels, 500,000 elements.
/// Errors:  no XML, not well-formed, truncated, too large; `FILE:LINE`.
Outcome<Xml> read_xml(std::string_view text, std::string_view file_name);

}  // namespace fw::input
