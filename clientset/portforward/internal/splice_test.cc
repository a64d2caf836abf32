#include "clientset/portforward/internal/splice.h"

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/internal/local_socket.h"
#include "clientset/portforward/port_stream.h"
#include "clientset/portforward/testing/fake_pod.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"
#include "net/io/file_descriptor.h"

namespace kube::portforward::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;

absl::StatusOr<std::string> ReadAll(const Context& ctx, io::DuplexStream& stream) {
  std::string all;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, stream.Read(ctx));
    if (bytes.empty()) return all;
    all += bytes;
  }
}

absl::StatusOr<std::string> ReadAll(LocalSocket& socket) {
  std::string all;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const absl::string_view bytes, socket.Read());
    if (bytes.empty()) return all;
    absl::StrAppend(&all, bytes);
  }
}

// Returns a copy of the next bytes.
absl::StatusOr<std::string> ReadText(LocalSocket& socket) {
  KUBE_ASSIGN_OR_RETURN(const absl::string_view bytes, socket.Read());
  return std::string(bytes);
}

// A local program whose connection is spliced with port 80 of a pod.
class SpliceTest : public testing::Test {
 protected:
  // Starts when the handler of the port is there.
  void StartSplice(const Context& ctx, FakePod::Handler handler) {
    pod_.Listen(80, std::move(handler));
    absl::StatusOr<std::unique_ptr<Forwarder>> forwarder =
        Forwarder::Connect(ctx_, pod_.MakeConnector(), {"prod", "web-0"});
    ASSERT_THAT(forwarder, IsOk());
    forwarder_ = *std::move(forwarder);
    absl::StatusOr<std::unique_ptr<PortStream>> remote = forwarder_->Dial(ctx_, 80);
    ASSERT_THAT(remote, IsOk());
    remote_ = *std::move(remote);
    int fds[2] = {-1, -1};
    KUBE_CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
    program_ = std::make_unique<LocalSocket>(io::FileDescriptor(fds[0]));
    local_ = std::make_unique<LocalSocket>(io::FileDescriptor(fds[1]));
    ASSERT_THAT(thread_.Start(ctx, "splice",
                              [this](const Context& thread_ctx) {
                                status_ = Splice(thread_ctx, *local_, *remote_);
                              }),
                IsOk());
  }

  // Waits for the end of the splice.
  absl::Status Result() {
    thread_.Join();
    return status_;
  }

  const Context ctx_ = WithTimeout(Context(), absl::Seconds(50));
  FakePod pod_;
  std::unique_ptr<Forwarder> forwarder_;
  std::unique_ptr<PortStream> remote_;
  std::unique_ptr<LocalSocket> program_;
  std::unique_ptr<LocalSocket> local_;
  absl::Status status_;
  base::Thread thread_;
};

// behaviour.md: ST-43
TEST_F(SpliceTest, EndsWhenBothSidesHaveEnded) {
  StartSplice(ctx_, FakePod::Echo);
  EXPECT_THAT(program_->Write("hello"), IsOk());
  program_->CloseWrite();
  EXPECT_THAT(ReadAll(*program_), IsOkAndHolds("hello"));
  EXPECT_THAT(Result(), IsOk());
}

TEST_F(SpliceTest, CarriesManyBytesInBothDirections) {
  StartSplice(ctx_, FakePod::Echo);
  const std::string text(size_t{3} << 20, 'x');
  base::Thread writer;
  ASSERT_THAT(writer.Start(ctx_, "writer",
                           [&](const Context&) {
                             EXPECT_THAT(program_->Write(text), IsOk());
                             program_->CloseWrite();
                           }),
              IsOk());
  const absl::StatusOr<std::string> received = ReadAll(*program_);
  ASSERT_THAT(received, IsOk());
  EXPECT_EQ(received->size(), text.size());
  EXPECT_THAT(Result(), IsOk());
}

// The connection in the pod is over although the local program keeps its side open.
// behaviour.md: ST-43
TEST_F(SpliceTest, EndsWhenTheKubeletSaysSo) {
  StartSplice(ctx_, [](const Context& ctx, io::DuplexStream& stream) {
    return stream.Write(ctx, "goodbye");
  });
  EXPECT_THAT(ReadAll(*program_), IsOkAndHolds("goodbye"));
  EXPECT_THAT(Result(), IsOk());
}

