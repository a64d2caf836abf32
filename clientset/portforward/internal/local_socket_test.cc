#include "clientset/portforward/internal/local_socket.h"

#include <sys/socket.h>

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/file_descriptor.h"

namespace kube::portforward::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;

struct Ends {
  std::unique_ptr<LocalSocket> first;
  std::unique_ptr<LocalSocket> second;
};

Ends MakeEnds() {
  int fds[2] = {-1, -1};
  KUBE_CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
  return {.first = std::make_unique<LocalSocket>(io::FileDescriptor(fds[0])),
          .second = std::make_unique<LocalSocket>(io::FileDescriptor(fds[1]))};
}

// Returns a copy of the next bytes.
absl::StatusOr<std::string> ReadText(LocalSocket& socket) {
  KUBE_ASSIGN_OR_RETURN(const absl::string_view bytes, socket.Read());
  return std::string(bytes);
}

TEST(LocalSocket, CarriesBytesAndEnds) {
  const Ends ends = MakeEnds();
  EXPECT_THAT(ends.first->Write("ping"), IsOk());
  EXPECT_THAT(ReadText(*ends.second), IsOkAndHolds("ping"));
  ends.first->CloseWrite();
  EXPECT_THAT(ReadText(*ends.second), IsOkAndHolds(""));
  EXPECT_THAT(ends.second->Write("still open in this direction"), IsOk());
  EXPECT_THAT(ReadText(*ends.first), IsOkAndHolds("still open in this direction"));
}

TEST(LocalSocket, WritesMoreThanTheSystemTakesAtOnce) {
  const Ends ends = MakeEnds();
  const std::string text(size_t{4} << 20, 'x');
  base::Thread writer;
  ASSERT_THAT(writer.Start(Context(), "writer",
                           [&](const Context&) {
                             EXPECT_THAT(ends.first->Write(text), IsOk());
                             ends.first->CloseWrite();
                           }),
              IsOk());
  size_t received = 0;
  while (true) {
    const absl::StatusOr<absl::string_view> bytes = ends.second->Read();
    ASSERT_THAT(bytes, IsOk());
    if (bytes->empty()) break;
    received += bytes->size();
  }
  EXPECT_EQ(received, text.size());
}

TEST(LocalSocket, EndWakesAReader) {
  const Ends ends = MakeEnds();
  base::Thread reader;
  ASSERT_THAT(
      reader.Start(Context(), "reader",
                   [&](const Context&) { EXPECT_THAT(ReadText(*ends.first), IsOkAndHolds("")); }),
      IsOk());
  ends.first->End();
  reader.Join();
  EXPECT_THAT(ReadText(*ends.second), IsOkAndHolds(""));
}

TEST(LocalSocket, EndWakesAWriter) {
  const Ends ends = MakeEnds();
  base::Thread writer;
  ASSERT_THAT(writer.Start(Context(), "writer",
                           [&](const Context&) {
                             // More than the system takes without a reader.
                             EXPECT_THAT(ends.first->Write(std::string(size_t{64} << 20, 'x')),
                                         StatusIs(absl::StatusCode::kUnavailable));
                           }),
              IsOk());
  ends.first->End();
  writer.Join();
}

TEST(LocalSocket, ReportsThatTheProgramHasGone) {
  Ends ends = MakeEnds();
  ends.second.reset();
  EXPECT_THAT(ends.first->Write("x"),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("write to socket")));
  EXPECT_THAT(ReadText(*ends.first), IsOkAndHolds(""));
}

TEST(ListenOn, ChoosesAPortAndReportsThatOneIsTaken) {
  const absl::StatusOr<ListeningSocket> chosen = ListenOn("127.0.0.1", 0);
  ASSERT_THAT(chosen, IsOk());
  EXPECT_NE(chosen->port, 0);
  EXPECT_THAT(ListenOn("127.0.0.1", chosen->port).status(),
              StatusIs(testing::Ne(absl::StatusCode::kOk), HasSubstr("bind")));
}

TEST(ListenOn, RefusesNames) {
  EXPECT_THAT(ListenOn("example.com", 0).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, "example.com is not a valid IP"));
}

}  // namespace
}  // namespace kube::portforward::internal
