#include "core/file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdarg>
#include <functional>
#include <limits>
#include <system_error>
#include <thread>

#include "support/expect_error.h"
#include "support/scratch_folder.h"

namespace unroll {
namespace {

using Names = std::vector<std::string>;

void save(const std::string& path, const std::string& content, const FileCalls& calls = {}) {
  AtomicFile file(path, calls);
  file.write(content.data(), content.size());
  file.commit();
}

unsigned mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777U;
}

/// Starts a child that runs `body` and then ends: 0 if it returned true, 1 if not or if it threw.
pid_t start_child(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child != 0) return child;
  bool good = false;
  try {
    good = body();
  } catch (...) {
  }
  _exit(good ? 0 : 1);
}

int wait_for(pid_t child) {
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

bool succeeds_in_child(const std::function<bool()>& body) {
  const int status = wait_for(start_child(body));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool fails_with_io_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind() == ErrorKind::Io;
  }
  return false;
}

/// A system that fails, and remembers what was asked of it.
struct Injection {
  static constexpr int kDeath = -1;  // in place of an errno: the process is killed
  // NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): plain functions reach nothing else
  static inline FileCalls real;          // what is called in the end
  static inline std::string failing;     // the call that fails...
  static inline int error = 0;           // ...with this errno...
  static inline int after = 0;           // ...after so many that work...
  static inline int times = 0;           // ...so many times
  static inline Names calls;             // what was called, in order
  static inline std::size_t most = 0;    // bytes that one write takes
  static inline bool interrupt = false;  // every other write is interrupted
  // NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

  static bool fails(const char* call) {
    if (calls.empty() || calls.back() != call) calls.emplace_back(call);
    if (failing != call || after-- > 0 || times == 0) return false;
    if (error == kDeath) kill(getpid(), SIGKILL);
    --times;
    errno = error;
    return true;
  }
  static int open(int folder, const char* name, int flags, ...) {
    return fails("openat") ? -1 : real.openat(folder, name, flags, 0666);
  }
  static ssize_t write(int file, const void* data, std::size_t size) {
    static bool interrupted = false;
    if (fails("write")) return -1;
    interrupted = interrupt && !interrupted;
    errno = EINTR;
    return interrupted ? -1 : ::write(file, data, std::min(size, most));
  }
  static int fsync(int file) { return fails("fsync") ? -1 : ::fsync(file); }
  static int close(int file) {
    ::close(file);
    return fails("close") ? -1 : 0;
  }
  static int link(int from_folder, const char* from, int to_folder, const char* to, int flags) {
    return fails("linkat") ? -1 : ::linkat(from_folder, from, to_folder, to, flags);
  }
  static int rename(int from_folder, const char* from, int to_folder, const char* to) {
    return fails("renameat") ? -1 : ::renameat(from_folder, from, to_folder, to);
  }

  static FileCalls make(const FileCalls& calls_in_the_end) {
    real = calls_in_the_end;
    failing.clear();
    calls.clear();
    error = after = 0;
    times = std::numeric_limits<int>::max();
    most = std::numeric_limits<std::size_t>::max();
    interrupt = false;
    return {.openat = open, .write = write, .fsync = fsync, .close = close, .linkat = link, .renameat = rename};
  }
};

/// Both kinds of temporaries: without a name, and with one, as where the system lacks O_TMPFILE.
class EachKind : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    const Descriptor nameless(open(testing::TempDir().c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600));
    if (!is_named() && !nameless) GTEST_SKIP() << "this file system has no O_TMPFILE";
  }
  static bool is_named() { return GetParam(); }
  static FileCalls named_calls() { return {.openat = open_by_name}; }
  static FileCalls calls() { return is_named() ? named_calls() : FileCalls(); }
  static FileCalls injected() { return Injection::make(calls()); }
  static void save(const std::string& path, const std::string& content, const FileCalls& how = calls()) {
    unroll::save(path, content, how);
  }
  /// The calls of a save that can fail without a change of the target: all but the folder's flush.
  static Names calls_of_save(const std::string& path) {
    save(path, "old", injected());
    return {Injection::calls.begin(), Injection::calls.end() - 1};
  }

 private:
  static int open_by_name(int folder, const char* name, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const auto mode = va_arg(rest, mode_t);
    va_end(rest);
    if ((flags & O_TMPFILE) != O_TMPFILE) return ::openat(folder, name, flags, mode);
    errno = EOPNOTSUPP;
    return -1;
  }
};
INSTANTIATE_TEST_SUITE_P(AtomicFile, EachKind, testing::Bool(),
                         [](const auto& kind) { return kind.param ? "Named" : "Nameless"; });

