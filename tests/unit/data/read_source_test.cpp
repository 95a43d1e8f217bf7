#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <functional>
#include <thread>

#include "data/byte_source.h"
#include "read_support.h"

namespace unroll {
namespace {

using testing_support::Failure;
using testing_support::failure_of;
using testing_support::failure_of_bytes;
using testing_support::gzipped;
using testing_support::npy;
using testing_support::read_bytes;
using testing_support::TempFile;
using testing_support::values_of;
using Values = std::vector<double>;

const Values kSourceValues{1, 2, 3, 4};
constexpr const char* kText = "1,2\n3,4\n";

Failure failure_of_path(const std::string& path) {
  return failure_of([&] { read_table(path); });
}

/// Writes to a descriptor until the reader is gone.
void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Standard input replaced by `descriptor`, until the end of the scope.
class StandardInput {
 public:
  explicit StandardInput(int descriptor) : saved_(dup(STDIN_FILENO)) {
    dup2(descriptor, STDIN_FILENO);
    close(descriptor);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;
  ~StandardInput() {
    if (saved_ < 0) {
      close(STDIN_FILENO);
    } else {
      dup2(saved_, STDIN_FILENO);
      close(saved_);
    }
  }

 private:
  int saved_;
};

/// The exit status of `f` in a child process.
int in_child(const std::function<int()>& f) {
  const pid_t child = fork();
  if (child == 0) _exit(f());
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 256;
}

TEST(ReadSource, WhatTheSystemRefuses) {
  const TempFile file("nothing.csv");
  const Failure missing = failure_of_path(file.path());
  EXPECT_EQ(missing.kind, ErrorKind::Io);
  EXPECT_EQ(missing.message, "cannot read '" + file.path() + "': No such file or directory");

  const Failure folder = failure_of_path(testing::TempDir());
  EXPECT_EQ(folder.kind, ErrorKind::Io);
  EXPECT_TRUE(folder.says("Is a directory"));

  std::filesystem::create_symlink(file.path(), file.path());
  const Failure loop = failure_of_path(file.path());
  EXPECT_EQ(loop.kind, ErrorKind::Io);
  EXPECT_TRUE(loop.says("symbolic links"));

  EXPECT_EQ(failure_of_path("").kind, ErrorKind::Io);
}

TEST(ReadSource, NoPermission) {
  const TempFile file("secret.csv", kText);
  chmod(file.path().c_str(), 0);
  EXPECT_EQ(in_child([&] {
              constexpr uid_t kNobody = 65534;
              if (geteuid() == 0 && seteuid(kNobody) != 0) return 2;
              const Failure failure = failure_of_path(file.path());
              return failure.kind == ErrorKind::Io && failure.says("Permission denied") ? 0 : 1;
            }),
            0);
}

TEST(ReadSource, NoStandardInput) {
  EXPECT_EQ(in_child([] {
              close(STDIN_FILENO);
              const Failure failure = failure_of_path("-");
              return failure.kind == ErrorKind::Io && failure.says("'<stdin>'") ? 0 : 1;
            }),
            0);
}

TEST(ReadSource, StandardInputFromAPipe) {
  for (const char* path : {"-", "/dev/stdin"})
    for (const std::string& content : {std::string(kText), gzipped(kText)}) {
      int ends[2];
      ASSERT_EQ(pipe(ends), 0);
      write_all(ends[1], content);
      close(ends[1]);
      const StandardInput input(ends[0]);
      EXPECT_EQ(values_of(read_table(path)), kSourceValues) << path;
    }
}

TEST(ReadSource, StandardInputFromTheMiddleOfAFile) {
  const TempFile file("x", "skip this\n" + npy("<f8", "(4,)", testing_support::bytes_of(kSourceValues)));
  const int descriptor = open(file.path().c_str(), O_RDONLY);
  lseek(descriptor, 10, SEEK_SET);
  const StandardInput input(descriptor);
  const Table table = read_table("-");
  EXPECT_EQ(values_of(table), kSourceValues);
  EXPECT_TRUE(table.warnings.empty());
}

TEST(ReadSource, NamedPipes) {
  std::string long_text;
  while (long_text.size() < 1000000) long_text += kText;
  for (const std::string& content : {std::string(kText), long_text, gzipped(long_text),
                                     npy("<f8", "(4,)", testing_support::bytes_of(kSourceValues))}) {
    const TempFile file("pipe");
    ASSERT_EQ(mkfifo(file.path().c_str(), 0600), 0);
    std::thread writer([&] {
      const int descriptor = open(file.path().c_str(), O_WRONLY);
      write_all(descriptor, content);
      close(descriptor);
    });
    const Values values = values_of(read_table(file.path()));
    writer.join();
    EXPECT_EQ(Values(values.begin(), values.begin() + 4), kSourceValues);
    EXPECT_EQ(values.size() % 4, 0U);
  }
}

TEST(ReadSource, AStreamWithoutEndStopsAtTheBudget) {
  std::signal(SIGPIPE, SIG_IGN);
  const TempFile file("pipe");
  ASSERT_EQ(mkfifo(file.path().c_str(), 0600), 0);
  std::thread writer([&] {
    const int descriptor = open(file.path().c_str(), O_WRONLY);
    while (write(descriptor, kText, std::strlen(kText)) > 0) {
    }
    close(descriptor);
  });
  const Failure failure = failure_of([&] { read_table(file.path(), {}, unroll::Run{.memory_budget = 3 << 20}); });
  writer.join();
  std::signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(failure.kind, ErrorKind::OutOfMemory);
  EXPECT_TRUE(failure.says("more than 3.0 MiB, the memory budget")) << failure.message;
}

TEST(ReadSource, DevZeroIsNoFormat) {
  EXPECT_TRUE(failure_of_path("/dev/zero").says("not a format I know"));
  EXPECT_TRUE(failure_of_path("/dev/null").says("empty"));
}

TEST(ReadSource, FilesThatSayTheyAreEmptyAndAreNot) {
  const Table table = read_table("/proc/self/statm");
  EXPECT_EQ(table.view().cols(), 7);
}

TEST(ReadSource, AWaitingReaderCanBeStopped) {
  const TempFile file("pipe");
  ASSERT_EQ(mkfifo(file.path().c_str(), 0600), 0);
  std::atomic<bool> cancel = false;
  std::atomic<bool> finished = false;
  std::thread writer([&] {
    const int descriptor = open(file.path().c_str(), O_WRONLY);  // returns when the reader is there
    cancel = true;
    finished.wait(false);
    close(descriptor);
  });
  const Failure failure = failure_of([&] { read_table(file.path(), {}, unroll::Run{.cancel = &cancel}); });
  finished = true;
  finished.notify_all();
  writer.join();
  EXPECT_EQ(failure.kind, ErrorKind::Cancelled);
}

/// Calls `change` when the first bytes have been read.
unroll::Run changing(const std::function<void()>& change) {
  return {.progress = [change, done = false](const Progress&) mutable {
    if (!std::exchange(done, true)) change();
    return true;
  }};
}

TEST(ReadSource, AFileThatShrinksWhileItIsReadIsAnError) {
  std::string text;
  while (text.size() < 100000) text += kText;
  for (const std::string& content : {text, npy("<f8", "(12500,)", text.substr(0, 100000))}) {
    const TempFile file("x", content);
    const auto cut = [&] { ASSERT_EQ(truncate(file.path().c_str(), 1000), 0); };
    const Failure failure = failure_of([&] { read_table(file.path(), {}, changing(cut)); });
    EXPECT_EQ(failure.kind, ErrorKind::Io);
    EXPECT_TRUE(failure.says("became shorter while it was read")) << failure.message;
  }
}

TEST(ReadSource, AFileThatGrowsWhileItIsReadIsReadToItsEnd) {
  const TempFile file("x.csv", "1,2\n3,");
  const auto grow = [&] { std::ofstream(file.path(), std::ios::app) << "4\n5,6\n"; };
  EXPECT_EQ(values_of(read_table(file.path(), {}, changing(grow))), (Values{1, 2, 3, 4, 5, 6}));
}

TEST(ReadSource, ALargerFileThanTheBudgetIsNotRead) {
  bool read = false;
  const unroll::Run run{.progress =
                            [&](const Progress& progress) {
                              read |= progress.fraction > 0.5;
                              return true;
                            },
                        .memory_budget = 100000};
  const Failure failure = failure_of_bytes("x.csv", std::string(200000, '1'), {}, run);
  EXPECT_EQ(failure.kind, ErrorKind::OutOfMemory);
  EXPECT_TRUE(failure.says("97.7 KiB")) << failure.message;
  EXPECT_FALSE(read);
}

TEST(ReadGzip, IsToldByContent) {
  EXPECT_EQ(values_of(read_bytes("x.csv", gzipped(kText))), kSourceValues);
  EXPECT_EQ(read_bytes("x", gzipped(npy("|u1", "(1,)", "a"))).format, "npy+gzip");
}

TEST(ReadGzip, ConcatenatedMembers) {
  EXPECT_EQ(values_of(read_bytes("x.gz", gzipped("1,2\n") + gzipped("") + gzipped("3,4\n"))), kSourceValues);
}

TEST(ReadGzip, ZerosBehindTheEndArePadding) {
  EXPECT_EQ(values_of(read_bytes("x.gz", gzipped(kText) + std::string(1000, '\0'))), kSourceValues);
}

TEST(ReadGzip, DamageIsFound) {
  const std::string good = gzipped(kText);
  std::string wrong_sum = good, wrong_length = good, wrong_data = good;
  wrong_sum[good.size() - 8] ^= 1;
  wrong_length[good.size() - 1] ^= 1;
  wrong_data[12] ^= 0x10;
  for (const std::string& bad : {wrong_sum, wrong_length, wrong_data, good.substr(0, good.size() - 1),
                                 good.substr(0, 10), good.substr(0, 2), good + "garbage", good + good.substr(0, 5)}) {
    const Failure failure = failure_of_bytes("x.gz", bad);
    EXPECT_EQ(failure.kind, ErrorKind::InvalidData);
    EXPECT_TRUE(failure.says("x.gz: cannot inflate the gzip data")) << failure.message;
  }
}

TEST(ReadGzip, BombsStopAtTheBudget) {
  std::string text;
  while (text.size() < (32U << 20)) text += kText;
  const unroll::Run run{.memory_budget = 1 << 20};
  const std::string zeros(32U << 20, '\0');
  for (const std::string& bomb : {gzipped(text), gzipped(npy("<f8", "(4194304,)", zeros)), gzipped("1" + zeros)}) {
    EXPECT_LT(bomb.size(), 200000U);
    const Failure failure = failure_of_bytes("x.csv.gz", bomb, {}, run);
    EXPECT_EQ(failure.kind, ErrorKind::OutOfMemory) << failure.message;
    EXPECT_TRUE(failure.says("1.0 MiB")) << failure.message;
  }
}

TEST(ByteSource, PeekDoesNotConsume) {
  std::string content;
  for (int i = 0; i < 300000; ++i) content += static_cast<char>('a' + i % 23);
  for (const std::string& stored : {content, gzipped(content)}) {
    const TempFile file("x", stored);
    const unroll::Run run;
    ByteSource source(file.path(), run);
    EXPECT_EQ(source.peek(5), content.substr(0, 5));
    EXPECT_EQ(source.peek(100000), content.substr(0, 100000));
    source.skip(50000);
    EXPECT_EQ(source.peek(ByteSource::kMaxPeek), content.substr(50000, ByteSource::kMaxPeek));
    std::string part(10, ' ');
    EXPECT_EQ(source.read(part.data(), part.size()), 10U);
    EXPECT_EQ(part, content.substr(50000, 10));
    EXPECT_EQ(source.bytes_left(), content.size() - 50010);
    const Bytes rest = source.read_all(1);
    EXPECT_EQ(std::string(rest.data.get(), rest.size), content.substr(50010));
    EXPECT_EQ(source.read(part.data(), part.size()), 0U);
    EXPECT_TRUE(source.peek(1).empty());
    EXPECT_EQ(source.bytes_left(), 0U);
  }
}

}  // namespace
}  // namespace unroll
