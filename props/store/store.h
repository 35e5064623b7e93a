// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocab/case.h"
#include "model/vocab/outcome.h"

namespace fw::store {

/// What a written file survives.
enum class Durability {
  process_death,  ///< kill -9 of the writer: the bytes are with the kernel. No fsync: 0.05..0.2 ms
  power_loss,     ///< file and folder are synced: some ms
};

/// Replaces the file at `path` by `text` in one step (temporary file beside it, then rename): a
/// reader, and whoever looks after a crash, sees the old or the new content, never half of it.
/// Safe with any number of writers. Cheap enough to be done before every case.
/// Errors:  no such folder, not writable, disk full; the old file is then unchanged.
Outcome<Done> write_case_atomically(const std::string& path,
                                    std::string_view text,
                                    Durability durability = Durability::process_death);

/// open: fails as far as known; fixed: passed when replayed; stale: cannot be replayed any more.
enum class State { open, fixed, stale };
std::string_view state_name(State state);

/// One case of the store: its row, without the file's content.
struct StoredCase {
  std::string path;  ///< of the case file
  State state = State::open;
  std::string property;
  std::string signature;
  std::string policy;
  std::string spec;
  std::uint64_t seed = 0;
  std::uint64_t index = 0;
  std::int64_t events = 0;  ///< rt-app events as written
  std::int64_t tasks = 0;
  std::int64_t saved_at = 0;  ///< s since 1970
};

/// Reads a case file's text; `path` is for its error texts (input::read_case with a catalogue).
using ReadCase = std::function<Outcome<Case>(const std::string& text, const std::string& path)>;

/// The failing cases kept between runs: an SQLite index `cases.db` and the case files beside it.
/// The files are what counts; the index can be made again from them, but for the states. Several
/// processes may use one store at a time.
class CaseStore {
 public:
  /// Opens the store in `folder`, making both if they do not exist. With `read`, a missing index is
  /// made from the files found, and a corrupt one is moved aside (`cases.db.broken-N`) and made
  /// again; notes() says so. A store that cannot be written can still be listed.
  /// Errors:  the folder cannot be made; the index is corrupt and `read` is not given, or is of a
  ///          newer Fairwitness, or stays locked by another process for 10 s.
  static Outcome<CaseStore> open(const std::string& folder, const ReadCase& read = {});

  CaseStore(CaseStore&&) noexcept;
  CaseStore& operator=(CaseStore&&) noexcept;
  ~CaseStore();

  /// Keeps a case: writes `text` (its case file) so that it survives a power loss, then the row.
  /// The file's name is made of signature and content: the same case again is the same entry, which
  /// becomes open and the newest.
  /// Errors:  read-only, disk full, locked; a file that was written stays and rebuild() finds it.
  Outcome<StoredCase> put(const Case& input, std::string_view text);

  /// Newest first.
  Outcome<std::vector<StoredCase>> list() const;
  Outcome<std::vector<StoredCase>> list(State state) const;

  /// Errors:  no such case in the store.
  Outcome<Done> mark(const std::string& path, State state);
  /// Forgets the case and deletes its file. A file that is gone already is no error.
  Outcome<Done> remove(const std::string& path);

  /// Adds every readable case file of the folder that the index does not know (as open) and drops
  /// rows whose file is gone; gives the number of cases added. Files that cannot be read become
  /// notes. Cases in progress (`running-*`) are left alone.
  Outcome<std::int64_t> rebuild(const ReadCase& read);

  bool read_only() const;
  /// What open() and rebuild() had to do or leave out, one sentence each.
  const std::vector<std::string>& notes() const;

 private:
  struct Inside;
  explicit CaseStore(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace fw::store