TEST_P(EachKind, WritesANewFile) {
  const ScratchFolder folder;
  save(folder / "a", "content");
  EXPECT_EQ(content_of(folder / "a"), "content");
  EXPECT_EQ(folder.names(), Names{"a"});
  const mode_t mask = umask(0);
  umask(mask);
  EXPECT_EQ(mode_of(folder / "a"), 0666U & ~mask);
}

TEST_P(EachKind, WritesAnEmptyFile) {
  const ScratchFolder folder;
  save(folder / "a", "");
  EXPECT_EQ(content_of(folder / "a"), "");
}

TEST_P(EachKind, PiecesOfAnySizeArriveInOrder) {
  const ScratchFolder folder;
  std::string expected;
  {
    AtomicFile file(folder / "a", calls());
    for (std::size_t i = 0; i < 40; ++i) {
      const std::string piece(i * i * i * 7 % 200000, static_cast<char>('a' + i % 26));
      file.write(piece.data(), piece.size());
      expected += piece;
    }
    file.commit();
  }
  EXPECT_EQ(content_of(folder / "a"), expected);
}

TEST_P(EachKind, KeepsThePermissionsOfWhatItReplaces) {
  const ScratchFolder folder;
  put_content(folder / "a", "old");
  for (const mode_t mode : {0640U, 0600U, 0755U, 0666U}) {
    ASSERT_EQ(chmod((folder / "a").c_str(), mode), 0);
    save(folder / "a", "new");
    EXPECT_EQ(mode_of(folder / "a"), mode);
  }
}

TEST_P(EachKind, KeepsTheOwnerWhereItMay) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const ScratchFolder folder;
  put_content(folder / "a", "old");
  ASSERT_EQ(chown((folder / "a").c_str(), 12345, 54321), 0);
  save(folder / "a", "new");
  struct stat status {};
  ASSERT_EQ(stat((folder / "a").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 12345U);
  EXPECT_EQ(status.st_gid, 54321U);
}

TEST_P(EachKind, WithoutCommitNothingHappens) {
  const ScratchFolder folder;
  put_content(folder / "a", "old");
  {
    AtomicFile file(folder / "a", calls());
    const std::string big(1 << 20, 'x');
    file.write(big.data(), big.size());
    EXPECT_EQ(content_of(folder / "a"), "old");
  }
  EXPECT_EQ(content_of(folder / "a"), "old");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST_P(EachKind, CannotBeUsedAfterCommit) {
  const ScratchFolder folder;
  AtomicFile file(folder / "a", calls());
  file.commit();
  expect_error(ErrorKind::Internal, "after its end", [&] { file.write("x", 1); });
  expect_error(ErrorKind::Internal, "after its end", [&] { file.commit(); });
}

TEST_P(EachKind, WritesThroughLinksAndKeepsThem) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "real");
  std::filesystem::create_directory(folder / "links");
  put_content(folder / "real/a", "old");
  std::filesystem::create_symlink("../real/a", folder / "links/first");
  std::filesystem::create_symlink("first", folder / "links/second");
  save(folder / "links/second", "new");
  EXPECT_EQ(content_of(folder / "real/a"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "links/first"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "links/second"));
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "real/a"));

  std::filesystem::create_symlink(folder / "real/b", folder / "links/dangling");
  save(folder / "links/dangling", "born");
  EXPECT_EQ(content_of(folder / "real/b"), "born");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "links/dangling"));
}

TEST_P(EachKind, RefusesWhatCannotBeWritten) {
  const ScratchFolder folder;
  put_content(folder / "file", "old");
  std::filesystem::create_directory(folder / "sub");
  std::filesystem::create_symlink("loop", folder / "loop");
  const struct {
    std::string path;
    std::string reason;
  } cases[] = {
      {folder / "sub", "it is a folder"},
      {folder / "sub/", "it is a folder"},
      {folder / "sub/.", "it is a folder"},
      {folder / "new/", "it is a folder"},
      {folder / "missing/a", "missing' does not exist; create it first"},
      {folder / "file/a", "Not a directory"},
      {folder / "loop", "Too many levels of symbolic links"},
      {folder / std::string(300, 'n'), "File name too long"},
      {"", "the path is empty"},
      {(folder / "a") + std::string("\0b", 2), "NUL"},
  };
  for (const auto& [path, reason] : cases) {
    SCOPED_TRACE(path);
    const auto attempt = [&target = path] { save(target, "x"); };
    expect_error(ErrorKind::Io, reason, attempt);
    expect_error(ErrorKind::Io, path.substr(0, path.find('\0')), attempt);
  }
  EXPECT_EQ(content_of(folder / "file"), "old");
  EXPECT_EQ(folder.names(), (Names{"file", "loop", "sub"}));
}

