#include "net/httpclient/internal/transfer.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;

class TransferTest : public ::testing::Test {
 protected:
  std::shared_ptr<Transfer> Make(size_t max_buffered_bytes = 100) {
    return std::make_shared<Transfer>(HttpRequest{.url = "http://host/"}, Endpoint{},
                                      max_buffered_bytes, counters_);
  }
  static void Deliver(Transfer& transfer, std::string data) {
    Transfer::News news = {.data = std::move(data)};
    transfer.Deliver(news);
    EXPECT_EQ(news.data, "");
  }
  static void End(Transfer& transfer, absl::Status status) {
    Transfer::News news = {.end = std::move(status)};
    transfer.Deliver(news);
  }

  const std::shared_ptr<TransferCounters> counters_ = std::make_shared<TransferCounters>();
  bool resume_ = false;
};

TEST_F(TransferTest, HeadBodyAndEnd) {
  const auto transfer = Make();
  EXPECT_EQ(transfer->request().url, "http://host/");
  EXPECT_EQ(counters_->requests, 1);
  ASSERT_TRUE(transfer->Reserve(3));
  ASSERT_TRUE(transfer->Reserve(3));
  EXPECT_EQ(counters_->buffered_bytes, 6);
  Transfer::News news = {.head = ResponseHead{.status = 201, .http_version = 2}, .data = "one"};
  transfer->Deliver(news);
  EXPECT_FALSE(news.head.has_value());
  Deliver(*transfer, "two");
  End(*transfer, absl::OkStatus());
  const auto head = transfer->AwaitHead(Context());
  ASSERT_THAT(head, IsOk());
  EXPECT_EQ(head->status, 201);
  // Small pieces are joined.
  EXPECT_THAT(transfer->Read(Context(), resume_), IsOkAndHolds("onetwo"));
  EXPECT_EQ(counters_->buffered_bytes, 0);
  EXPECT_EQ(counters_->requests, 1);
  EXPECT_THAT(transfer->Read(Context(), resume_), IsOkAndHolds(""));
  EXPECT_EQ(counters_->requests, 0);
  EXPECT_THAT(transfer->Read(Context(), resume_), IsOkAndHolds(""));
  EXPECT_FALSE(transfer->Abandon());
  EXPECT_EQ(counters_->requests, 0);
}

TEST_F(TransferTest, ErrorsKeepTheirKind) {
  const absl::Status reset =
      MakeTransportError({.kind = TransportErrorKind::kReset, .maybe_sent = false}, "cut");
  for (const absl::Status& status : {reset, absl::ResourceExhaustedError("no memory")}) {
    const auto before = Make();
    End(*before, status);
    EXPECT_EQ(before->AwaitHead(Context()).status(), status);
    const auto after = Make();
    ASSERT_TRUE(after->Reserve(4));
    Deliver(*after, "half");
    End(*after, status);
    // Data that arrived before the error is not lost.
    EXPECT_THAT(after->Read(Context(), resume_), IsOkAndHolds("half"));
    EXPECT_EQ(after->Read(Context(), resume_).status(), status);
    EXPECT_EQ(counters_->requests, 0);
  }
}

