// SPDX-License-Identifier: Apache-2.0
#include "props/store/store.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "props/store/database.h"

namespace fw::store {
namespace files = std::filesystem;
namespace {

constexpr std::int64_t schema_version = 1;
constexpr std::string_view case_ending = ".case.json";

const char* const columns =
    "file, state, property, signature, policy, spec, seed, number, events, tasks, saved_at";

/// Held while the index is made anew, so that no second process moves a good one aside.
class RecoveryLock {
 public:
  explicit RecoveryLock(const std::string& folder)
      : file_(::open((folder + "/cases.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    while (file_ >= 0 && ::flock(file_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  RecoveryLock(const RecoveryLock&) = delete;
  RecoveryLock& operator=(const RecoveryLock&) = delete;
  ~RecoveryLock() {
    if (file_ >= 0) ::close(file_);
  }

 private:
  int file_;
};

std::string hex_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[(hash >> shift) & 15];
  return out;
}

/// A file name from the signature (whatever it holds) and the content.
std::string name_of(const Case& input, std::string_view text) {
  std::string out;
  for (const char c : input.signature.substr(0, 40)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    out += plain || c == '-' || c == '_' ? c : '_';
  }
  return (out.empty() ? "case" : out) + "-" + hex_of(text).substr(0, 12) + std::string(case_ending);
}

StoredCase described(const Case& input, const std::string& path) {
  StoredCase out;
  out.path = path;
  out.property = input.property;
  out.signature = input.signature;
  out.policy = input.spec.policy;
  out.spec = input.spec.text;
  out.seed = input.seed;
  out.index = input.index;
  out.tasks = static_cast<std::int64_t>(input.workload.tasks.size());
  for (const TaskDef& task : input.workload.tasks) {
    for (const Phase& phase : task.phases)
      out.events += static_cast<std::int64_t>(phase.ops.size());
  }
  out.saved_at = static_cast<std::int64_t>(std::time(nullptr));
  return out;
}

bool ends_with(std::string_view text, std::string_view tail) {
  return text.size() >= tail.size() && text.substr(text.size() - tail.size()) == tail;
}

/// Temporary files of writers that were killed.
void sweep(const std::string& folder) {
  std::error_code ignored;
  for (const files::directory_entry& entry : files::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const std::size_t at = name.rfind(".tmp-");
    if (at == std::string::npos) continue;
    int pid = 0;
    const char* first = name.data() + at + 5;
    if (std::from_chars(first, name.data() + name.size(), pid).ec != std::errc{} || pid <= 0)
      continue;
    if (::kill(pid, 0) != 0 && errno == ESRCH) files::remove(entry.path(), ignored);
  }
}

std::string read_whole(const files::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace

std::string_view state_name(State state) {
  static constexpr std::array<std::string_view, 3> names = {"open", "fixed", "stale"};
  return names[static_cast<std::size_t>(state)];
}

struct CaseStore::Inside {
  std::string folder;
  Database database;
  bool read_only = false;
  bool made = false;  ///< the table was not there
  std::vector<std::string> notes;

  std::string index() const { return folder + "/cases.db"; }
  std::optional<Error> connect();
  std::optional<Error> prepare();
  std::optional<Error> insert(const StoredCase& row, const std::string& file, bool renew);
  Outcome<std::string> file_of(const std::string& path) const;
};

/// Opens the index, for reading only if it cannot be written.
std::optional<Error> CaseStore::Inside::connect() {
  std::optional<Error> error = database.open(index(), true);
  if (error && files::exists(index()) && !database.open(index(), false)) error.reset();
  if (error) return error;
  read_only = database.read_only();
  return prepare();
}

/// Checks the file and makes the table. Two processes may do this at once: the second finds it.
std::optional<Error> CaseStore::Inside::prepare() {
  std::vector<Database::Row> rows;
  if (auto error = database.run("PRAGMA quick_check(1)", {}, &rows)) return error;
  if (rows.empty() || rows[0][0] != Database::Value(std::string("ok"))) {
    database.note_corrupt();
    return Error{
        "case store: the index is damaged", "move it away; the case files stay valid", index()};
  }
  rows.clear();
  if (auto error = database.run("PRAGMA user_version", {}, &rows)) return error;
  const std::int64_t version = std::get<std::int64_t>(rows.at(0).at(0));
  if (version > schema_version) {
    return Error{
        "case store: written by a newer Fairwitness (schema " + std::to_string(version) + ")",
        "use that version, or another --store folder",
        index()};
  }
  if (version == schema_version) return std::nullopt;
  if (read_only)
    return Error{"case store: empty and not writable", "choose another folder", index()};
  for (const char* sql :
       {"BEGIN IMMEDIATE",
        "CREATE TABLE IF NOT EXISTS cases (id INTEGER PRIMARY KEY AUTOINCREMENT, "
        "file TEXT NOT NULL UNIQUE, state INTEGER NOT NULL, property TEXT NOT NULL, "
        "signature TEXT NOT NULL, policy TEXT NOT NULL, spec TEXT NOT NULL, seed TEXT NOT NULL, "
        "number TEXT NOT NULL, events INTEGER NOT NULL, tasks INTEGER NOT NULL, "
        "saved_at INTEGER NOT NULL)",
        "PRAGMA user_version = 1",
        "COMMIT"}) {
    if (auto error = database.run(sql)) {
      (void)database.run("ROLLBACK");
      return error;
    }
  }
  made = true;
  return std::nullopt;
}

std::optional<Error> CaseStore::Inside::insert(const StoredCase& row,
                                               const std::string& file,
                                               bool renew) {
  // A new id makes the case the newest; one that is already known keeps its row in a rebuild.
  const std::string verb = renew ? "INSERT OR REPLACE" : "INSERT OR IGNORE";
  return database.run(verb + " INTO cases (" + columns + ") VALUES (?,?,?,?,?,?,?,?,?,?,?)",
                      {file,
                       static_cast<std::int64_t>(row.state),
                       row.property,
                       row.signature,
                       row.policy,
                       row.spec,
                       std::to_string(row.seed),
                       std::to_string(row.index),
                       row.events,
                       row.tasks,
                       row.saved_at});
}

Outcome<std::string> CaseStore::Inside::file_of(const std::string& path) const {
  const std::string file = files::path(path).filename().string();
  if (!file.empty()) return file;
  return Error{"not a case file of the store", "name one as listed", path};
}

CaseStore::CaseStore(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
CaseStore::CaseStore(CaseStore&&) noexcept = default;
CaseStore& CaseStore::operator=(CaseStore&&) noexcept = default;
CaseStore::~CaseStore() = default;

Outcome<CaseStore> CaseStore::open(const std::string& folder, const ReadCase& read) {
  std::error_code code;
  files::create_directories(folder, code);
  if (code || !files::is_directory(folder, code)) {
    return Error{
        "cannot make the folder of the case store", "choose a folder that can be written", folder};
  }
  sweep(folder);
  auto inside = std::make_unique<Inside>();
  inside->folder = folder;
  std::optional<Error> error = inside->connect();
  if (error && inside->database.corrupt() && read) {
    const RecoveryLock lock(folder);
    // Another process may have put it right while this one waited.
    error = inside->connect();
    if (error && inside->database.corrupt()) {
      inside->database.close();
      std::string aside;
      for (int n = 1; aside.empty() || files::exists(aside); ++n) {
        aside = inside->index() + ".broken-" + std::to_string(n);
      }
      files::rename(inside->index(), aside, code);
      if (code)
        return Error{"cannot move the corrupt index away", "do it by hand", inside->index()};
      files::remove(inside->index() + "-journal", code);
      inside->notes.push_back("the case store's index was corrupt: moved to " + aside +
                              ", made again from the case files");
      error = inside->connect();
    }
  }
  if (error) return *std::move(error);
  CaseStore out(std::move(inside));
  if (out.inside_->made && read) {
    Outcome<std::int64_t> added = out.rebuild(read);
    if (!added) return added.error();
  }
  return out;
}

Outcome<StoredCase> CaseStore::put(const Case& input, std::string_view text) {
  if (inside_->read_only) {
    return Error{
        "the case store is read-only", "choose a folder that can be written", inside_->folder};
  }
  const std::string file = name_of(input, text);
  const StoredCase row = described(input, inside_->folder + "/" + file);
  // The file first: a row without a file would be a promise that cannot be kept.
  Outcome<Done> written = write_case_atomically(row.path, text, Durability::power_loss);
  if (!written) return written.error();
  if (auto error = inside_->insert(row, file, true)) return *std::move(error);
  return row;
}

Outcome<std::vector<StoredCase>> CaseStore::list() const {
  std::vector<Database::Row> rows;
  const std::string sql = std::string("SELECT ") + columns + " FROM cases ORDER BY id DESC";
  if (auto error = inside_->database.run(sql, {}, &rows)) return *std::move(error);
  std::vector<StoredCase> out;
  const auto text = [](const Database::Value& value) {
    const auto* word = std::get_if<std::string>(&value);
    return word != nullptr ? *word : std::string();
  };
  const auto number = [](const Database::Value& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? *whole : std::int64_t{0};
  };
  const auto word = [&](const Database::Value& value) {
    std::uint64_t parsed = 0;
    const std::string digits = text(value);
    std::from_chars(digits.data(), digits.data() + digits.size(), parsed);
    return parsed;
  };
  for (const Database::Row& row : rows) {
    StoredCase entry;
    entry.path = inside_->folder + "/" + text(row[0]);
    entry.state = static_cast<State>(std::clamp<std::int64_t>(number(row[1]), 0, 2));
    entry.property = text(row[2]);
    entry.signature = text(row[3]);
    entry.policy = text(row[4]);
    entry.spec = text(row[5]);
    entry.seed = word(row[6]);
    entry.index = word(row[7]);
    entry.events = number(row[8]);
    entry.tasks = number(row[9]);
    entry.saved_at = number(row[10]);
    out.push_back(std::move(entry));
  }
  return out;
}

Outcome<std::vector<StoredCase>> CaseStore::list(State state) const {
  Outcome<std::vector<StoredCase>> all = list();
  if (!all) return all;
  all->erase(std::remove_if(all->begin(),
                            all->end(),
                            [state](const StoredCase& entry) { return entry.state != state; }),
             all->end());
  return all;
}

Outcome<Done> CaseStore::mark(const std::string& path, State state) {
  Outcome<std::string> file = inside_->file_of(path);
  if (!file) return file.error();
  if (auto error = inside_->database.run("UPDATE cases SET state = ? WHERE file = ?",
                                         {static_cast<std::int64_t>(state), *file})) {
    return *std::move(error);
  }
  if (inside_->database.changes() > 0) return Done{};
  return Error{"the case store has no such case", "name one as listed", path};
}

Outcome<Done> CaseStore::remove(const std::string& path) {
  Outcome<std::string> file = inside_->file_of(path);
  if (!file) return file.error();
  if (auto error = inside_->database.run("DELETE FROM cases WHERE file = ?", {*file})) {
    return *std::move(error);
  }
  if (inside_->database.changes() == 0) {
    return Error{"the case store has no such case", "name one as listed", path};
  }
  std::error_code code;
  files::remove(inside_->folder + "/" + *file, code);
  if (code)
    return Error{"cannot delete the case file: " + code.message(), "delete it by hand", path};
  return Done{};
}

Outcome<std::int64_t> CaseStore::rebuild(const ReadCase& read) {
  FW_EXPECT(read != nullptr);
  std::vector<files::path> found;
  std::error_code code;
  for (const files::directory_entry& entry : files::directory_iterator(inside_->folder, code)) {
    const std::string name = entry.path().filename().string();
    if (ends_with(name, case_ending) && name.rfind("running-", 0) != 0)
      found.push_back(entry.path());
  }
  if (code) return Error{"cannot read the folder: " + code.message(), "", inside_->folder};
  std::sort(found.begin(), found.end());
  Outcome<std::vector<StoredCase>> rows = list();
  if (!rows) return rows.error();
  std::set<std::string> known;
  for (const StoredCase& row : *rows) {
    const std::string file = files::path(row.path).filename().string();
    known.insert(file);
    if (files::exists(row.path)) continue;
    if (auto error = inside_->database.run("DELETE FROM cases WHERE file = ?", {file})) {
      return *std::move(error);
    }
    inside_->notes.push_back("the file of a saved case is gone: " + row.path);
  }
  std::int64_t added = 0;
  for (const files::path& path : found) {
    const std::string file = path.filename().string();
    if (known.count(file) != 0) continue;
    Outcome<Case> input = read(read_whole(path), path.string());
    if (!input) {
      inside_->notes.push_back("not taken into the case store: " + input.error().text());
      continue;
    }
    if (auto error = inside_->insert(described(*input, path.string()), file, false)) {
      return *std::move(error);
    }
    added += inside_->database.changes();
  }
  return added;
}

bool CaseStore::read_only() const { return inside_->read_only; }
const std::vector<std::string>& CaseStore::notes() const { return inside_->notes; }

}  // namespace fw::store
