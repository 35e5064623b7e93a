// SPDX-License-Identifier: Apache-2.0
#include "model/input/jsonc.h"

#include <gtest/gtest.h>

namespace fw::input {
namespace {

/// A compact picture of a value: kinds, keys in order, integers.
std::string picture(const Json& json) {
  std::string out;
  switch (json.kind) {
    case JsonKind::null:
      return "null";
    case JsonKind::boolean:
      return json.integer != 0 ? "true" : "false";
    case JsonKind::integer:
      return std::to_string(json.integer);
    case JsonKind::real:
      return "real";
    case JsonKind::string:
      return json_quote(json.text);
    case JsonKind::placeholder:
      return json.text;
    case JsonKind::array:
      for (const Json& item : json.items) out += picture(item) + " ";
      return "[" + out + "]";
    case JsonKind::object:
      for (const Json& item : json.items) out += item.key + ":" + picture(item) + " ";
      return "{" + out + "}";
  }
  return out;
}

std::string read(std::string_view text) {
  const Outcome<JsonDocument> document = read_json(text, "f.json");
  return document.ok() ? picture(document->root) : document.error().text();
}

TEST(Json, TakesWhatJsonCTakes) {
  EXPECT_EQ(read("// a\n/* b /* c */ {}"), "{}");
  EXPECT_EQ(read("{\"a\" /* x */ : // y\n 1 , }"), "{a:1 }");
  EXPECT_EQ(read("[1,2,]"), "[1 2 ]");
  EXPECT_EQ(read("{'a':'it\"s'}"), "{a:\"it\\\"s\" }");
  EXPECT_EQ(read("[TRUE,False,nULL]"), "[true false null ]");
  EXPECT_EQ(read("[0100,-0,1.5,1e3,NaN,-Infinity]"), "[100 0 real real real real ]");
  EXPECT_EQ(read("[99999999999999999999,-99999999999999999999]"),
            "[9223372036854775807 -9223372036854775808 ]");
  EXPECT_EQ(read("[\"a\tb\nc\"]"), "[\"a\\u0009b\\u000ac\" ]");
  EXPECT_EQ(read("{\"r\\u0075n\":\"\\ud83d\\ude00\\ud800\\u00e9\"}"),
            "{run:\"\xf0\x9f\x98\x80\xef\xbf\xbd\xc3\xa9\" }");
  EXPECT_EQ(read("{\"a\":1,\"b\":2,\"a\":3}"), "{a:1 b:2 a:3 }");
}

TEST(Json, RefusesWhatJsonCRefuses) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", "f.json:1:1: expected a value, found the end of the text"},
      {"{} // end", "f.json:1:4: the `//` comment does not end with a line break"},
      {"{}\n/* x", "f.json:2:1: the `/*` comment is never closed"},
      {"/***/{}", "never closed"},
      {"{\"a\":1, # x\n}", "f.json:1:9: expected a quoted key or `}` after `,`, found `#`"},
      {"{\"a\":1,,}", "f.json:1:8"},
      {"{,}", "f.json:1:2"},
      {"[,]", "f.json:1:2: expected a value, found `,`"},
      {"{\"a\":1 \"b\":2}", "f.json:1:8: expected `,` or `}`, found `\"`"},
      {"{a:1}", "keys stand in quotes"},
      {"[+5]", "no plus sign"},
      {"[0x10]", "expected `,` or `]`, found `x`"},
      {"[-]", "expected a digit after `-`"},
      {"\xef\xbb\xbf{}", "byte order mark"},
      {"{\"suspend\",\"run\":1}", "expected `:` after the key \"suspend\""},
      {"{\"a\":__DURATION__}", "placeholder __DURATION__ is not filled in"},
      {"[\"\\x\"]", "after `\\`"},
      {"[\"\\u12g4\"]", "four hexadecimal digits"},
      {"{\"a\":\"x", "f.json:1:6: the string that begins here is never closed"},
      {"[\"\xff\"]", "not UTF-8"},
      {"[\"\xed\xa0\x80\"]", "not UTF-8"},
      {"[\"\\u0000\"]", "NUL"},
      {"{\"tasks\":{", "the end of the text"}};
  for (const auto& [text, part] : rows) {
    EXPECT_NE(read(text).find(part), std::string::npos) << text << " -> " << read(text);
  }
}

TEST(Json, KeepsLinesAndColumns) {
  const Outcome<JsonDocument> document = read_json("{\n  \"a\": [\n    7]\n}\nrest", "f.json");
  ASSERT_TRUE(document.ok());
  const Json& a = *document->root.find("a");
  EXPECT_EQ(a.key_line, 2);
  EXPECT_EQ(a.key_column, 3);
  EXPECT_EQ(a.items[0].where("f.json"), "f.json:3:5");
  EXPECT_EQ(document->ignored_line, 5);
  EXPECT_EQ(document->ignored_column, 1);
}

TEST(Json, HasTheDepthOfJsonC) {
  const auto nest = [](int depth, std::string_view inside) {
    return std::string(static_cast<std::size_t>(depth), '[') + std::string(inside) +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  EXPECT_TRUE(read_json(nest(32, ""), "f").ok());
  EXPECT_TRUE(read_json(nest(31, "1"), "f").ok());
  EXPECT_FALSE(read_json(nest(32, "1"), "f").ok());
  EXPECT_FALSE(read_json(nest(33, ""), "f").ok());
  EXPECT_FALSE(read_json(std::string(1 << 20, '['), "f").ok());
}

TEST(Json, LimitsTheNumberOfValues) {
  EXPECT_TRUE(read_json("[1,1,1]", "f", {.max_values = 4}).ok());
  const Outcome<JsonDocument> document = read_json("[1,1,1]", "f", {.max_values = 3});
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.error().text(), "f:1:6: more than 3 values");
}

TEST(Json, KeepsPlaceholdersOnRequest) {
  const Outcome<JsonDocument> document = read_json("{\"a\":__X__}", "f", {.placeholders = true});
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(picture(document->root), "{a:__X__ }");
}

TEST(Json, QuotesWhatReadsBack) {
  std::string all;
  for (int c = 1; c < 128; ++c) all += static_cast<char>(c);
  const Outcome<JsonDocument> document = read_json("[" + json_quote(all) + "]", "f");
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(document->root.items[0].text, all);
}

}  // namespace
}  // namespace fw::input
