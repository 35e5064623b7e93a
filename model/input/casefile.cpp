// SPDX-License-Identifier: Apache-2.0
#include "model/input/casefile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>

#include "model/input/rtapp.h"

namespace fw::input {
namespace {

constexpr std::string_view schema_name = "fairwitness.case/";
constexpr int schema_version = 1;

constexpr std::array<std::string_view, 15> known_keys = {"$schema",
                                                         "schema",
                                                         "spec",
                                                         "topology",
                                                         "balance",
                                                         "horizon",
                                                         "name",
                                                         "seed",
                                                         "index",
                                                         "property",
                                                         "signature",
                                                         "mutant",
                                                         "expected",
                                                         "notes",
                                                         "workload"};
constexpr std::array<std::string_view, 3> expected_keys = {"event", "t", "text"};

/// Reads a case from its JSON; the first fault stops it.
class Reader {
 public:
  Reader(std::string_view file_name, std::span<const PolicyInfo* const> catalogue)
      : file_(file_name), catalogue_(catalogue) {}

  Outcome<Case> read(const Json& root) {
    if (!schema(root) || !spec(root)) return *error_;
    std::set<std::string_view> seen;
    for (const Json& item : root.items) {
      if (!seen.insert(item.key).second) {
        fail(item, "the key " + json_shown(item.key) + " stands twice", "remove one");
        return *error_;
      }
      if (!pair(item)) return *error_;
    }
    if (seen.count("workload") == 0) {
      fail(root, "the key \"workload\" is missing", "it holds the rt-app workload");
      return *error_;
    }
    if (name_) out_.workload.name = *name_;
    return std::move(out_);
  }

 private:
  bool fail(const Json& item, std::string what, std::string hint = "") {
    if (!error_) error_ = Error{std::move(what), std::move(hint), item.where(file_)};
    return false;
  }
  bool is_a(const Json& item, JsonKind kind) {
    return item.is(kind) ||
           fail(item,
                json_shown(item.key) + ": expected " + std::string(json_kind_name(kind)) +
                    ", found " + std::string(json_kind_name(item.kind)));
  }

  bool schema(const Json& root) {
    if (!is_a(root, JsonKind::object)) return false;
    const Json* item = root.find("schema");
    if (item == nullptr) {
      return fail(
          root, "the key \"schema\" is missing", "a case has \"schema\": \"fairwitness.case/1\"");
    }
    if (!is_a(*item, JsonKind::string)) return false;
    const std::string_view text = item->text;
    int version = 0;
    if (text.starts_with(schema_name)) {
      const char* end = text.data() + text.size();
      const auto [stop, fault] = std::from_chars(text.data() + schema_name.size(), end, version);
      if (fault != std::errc() || stop != end) version = 0;
    }
    if (version < 1) {
      return fail(*item,
                  "expected \"fairwitness.case/1\", found " + json_shown(text),
                  "is this a case file?");
    }
    return version <= schema_version ||
           fail(*item,
                "the case is of schema " + std::to_string(version) + ", this program reads up to " +
                    std::to_string(schema_version),
                "read it with the Fairwitness that wrote it, or a newer one");
  }

  bool spec(const Json& root) {
    const Json* item = root.find("spec");
    if (item == nullptr)
      return fail(root, "the key \"spec\" is missing", "for example \"cfs@2.6.36\"");
    if (!is_a(*item, JsonKind::string)) return false;
    Outcome<PolicySpec> read = parse_spec(item->text, catalogue_);
    if (!read.ok()) return fail(*item, "spec: " + read.error().what, read.error().hint);
    out_.spec = std::move(read).value();
    return true;
  }

  bool pair(const Json& item) {
    const std::string& key = item.key;
    if (key == "$schema" || key == "schema" || key == "spec") return true;
    if (key == "topology") return text(item, out_.topology);
    if (key == "property") return text(item, out_.property);
    if (key == "signature") return text(item, out_.signature);
    if (key == "mutant") return text(item, out_.mutant);
    if (key == "seed") return natural(item, out_.seed);
    if (key == "index") return natural(item, out_.index);
    if (key == "horizon") return duration(item, out_.horizon);
    if (key == "name") return text(item, name_.emplace());
    if (key == "expected") return expected(item);
    if (key == "notes") return notes(item);
    if (key == "workload") return workload(item);
    if (key == "balance") {
      out_.balance = item.integer != 0;
      return is_a(item, JsonKind::boolean);
    }
    return fail(item,
                "unknown key " + json_shown(key),
                "nearest: " + std::string(nearest(key, known_keys)) + "; comments stand in /* */");
  }

