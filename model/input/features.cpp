// SPDX-License-Identifier: Apache-2.0
#include "model/input/features.h"

#include <algorithm>
#include <optional>

#include "model/input/jsonc.h"

namespace fw::input {
namespace {

constexpr std::size_t max_names = 4096;

struct Piece {
  std::string_view text;
  int line = 1;
  bool ends_line = false;
};

bool is_feature_name(std::string_view text) {
  return !text.empty() && text.size() <= 100 && text[0] >= 'A' && text[0] <= 'Z' &&
         text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

Outcome<std::vector<Piece>> split(std::string_view text, std::string_view file_name) {
  std::vector<Piece> out;
  int line = 1;
  const auto where = [&] { return std::string(file_name) + ":" + std::to_string(line); };
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\n' && !out.empty()) out.back().ends_line = true;
    if (c == '\n') ++line;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!is_feature_name(word)) {
      return Error{json_shown(word) + " is no feature name",
                   "expected names like START_DEBIT or NO_HRTICK, separated by blanks",
                   where()};
    }
    if (out.size() == max_names) return Error{"more than 4096 names", "", where()};
    out.push_back({word, line, false});
    at = end;
  }
  if (out.empty()) return Error{"no feature names", "paste the line of sched/features", where()};
  return out;
}

std::pair<std::string, bool> without_no(std::string_view word) {
  const bool off = word.starts_with("NO_") && word.size() > 3;
  return {std::string(off ? word.substr(3) : word), !off};
}

std::string joined_note(const Piece& first, const Piece& second) {
  return std::string(first.text) + " and " + std::string(second.text) + " (lines " +
         std::to_string(first.line) + " and " + std::to_string(second.line) + ") are one name";
}

const FeatureInfo* find(const PolicyInfo& policy, std::string_view word) {
  const std::string name = without_no(word).first;
  const auto row = std::find_if(policy.features.begin(),
                                policy.features.end(),
                                [&](const FeatureInfo& f) { return f.name == name; });
  return row == policy.features.end() ? nullptr : &*row;
}

}  // namespace

Outcome<FeatureListing> list_features(std::string_view text, std::string_view file_name) {
  const Outcome<std::vector<Piece>> pieces = split(text, file_name);
  if (!pieces.ok()) return pieces.error();
  FeatureListing out;
  for (std::size_t i = 0; i < pieces->size(); ++i) {
    const Piece& piece = (*pieces)[i];
    std::string word(piece.text);
    if (piece.ends_line && word.back() == '_' && i + 1 < pieces->size()) {
      out.notes.push_back(joined_note(piece, (*pieces)[i + 1]));
      word += (*pieces)[++i].text;
    }
    out.names.push_back(without_no(word));
  }
  return out;
}

Outcome<FeatureReading> read_features(std::string_view text,
                                      std::string_view file_name,
                                      const PolicyInfo& policy) {
  const Outcome<std::vector<Piece>> pieces = split(text, file_name);
  if (!pieces.ok()) return pieces.error();
  std::vector<std::string_view> known;
  for (const FeatureInfo& row : policy.features) known.push_back(row.name);
  FeatureReading out;
  std::string unknown;
  int first_line = 0;
  for (std::size_t i = 0; i < pieces->size(); ++i) {
    const Piece& piece = (*pieces)[i];
    std::string word(piece.text);
    const FeatureInfo* row = find(policy, word);
    if (row == nullptr && piece.ends_line && i + 1 < pieces->size()) {
      const std::string whole = word + std::string((*pieces)[i + 1].text);
      row = find(policy, whole);
      if (row != nullptr || word.back() == '_') {
        out.notes.push_back(joined_note(piece, (*pieces)[i + 1]));
        word = whole;
        ++i;
      }
    }
    if (row == nullptr) {
      const std::string name = without_no(word).first;
      unknown += (unknown.empty() ? "" : ", ") + name +
                 " (nearest: " + std::string(nearest(name, known)) + ")";
      if (word.size() != piece.text.size())
        unknown += " cut at the end of line " + std::to_string(piece.line);
      if (first_line == 0) first_line = piece.line;
    } else if (!row->modelled) {
      out.without_effect.push_back(word);
    } else {
      const auto [name, on] = without_no(word);
      if (!out.features.insert_or_assign(name, on).second) {
        out.notes.push_back(name + " stands more than once; the last one counts");
      }
    }
  }
  if (!unknown.empty()) {
    return Error{"unknown to policy " + std::string(policy.name) + ": " + unknown,
                 "`list features` shows what it knows; take the others out",
                 std::string(file_name) + ":" + std::to_string(first_line)};
  }
  return out;
}

void apply_features(const FeatureReading& reading, const PolicyInfo& policy, PolicySpec& spec) {
  for (const auto& [name, on] : reading.features) spec.features.emplace(name, on);
  spec.text = spec_text(spec, policy);
}

}  // namespace fw::input
