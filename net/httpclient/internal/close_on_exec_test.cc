#include "net/httpclient/internal/close_on_exec.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "gtest/gtest.h"

namespace kube::httpclient::internal {
namespace {

class Pair {
 public:
  explicit Pair(int flags = 0) {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | flags, 0, ends_.data()), 0);
  }
  ~Pair() {
    for (const int fd : ends_) ::close(fd);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  int operator[](size_t end) const { return ends_[end]; }
  void Wake() const { EXPECT_EQ(::write(ends_[1], "x", 1), 1); }

 private:
  std::array<int, 2> ends_ = {-1, -1};
};

bool IsMarked(int fd) { return (::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0; }

bool HasNothing(int fd) {
  char byte = 0;
  return ::recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0;
}

TEST(CloseOnExecTest, BothEndsAndNoOthers) {
  for (const size_t end : {0, 1}) {
    const Pair before;
    const Pair pair;
    const Pair after;
    EXPECT_EQ(::write(after[0], "its own", 7), 7);
    SetCloseOnExec(pair[end]);
    EXPECT_TRUE(IsMarked(pair[0]));
    EXPECT_TRUE(IsMarked(pair[1]));
    for (const Pair* other : {&before, &after}) {
      EXPECT_FALSE(IsMarked((*other)[0]));
      EXPECT_FALSE(IsMarked((*other)[1]));
    }
    EXPECT_TRUE(HasNothing(pair[0]));
    EXPECT_TRUE(HasNothing(pair[1]));
    std::array<char, 10> bytes;
    EXPECT_EQ(::recv(after[1], bytes.data(), bytes.size(), 0), 7);
  }
}

// The other end may have a distant number, if lower ones were not free.
TEST(CloseOnExecTest, EndsThatAreFarFromEachOther) {
  const Pair pair;
  const int far = ::fcntl(pair[1], F_DUPFD, 900);
  ASSERT_GE(far, 900);
  const int moved = ::dup2(STDERR_FILENO, pair[1]);  // no longer the other end
  SetCloseOnExec(pair[0]);
  EXPECT_TRUE(IsMarked(far));
  EXPECT_FALSE(IsMarked(moved));
  ::close(far);
}

TEST(CloseOnExecTest, OtherDescriptors) {
  const int file = ::open("/dev/null", O_RDONLY);
  SetCloseOnExec(file);
  EXPECT_TRUE(IsMarked(file));
  ::close(file);
  SetCloseOnExec(file);  // not open
  const Pair marked(SOCK_CLOEXEC);
  SetCloseOnExec(marked[0]);
  EXPECT_TRUE(HasNothing(marked[1]));
  // The other end is closed, or in another process.
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  ::close(ends[1]);
  SetCloseOnExec(ends[0]);
  EXPECT_TRUE(IsMarked(ends[0]));
  ::close(ends[0]);
}

TEST(CloseOnExecTest, WhatIsWoken) {
  for (const bool guessed : {true, false}) {
    const Pair before;
    const Pair pair;
    const Pair busy;
    busy.Wake();
    const auto wake = [&] { pair.Wake(); };
    SetCloseOnExecOfWakeUp(wake, guessed ? pair[0] : before[0], guessed ? pair[1] : -1);
    EXPECT_TRUE(IsMarked(pair[0]));
    EXPECT_TRUE(IsMarked(pair[1]));
    for (const Pair* other : {&before, &busy}) {
      EXPECT_FALSE(IsMarked((*other)[0]));
      EXPECT_FALSE(IsMarked((*other)[1]));
    }
  }
}

// Later versions of curl set the flag themselves; and a curl that failed has no pair.
TEST(CloseOnExecTest, NothingToMark) {
  const Pair pair;
  const Pair marked(SOCK_CLOEXEC);
  SetCloseOnExecOfWakeUp([&] { marked.Wake(); }, marked[0], marked[1]);
  SetCloseOnExecOfWakeUp([] {}, -1, -1);
  EXPECT_FALSE(IsMarked(pair[0]));
  EXPECT_FALSE(IsMarked(pair[1]));
}

}  // namespace
}  // namespace kube::httpclient::internal
