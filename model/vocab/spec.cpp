// SPDX-License-Identifier: Apache-2.0
#include "model/vocab/spec.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "model/vocab/time.h"

namespace fw {
namespace {

std::string quote(std::string_view word) { return "`" + std::string(word.substr(0, 64)) + "`"; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known) {
  const std::string_view near = nearest(word, known);
  return near.empty() ? std::string() : "did you mean " + quote(near) + "?";
}

template <class Row>
std::vector<std::string_view> names_of(std::span<const Row> rows) {
  std::vector<std::string_view> names;
  for (const Row& row : rows) names.push_back(row.name);
  return names;
}

std::string joined(std::span<const std::string_view> words) {
  std::string out;
  for (const std::string_view word : words) {
    if (!out.empty()) out += " ";
    out += word;
  }
  return out;
}

template <class Integer>
std::optional<Integer> whole_number(std::string_view text) {
  Integer value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc() || stop != end) return std::nullopt;
  return value;
}

/// Bare ticks, or a time of at most as many ms.
Outcome<std::int64_t> ticks_value(const KnobInfo& knob, std::string_view text) {
  constexpr std::int64_t ms = 1'000'000;
  const auto number = whole_number<std::int64_t>(text);
  if (number && *number >= knob.lowest && *number <= knob.highest) return *number;
  const Outcome<Duration> time = parse_duration(text);
  if (time.ok() && time->ns > 0 && time->ns <= knob.highest * ms) return -time->ns;
  return Error{
      "knob " + quote(knob.name) + " = " + std::string(text.substr(0, 64)) +
          " is neither a number of ticks in [" + std::to_string(knob.lowest) + ", " +
          std::to_string(knob.highest) + "] nor a time up to " +
          format_duration({knob.highest * ms}),
      "for example " + std::string(knob.name) + "=100 or " + std::string(knob.name) + "=100ms"};
}

Outcome<std::int64_t> knob_value(const KnobInfo& knob, std::string_view text) {
  const std::string where = "knob " + quote(knob.name);
  if (knob.unit == KnobUnit::choice) {
    const auto found = std::find(knob.choices.begin(), knob.choices.end(), text);
    if (found != knob.choices.end()) return std::int64_t{found - knob.choices.begin()};
    const std::string_view near = nearest(text, knob.choices);
    return Error{where + " has no choice " + quote(text),
                 "choices: " + joined(knob.choices) + "; did you mean " + quote(near) + "?"};
  }
  if (knob.unit == KnobUnit::wide) {
    const auto value = whole_number<std::uint64_t>(text);
    if (value) return static_cast<std::int64_t>(*value);
    return Error{where + " is a whole number in [0, 18446744073709551615], not " + quote(text)};
  }
  if (knob.unit == KnobUnit::ticks) return ticks_value(knob, text);
  const auto word = std::find(knob.choices.begin(), knob.choices.end(), text);
  if (word != knob.choices.end()) return knob.lowest + (word - knob.choices.begin());
  const bool time = knob.unit == KnobUnit::duration;
  const auto bound = [&](std::int64_t value) {
    return time ? format_duration({value}) : std::to_string(value);
  };
  const std::string range = "[" + bound(knob.lowest) + ", " + bound(knob.highest) + "]" +
                            (knob.choices.empty() ? "" : " or " + joined(knob.choices));
  std::optional<std::int64_t> value;
  if (time) {
    const Outcome<Duration> read = parse_duration(text);
    if (!read.ok()) return Error{where + ": " + read.error().what, read.error().hint};
    value = read->ns;
  } else {
    value = whole_number<std::int64_t>(text);
    if (!value) return Error{where + " is a whole number in " + range + ", not " + quote(text)};
  }
  if (*value < knob.lowest || *value > knob.highest) {
    return Error{where + " = " + std::string(text.substr(0, 64)) + " is outside " + range};
  }
  return *value;
}

/// Reads one spec, left to right; `rest_` is what is still to be read.
class SpecReader {
 public:
  SpecReader(std::string_view text, std::span<const PolicyInfo* const> catalogue)
      : rest_(text), catalogue_(catalogue) {}

  Outcome<PolicySpec> read() {
    for (const auto step :
         {&SpecReader::policy, &SpecReader::version, &SpecReader::features, &SpecReader::knobs}) {
      if (auto error = (this->*step)()) return *std::move(error);
    }
    spec_.text = spec_text(spec_, *info_);
    return std::move(spec_);
  }

 private:
  using Fault = std::optional<Error>;

  Fault policy() {
    if (rest_.empty()) return Error{"the policy spec is empty", "for example cfs or o1@2.5.59"};
    std::size_t end = std::min(rest_.find_first_of("@+-,"), rest_.size());
    // A plug-in's path may hold any of these signs; it ends with the first `.so`.
    if (const std::size_t so = rest_.find(".so"); so != std::string_view::npos) end = so + 3;
    const std::string_view name = rest_.substr(0, end);
    for (const PolicyInfo* row : catalogue_) {
      if (row->name == name) info_ = row;
    }
    if (info_ == nullptr) {
      std::vector<std::string_view> known;
      for (const PolicyInfo* row : catalogue_) known.push_back(row->name);
      return Error{"unknown policy " + quote(name),
                   did_you_mean(name, known) + " (policies: " + joined(known) + ")"};
    }
    spec_.policy = name;
    rest_.remove_prefix(end);
    return std::nullopt;
  }

