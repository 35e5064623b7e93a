// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/vocab/outcome.h"

namespace fw::store {

/// A thin owner of one SQLite connection: statements with parameters, errors as values.
class Database {
 public:
  using Value = std::variant<std::int64_t, std::string>;
  using Row = std::vector<Value>;

  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() { close(); }

  /// Errors:  as run(); `corrupt()` tells a file that is no database.
  std::optional<Error> open(const std::string& path, bool writable);
  void close();
  /// Runs one statement; rows of a query go to `rows`.
  std::optional<Error> run(const std::string& sql,
                           const std::vector<Value>& values = {},
                           std::vector<Row>* rows = nullptr);
  std::int64_t changes() const;
  bool read_only() const;
  /// Whether the last error was a damaged file.
  bool corrupt() const { return corrupt_; }
  void note_corrupt() { corrupt_ = true; }

 private:
  Error failed(int code);

  sqlite3* handle_ = nullptr;
  std::string path_;
  bool corrupt_ = false;
};

}  // namespace fw::store