  bool text(const Json& item, std::string& out) {
    out = item.text;
    return is_a(item, JsonKind::string);
  }
  bool natural(const Json& item, std::uint64_t& out) {
    if (!is_a(item, JsonKind::integer)) return false;
    const char* end = item.text.data() + item.text.size();
    const auto [stop, fault] = std::from_chars(item.text.data(), end, out);
    return (fault == std::errc() && stop == end) ||
           fail(item, json_shown(item.key) + " is outside [0, 18446744073709551615]");
  }
  bool duration(const Json& item, Duration& out) {
    if (!is_a(item, JsonKind::string)) return false;
    const Outcome<Duration> read = parse_duration(item.text);
    if (!read.ok())
      return fail(item, json_shown(item.key) + ": " + read.error().what, read.error().hint);
    out = *read;
    return true;
  }

  bool expected(const Json& object) {
    if (!is_a(object, JsonKind::object)) return false;
    for (const Json& item : object.items) {
      if (item.key == "text") {
        if (!text(item, out_.expected.text)) return false;
      } else if (item.key == "t") {
        Duration since_start;
        if (!duration(item, since_start)) return false;
        out_.expected.t = Instant{since_start.ns};
      } else if (item.key == "event") {
        if (!is_a(item, JsonKind::integer)) return false;
        if (item.integer < -1) return fail(item, "the event is -1 (unknown) or its number from 0");
        out_.expected.event = item.integer;
      } else {
        return fail(item,
                    "unknown key " + json_shown(item.key) + " under \"expected\"",
                    "nearest: " + std::string(nearest(item.key, expected_keys)));
      }
    }
    return true;
  }

  bool notes(const Json& array) {
    if (!is_a(array, JsonKind::array)) return false;
    for (const Json& item : array.items) {
      if (!is_a(item, JsonKind::string)) return false;
      out_.notes.push_back(item.text);
    }
    return true;
  }

  bool workload(const Json& item) {
    const RtappOptions options{.custom_slice = out_.spec.policy == "eevdf"};
    Outcome<RtappReading> reading = runnable(read_rtapp(item, file_, options), file_, options);
    if (!reading.ok()) {
      error_ = reading.error();
      return false;
    }
    out_.workload = std::move(reading->workload);
    return true;
  }

  std::string file_;
  std::span<const PolicyInfo* const> catalogue_;
  Case out_;
  std::optional<std::string> name_;
  std::optional<Error> error_;
};

}  // namespace

std::string write_case(const Case& value) {
  std::string out = "{";
  const auto add = [&](std::string_view key, const std::string& text) {
    out += (out.size() == 1 ? "\n  " : ",\n  ") + json_quote(key) + ": " + text;
  };
  const auto add_text = [&](std::string_view key, const std::string& text) {
    if (!text.empty()) add(key, json_quote(text));
  };
  add("schema", json_quote(std::string(schema_name) + std::to_string(schema_version)));
  add_text("name", value.workload.name);
  add("spec", json_quote(value.spec.text));
  add("topology", json_quote(value.topology));
  if (!value.balance) add("balance", "false");
  if (value.horizon.ns != 0) add("horizon", json_quote(format_duration(value.horizon)));
  add("seed", std::to_string(value.seed));
  add("index", std::to_string(value.index));
  add_text("property", value.property);
  add_text("signature", value.signature);
  add_text("mutant", value.mutant);
  const Divergence& expected = value.expected;
  if (expected.event >= 0 || expected.t.ns != 0 || !expected.text.empty()) {
    add("expected",
        "{\n    \"event\": " + std::to_string(expected.event) +
            ",\n    \"t\": " + json_quote(format_duration({expected.t.ns})) +
            ",\n    \"text\": " + json_quote(expected.text) + "\n  }");
  }
  if (!value.notes.empty()) {
    std::string notes;
    for (const std::string& note : value.notes) {
      notes += (notes.empty() ? "\n    " : ",\n    ") + json_quote(note);
    }
    add("notes", "[" + notes + "\n  ]");
  }
  add("workload", write_rtapp(value.workload, 2));
  return out + "\n}\n";
}

Outcome<Case> read_case(std::string_view text,
                        std::string_view file_name,
                        std::span<const PolicyInfo* const> catalogue) {
  const Outcome<JsonDocument> document = read_json(text, file_name);
  if (!document.ok()) return document.error();
  return Reader(file_name, catalogue).read(document->root);
}

bool looks_like_case(std::string_view text) {
  return text.find("fairwitness.case/") != std::string_view::npos;
}

}  // namespace fw::input
