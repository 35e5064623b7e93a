// SPDX-License-Identifier: Apache-2.0
// Hostile names, alone and in whole reports.
#include "reports/escape.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "reports/decisions.h"
#include "reports/html.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/sample/sample.h"
#include "reports/sarif.h"
#include "reports/text.h"

namespace fw::reports {
namespace {

using Json = nlohmann::json;

bool is_utf8(const std::string& text) { return valid_utf8(text) == text; }

/// The first thing wrong with an XML text of elements, attributes in double quotes, references and
/// text; empty when it is well formed.
std::string xml_fault(const std::string& xml) {
  std::vector<std::string> open;
  std::size_t at = xml.find("?>") + 2;
  while (at < xml.size()) {
    const auto byte = static_cast<unsigned char>(xml[at]);
    if (byte < 0x20 && xml[at] != '\n') return "control character";
    if (xml.compare(at, 3, "]]>") == 0) return "]]> in text";
    if (xml[at] == '&') {
      const std::string name = xml.substr(at + 1, xml.find(';', at) - at - 1);
      if (name != "amp" && name != "lt" && name != "gt" && name != "quot" && name[0] != '#') {
        return "reference " + name;
      }
    }
    if (xml[at] != '<') {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    for (bool quoted = false; end < xml.size() && (quoted || xml[end] != '>'); ++end) {
      if (xml[end] == '"') quoted = !quoted;
      if (xml[end] == '<' || static_cast<unsigned char>(xml[end]) < 0x20) return "raw < in a tag";
    }
    const std::string tag = xml.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag[0] == '/') {
      if (open.empty() || "/" + open.back() != tag) return "end of " + tag;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    at = end + 1;
  }
  return open.empty() ? "" : "open " + open.back();
}

TEST(Utf8, ReplacesWhatIsNone) {
  EXPECT_EQ(valid_utf8("a\xff\xc3\xa9\xc3"), "a\xEF\xBF\xBD\xc3\xa9\xEF\xBF\xBD");
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD") << "a surrogate";
  EXPECT_EQ(valid_utf8("\xc0\xaf"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "an overlong form";
  EXPECT_EQ(valid_utf8("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80");
}

TEST(Shorten, CutsBetweenCharacters) {
  EXPECT_EQ(shorten("abc", 3), "abc");
  EXPECT_EQ(shorten("a\xc3\xa9z", 2), "a... (3 bytes cut)");
}

TEST(Printable, ShowsControlsAndTurnedText) {
  EXPECT_EQ(printable("a\x1b[31m\n"), "a\\x1b[31m\\x0a");
  EXPECT_EQ(printable("a\nb\r", true), "a\nb\\x0d");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae") << "right-to-left override";
  EXPECT_EQ(printable("\xe2\x80\x93\xc3\xa9"), "\xe2\x80\x93\xc3\xa9");
}

TEST(Markdown, LeavesWordsAndHidesMarkup) {
  EXPECT_EQ(markdown("cfs@2.6.36: vruntime_spread"), "cfs@2.6.36: vruntime_spread");
  EXPECT_EQ(markdown("@team #1 a|b `c` _d_ <e>"),
            "@&#8203;team #&#8203;1 a\\|b \\`c\\` \\_d\\_ &lt;e&gt;");
}

TEST(Hostile, JsonTextsParseAndKeepTheName) {
  const std::string name = valid_utf8(hostile_name);
  const Json result = Json::parse(json(hostile_result()));
  EXPECT_EQ(result.at("policies").at(0), name);
  EXPECT_EQ(result.at("runs").at(0).at("tasks").at(0).at("task"), name);
  const Json run = Json::parse(sarif(hostile_result())).at("runs").at(0);
  EXPECT_EQ(run.at("results").at(0).at("properties").at("policy"), name);
  const std::string uri = run.at("results")
                              .at(0)
                              .at("locations")
                              .at(0)
                              .at("physicalLocation")
                              .at("artifactLocation")
                              .at("uri");
  EXPECT_EQ(uri.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                  "-._~/%"),
            std::string::npos);
}

TEST(Hostile, XmlIsWellFormed) {
  EXPECT_EQ(xml_fault("<?xml?>\n<a b=\"1\"><c/>x&lt;</a>\n"), "");
  EXPECT_EQ(xml_fault("<?xml?>\n<a><b></a>"), "end of /a");
  const std::string all = junit(hostile_result());
  EXPECT_EQ(xml_fault(all), "");
  EXPECT_TRUE(is_utf8(all));
}

TEST(Hostile, PageHasNoForeignElement) {
  const std::string page = html_page(hostile_result());
  EXPECT_TRUE(is_utf8(page));
  EXPECT_EQ(page.find("<img"), std::string::npos);
  std::size_t ends = 0;
  for (std::size_t at = page.find("</script"); at != std::string::npos;
       at = page.find("</script", at + 1)) {
    ++ends;
  }
  EXPECT_EQ(ends, 2u) << "the data and the viewer";
  const std::size_t from = page.find("id=\"data\">") + 10;
  const Json data = Json::parse(page.substr(from, page.find("</script>", from) - from));
  EXPECT_EQ(data.at("recordings").at(0).at("tasks").at(0), printable(hostile_name));
}

TEST(Hostile, SummaryHasNoForeignMarkup) {
  const std::string all = summary(hostile_result());
  EXPECT_TRUE(is_utf8(all));
  std::string fence;
  std::size_t fences = 0;
  for (std::size_t from = 0; from < all.size();) {
    const std::size_t end = all.find('\n', from);
    const std::string line = all.substr(from, end - from);
    from = end + 1;
    if (fence.empty() && line.rfind("```", 0) == 0) {
      fence = line.substr(0, line.find_first_not_of('`'));
      ++fences;
    } else if (line == fence) {
      fence.clear();
    } else if (fence.empty()) {
      EXPECT_EQ(line.find("<img"), std::string::npos) << line;
      EXPECT_EQ(line.find("@team"), std::string::npos) << line;
      EXPECT_EQ(line.find("</script"), std::string::npos) << line;
    }
  }
  EXPECT_TRUE(fence.empty());
  EXPECT_GT(fences, 4u);
}

TEST(Hostile, AnnotationsStayOneCommandALine) {
  const std::string all = annotations(hostile_result());
  EXPECT_TRUE(is_utf8(all));
  std::size_t lines = 0;
  for (std::size_t from = 0; from < all.size(); from = all.find('\n', from) + 1, ++lines) {
    const std::string head = all.substr(from, 8);
    EXPECT_TRUE(head == "::error " || head == "::warnin") << head;
  }
  EXPECT_EQ(lines, 4u);
  EXPECT_EQ(all.find('\r'), std::string::npos);
}

TEST(Hostile, TerminalGetsNoEscapeSequence) {
  for (const std::string& all :
       {text(hostile_result()), metrics_text(measure(hostile_result().recordings[0]))}) {
    EXPECT_EQ(all.find('\x1b'), std::string::npos);
    EXPECT_EQ(all.find('\r'), std::string::npos);
    EXPECT_TRUE(is_utf8(all));
  }
}

TEST(Hostile, DecisionLinesStayOneLine) {
  Decision decision;
  decision.kind = DecisionKind::block;
  decision.task = TaskId{0};
  const std::vector<std::string> names = {hostile_name};
  const std::string line = decision_line(decision, names, {}, 0);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(Json::parse(line).at("task"), valid_utf8(hostile_name));
}

}  // namespace
}  // namespace fw::reports