// behaviour.md: ST-43
TEST_F(SpliceTest, GoesOnWithTheOtherDirectionAfterTheEndOfOne) {
  std::string received;
  StartSplice(ctx_, [&received](const Context& ctx, io::DuplexStream& stream) -> absl::Status {
    KUBE_RETURN_IF_ERROR(stream.Write(ctx, "this is all"));
    KUBE_RETURN_IF_ERROR(stream.CloseWrite());
    KUBE_ASSIGN_OR_RETURN(received, ReadAll(ctx, stream));
    return absl::OkStatus();
  });
  EXPECT_THAT(ReadAll(*program_), IsOkAndHolds("this is all"));
  EXPECT_THAT(program_->Write("and this is mine"), IsOk());
  program_->CloseWrite();
  EXPECT_THAT(Result(), IsOk());
  EXPECT_EQ(received, "and this is mine");
}

TEST_F(SpliceTest, ReportsAnErrorOfThePod) {
  StartSplice(ctx_, [](const Context&, io::DuplexStream&) {
    return absl::UnavailableError("connection refused");
  });
  EXPECT_THAT(ReadAll(*program_), IsOkAndHolds(""));
  EXPECT_THAT(Result(), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("connection refused")));
}

// behaviour.md: ST-43
TEST_F(SpliceTest, ALocalProgramThatHasGoneIsNoError) {
  base::Event ended;
  StartSplice(ctx_, [&ended](const Context& ctx, io::DuplexStream& stream) -> absl::Status {
    // Writes until the client is gone.
    absl::Status status;
    while (status.ok()) status = stream.Write(ctx, std::string(size_t{16} << 10, 'x'));
    ended.Set();
    return absl::OkStatus();
  });
  program_.reset();
  EXPECT_THAT(Result(), IsOk());
  EXPECT_THAT(ended.Wait(ctx_), IsOk());
}

// A pod that takes nothing, and has answered before.
class BrokenStream final : public PortStream {
 public:
  absl::StatusOr<std::string> Read(const Context& ctx) override {
    KUBE_RETURN_IF_ERROR(written_.Wait(Context()));
    if (std::exchange(answered_, true)) return Error();
    // The thread that writes must not end the connection now.
    base::SleepFor(ctx, absl::Milliseconds(20)).IgnoreError();
    return std::string("answer");
  }
  absl::Status Write(const Context&, absl::string_view) override {
    written_.Set();
    return absl::AbortedError("stream reset");
  }
  absl::Status Flush(const Context&) override { return Error(); }
  absl::Status CloseWrite() override { return absl::OkStatus(); }
  void Close() override {}
  uint16_t port() const override { return 80; }
  absl::Status Outcome(const Context&) override { return Error(); }

 private:
  static absl::Status Error() { return absl::UnavailableError("an error occurred: broken pipe"); }

  base::Event written_;
  bool answered_ = false;
};

TEST(SpliceBrokenTest, PassesOnWhatHasArrivedBeforeAnError) {
  int fds[2] = {-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
  LocalSocket program{io::FileDescriptor(fds[0])};
  LocalSocket local{io::FileDescriptor(fds[1])};
  BrokenStream remote;
  absl::Status status;
  base::Thread thread;
  ASSERT_THAT(thread.Start(Context(), "splice",
                           [&](const Context& ctx) { status = Splice(ctx, local, remote); }),
              IsOk());
  EXPECT_THAT(program.Write("question"), IsOk());
  EXPECT_THAT(ReadAll(program), IsOkAndHolds("answer"));
  thread.Join();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnavailable, HasSubstr("broken pipe")));
}

TEST_F(SpliceTest, EndsWithItsContext) {
  CancelScope scope = WithCancel(ctx_);
  StartSplice(scope.context(), FakePod::Echo);
  EXPECT_THAT(program_->Write("x"), IsOk());
  EXPECT_THAT(ReadText(*program_), IsOkAndHolds("x"));
  scope.Cancel();
  EXPECT_THAT(Result(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(ReadAll(*program_), IsOkAndHolds(""));
}

TEST_F(SpliceTest, ReportsALostConnectionToTheCluster) {
  StartSplice(ctx_, FakePod::Echo);
  EXPECT_THAT(program_->Write("x"), IsOk());
  EXPECT_THAT(ReadText(*program_), IsOkAndHolds("x"));
  pod_.LoseConnections();
  EXPECT_FALSE(Result().ok());
  EXPECT_THAT(ReadAll(*program_), IsOkAndHolds(""));
}

}  // namespace
}  // namespace kube::portforward::internal
