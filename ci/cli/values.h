// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/time.h"

/// Options whose values are checked as they are read; a wrong one ends the program with status 1
/// and a text that names the option, the value, and what is wanted.
namespace fw::cli {

/// A duration with a unit (`60s`, `250ms`). `lowest`: the least that makes sense.
CLI::Option* add_duration(CLI::App& app,
                          const std::string& flag,
                          Duration& value,
                          const std::string& about,
                          Duration lowest = {});

/// A whole number in [lowest, highest].
CLI::Option* add_count(CLI::App& app,
                       const std::string& flag,
                       std::int64_t& value,
                       std::int64_t lowest,
                       std::int64_t highest,
                       const std::string& about);
CLI::Option* add_count(CLI::App& app,
                       const std::string& flag,
                       int& value,
                       int lowest,
                       int highest,
                       const std::string& about);

/// A seed: any whole number below 2^64.
CLI::Option* add_seed(CLI::App& app, std::uint64_t& value, const std::string& about);

/// One word of a list; an unknown one is answered with the nearest.
CLI::Option* add_choice(CLI::App& app,
                        const std::string& flag,
                        std::string& value,
                        std::vector<std::string_view> choices,
                        const std::string& about);

/// `unknown KIND 'WORD'` and the nearest of `known`.
Error unknown_word(std::string_view kind,
                   std::string_view word,
                   const std::vector<std::string_view>& known);

}  // namespace fw::cli
