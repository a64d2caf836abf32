#include "net/httpclient/internal/dial_threads.h"

#include <sys/eventfd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/connection_dialer.h"
#include "net/httpclient/transport_error.h"
#include "net/io/event_loop.h"
#include "net/io/file_descriptor.h"

namespace kube::httpclient::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;

constexpr absl::Duration kLong = absl::Minutes(1);

class FunctionDialer final : public ConnectionDialer {
 public:
  using Function =
      std::function<absl::StatusOr<io::FileDescriptor>(const Context&, const DialAddress&)>;
  explicit FunctionDialer(Function function) : function_(std::move(function)) {}
  absl::StatusOr<io::FileDescriptor> Dial(const Context& ctx, const DialAddress& address) override {
    return function_(ctx, address);
  }

 private:
  const Function function_;
};

class DialThreadsTest : public ::testing::Test {
 protected:
  using Result = std::optional<absl::StatusOr<io::FileDescriptor>>;

  DialThreadsTest() { EXPECT_THAT(loop_.Open(), IsOk()); }
  ~DialThreadsTest() override { loop_.Close(); }

  // Dials by `function`; `result` is set at the end.
  DialThreads::Id Start(FunctionDialer::Function function, Result& result,
                        absl::Duration timeout = kLong) {
    const std::optional<DialThreads::Id> id = dials_.Start(
        std::make_shared<FunctionDialer>(std::move(function)), {.host = "host", .port = 443},
        timeout, [&result](absl::StatusOr<io::FileDescriptor> socket) {
          result.emplace(std::move(socket));
        });
    EXPECT_TRUE(id.has_value());
    return id.value_or(0);
  }
  void RunUntil(const std::function<bool()>& done) {
    while (!done()) loop_.RunOnce();
  }

  // What the threads use is declared before `dials_`, which waits for them.
  base::Event ended_;
  base::Event may_return_;
  Result cancelled_;
  io::EventLoop loop_;
  DialThreads dials_{loop_};
};

TEST_F(DialThreadsTest, HandsTheSocketOver) {
  Result result;
  int fd = -1;
  Start(
      [&fd](const Context&, const DialAddress& address) -> absl::StatusOr<io::FileDescriptor> {
        EXPECT_EQ(address.host, "host");
        EXPECT_EQ(address.port, 443);
        fd = ::eventfd(0, EFD_CLOEXEC);
        return io::FileDescriptor(fd);
      },
      result);
  RunUntil([&result] { return result.has_value(); });
  ASSERT_THAT(*result, IsOk());
  EXPECT_EQ((*result)->get(), fd);
}

TEST_F(DialThreadsTest, ErrorsKeepTheirKind) {
  const absl::Status lost =
      MakeTransportError({.kind = TransportErrorKind::kLost, .maybe_sent = false}, "silent");
  for (const absl::Status& status : {lost, absl::NotFoundError("no tunnel")}) {
    Result result;
    Start([&status](const Context&, const DialAddress&) { return status; }, result);
    RunUntil([&result] { return result.has_value(); });
    EXPECT_EQ(result->status(), status);
  }
  Result result;
  Start([](const Context&, const DialAddress&) { return io::FileDescriptor(); }, result);
  RunUntil([&result] { return result.has_value(); });
  EXPECT_THAT(*result, StatusIs(absl::StatusCode::kInternal, "the dialer returned no socket"));
}

TEST_F(DialThreadsTest, TheTimeoutEndsTheContext) {
  Result result;
  Start([](const Context& ctx, const DialAddress&) { return base::WaitUntilDone(ctx); }, result,
        absl::Milliseconds(5));
  RunUntil([&result] { return result.has_value(); });
  EXPECT_THAT(*result, StatusIs(absl::StatusCode::kDeadlineExceeded));
}

// A dial that does not return at once delays nobody, and its socket is closed.
TEST_F(DialThreadsTest, CancelledDialsAreForgotten) {
  const DialThreads::Id id = Start(
      [this](const Context& ctx, const DialAddress&) -> absl::StatusOr<io::FileDescriptor> {
        base::WaitUntilDone(ctx).IgnoreError();
        ended_.Set();
        may_return_.Wait(Context()).IgnoreError();
        return io::FileDescriptor(::eventfd(0, EFD_CLOEXEC));
      },
      cancelled_);
  dials_.Cancel(id);
  EXPECT_THAT(ended_.Wait(WithTimeout(Context(), kLong)), IsOk());
  Result result;
  Start([](const Context&, const DialAddress&) { return absl::NotFoundError("no"); }, result);
  RunUntil([&result] { return result.has_value(); });
  may_return_.Set();
  result.reset();
  Start([](const Context&, const DialAddress&) { return absl::NotFoundError("no"); }, result);
  RunUntil([&result] { return result.has_value(); });
  EXPECT_FALSE(cancelled_.has_value());
}

TEST(DialThreadsEndTest, TheDestructorWaits) {
  io::EventLoop loop;
  ASSERT_THAT(loop.Open(), IsOk());
  std::atomic<int> returned{0};
  {
    DialThreads dials(loop);
    for (int i = 0; i < 3; ++i) {
      const std::optional<DialThreads::Id> id = dials.Start(
          std::make_shared<FunctionDialer>([&returned](const Context& ctx, const DialAddress&) {
            const absl::Status status = base::WaitUntilDone(ctx);
            ++returned;
            return status;
          }),
          {}, kLong, [](const absl::StatusOr<io::FileDescriptor>&) { FAIL(); });
      ASSERT_TRUE(id.has_value());
    }
    loop.Close();
  }
  EXPECT_EQ(returned, 3);
}

}  // namespace
}  // namespace kube::httpclient::internal
