#include "net/io/pipe.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"

namespace kube::io {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;
using testing::SizeIs;

// A context that is done: calls with it return at once.
Context Ended() { return WithTimeout(Context(), absl::ZeroDuration()); }

// Reads up to the end, and returns all bytes.
absl::StatusOr<std::string> ReadAll(const Context& ctx, DuplexStream& stream) {
  std::string all;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(std::string piece, stream.Read(ctx));
    if (piece.empty()) return all;
    absl::StrAppend(&all, piece);
    stream.Recycle(std::move(piece));
  }
}

absl::StatusOr<std::string> Ask(const Context& ctx, std::unique_ptr<DuplexStream> stream) {
  KUBE_RETURN_IF_ERROR(stream->Write(ctx, "ping\n"));
  KUBE_ASSIGN_OR_RETURN(const std::string answer, stream->Read(ctx));
  return answer;
}

TEST(DuplexStreamTest, WritesAndReads_AsInTheHeader) {
  Pipe pipe = MakePipe();
  ASSERT_THAT(pipe.second->Write(Context(), "pong\n"), IsOk());
  EXPECT_THAT(Ask(Context(), std::move(pipe.first)), IsOkAndHolds("pong\n"));
  EXPECT_THAT(ReadAll(Context(), *pipe.second), IsOkAndHolds("ping\n"));
}

TEST(PipeTest, Read_InBothDirections_ReturnsWhatTheOtherEndWrote) {
  const Pipe pipe = MakePipe();
  ASSERT_THAT(pipe.first->Write(Context(), "to the second"), IsOk());
  ASSERT_THAT(pipe.second->Write(Context(), "to the first"), IsOk());
  EXPECT_THAT(pipe.second->Read(Context()), IsOkAndHolds("to the second"));
  EXPECT_THAT(pipe.first->Read(Context()), IsOkAndHolds("to the first"));
}

TEST(PipeTest, Read_NothingThere_WaitsForItsContext) {
  const Pipe pipe = MakePipe();
  EXPECT_THAT(pipe.first->Read(Ended()), StatusIs(absl::StatusCode::kDeadlineExceeded));
  CancelScope cancelled = WithCancel(Context());
  cancelled.Cancel();
  EXPECT_THAT(pipe.first->Read(cancelled.context()), StatusIs(absl::StatusCode::kCancelled));
  ASSERT_THAT(pipe.second->Write(Context(), "later"), IsOk());
  EXPECT_THAT(pipe.first->Read(Ended()), IsOkAndHolds("later")) << "bytes win over the context";
}

