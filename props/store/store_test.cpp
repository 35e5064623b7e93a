// SPDX-License-Identifier: Apache-2.0
#include "props/store/store.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fw::store {
namespace {
namespace files = std::filesystem;

class Store : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (files::temp_directory_path() / "fw-store-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    files::permissions(folder_, files::perms::owner_all, ignored);
    files::remove_all(folder_, ignored);
  }
  std::string in(const std::string& name) const { return folder_ + "/" + name; }
  std::string folder_;
};

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

void overwrite(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

Case named(const std::string& signature) {
  Case out;
  out.signature = signature;
  out.property = "lockstep";
  out.spec.policy = "cfs";
  out.spec.text = "cfs@2.6.36";
  out.seed = UINT64_MAX;
  out.index = 7;
  out.workload.tasks.resize(2);
  out.workload.tasks[0].phases.resize(1);
  out.workload.tasks[0].phases[0].ops.resize(3);
  return out;
}

std::string text_of(const std::string& signature) { return "case " + signature + "\n"; }

/// Stands in for the case reader: the second word is the signature.
Outcome<Case> read_toy(const std::string& text, const std::string& path) {
  if (text.rfind("case ", 0) != 0) return Error{"not a case", "", path};
  return named(text.substr(5, text.size() - 6));
}

std::vector<std::string> signatures(const CaseStore& store) {
  std::vector<std::string> out;
  auto listed = store.list();
  EXPECT_TRUE(listed.ok());
  for (const StoredCase& entry : *listed) out.push_back(entry.signature);
  return out;
}

CaseStore opened(const std::string& folder, const ReadCase& read = {}) {
  Outcome<CaseStore> store = CaseStore::open(folder, read);
  EXPECT_TRUE(store.ok()) << store.error().text();
  return std::move(*store);
}

TEST_F(Store, WritesFilesInOneStepAndCheaply) {
  const std::string path = in("a.case.json");
  ASSERT_TRUE(write_case_atomically(path, "one").ok());
  ASSERT_TRUE(write_case_atomically(path, "two", Durability::power_loss).ok());
  EXPECT_EQ(content(path), "two");
  EXPECT_EQ(std::distance(files::directory_iterator(folder_), {}), 1) << "a temporary file is left";
  const std::string text(2'000, 'x');
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1'000; ++i) ASSERT_TRUE(write_case_atomically(path, text).ok());
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
  std::printf("write before run: %.1f us\n", spent.count() / 1'000);
  EXPECT_LT(spent.count() / 1'000, 5'000);
}

TEST_F(Store, SaysWhyAFileCannotBeWritten) {
  const auto missing = write_case_atomically(in("no/such/a.case.json"), "x");
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().text().find("create the folder"), std::string::npos);
  overwrite(in("file"), "");
  EXPECT_FALSE(write_case_atomically(in("file/a.case.json"), "x").ok());
}

TEST_F(Store, KeepsTheOldFileWhenTheDiskIsFull) {
  const std::string path = in("a.case.json");
  ASSERT_TRUE(write_case_atomically(path, "old").ok());
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // A limit on file sizes fails in write() as a full disk does.
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const bool file_fails = !write_case_atomically(path, std::string(100'000, 'x')).ok();
    Outcome<CaseStore> store = CaseStore::open(folder_ + "/store");
    std::_Exit(file_fails && !store.ok() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "a write beyond the limit was not an error";
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(signatures(opened(folder_ + "/store")).size(), 0u) << "usable once there is room";
}

TEST_F(Store, ListsNewestFirstAndKeepsRows) {
  {
    CaseStore store = opened(in("deep/folder"));
    for (const char* name : {"a", "b", "c"})
      ASSERT_TRUE(store.put(named(name), text_of(name)).ok());
  }
  CaseStore store = opened(in("deep/folder"));
  EXPECT_EQ(signatures(store), (std::vector<std::string>{"c", "b", "a"}));
  auto again = store.put(named("a"), text_of("a"));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(content(again->path), text_of("a"));
  EXPECT_EQ(signatures(store), (std::vector<std::string>{"a", "c", "b"}));
  const StoredCase row = store.list()->front();
  EXPECT_EQ(row.path, again->path);
  EXPECT_EQ(row.property, "lockstep");
  EXPECT_EQ(row.policy, "cfs");
  EXPECT_EQ(row.spec, "cfs@2.6.36");
  EXPECT_EQ(row.seed, UINT64_MAX);
  EXPECT_EQ(row.index, 7u);
  EXPECT_EQ(row.tasks, 2);
  EXPECT_EQ(row.events, 3);
  EXPECT_GT(row.saved_at, 1'000'000'000);
}

TEST_F(Store, MarksAndRemoves) {
  CaseStore store = opened(folder_);
  const auto a = store.put(named("a"), text_of("a"));
  const auto b = store.put(named("../b /\n"), text_of("b"));
  ASSERT_TRUE(a.ok());
  ASSERT_TRUE(b.ok());
  EXPECT_EQ(files::path(b->path).parent_path(), folder_) << "a signature is no path";
  ASSERT_TRUE(store.mark(a->path, State::fixed).ok());
  EXPECT_EQ(store.list(State::fixed)->size(), 1u);
  EXPECT_EQ(store.list(State::open)->size(), 1u);
  ASSERT_TRUE(store.put(named("a"), text_of("a")).ok());
  EXPECT_EQ(store.list(State::open)->size(), 2u) << "failing again makes a fixed case open";
  ASSERT_TRUE(store.remove(a->path).ok());
  EXPECT_FALSE(files::exists(a->path));
  EXPECT_FALSE(store.remove(a->path).ok());
  EXPECT_FALSE(store.mark("nothing", State::stale).ok());
  EXPECT_FALSE(store.mark("", State::stale).ok());
  files::remove(b->path);
  EXPECT_TRUE(store.remove(b->path).ok()) << "a file that is gone is no error";
  EXPECT_TRUE(signatures(store).empty());
}

TEST_F(Store, MakesAMissingIndexFromTheFiles) {
  {
    CaseStore store = opened(folder_);
    for (const char* name : {"a", "b"}) ASSERT_TRUE(store.put(named(name), text_of(name)).ok());
  }
  files::remove(in("cases.db"));
  overwrite(in("broken.case.json"), "rubbish");
  overwrite(in("running-0.case.json"), text_of("running"));
  const CaseStore store = opened(folder_, read_toy);
  std::vector<std::string> found = signatures(store);
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(store.notes().size(), 1u);
  EXPECT_NE(store.notes()[0].find("broken.case.json"), std::string::npos);
}

TEST_F(Store, SurvivesACorruptIndex) {
  std::string path;
  {
    CaseStore store = opened(folder_);
    path = store.put(named("a"), text_of("a"))->path;
  }
  for (const std::string& damage : {std::string("this is no database, only a text of some length"),
                                    content(in("cases.db")).replace(100, 3000, 3000, '\xff')}) {
    overwrite(in("cases.db"), damage);
    const Outcome<CaseStore> refused = CaseStore::open(folder_);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().text().find("case files"), std::string::npos)
        << refused.error().text();
    const CaseStore store = opened(folder_, read_toy);
    EXPECT_EQ(signatures(store), std::vector<std::string>{"a"});
    EXPECT_FALSE(store.notes().empty());
    EXPECT_EQ(content(path), text_of("a"));
  }
  EXPECT_TRUE(files::exists(in("cases.db.broken-1")));
  EXPECT_TRUE(files::exists(in("cases.db.broken-2")));
}

TEST_F(Store, RebuildDropsRowsWithoutFileAndKeepsStates) {
  CaseStore store = opened(folder_);
  const auto a = store.put(named("a"), text_of("a"));
  const auto b = store.put(named("b"), text_of("b"));
  ASSERT_TRUE(store.mark(a->path, State::fixed).ok());
  files::remove(b->path);
  overwrite(in("new.case.json"), text_of("new"));
  const auto added = store.rebuild(read_toy);
  ASSERT_TRUE(added.ok());
  EXPECT_EQ(*added, 1);
  EXPECT_EQ(signatures(store), (std::vector<std::string>{"new", "a"}));
  EXPECT_EQ(store.list(State::fixed)->size(), 1u);
  EXPECT_EQ(*store.rebuild(read_toy), 0);
}

TEST_F(Store, CanBeListedWhereItCannotBeWritten) {
  {
    CaseStore store = opened(folder_);
    ASSERT_TRUE(store.put(named("a"), text_of("a")).ok());
  }
  files::permissions(in("cases.db"), files::perms::owner_read);
  files::permissions(folder_, files::perms::owner_read | files::perms::owner_exec);
  if (::access(folder_.c_str(), W_OK) == 0) {
    GTEST_SKIP() << "this user may write anywhere: read-only folders cannot be tested";
  }
  CaseStore store = opened(folder_);
  EXPECT_TRUE(store.read_only());
  EXPECT_EQ(signatures(store), std::vector<std::string>{"a"});
  const auto kept = store.put(named("b"), text_of("b"));
  ASSERT_FALSE(kept.ok());
  EXPECT_NE(kept.error().text().find("read-only"), std::string::npos);
  EXPECT_FALSE(store.mark("x", State::fixed).ok());
}

TEST_F(Store, RefusesWhatItCannotUse) {
  overwrite(in("file"), "");
  EXPECT_FALSE(CaseStore::open(in("file")).ok());
  EXPECT_FALSE(CaseStore::open(in("file/below")).ok());
  files::create_directory(in("odd"));
  files::create_directory(in("odd/cases.db"));
  EXPECT_FALSE(CaseStore::open(in("odd"), read_toy).ok());
}

TEST_F(Store, SweepsTemporaryFilesOfDeadWritersOnly) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) std::_Exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const std::string dead = in("a.case.json.tmp-" + std::to_string(child) + "-0");
  const std::string live = in("a.case.json.tmp-" + std::to_string(::getpid()) + "-0");
  overwrite(dead, "half");
  overwrite(live, "half");
  opened(folder_);
  EXPECT_FALSE(files::exists(dead));
  EXPECT_TRUE(files::exists(live));
}

TEST_F(Store, IsSafeForSeveralProcesses) {
  constexpr int writers = 4, each = 8;
  std::vector<pid_t> children;
  for (int w = 0; w < writers; ++w) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Outcome<CaseStore> store = CaseStore::open(folder_, read_toy);
      bool good = store.ok();
      for (int i = 0; good && i < each; ++i) {
        // Half of the cases are found by everybody.
        const std::string name =
            i % 2 == 0 ? "all" + std::to_string(i) : std::to_string(w) + "-" + std::to_string(i);
        good = store->put(named(name), text_of(name)).ok();
      }
      std::_Exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(signatures(opened(folder_)).size(), std::size_t{each / 2 + writers * each / 2});
}

}  // namespace
}  // namespace fw::store
