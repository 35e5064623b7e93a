// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/vocab/result.h"
#include "reports/metrics.h"

/// The sections of the page that are tables and lists; html.cpp puts them together.
namespace fw::reports {

struct Column {
  enum Kind { plain, number, mono, verdict };
  std::string_view title;
  Kind kind = plain;
};

/// A table whose cells are escaped as they come. Columns that stay empty are not written.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// As many cells as columns.
  void row(std::vector<std::string> cells);
  /// Nothing when there are no rows.
  std::string html() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// A section with its heading; nothing when `body` is empty.
std::string section(std::string_view id, std::string_view title, const std::string& body);

/// Ids and titles of the sections, in the order of the page.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 8> section_titles = {{
    {"properties", "Properties"},
    {"required", "Required situations"},
    {"obligations", "Obligations"},
    {"mutants", "Mutants"},
    {"benchmarks", "Benchmarks"},
    {"runs", "Runs"},
    {"notes", "Notes"},
    {"identity", "Identity"},
}};

std::string properties_html(const Result& result);
std::string required_html(const Result& result);
std::string obligations_html(const Result& result);
std::string mutants_html(const Result& result);
std::string benchmarks_html(const Result& result);
std::string notes_html(const Result& result);
std::string identity_html(const Result& result);
std::string metrics_html(const Metrics& metrics);

}  // namespace fw::reports
