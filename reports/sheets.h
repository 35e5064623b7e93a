// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/vocab/result.h"
#include "reports/extra.h"

/// Parts of a report that are a table and a few sentences, and read the same in every format.
namespace fw::reports {

struct Sheet {
  std::string id;  ///< of the HTML section
  std::string title;
  std::vector<std::string> lines;              ///< above the table
  std::vector<std::vector<std::string>> rows;  ///< the first one is the header; may be empty
  std::string picture;                         ///< HTML only: a figure, already escaped
};

/// What there is of: the points of `tune`; the page of results and the answers of `prove`.
/// `brief`: without the page of results, which repeats the obligations side by side.
std::vector<Sheet> sheets(const Result& result, const Extra& extra, bool brief);

std::string sheets_text(const Result& result, const Extra& extra);
std::string sheets_markdown(const Result& result, const Extra& extra);
std::string sheets_html(const Result& result, const Extra& extra);

/// The result's JSON with what is beside it: the keys `tune` and `answers`, and of each obligation
/// `aspect`, `switches`, `paper`, `needs`, `brute_force`.
std::string json_with(const Result& result, const Extra& extra);
/// The page and the summary with the sheets in front of the other sections.
std::string html_page_with(const Result& result, const Extra& extra);
std::string summary_with(const Result& result, const Extra& extra);

/// `needed: gap (1 of 1), pick (1 of 1); not needed: constants`.
std::string needs_sentence(const ProofFacts& facts);
/// `3 equal tasks: 28 of 28 ns in 44,613 states`.
std::string brute_force_sentence(const ProofFacts::BruteForce& small);

}  // namespace fw::reports
