// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cctype>

#include "model/input/casefile.h"
#include "reports/exports/exporter.h"

namespace fw::exports {
namespace {

/// Words of a property's id as a CamelCase name.
std::string camel(const std::string& id) {
  std::string out;
  bool start = true;
  for (const char c : id) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      start = true;
      continue;
    }
    out += start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    start = false;
  }
  return out.empty() ? "Run" : out;
}

/// A delimiter that the text does not hold.
std::string delimiter_for(const std::string& text) {
  std::string out = "case";
  while (text.find(")" + out + "\"") != std::string::npos) out += "_";
  return out;
}

}  // namespace

Exported export_gtest(const Case& c, const Recording&) {
  const std::string text = input::write_case(c);
  const std::string delimiter = delimiter_for(text);
  const std::string what = c.property.empty() ? "every property" : c.property;
  Exported out;
  out.text = fmt::format(R"(// SPDX-License-Identifier: Apache-2.0
// A minimized case as a regression: {} has to hold. Put it beside the tests in props/run.
{hash}include <gtest/gtest.h>

{hash}include "model/input/casefile.h"
{hash}include "props/bridge/policies.h"
{hash}include "props/run/case_run.h"

namespace fw::run {{
namespace {{

const char* const the_case = R"{}({}){}";

TEST(Regression, {}) {{
  const auto c = input::read_case(the_case, "regression", bridge::catalogue());
  ASSERT_TRUE(c) << c.error().text();
  const CaseRun ran = run_case(bridge::row_of(c->spec), *c, {{}});
  EXPECT_EQ(ran.discard, "");
  EXPECT_GT(ran.events, 0);
  ASSERT_FALSE(ran.failure) << ran.failure->property << ": " << ran.failure->message;
}}

}}  // namespace
}}  // namespace fw::run
)",
                         what,
                         delimiter,
                         text,
                         delimiter,
                         camel(c.property) + (c.signature.empty() ? "" : "_" + c.signature),
                         fmt::arg("hash", "#"));  // the lines are no includes of this file
  if (!c.mutant.empty()) {
    out.losses.push_back("the seeded fault " + c.mutant + " is not on in the test's build");
  }
  return out;
}

}  // namespace fw::exports