TEST_P(EachKind, RespectsReadOnlyFilesAndFolders) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "locked");
  put_content(folder / "locked/a", "old");
  put_content(folder / "read-only", "old");
  ASSERT_EQ(chmod((folder / "read-only").c_str(), 0444), 0);
  ASSERT_EQ(chmod((folder / "locked/a").c_str(), 0666), 0);
  ASSERT_EQ(chmod((folder / "locked").c_str(), 0555), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0777), 0);
  constexpr uid_t kNobody = 65534;
  EXPECT_TRUE(succeeds_in_child([&] {
    if (geteuid() == 0 && seteuid(kNobody) != 0) return false;
    return fails_with_io_error([&] { save(folder / "read-only", "new"); }) &&
           fails_with_io_error([&] { save(folder / "locked/a", "new"); }) &&
           fails_with_io_error([&] { save(folder / "locked/b", "new"); });
  }));
  EXPECT_EQ(content_of(folder / "read-only"), "old");
  EXPECT_EQ(content_of(folder / "locked/a"), "old");
  ASSERT_EQ(chmod((folder / "locked").c_str(), 0755), 0);
  EXPECT_EQ(folder.names(), (Names{"locked", "read-only"}));
}

TEST_P(EachKind, TheLongestNameWorks) {
  const ScratchFolder folder;
  const std::string name(255, 'n');
  save(folder / name, "a");
  save(folder / name, "b");
  EXPECT_EQ(content_of(folder / name), "b");
  EXPECT_EQ(folder.names(), Names{name});
}

