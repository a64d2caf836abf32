#include "clientset/remotecommand/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/file_descriptor.h"

namespace kube::remotecommand {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;

constexpr absl::StatusCode kCancelled = absl::StatusCode::kCancelled;
constexpr absl::StatusCode kDeadlineExceeded = absl::StatusCode::kDeadlineExceeded;
constexpr absl::StatusCode kUnavailable = absl::StatusCode::kUnavailable;

// A pipe of the operating system.
struct SystemPipe {
  SystemPipe() {
    int fds[2] = {-1, -1};
    EXPECT_EQ(::pipe2(fds, O_CLOEXEC), 0);
    reading = io::FileDescriptor(fds[0]);
    writing = io::FileDescriptor(fds[1]);
  }
  io::FileDescriptor reading;
  io::FileDescriptor writing;
};

TEST(FromDescriptorTest, ReadsToTheEnd) {
  SystemPipe pipe;
  StdinSource source = FromDescriptor(pipe.reading.get());
  ASSERT_EQ(::write(pipe.writing.get(), "hello", 5), 5);
  EXPECT_THAT(source(Context()), IsOkAndHolds("hello"));
  base::Thread writer;
  ASSERT_THAT(
      writer.Start(Context(), "writer",
                   [&](const Context&) { EXPECT_EQ(::write(pipe.writing.get(), "later", 5), 5); }),
      IsOk());
  EXPECT_THAT(source(Context()), IsOkAndHolds("later"));
  writer.Join();
  pipe.writing.Close();
  EXPECT_THAT(source(Context()), IsOkAndHolds(""));
  EXPECT_THAT(source(Context()), IsOkAndHolds(""));
}

TEST(FromDescriptorTest, TheEndOfTheContextEndsAWait) {
  SystemPipe pipe;
  StdinSource source = FromDescriptor(pipe.reading.get());
  EXPECT_THAT(source(WithTimeout(Context(), absl::Milliseconds(20))), StatusIs(kDeadlineExceeded));
  CancelScope scope = WithCancel(Context());
  base::Thread reader;
  ASSERT_THAT(reader.Start(Context(), "reader",
                           [&](const Context&) {
                             EXPECT_THAT(source(scope.context()), StatusIs(kCancelled));
                           }),
              IsOk());
  scope.Cancel();
  reader.Join();
  // Nothing that comes later is lost.
  ASSERT_EQ(::write(pipe.writing.get(), "hello", 5), 5);
  EXPECT_THAT(source(scope.context()), StatusIs(kCancelled));
  EXPECT_THAT(source(Context()), IsOkAndHolds("hello"));
}

TEST(FromDescriptorTest, WorksInNonBlockingMode) {
  SystemPipe pipe;
  ASSERT_EQ(::fcntl(pipe.reading.get(), F_SETFL, O_NONBLOCK), 0);
  StdinSource source = FromDescriptor(pipe.reading.get());
  EXPECT_THAT(source(WithTimeout(Context(), absl::Milliseconds(20))), StatusIs(kDeadlineExceeded));
  ASSERT_EQ(::write(pipe.writing.get(), "hello", 5), 5);
  EXPECT_THAT(source(Context()), IsOkAndHolds("hello"));
}

TEST(FromDescriptorTest, AClosedDescriptorIsAnError) {
  SystemPipe pipe;
  const int fd = pipe.reading.get();
  pipe.reading.Close();
  EXPECT_THAT(FromDescriptor(fd)(Context()),
              StatusIs(kUnavailable,
                       absl::StrCat("read from file descriptor ", fd, ": Bad file descriptor")));
  EXPECT_THAT(FromDescriptor(-1)(Context()),
              StatusIs(kUnavailable, "wait for file descriptor -1: Bad file descriptor"));
}

TEST(ToDescriptorTest, WritesAll) {
  SystemPipe pipe;
  const std::string text(300'000, 'a');
  base::Thread writer;
  ASSERT_THAT(writer.Start(Context(), "writer",
                           [&](const Context& ctx) {
                             EXPECT_THAT(ToDescriptor(pipe.writing.get())(ctx, text), IsOk());
                             pipe.writing.Close();
                           }),
              IsOk());
  StdinSource source = FromDescriptor(pipe.reading.get());
  std::string read;
  while (true) {
    const absl::StatusOr<std::string> bytes = source(Context());
    ASSERT_THAT(bytes, IsOk());
    if (bytes->empty()) break;
    read += *bytes;
  }
  writer.Join();
  EXPECT_TRUE(read == text) << read.size();
}

TEST(ToDescriptorTest, TheEndOfTheContextEndsAWait) {
  SystemPipe pipe;
  EXPECT_THAT(ToDescriptor(pipe.writing.get())(WithTimeout(Context(), absl::Milliseconds(20)),
                                               std::string(300'000, 'a')),
              StatusIs(kDeadlineExceeded));
}

TEST(ToDescriptorTest, AReaderThatHasGoneIsAnErrorIfTheSignalIsIgnored) {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  SystemPipe pipe;
  pipe.reading.Close();
  EXPECT_THAT(ToDescriptor(pipe.writing.get())(Context(), "a"),
              StatusIs(kUnavailable, HasSubstr("Broken pipe")));
  ::signal(SIGPIPE, before);
}

}  // namespace
}  // namespace kube::remotecommand
