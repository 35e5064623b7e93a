// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "model/vocab/spec.h"

namespace fw::cli {
namespace {

[[noreturn]] void refuse(const std::string& flag, const std::string& why) {
  throw CLI::ValidationError(fmt::format("{}: {}", flag, why), CLI::ExitCodes::ValidationError);
}

/// The whole of `text` as a number of its type; false: it is none, or too large for the type.
template <class Number>
bool read_number(const std::string& text, Number& out) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size();
}

template <class Number>
CLI::Option* add_number(CLI::App& app,
                        const std::string& flag,
                        Number& value,
                        Number lowest,
                        Number highest,
                        const std::string& about) {
  const bool open = highest == std::numeric_limits<Number>::max();
  const std::string range =
      open ? fmt::format("of at least {}", lowest) : fmt::format("from {} to {}", lowest, highest);
  return app
      .add_option_function<std::string>(
          flag,
          [=, &value](const std::string& text) {
            Number read{};
            if (!read_number(text, read) || read < lowest || read > highest) {
              refuse(flag, fmt::format("'{}' is not a whole number {}", text, range));
            }
            value = read;
          },
          about)
      ->type_name("N");
}

}  // namespace

CLI::Option* add_duration(CLI::App& app,
                          const std::string& flag,
                          Duration& value,
                          const std::string& about,
                          Duration lowest) {
  return app
      .add_option_function<std::string>(
          flag,
          [&value, flag, lowest](const std::string& text) {
            const auto parsed = parse_duration(text);
            if (!parsed) refuse(flag, parsed.error().text());
            if (parsed->ns < lowest.ns) {
              refuse(
                  flag,
                  fmt::format(
                      "'{}' is too short: at least {} is needed", text, format_duration(lowest)));
            }
            value = *parsed;
          },
          about)
      ->type_name("TIME");
}

CLI::Option* add_count(CLI::App& app,
                       const std::string& flag,
                       std::int64_t& value,
                       std::int64_t lowest,
                       std::int64_t highest,
                       const std::string& about) {
  return add_number(app, flag, value, lowest, highest, about);
}

CLI::Option* add_count(CLI::App& app,
                       const std::string& flag,
                       int& value,
                       int lowest,
                       int highest,
                       const std::string& about) {
  return add_number(app, flag, value, lowest, highest, about);
}

CLI::Option* add_seed(CLI::App& app, std::uint64_t& value, const std::string& about) {
  return app
      .add_option_function<std::string>(
          "--seed",
          [&value](const std::string& text) {
            std::uint64_t read = 0;
            if (!read_number(text, read)) {
              refuse("--seed", fmt::format("'{}' is not a whole number from 0 to 2^64-1", text));
            }
            value = read;
          },
          about)
      ->type_name("N");
}

CLI::Option* add_choice(CLI::App& app,
                        const std::string& flag,
                        std::string& value,
                        std::vector<std::string_view> choices,
                        const std::string& about) {
  return app.add_option_function<std::string>(
      flag,
      [&value, flag, choices](const std::string& text) {
        if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
          refuse(flag,
                 fmt::format("'{}' is not one of {}; did you mean '{}'?",
                             text,
                             fmt::join(choices, ", "),
                             nearest(text, choices)));
        }
        value = text;
      },
      about);
}

Error unknown_word(std::string_view kind,
                   std::string_view word,
                   const std::vector<std::string_view>& known) {
  return {fmt::format("unknown {} '{}'", kind, word),
          known.empty() ? "" : fmt::format("did you mean '{}'?", nearest(word, known))};
}

}  // namespace fw::cli