TEST_P(EachKind, SurvivesAChangeOfTheWorkingDirectory) {
  const ScratchFolder folder;
  EXPECT_TRUE(succeeds_in_child([&] {
    if (chdir(folder.path().c_str()) != 0) return false;
    AtomicFile file("a", calls());
    file.write("new", 3);
    if (chdir("/") != 0) return false;
    file.commit();
    return true;
  }));
  EXPECT_EQ(content_of(folder / "a"), "new");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST_P(EachKind, NeverBecomesAStandardStream) {
  const ScratchFolder folder;
  EXPECT_TRUE(succeeds_in_child([&] {
    for (const int stream : {0, 1, 2}) close(stream);
    AtomicFile file(folder / "a", calls());
    const bool caught = write(STDOUT_FILENO, "print", 5) > 0 || write(STDERR_FILENO, "print", 5) > 0;
    file.write("data", 4);
    file.commit();
    return !caught;
  }));
  EXPECT_EQ(content_of(folder / "a"), "data");
}

// ---- a system that fails

/// The order that survives a loss of power: the data before the name, the name before success.
TEST_P(EachKind, FlushesTheDataThenTakesTheNameThenFlushesTheFolder) {
  const ScratchFolder folder;
  const Names expected[] = {{"openat", "write", "fsync", "close", "linkat"},               // a new file
                            {"openat", "write", "fsync", "close", "linkat", "renameat"}};  // one that is replaced
  const Names named = {"openat", "write", "fsync", "close", "renameat"};
  for (const Names& nameless : expected) {
    EXPECT_EQ(calls_of_save(folder / "a"), is_named() ? named : nameless);
    EXPECT_EQ(Injection::calls.back(), "fsync");
  }
}

TEST_P(EachKind, AnyFailingCallLeavesTheOldContentAndNothingElse) {
  const ScratchFolder folder;
  const std::string big(300000, 'x');
  for (const bool exists : {false, true}) {
    const Names made = calls_of_save(folder / "a");
    if (!exists) std::filesystem::remove(folder / "a");
    for (const std::string& call : made) {
      for (const int error : {ENOSPC, EIO, EDQUOT}) {
        SCOPED_TRACE(call + ": " + std::generic_category().message(error));
        const FileCalls failing = injected();
        Injection::failing = call;
        Injection::error = error;
        expect_error(ErrorKind::Io, (folder / "a") + "': " + std::generic_category().message(error),
                     [&] { save(folder / "a", big, failing); });
        EXPECT_EQ(folder.names(), exists ? Names{"a"} : Names{});
        EXPECT_EQ(exists ? content_of(folder / "a") : "old", "old");
      }
    }
  }
}

TEST_P(EachKind, TheTemporaryGoesWithTheFailureNotLater) {
  const ScratchFolder folder;
  const FileCalls failing = injected();
  Injection::failing = "write";
  Injection::error = ENOSPC;
  Injection::after = 1;
  AtomicFile file(folder / "a", failing);
  const std::string big(300000, 'x');
  file.write(big.data(), big.size());
  expect_error(ErrorKind::Io, "No space left", [&] { file.write(big.data(), big.size()); });
  EXPECT_EQ(folder.names(), Names{});
  expect_error(ErrorKind::Internal, "after its end", [&] { file.commit(); });
}

TEST_P(EachKind, ShortAndInterruptedWritesAreContinued) {
  const ScratchFolder folder;
  std::string content;
  for (int i = 0; i < 100000; ++i) content += static_cast<char>(i * 7919 % 251);
  const FileCalls slow = injected();
  Injection::most = 4093;
  Injection::interrupt = true;
  save(folder / "a", content, slow);
  EXPECT_EQ(content_of(folder / "a"), content);
}

TEST_P(EachKind, InterruptedOpenFsyncAndCloseAreNoFailure) {
  const ScratchFolder folder;
  for (const char* call : {"openat", "fsync", "close"}) {
    const FileCalls interrupted = injected();
    Injection::failing = call;
    Injection::error = EINTR;
    Injection::times = 1;
    save(folder / "a", call, interrupted);
    EXPECT_EQ(Injection::times, 0);
    EXPECT_EQ(content_of(folder / "a"), call);
  }
}

TEST_P(EachKind, AFolderThatCannotBeFlushedIsReported) {
  const ScratchFolder folder;
  const FileCalls failing = injected();
  Injection::failing = "fsync";
  Injection::error = EIO;
  Injection::after = 1;
  expect_error(ErrorKind::Io, "folder could not be flushed", [&] { save(folder / "a", "new", failing); });
  EXPECT_EQ(content_of(folder / "a"), "new");
}

TEST_P(EachKind, AFileTooLargeForTheSystem) {
  const ScratchFolder folder;
  put_content(folder / "a", "old");
  EXPECT_TRUE(succeeds_in_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100000, 100000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    return fails_with_io_error([&] { save(folder / "a", std::string(200000, 'x')); });
  }));
  EXPECT_EQ(content_of(folder / "a"), "old");
  EXPECT_EQ(folder.names(), Names{"a"});
}

// ---- processes that die, and others beside them

TEST_P(EachKind, AKilledProcessLeavesTheOldContent) {
  const ScratchFolder folder;
  for (const bool exists : {false, true}) {
    const Names made = calls_of_save(folder / "a");
    if (!exists) std::filesystem::remove(folder / "a");
    for (const std::string& call : made) {
      SCOPED_TRACE(call);
      const pid_t child = start_child([&] {
        const FileCalls deadly = injected();
        Injection::failing = call;
        Injection::error = Injection::kDeath;
        Injection::after = call == "write" ? 1 : 0;  // in the middle of the content
        AtomicFile file(folder / "a", deadly);
        const std::string big(300000, 'x');
        for (int i = 0; i < 2; ++i) file.write(big.data(), big.size());
        file.commit();
        return true;
      });
      ASSERT_TRUE(WIFSIGNALED(wait_for(child)));
      EXPECT_EQ(exists ? content_of(folder / "a") : "old", "old");
      Names left = folder.names();
      std::erase(left, "a");
      // The kernel removes what has no name; only a rename needs one.
      const bool has_name = call == "renameat" || (is_named() && call != "openat");
      EXPECT_EQ(left.size(), has_name ? 1U : 0U);
      for (const auto& name : left) std::filesystem::remove(folder / name);
    }
  }
}

