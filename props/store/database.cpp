// SPDX-License-Identifier: Apache-2.0
#include "props/store/database.h"

namespace fw::store {

Error Database::failed(int code) {
  const int kind = code & 0xff;
  corrupt_ = kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB;
  std::string hint;
  switch (kind) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      hint = "move it away: the case files beside it stay valid, and the index is made again";
      break;
    case SQLITE_BUSY:
      hint = "another process has held it for 10 s; try again";
      break;
    case SQLITE_FULL:
      hint = "make room on the disk; the case files written so far are complete";
      break;
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
      hint = "choose a folder that can be written";
      break;
    default:
      break;
  }
  const std::string text = handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
  return Error{"case store: " + text, hint, path_};
}

std::optional<Error> Database::open(const std::string& path, bool writable) {
  close();
  path_ = path;
  corrupt_ = false;
  const int flags = writable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  const int code = sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr);
  if (code != SQLITE_OK) {
    Error error = failed(code);
    close();
    return error;
  }
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, 10'000);
  return std::nullopt;
}

void Database::close() {
  sqlite3_close_v2(handle_);
  handle_ = nullptr;
}

std::optional<Error> Database::run(const std::string& sql,
                                   const std::vector<Value>& values,
                                   std::vector<Row>* rows) {
  FW_EXPECT(handle_ != nullptr);
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr);
  if (code != SQLITE_OK) return failed(code);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int place = static_cast<int>(i) + 1;
    if (const auto* number = std::get_if<std::int64_t>(&values[i])) {
      sqlite3_bind_int64(statement, place, *number);
    } else {
      const std::string& text = std::get<std::string>(values[i]);
      sqlite3_bind_text(
          statement, place, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    }
  }
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    if (rows == nullptr) continue;
    Row row;
    for (int column = 0; column < sqlite3_column_count(statement); ++column) {
      if (sqlite3_column_type(statement, column) == SQLITE_INTEGER) {
        row.emplace_back(std::int64_t{sqlite3_column_int64(statement, column)});
      } else {
        const unsigned char* text = sqlite3_column_text(statement, column);
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
        row.emplace_back(text == nullptr ? std::string() : std::string(text, text + size));
      }
    }
    rows->push_back(std::move(row));
  }
  std::optional<Error> out;
  if (code != SQLITE_DONE) out = failed(code);
  sqlite3_finalize(statement);
  return out;
}

std::int64_t Database::changes() const { return sqlite3_changes(handle_); }
bool Database::read_only() const { return sqlite3_db_readonly(handle_, "main") == 1; }

}  // namespace fw::store