TEST_F(TransferTest, ContextEndsWaits) {
  const auto transfer = Make();
  const Context ctx = WithTimeout(Context(), absl::Milliseconds(5));
  EXPECT_THAT(transfer->AwaitHead(ctx), StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_THAT(transfer->Read(ctx, resume_), StatusIs(absl::StatusCode::kDeadlineExceeded));
  // The transfer continues.
  Deliver(*transfer, "x");
  EXPECT_THAT(transfer->Read(Context(), resume_), IsOkAndHolds("x"));
}

TEST_F(TransferTest, FullAndEmptyAgain) {
  const auto transfer = Make(/*max_buffered_bytes=*/10);
  // Up to the limit, and one piece beyond it.
  ASSERT_TRUE(transfer->Reserve(9));
  Deliver(*transfer, std::string(9, 'a'));
  EXPECT_FALSE(transfer->Reserve(300'000));
  Deliver(*transfer, std::string(300'000, 'b'));
  // Reading resumes only when half of the limit is free.
  EXPECT_THAT(transfer->Read(Context(), resume_), IsOk());
  EXPECT_FALSE(resume_);
  EXPECT_THAT(transfer->Read(Context(), resume_), IsOk());
  EXPECT_TRUE(resume_);
  // Reported once.
  ASSERT_TRUE(transfer->Reserve(1));
  Deliver(*transfer, "c");
  EXPECT_THAT(transfer->Read(Context(), resume_), IsOkAndHolds("c"));
  EXPECT_FALSE(resume_);
}

TEST_F(TransferTest, KeepsMemoryWhileMuchComes) {
  const auto transfer = Make(1 << 20);
  const auto read = [&] {
    absl::StatusOr<std::string> chunk = transfer->Read(Context(), resume_);
    ASSERT_THAT(chunk, IsOk());
    transfer->Recycle(*std::move(chunk));
  };
  const std::string much(20 << 10, 'x');
  EXPECT_EQ(transfer->TakeSpare().capacity(), std::string().capacity());
  Deliver(*transfer, much);
  read();
  const std::string spare = transfer->TakeSpare();
  EXPECT_EQ(spare, "");
  EXPECT_GE(spare.capacity(), much.size());
  Deliver(*transfer, much);
  read();
  Deliver(*transfer, "little");
  EXPECT_LT(transfer->TakeSpare().capacity(), much.size());
  read();
  EXPECT_LT(transfer->TakeSpare().capacity(), much.size());
}

TEST_F(TransferTest, AbandonedDropsWhatComes) {
  const auto transfer = Make();
  ASSERT_TRUE(transfer->Reserve(5));
  Deliver(*transfer, "first");
  EXPECT_TRUE(transfer->Abandon());
  EXPECT_FALSE(transfer->Abandon());
  EXPECT_EQ(counters_->buffered_bytes, 0);
  EXPECT_EQ(counters_->requests, 0);
  ASSERT_TRUE(transfer->Reserve(4));
  Deliver(*transfer, "late");
  EXPECT_EQ(counters_->buffered_bytes, 0);
  End(*transfer, absl::OkStatus());
  EXPECT_THAT(transfer->Read(Context(), resume_), StatusIs(absl::StatusCode::kCancelled));
}

// The writer of a connection whose protocol was switched hears how the transfer has ended.
TEST_F(TransferTest, WritersHearOfTheEnd) {
  EXPECT_EQ(Make()->outgoing(), nullptr);
  const auto make = [this] {
    return std::make_shared<Transfer>(HttpRequest{.url = "http://host/", .upgrade = true},
                                      Endpoint{.authority = "host:80"}, 100, counters_);
  };
  const auto write = [](Transfer& transfer) {
    bool wake = false;
    return transfer.outgoing()->Write(Context(), "x", wake);
  };
  const auto closed = make();
  EXPECT_THAT(write(*closed), IsOk());
  End(*closed, absl::OkStatus());
  EXPECT_EQ(write(*closed), MakeTransportError({.kind = TransportErrorKind::kEof},
                                               "write to host:80: the server closed the "
                                               "connection"));
  const auto lost = make();
  const absl::Status silent = MakeTransportError({.kind = TransportErrorKind::kLost}, "silent");
  End(*lost, silent);
  EXPECT_EQ(write(*lost), silent);
  const auto abandoned = make();
  abandoned->Abandon();
  EXPECT_THAT(write(*abandoned), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(abandoned->Read(Context(), resume_),
              StatusIs(absl::StatusCode::kCancelled, "read on closed connection"));
}

TEST_F(TransferTest, AbandonWakesWhoWaits) {
  const auto transfer = Make();
  base::Thread thread;
  ASSERT_THAT(thread.Start(Context(), "reader",
                           [&](const Context&) {
                             bool resume = false;
                             EXPECT_THAT(transfer->Read(Context(), resume),
                                         StatusIs(absl::StatusCode::kCancelled,
                                                  "read on closed response body"));
                           }),
              IsOk());
  transfer->Abandon();
  thread.Join();
}

// The writer stops if there is no room, and the reader tells it when there is: neither waits for
// the other forever.
TEST_F(TransferTest, AWriterThatHasStoppedIsToldToGoOn) {
  constexpr int kPieces = 20'000;
  const auto transfer = Make(/*max_buffered_bytes=*/10);
  base::Mutex mutex;
  base::CondVar changed;
  int resumes = 0;
  base::ThreadGroup group(WithTimeout(Context(), absl::Minutes(1)));
  group.Go("io", [&](const Context& ctx) -> absl::Status {
    int pauses = 0;
    for (int i = 0; i < kPieces; ++i) {
      const bool goes_on = transfer->Reserve(4);
      Deliver(*transfer, "data");
      if (goes_on) continue;
      ++pauses;
      base::MutexLock lock(mutex);
      absl::Status status = changed.Wait(ctx, mutex, [&] { return resumes == pauses; });
      if (!status.ok()) return status;
    }
    End(*transfer, absl::OkStatus());
    return absl::OkStatus();
  });
  group.Go("reader", [&](const Context& ctx) -> absl::Status {
    size_t bytes = 0;
    while (true) {
      bool resume = false;
      absl::StatusOr<std::string> chunk = transfer->Read(ctx, resume);
      if (!chunk.ok()) return chunk.status();
      bytes += chunk->size();
      if (chunk->empty()) break;
      if (!resume) continue;
      base::MutexLock lock(mutex);
      ++resumes;
      changed.NotifyOne();
    }
    return bytes == 4 * size_t{kPieces} ? absl::OkStatus() : absl::DataLossError("bytes");
  });
  EXPECT_THAT(group.Wait(), IsOk());
}

}  // namespace
}  // namespace kube::httpclient::internal