  Fault version() {
    if (!info_->versions.empty()) spec_.version = info_->versions.back();
    if (rest_.empty() || rest_.front() != '@') return std::nullopt;
    rest_.remove_prefix(1);
    // Versions hold `-` themselves (2.6.36-rc3), so the longest known one that fits is meant.
    std::string_view best;
    for (const std::string_view known : info_->versions) {
      const bool fits =
          rest_.starts_with(known) &&
          (rest_.size() == known.size() ||
           std::string_view("+-,").find(rest_[known.size()]) != std::string_view::npos);
      if (fits && known.size() > best.size()) best = known;
    }
    if (best.empty()) {
      const std::string_view word = rest_.substr(0, rest_.find_first_of("+,"));
      const std::vector<std::string_view> known(info_->versions.begin(), info_->versions.end());
      return Error{"policy " + quote(info_->name) + " has no version " + quote(word),
                   did_you_mean(word, known) + " (versions: " + joined(known) + ")"};
    }
    spec_.version = best;
    rest_.remove_prefix(best.size());
    return std::nullopt;
  }

  Fault features() {
    while (!rest_.empty() && rest_.front() != ',') {
      const char sign = rest_.front();
      const std::size_t end = std::min(rest_.find_first_of("+-,", 1), rest_.size());
      const std::string_view name = rest_.substr(1, end - 1);
      if ((sign != '+' && sign != '-') || name.empty()) {
        return Error{"expected +FEATURE, -FEATURE or ,knob=value at " + quote(rest_),
                     "for example cfs@2.6.36-LAST_BUDDY,latency=18ms"};
      }
      if (auto fault = feature(name, sign == '+')) return fault;
      rest_.remove_prefix(end);
    }
    return std::nullopt;
  }

  Fault feature(std::string_view name, bool on) {
    const auto row = std::find_if(info_->features.begin(),
                                  info_->features.end(),
                                  [&](const FeatureInfo& f) { return f.name == name; });
    const std::string policy = "policy " + quote(info_->name);
    if (row == info_->features.end()) {
      return Error{policy + " has no feature " + quote(name),
                   did_you_mean(name, names_of(info_->features))};
    }
    if (!row->modelled) {
      return Error{"feature " + quote(name) + " is known but has no effect in " + policy,
                   "leave it out (a --features-file may hold it)"};
    }
    if (!spec_.features.emplace(std::string(name), on).second) {
      return Error{"feature " + quote(name) + " is given twice", "give it once"};
    }
    return std::nullopt;
  }

  Fault knobs() {
    while (!rest_.empty()) {
      rest_.remove_prefix(1);  // the comma
      const std::size_t end = std::min(rest_.find(','), rest_.size());
      const std::string_view pair = rest_.substr(0, end);
      rest_.remove_prefix(end);
      const std::size_t equals = pair.find('=');
      const std::string_view name = pair.substr(0, equals);
      const auto row = std::find_if(info_->knobs.begin(),
                                    info_->knobs.end(),
                                    [&](const KnobInfo& k) { return k.name == name; });
      if (row == info_->knobs.end()) {
        return Error{"policy " + quote(info_->name) + " has no knob " + quote(name),
                     did_you_mean(name, names_of(info_->knobs))};
      }
      if (equals == std::string_view::npos) {
        return Error{"knob " + quote(name) + " has no value",
                     "write " + std::string(name) + "=VALUE"};
      }
      Outcome<std::int64_t> value = knob_value(*row, pair.substr(equals + 1));
      if (!value.ok()) return value.error();
      if (!spec_.knobs.emplace(std::string(name), *value).second) {
        return Error{"knob " + quote(name) + " is given twice", "give it once"};
      }
    }
    return std::nullopt;
  }

  std::string_view rest_;
  std::span<const PolicyInfo* const> catalogue_;
  const PolicyInfo* info_ = nullptr;
  PolicySpec spec_;
};

/// Edit distance without regard to case; swapping two neighbours counts once.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = lower(a[i - 1]), y = lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (x == y ? 0u : 1u)});
      if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  word = word.substr(0, 64);  // hostile input must not cost quadratic time
  std::string_view best;
  std::size_t best_distance = 0;
  for (const std::string_view candidate : known) {
    std::size_t d = distance(word, candidate.substr(0, 64));
    // A beginning of a long name (A03, GENTLE) is nearer than a short name without one letter of
    // it.
    if (word.size() < candidate.size()) {
      d = std::min(d, 2 + distance(word, candidate.substr(0, word.size())));
    }
    if (best.empty() || d < best_distance) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

std::uint64_t ticks_of_knob(std::int64_t value, int hz) {
  if (value >= 0) return static_cast<std::uint64_t>(value);
  constexpr std::int64_t second = 1'000'000'000;
  // Whole seconds apart, so that the product cannot overflow.
  return static_cast<std::uint64_t>(-value / second * hz + -value % second * hz / second);
}

Outcome<PolicySpec> parse_spec(std::string_view text,
                               std::span<const PolicyInfo* const> catalogue) {
  return SpecReader(text, catalogue).read();
}

}  // namespace fw
