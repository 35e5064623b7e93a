// SPDX-License-Identifier: Apache-2.0
#include "model/vocab/time.h"

#include <algorithm>
#include <array>

namespace fw {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t ns;
};
// Ascending; `min` is only written for whole minutes, because 1/60 has no finite decimals.
constexpr std::array<Unit, 5> units = {
    {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}, {"min", 60'000'000'000}}};

Error bad_duration(std::string_view text, std::string_view why) {
  return Error{"`" + std::string(text.substr(0, 64)) + "` is not a duration: " + std::string(why),
               "write a number and one of the units ns us ms s min, for example 250us or 1.5ms"};
}

bool digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

Outcome<Duration> parse_duration(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (digit(text[end]) || text[end] == '.')) ++end;
  const std::string_view number = text.substr(0, end);
  const std::string_view unit_text = text.substr(end);
  if (number.empty()) return bad_duration(text, "it does not begin with a number");
  if (unit_text.empty()) return bad_duration(text, "the unit is missing");
  const auto unit =
      std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == unit_text; });
  if (unit == units.end()) return bad_duration(text, "the unit is unknown");

  const std::size_t dot = number.find('.');
  const std::string_view whole = number.substr(0, dot);
  std::string_view part = dot == std::string_view::npos ? "" : number.substr(dot + 1);
  if (whole.empty() || (dot != std::string_view::npos && part.empty()) ||
      part.find('.') != std::string_view::npos) {
    return bad_duration(text, "the number needs digits on both sides of one point");
  }
  while (!part.empty() && part.back() == '0') part.remove_suffix(1);

  // 128 bits: a digit is added only while the value still fits 64, so nothing can overflow.
  __extension__ typedef __int128 Wide;
  Wide value = 0;
  for (const char c : whole) {
    value = value * 10 + (c - '0') * static_cast<Wide>(unit->ns);
    if (value > INT64_MAX) return bad_duration(text, "it is longer than 292 years");
  }
  Wide step = unit->ns;
  for (const char c : part) {
    if (step % 10 != 0 && (step * (c - '0')) % 10 != 0) {
      return bad_duration(text, "it is not a whole number of ns");
    }
    value += step * (c - '0') / 10;
    if (step % 10 != 0) {
      // Only the last digit may still be exact at an odd step (0.5 of 6 x 10^k ns, say).
      if (&c != &part.back()) return bad_duration(text, "it is not a whole number of ns");
      continue;
    }
    step /= 10;
  }
  if (value > INT64_MAX) return bad_duration(text, "it is longer than 292 years");
  return Duration{static_cast<std::int64_t>(value)};
}

std::string format_duration(Duration duration) {
  if (duration.ns == 0) return "0ns";
  const bool negative = duration.ns < 0;
  const std::uint64_t ns = negative ? 0 - static_cast<std::uint64_t>(duration.ns)
                                    : static_cast<std::uint64_t>(duration.ns);
  std::string best;
  for (const Unit& unit : units) {
    const auto unit_ns = static_cast<std::uint64_t>(unit.ns);
    if (ns < unit_ns) break;
    std::string text = std::to_string(ns / unit_ns);
    if (std::uint64_t rest = ns % unit_ns; rest != 0) {
      if (unit.name == "min") continue;
      std::string digits = std::to_string(unit_ns + rest).substr(1);
      while (digits.back() == '0') digits.pop_back();
      text += "." + digits;
    }
    text += unit.name;
    if (best.empty() || text.size() < best.size()) best = text;
  }
  return (negative ? "-" : "") + best;
}

}  // namespace fw
