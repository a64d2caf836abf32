#include "apiserver/streaming/lent_stream.h"

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;

const absl::StatusCode kClosed = absl::StatusCode::kFailedPrecondition;

TEST(LentStream, ReadsAndWrites) {
  io::Pipe pipe = io::MakePipe();
  Loan loan(std::move(pipe.first));
  const std::unique_ptr<io::DuplexStream> lent = loan.Lend();
  EXPECT_THAT(lent->Write(Context(), "to the client"), IsOk());
  EXPECT_THAT(pipe.second->Read(Context()), IsOkAndHolds("to the client"));
  EXPECT_THAT(lent->Flush(Context()), IsOk());
  EXPECT_THAT(pipe.second->Write(Context(), "from it"), IsOk());
  EXPECT_THAT(lent->Read(Context()), IsOkAndHolds("from it"));
  EXPECT_THAT(lent->Read(WithTimeout(Context(), absl::ZeroDuration())),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST(LentStream, EndsOnlyWhatTheServerSends) {
  io::Pipe pipe = io::MakePipe();
  Loan loan(std::move(pipe.first));
  std::unique_ptr<io::DuplexStream> lent = loan.Lend();
  EXPECT_THAT(lent->Write(Context(), "last"), IsOk());
  lent.reset();
  EXPECT_THAT(pipe.second->Read(Context()), IsOkAndHolds("last"));
  EXPECT_THAT(pipe.second->Read(Context()), IsOkAndHolds(""));
  EXPECT_THAT(pipe.second->Write(Context(), "late"), IsOk());
  EXPECT_THAT(loan.stream().Read(Context()), IsOkAndHolds("late"));
}

TEST(LentStream, WakesAReaderWhenItIsClosed) {
  io::Pipe pipe = io::MakePipe();
  Loan loan(std::move(pipe.first));
  const std::unique_ptr<io::DuplexStream> lent = loan.Lend();
  base::Thread thread;
  ASSERT_THAT(thread.Start(Context(), "reader",
                           [&lent](const Context&) {
                             EXPECT_THAT(lent->Read(Context()), StatusIs(kClosed));
                           }),
              IsOk());
  lent->Close();
  thread.Join();
  EXPECT_THAT(lent->Write(Context(), "x"), StatusIs(kClosed));
  EXPECT_THAT(lent->Flush(Context()), StatusIs(kClosed));
}

TEST(LentStream, IsTakenBack) {
  io::Pipe pipe = io::MakePipe();
  Loan loan(std::move(pipe.first));
  const std::unique_ptr<io::DuplexStream> lent = loan.Lend();
  loan.End();
  EXPECT_THAT(lent->Write(Context(), "x"), StatusIs(kClosed));
  EXPECT_THAT(lent->Read(Context()), StatusIs(kClosed));
  lent->Close();
  EXPECT_THAT(loan.stream().Write(Context(), "the server's"), IsOk());
  EXPECT_THAT(pipe.second->Read(Context()), IsOkAndHolds("the server's"));
}

// The end of a pipe, which must not be used once `ended` is set.
class Mortal final : public io::DuplexStream {
 public:
  Mortal(std::unique_ptr<io::DuplexStream> stream, const std::atomic<bool>& ended)
      : stream_(std::move(stream)), ended_(ended) {}

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    const Use use(ended_);
    return stream_->Read(ctx);
  }
  absl::Status Write(const Context& ctx, absl::string_view bytes) override {
    const Use use(ended_);
    return stream_->Write(ctx, bytes);
  }
  absl::Status Flush(const Context& ctx) override {
    const Use use(ended_);
    return stream_->Flush(ctx);
  }
  absl::Status CloseWrite() override {
    const Use use(ended_);
    return stream_->CloseWrite();
  }
  void Close() override { stream_->Close(); }

 private:
  struct Use {
    explicit Use(const std::atomic<bool>& is_over) : ended(is_over) { EXPECT_FALSE(ended); }
    ~Use() { EXPECT_FALSE(ended); }
    const std::atomic<bool>& ended;
  };

  const std::unique_ptr<io::DuplexStream> stream_;
  const std::atomic<bool>& ended_;
};

// The function may have given what it was lent to other threads.
TEST(LentStream, DoesNotReachAStreamThatWasTakenBack) {
  io::Pipe pipe = io::MakePipe();
  std::atomic<bool> ended = false;
  Loan loan(std::make_unique<Mortal>(std::move(pipe.first), ended));
  const std::unique_ptr<io::DuplexStream> lent = loan.Lend();
  base::Thread thread;
  ASSERT_THAT(thread.Start(Context(), "reader",
                           [&lent](const Context&) {
                             EXPECT_THAT(lent->Read(Context()), StatusIs(kClosed));
                           }),
              IsOk());
  loan.End();
  ended = true;
  EXPECT_THAT(lent->Read(Context()), StatusIs(kClosed));
  EXPECT_THAT(lent->Write(Context(), "x"), StatusIs(kClosed));
  EXPECT_THAT(lent->Flush(Context()), StatusIs(kClosed));
  EXPECT_THAT(lent->CloseWrite(), IsOk());
  lent->Close();
  thread.Join();
}

}  // namespace
}  // namespace kube::apiserver::internal