TEST_P(EachKind, NamesThatAreTakenAreLeftAlone) {
  const ScratchFolder folder, other;
  const AtomicFile latest(other / "a", named_calls());
  const std::string name = other.names().front();
  const std::size_t count_at = name.rfind('-') + 1;
  Names expected{"a"};
  for (int ahead = 1; ahead <= 3; ++ahead)
    expected.push_back(name.substr(0, count_at) + std::to_string(std::stoi(name.substr(count_at)) + ahead));
  for (const auto& taken : expected) put_content(folder / taken, "of others");
  save(folder / "a", "new");
  for (const auto& taken : expected) EXPECT_EQ(content_of(folder / taken), taken == "a" ? "new" : "of others");
  EXPECT_EQ(folder.names().size(), expected.size());
}

TEST_P(EachKind, AFileThatOthersMadeMeanwhileIsReplaced) {
  const ScratchFolder folder;
  AtomicFile file(folder / "a", calls());
  file.write("new", 3);
  put_content(folder / "a", "of others");
  file.commit();
  EXPECT_EQ(content_of(folder / "a"), "new");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST_P(EachKind, NeedsNoProc) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can hide /proc";
  const ScratchFolder folder;
  EXPECT_TRUE(succeeds_in_child([&] {
    if (chroot(folder.path().c_str()) != 0) return false;
    for (const char* content : {"first", "second"}) save("/a", content);
    return true;
  }));
  EXPECT_EQ(content_of(folder / "a"), "second");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST_P(EachKind, KilledAtAnyMomentTheFileIsOldOrNew) {
  const ScratchFolder folder;
  constexpr std::size_t kSize = 400000;
  const std::string first(kSize, 'a'), second(kSize, 'b');
  save(folder / "a", first);
  for (int round = 0; round < 60; ++round) {
    const pid_t child = start_child([&] {
      while (true) {
        save(folder / "a", second);
        save(folder / "a", first);
      }
      return true;
    });
    std::this_thread::sleep_for(std::chrono::microseconds(37 * round));
    ASSERT_EQ(kill(child, SIGKILL), 0);
    const int status = wait_for(child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself";
    const std::string content = content_of(folder / "a");
    ASSERT_TRUE(content == first || content == second) << "torn in round " << round;
  }
}

TEST_P(EachKind, OfSeveralWritersTheLastCompleteOneWins) {
  const ScratchFolder folder;
  constexpr int kWriters = 3;
  std::vector<pid_t> children;
  children.reserve(kWriters);
  const auto content = [](int writer) { return std::string(50000, static_cast<char>('a' + writer)); };
  save(folder / "a", content(0));
  for (int writer = 0; writer < kWriters; ++writer)
    children.push_back(start_child([&] {
      for (int i = 0; i < 30; ++i) save(folder / "a", content(writer));
      return true;
    }));
  for (int i = 0; i < 100; ++i) {
    const std::string seen = content_of(folder / "a");
    ASSERT_EQ(seen, content(seen.empty() ? 0 : seen[0] - 'a'));
  }
  for (const pid_t child : children) {
    const int status = wait_for(child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST_P(EachKind, ThreadsMaySaveTheSameFile) {
  const ScratchFolder folder;
  constexpr int kThreads = 4;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) save(folder / "a", std::string(1000, static_cast<char>('a' + t)));
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(content_of(folder / "a").size(), 1000U);
  EXPECT_EQ(folder.names(), Names{"a"});
}

// ---- what is written directly

TEST(AtomicFile, ADeviceThatFailsToClose) {
  const FileCalls failing = Injection::make({});
  Injection::failing = "close";
  Injection::error = EIO;
  expect_error(ErrorKind::Io, "'/dev/null': Input/output error", [&] { save("/dev/null", "x", failing); });
}

TEST(AtomicFile, AFullDevice) {
  expect_error(ErrorKind::Io, "'/dev/full': No space left on device", [] { save("/dev/full", "x"); });
}

/// Runs `body` in a child whose standard output is a pipe and returns what came through.
std::string standard_output_of(int pipe_flags, const std::function<bool()>& body, bool& good) {
  int ends[2];
  EXPECT_EQ(pipe2(ends, pipe_flags), 0);
  const pid_t child = start_child([&] {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    return body();
  });
  close(ends[1]);
  fcntl(ends[0], F_SETFL, 0);
  std::string all;
  char piece[5000];
  for (ssize_t got; (got = read(ends[0], piece, sizeof piece)) > 0;) all.append(piece, static_cast<std::size_t>(got));
  close(ends[0]);
  const int status = wait_for(child);
  good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return all;
}

TEST(AtomicFile, StandardOutput) {
  const std::string content(300001, 'o');
  for (const char* name : {"-", "/dev/stdout"}) {
    for (const int flags : {0, O_NONBLOCK}) {  // a full non-blocking pipe makes writes fail with EAGAIN
      bool good = false;
      const auto body = [&] {
        save(name, content);
        return fcntl(STDOUT_FILENO, F_GETFD) >= 0;  // left open
      };
      EXPECT_EQ(standard_output_of(flags, body, good), content);
      EXPECT_TRUE(good);
    }
  }
}

TEST(AtomicFile, StandardOutputThatIsAFileIsAppendedToWhereItStands) {
  const ScratchFolder folder;
  put_content(folder / "log", "before ");
  EXPECT_TRUE(succeeds_in_child([&] {
    const int log = open((folder / "log").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    dup2(log, STDOUT_FILENO);
    save("/dev/stdout", "after");
    return true;
  }));
  EXPECT_EQ(content_of(folder / "log"), "before after");
}

TEST(AtomicFile, AReaderThatWentAwayIsTold) {
  EXPECT_TRUE(succeeds_in_child([] {
    signal(SIGPIPE, SIG_IGN);
    int ends[2];
    if (pipe(ends) != 0) return false;
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    try {
      save("-", "x");
    } catch (const BrokenPipe& error) {
      return error.kind() == ErrorKind::Io;
    }
    return false;
  }));
}

TEST(AtomicFile, AClosedStandardOutputIsAnError) {
  EXPECT_TRUE(succeeds_in_child([] {
    close(STDOUT_FILENO);
    return fails_with_io_error([] { save("-", "x"); });
  }));
}

TEST(AtomicFile, ANamedPipe) {
  const ScratchFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const pid_t child = start_child([&] {
    save(folder / "pipe", std::string(200000, 'p'));
    return true;
  });
  EXPECT_EQ(content_of(folder / "pipe"), std::string(200000, 'p'));
  EXPECT_EQ(wait_for(child), 0);
  EXPECT_EQ(folder.names(), Names{"pipe"});
}

// ---- reading

std::string read_back(const std::string& path, const unroll::Run& run = {}) {
  const auto bytes = read_file(path, run);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(ReadFile, GivesTheBytes) {
  const ScratchFolder folder;
  const std::string content("with\0zero\r\n\x1a\xff", 13);
  put_content(folder / "a", content);
  put_content(folder / "empty", "");
  EXPECT_EQ(read_back(folder / "a"), content);
  EXPECT_EQ(read_back(folder / "empty"), "");
}

TEST(ReadFile, RefusesWhatIsNoFile) {
  const ScratchFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  expect_error(ErrorKind::Io, "missing': No such file", [&] { read_file(folder / "missing"); });
  expect_error(ErrorKind::Io, "it is a folder", [&] { read_file(folder.path()); });
  expect_error(ErrorKind::Io, "not a regular file", [&] { read_file(folder / "pipe"); });
  expect_error(ErrorKind::Io, "not a regular file", [] { read_file("/dev/zero"); });
  expect_error(ErrorKind::Io, "the path is empty", [] { read_file(""); });
}

TEST(ReadFile, HoldsTheSizeAgainstTheBudgetFirst) {
  const ScratchFolder folder;
  put_content(folder / "sparse", "");
  ASSERT_EQ(truncate((folder / "sparse").c_str(), off_t{1} << 42), 0);
  expect_error(ErrorKind::OutOfMemory, "4.0 TiB", [&] { read_file(folder / "sparse"); });
  put_content(folder / "a", std::string(1000, 'x'));
  expect_error(ErrorKind::OutOfMemory, "1000 B", [&] { read_file(folder / "a", unroll::Run{.memory_budget = 999}); });
  EXPECT_EQ(read_file(folder / "a", unroll::Run{.memory_budget = 1000}).size(), 1000U);
}

TEST(ReadFile, CanBeCancelled) {
  const ScratchFolder folder;
  put_content(folder / "a", "x");
  const std::atomic<bool> cancel = true;
  expect_error(ErrorKind::Cancelled, "stopped", [&] { read_file(folder / "a", unroll::Run{.cancel = &cancel}); });
}

}  // namespace
}  // namespace unroll