TEST(PipeTest, Write_OfNothing_IsNotTheEnd) {
  const Pipe pipe = MakePipe();
  ASSERT_THAT(pipe.first->Write(Context(), ""), IsOk());
  EXPECT_THAT(pipe.second->Read(Ended()), StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST(PipeTest, Write_BufferIsFull_TakesAllOrNothing) {
  const Pipe pipe = MakePipe(/*buffer_bytes=*/10);
  ASSERT_THAT(pipe.first->Write(Ended(), std::string(10, 'a')), IsOk());
  ASSERT_THAT(pipe.first->Write(Ended(), std::string(100'000, 'b')), IsOk())
      << "not more than the limit waited";
  EXPECT_THAT(pipe.first->Write(Ended(), "c"), StatusIs(absl::StatusCode::kDeadlineExceeded));
  ASSERT_THAT(pipe.second->Write(Ended(), "the other direction"), IsOk());

  std::string read;
  while (read.size() < 100'010) {
    const absl::StatusOr<std::string> piece = pipe.second->Read(Ended());
    ASSERT_THAT(piece, IsOk());
    absl::StrAppend(&read, *piece);
  }
  EXPECT_TRUE(read == absl::StrCat(std::string(10, 'a'), std::string(100'000, 'b')));
  ASSERT_THAT(pipe.first->Write(Ended(), "d"), IsOk());
  EXPECT_THAT(pipe.second->Read(Ended()), IsOkAndHolds("d")) << "nothing of the failed write";
}

TEST(PipeTest, Read_LargePiece_IsTheOneThatWasWritten) {
  const Pipe pipe = MakePipe();
  const std::string large(1 << 20, 'x');
  ASSERT_THAT(pipe.first->Write(Context(), large), IsOk());
  EXPECT_THAT(pipe.second->Read(Context()), IsOkAndHolds(SizeIs(large.size())));
}

TEST(PipeTest, Recycle_PieceThatWasRead_IsUsedAgain) {
  const Pipe pipe = MakePipe();
  ASSERT_THAT(pipe.first->Write(Context(), std::string(50'000, 'x')), IsOk());
  absl::StatusOr<std::string> piece = pipe.second->Read(Context());
  ASSERT_THAT(piece, IsOk());
  const char* const memory = piece->data();
  pipe.second->Recycle(*std::move(piece));
  ASSERT_THAT(pipe.first->Write(Context(), std::string(50'000, 'y')), IsOk());
  const absl::StatusOr<std::string> again = pipe.second->Read(Context());
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->data(), memory);
}

TEST(PipeTest, CloseWrite_EndsOneDirection) {
  const Pipe pipe = MakePipe();
  ASSERT_THAT(pipe.first->Write(Context(), "last"), IsOk());
  EXPECT_THAT(pipe.first->CloseWrite(), IsOk());
  EXPECT_THAT(pipe.first->CloseWrite(), IsOk()) << "the second call does nothing";
  EXPECT_THAT(pipe.first->Write(Context(), "more"),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("closed for writing")));
  EXPECT_THAT(pipe.second->Read(Context()), IsOkAndHolds("last"));
  EXPECT_THAT(pipe.second->Read(Context()), IsOkAndHolds(""));
  EXPECT_THAT(pipe.second->Read(Context()), IsOkAndHolds("")) << "it stays the end";

  ASSERT_THAT(pipe.second->Write(Context(), "answer"), IsOk());
  EXPECT_THAT(pipe.first->Read(Context()), IsOkAndHolds("answer"));
  EXPECT_THAT(pipe.second->CloseWrite(), IsOk());
  EXPECT_THAT(pipe.first->Read(Context()), IsOkAndHolds(""));
}

TEST(PipeTest, Close_TheOtherEndReadsWhatWasWrittenAndThenTheEnd) {
  for (const bool destroyed : {false, true}) {
    SCOPED_TRACE(destroyed ? "destroyed" : "closed");
    Pipe pipe = MakePipe();
    ASSERT_THAT(pipe.first->Write(Context(), "last"), IsOk());
    ASSERT_THAT(pipe.second->Write(Context(), "unread"), IsOk());
    if (destroyed) {
      pipe.first.reset();
    } else {
      pipe.first->Close();
      pipe.first->Close();
      EXPECT_THAT(pipe.first->Read(Context()), IsOkAndHolds(""));
      EXPECT_THAT(pipe.first->Write(Context(), "x"),
                  StatusIs(absl::StatusCode::kFailedPrecondition));
      EXPECT_THAT(pipe.first->Flush(Context()), StatusIs(absl::StatusCode::kFailedPrecondition));
      EXPECT_THAT(pipe.first->CloseWrite(), IsOk());
    }
    EXPECT_THAT(pipe.second->Read(Context()), IsOkAndHolds("last"));
    EXPECT_THAT(pipe.second->Read(Context()), IsOkAndHolds(""));
    EXPECT_THAT(pipe.second->Write(Context(), "x"),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr("the other end is closed")));
    EXPECT_THAT(pipe.second->Flush(Context()), StatusIs(absl::StatusCode::kUnavailable));
  }
}

TEST(PipeTest, Flush_WaitsUntilEverythingHasBeenRead) {
  const Pipe pipe = MakePipe();
  EXPECT_THAT(pipe.first->Flush(Ended()), IsOk()) << "nothing waits";
  ASSERT_THAT(pipe.first->Write(Context(), "a"), IsOk());
  EXPECT_THAT(pipe.first->Flush(Ended()), StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_THAT(pipe.first->CloseWrite(), IsOk());
  EXPECT_THAT(pipe.first->Flush(Ended()), StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_THAT(pipe.second->Read(Context()), IsOkAndHolds("a"));
  EXPECT_THAT(pipe.first->Flush(Ended()), IsOk());
  pipe.second->Close();
  EXPECT_THAT(pipe.first->Flush(Ended()), IsOk()) << "nothing was lost";
}

// What a thread is blocked in, and what wakes it.
struct Blocked {
  absl::string_view name;
  // Blocks.
  std::function<absl::Status(const Context&, DuplexStream&)> call;
  // Runs a second later, on another thread: the first argument is the end that is blocked.
  std::function<void(DuplexStream&, DuplexStream&, CancelScope&)> wake;
  absl::StatusCode code;
};

absl::Status ReadOnce(const Context& ctx, DuplexStream& stream) {
  return stream.Read(ctx).status();
}
absl::Status FillAndWrite(const Context& ctx, DuplexStream& stream) {
  KUBE_RETURN_IF_ERROR(stream.Write(ctx, std::string(11, 'x')));
  return stream.Write(ctx, "y");
}
absl::Status FillAndFlush(const Context& ctx, DuplexStream& stream) {
  KUBE_RETURN_IF_ERROR(stream.Write(ctx, "x"));
  return stream.Flush(ctx);
}
void CloseIt(DuplexStream& end, DuplexStream&, CancelScope&) { end.Close(); }
void CloseOther(DuplexStream&, DuplexStream& other, CancelScope&) { other.Close(); }
void CancelIt(DuplexStream&, DuplexStream&, CancelScope& scope) { scope.Cancel(); }
void ReadOther(DuplexStream&, DuplexStream& other, CancelScope&) {
  EXPECT_THAT(other.Read(Context()), IsOk());
}
void WriteOther(DuplexStream&, DuplexStream& other, CancelScope&) {
  EXPECT_THAT(other.Write(Context(), "z"), IsOk());
}

TEST(PipeTest, CallsThatBlock_AreWoken) {
  using absl::StatusCode;
  const Blocked cases[] = {
      {"read, bytes", ReadOnce, WriteOther, StatusCode::kOk},
      {"read, context", ReadOnce, CancelIt, StatusCode::kCancelled},
      {"read, closed", ReadOnce, CloseIt, StatusCode::kOk},
      {"read, other closed", ReadOnce, CloseOther, StatusCode::kOk},
      {"write, room", FillAndWrite, ReadOther, StatusCode::kOk},
      {"write, context", FillAndWrite, CancelIt, StatusCode::kCancelled},
      {"write, closed", FillAndWrite, CloseIt, StatusCode::kFailedPrecondition},
      {"write, other closed", FillAndWrite, CloseOther, StatusCode::kUnavailable},
      {"flush, read", FillAndFlush, ReadOther, StatusCode::kOk},
      {"flush, context", FillAndFlush, CancelIt, StatusCode::kCancelled},
      {"flush, closed", FillAndFlush, CloseIt, StatusCode::kFailedPrecondition},
      {"flush, other closed", FillAndFlush, CloseOther, StatusCode::kUnavailable},
  };
  for (const Blocked& test : cases) {
    SCOPED_TRACE(test.name);
    base::SimRuntime sim;
    EXPECT_THAT(sim.Run([&test] {
      const Pipe pipe = MakePipe(/*buffer_bytes=*/10);
      CancelScope scope = WithCancel(Context());
      absl::Status result = absl::UnknownError("it did not return");
      base::ThreadGroup group{Context()};
      group.Go("blocked", [&](const Context&) {
        result = test.call(scope.context(), *pipe.first);
        return absl::OkStatus();
      });
      EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());  // by then it blocks
      EXPECT_EQ(result.code(), absl::StatusCode::kUnknown);
      test.wake(*pipe.first, *pipe.second, scope);
      EXPECT_THAT(group.Wait(), IsOk());
      EXPECT_EQ(result.code(), test.code) << result;
    }),
                IsOk());
  }
}

// Writes the numbers below `count` in pieces of any size, and then ends its bytes.
absl::Status Count(const Context& ctx, DuplexStream& stream, int count) {
  std::string piece;
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&piece, i, "\n");
    if (i % 7 != 0 && i % 31 != 0) continue;
    KUBE_RETURN_IF_ERROR(stream.Write(ctx, piece));
    piece.clear();
  }
  KUBE_RETURN_IF_ERROR(stream.Write(ctx, piece));
  KUBE_RETURN_IF_ERROR(stream.Flush(ctx));
  return stream.CloseWrite();
}

std::string Counted(int count) {
  std::string all;
  for (int i = 0; i < count; ++i) absl::StrAppend(&all, i, "\n");
  return all;
}

// Four threads: one writes and one reads at each end.
absl::Status CountBothWays(int count) {
  const Pipe pipe = MakePipe(/*buffer_bytes=*/100);
  const std::string expected = Counted(count);
  base::ThreadGroup group{Context()};
  for (DuplexStream* const end : {pipe.first.get(), pipe.second.get()}) {
    group.Go("write", [=](const Context& ctx) { return Count(ctx, *end, count); });
    group.Go("read", [=, &expected](const Context& ctx) -> absl::Status {
      KUBE_ASSIGN_OR_RETURN(const std::string all, ReadAll(ctx, *end));
      return all == expected ? absl::OkStatus() : absl::DataLossError("other bytes");
    });
  }
  return group.Wait();
}

TEST(PipeTest, TwoThreadsAtEachEnd_OnRealThreads_LoseNothing) {
  EXPECT_THAT(CountBothWays(100'000), IsOk());
}

TEST(PipeTest, TwoThreadsAtEachEnd_Simulated_EachRunOfASeedIsTheSame) {
  uint64_t before = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<uint64_t> fingerprints;
    for (int run = 0; run < 2; ++run) {
      base::SimRuntime sim({.seed = seed});
      absl::Status result;
      EXPECT_THAT(sim.Run([&result] { result = CountBothWays(300); }), IsOk());
      EXPECT_THAT(result, IsOk());
      fingerprints.push_back(sim.fingerprint());
    }
    EXPECT_EQ(fingerprints[0], fingerprints[1]);
    EXPECT_NE(fingerprints[0], before) << "seeds make no difference";
    before = fingerprints[0];
  }
}

}  // namespace
}  // namespace kube::io
