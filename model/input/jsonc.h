// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/outcome.h"

/// JSON as json-c reads it in the lenient mode that rt-app uses: comments, single quotes, a comma
/// before a closing bracket, TRUE, leading zeros, anything after the root. Unlike json-c it keeps
/// every pair of an object in document order, repeated keys included, with its place.
namespace fw::input {

/// `placeholder`: a template's unfilled word such as __DURATION__ (only with
/// JsonOptions::placeholders).
enum class JsonKind { null, boolean, integer, real, string, array, object, placeholder };
std::string_view json_kind_name(JsonKind kind);

/// A value; inside an object also its key.
struct Json {
  JsonKind kind = JsonKind::null;
  int line = 0;              ///< of the value, from 1
  int column = 0;            ///< in bytes, from 1
  std::int64_t integer = 0;  ///< integer: clamped to int64 as json-c does; boolean: 0 or 1
  std::string text;          ///< string: its bytes; number and placeholder: as written
  std::vector<Json> items;   ///< array, object
  std::string key;
  int key_line = 0;
  int key_column = 0;

  bool is(JsonKind other) const { return kind == other; }
  /// The last pair of that key (the one json-c would keep), or nullptr.
  const Json* find(std::string_view name) const;
  /// `FILE:LINE:COLUMN` of the value.
  std::string where(std::string_view file_name) const;
};

struct JsonOptions {
  bool placeholders = false;  ///< accept __WORD__ in place of a value
  int max_depth = 32;         ///< of nested arrays and objects, as json-c's default
  std::size_t max_values = 2'000'000;
};

struct JsonDocument {
  Json root;
  /// Where the text begins that json-c ignores after the root; 0: nowhere.
  int ignored_line = 0;
  int ignored_column = 0;
};

/// Reads `text`.
/// Errors:  what json-c refuses, with `FILE:LINE:COLUMN` and what was expected there. Beyond
/// json-c:
///          strings that are not UTF-8 or hold a NUL, and texts beyond the limits.
/// Source:  json-c 0.16, json_tokener.c, without flags.
Outcome<JsonDocument> read_json(std::string_view text,
                                std::string_view file_name,
                                const JsonOptions& options = {});

/// `text` as a JSON string with its quotes.
std::string json_quote(std::string_view text);

/// The same for messages: long texts are cut (between characters) after 60 bytes.
std::string json_shown(std::string_view text);

}  // namespace fw::input
