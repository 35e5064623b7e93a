// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/vocab/result.h"

namespace fw::reports {

/// The result as one JSON object of schema `fairwitness.result/1` (product.md), indented, newline
/// at the end. Lists that the command has no use for are empty. Keys beyond the schema:
/// `command_line`, `statuses`, `discards`, `notes`, `identity`, `shares`, `runs` (metrics of each
/// recording), and what failures and mutants have besides.
std::string json(const Result& result);

}  // namespace fw::reports
