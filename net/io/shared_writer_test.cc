#include "net/io/shared_writer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"
#include "tests/dice.h"

namespace kube::io {
namespace {

using absl::StatusCode;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using oracle::Dice;
using ::testing::SizeIs;

Context Timeout(absl::Duration timeout) { return WithTimeout(Context(), timeout); }

// Reads until nothing is left that would not block.
std::string ReadAvailable(DuplexStream& stream) {
  std::string all;
  while (true) {
    const absl::StatusOr<std::string> bytes = stream.Read(Timeout(absl::ZeroDuration()));
    if (!bytes.ok() || bytes->empty()) return all;
    absl::StrAppend(&all, *bytes);
  }
}

// A writer over a pipe that is full after one byte more than `buffer_bytes`, and what uses it.
struct Fixture {
  explicit Fixture(size_t buffer_bytes = 1) : pipe(MakePipe(buffer_bytes)), writer(*pipe.first) {}

  // Writes a text that may be dropped.
  absl::Status Write(const Context& ctx, absl::string_view text) {
    return writer.Write(ctx, mutex, [text](std::string& out) -> absl::StatusOr<size_t> {
      const size_t kept = out.size();
      absl::StrAppend(&out, text);
      return kept;
    });
  }
  DuplexStream& peer() { return *pipe.second; }

  const Pipe pipe;
  base::Mutex mutex;
  SharedWriter writer;
};

void Simulate(void (*program)()) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run(program), IsOk());
}

TEST(SharedWriterTest, Write_SendsTheQueueFirst) {
  Fixture fixture;
  fixture.writer.Queue("a");
  fixture.writer.Queue("b");
  EXPECT_EQ(fixture.writer.queued_bytes(), 2u);
  EXPECT_THAT(fixture.Write(Context(), ""), IsOk());
  EXPECT_EQ(ReadAvailable(fixture.peer()), "ab");
  EXPECT_EQ(fixture.writer.queued_bytes(), 0u);

  fixture.writer.Queue("c");
  EXPECT_THAT(fixture.Write(Context(), "d"), IsOk());
  EXPECT_EQ(ReadAvailable(fixture.peer()), "cd");
}

TEST(SharedWriterTest, TrySend_NoRoom_KeepsTheQueue) {
  Fixture fixture;
  fixture.writer.TrySend();  // nothing is queued
  EXPECT_THAT(fixture.Write(Context(), "full"), IsOk());
  fixture.writer.Queue("queued");
  fixture.writer.TrySend();
  EXPECT_EQ(fixture.writer.queued_bytes(), 6u);
  EXPECT_EQ(ReadAvailable(fixture.peer()), "full");
  fixture.writer.TrySend();
  EXPECT_EQ(fixture.writer.queued_bytes(), 0u);
  EXPECT_EQ(ReadAvailable(fixture.peer()), "queued");
}

TEST(SharedWriterTest, Send_WaitEndsEarly_BytesRemainQueued) {
  Simulate([] {
    Fixture fixture;
    EXPECT_THAT(fixture.Write(Context(), "full"), IsOk());
    fixture.writer.Queue("queued");
    EXPECT_THAT(fixture.writer.Send(Timeout(absl::Seconds(1))),
                StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_EQ(ReadAvailable(fixture.peer()), "full");
    EXPECT_THAT(fixture.writer.Send(Timeout(absl::Seconds(1))), IsOk());
    EXPECT_EQ(ReadAvailable(fixture.peer()), "queued");
  });
}

TEST(SharedWriterTest, Write_WaitEndsEarly_NothingOfItIsSent) {
  Simulate([] {
    Fixture fixture;
    EXPECT_THAT(fixture.Write(Context(), "full"), IsOk());
    EXPECT_THAT(fixture.Write(Timeout(absl::Seconds(1)), "dropped"),
                StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_EQ(ReadAvailable(fixture.peer()), "full");
    EXPECT_THAT(fixture.Write(Context(), "next"), IsOk());
    EXPECT_EQ(ReadAvailable(fixture.peer()), "next");
  });
}

TEST(SharedWriterTest, Write_WaitEndsEarly_WhatMakeKeepsIsSent) {
  Simulate([] {
    Fixture fixture;
    const absl::Status status =
        fixture.writer.Write(Timeout(absl::Seconds(1)), fixture.mutex,
                             [&fixture](std::string& out) -> absl::StatusOr<size_t> {
                               // From now on there is no room.
                               EXPECT_THAT(fixture.pipe.first->Write(Context(), "full"), IsOk());
                               absl::StrAppend(&out, "kept");
                               const size_t kept = out.size();
                               absl::StrAppend(&out, "dropped");
                               return kept;
                             });
    EXPECT_THAT(status, StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_EQ(fixture.writer.queued_bytes(), 4u);
    EXPECT_EQ(ReadAvailable(fixture.peer()), "full");
    fixture.writer.TrySend();
    EXPECT_EQ(ReadAvailable(fixture.peer()), "kept");
  });
}

TEST(SharedWriterTest, Write_MakeFails_ReturnsItsErrorAndSendsWhatItHasAppended) {
  Fixture fixture;
  const absl::Status status = fixture.writer.Write(Context(), fixture.mutex,
                                                   [](std::string& out) -> absl::StatusOr<size_t> {
                                                     absl::StrAppend(&out, "goodbye");
                                                     return absl::AbortedError("reset");
                                                   });
  EXPECT_THAT(status, StatusIs(StatusCode::kAborted, "reset"));
  EXPECT_EQ(ReadAvailable(fixture.peer()), "goodbye");
}

TEST(SharedWriterTest, Queue_AnotherThreadWrites_ThatThreadSendsIt) {
  Simulate([] {
    Fixture fixture(/*buffer_bytes=*/100);
    EXPECT_THAT(fixture.Write(Context(), std::string(101, 'x')), IsOk());
    base::ThreadGroup group{Context()};
    group.Go("writer", [&](const Context& ctx) { return fixture.Write(ctx, "written"); });
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());  // by then it blocks
    fixture.writer.Queue("queued");
    fixture.writer.TrySend();  // does not block
    EXPECT_EQ(fixture.writer.queued_bytes(), 6u);
    EXPECT_THAT(fixture.peer().Read(Context()), IsOkAndHolds(SizeIs(101)));
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_EQ(ReadAvailable(fixture.peer()), "writtenqueued");
  });
}

TEST(SharedWriterTest, Write_WaitsForItsTurnNoLongerThanItsContext) {
  Simulate([] {
    Fixture fixture;
    EXPECT_THAT(fixture.Write(Context(), "full"), IsOk());
    base::ThreadGroup group{Context()};
    group.Go("first",
             [&](const Context&) { return fixture.Write(Timeout(absl::Minutes(1)), "first"); });
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    EXPECT_THAT(fixture.Write(Timeout(absl::Seconds(1)), "second"),
                StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(fixture.writer.Flush(Timeout(absl::Seconds(1))),
                StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(group.Wait(), StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_EQ(base::Now().since_epoch(), absl::Minutes(1));
  });
}

TEST(SharedWriterTest, Write_ThreadsTakeTurnsInTheOrderInWhichTheyCame) {
  Simulate([] {
    Fixture fixture;
    EXPECT_THAT(fixture.Write(Context(), "full "), IsOk());
    base::ThreadGroup group{Context()};
    const auto start = [&](auto body) {
      group.Go("writer", body);
      EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());  // by then it waits
    };
    start([&](const Context& ctx) -> absl::Status {
      for (const char* text : {"a0 ", "a1 ", "a2 "}) KUBE_RETURN_IF_ERROR(fixture.Write(ctx, text));
      return absl::OkStatus();
    });
    start([&](const Context& ctx) { return fixture.Write(ctx, "b "); });
    start([&](const Context&) {
      EXPECT_THAT(fixture.Write(Timeout(absl::Seconds(1)), "given up "),
                  StatusIs(StatusCode::kDeadlineExceeded));
      return absl::OkStatus();
    });
    start([&](const Context& ctx) { return fixture.Write(ctx, "c "); });
    const std::string expected = "full a0 b c a1 a2 ";
    std::string all;
    while (all.size() < expected.size()) {
      const absl::StatusOr<std::string> bytes = fixture.peer().Read(Timeout(absl::Minutes(1)));
      ASSERT_THAT(bytes, IsOk());
      absl::StrAppend(&all, *bytes);
    }
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_EQ(all, expected);
  });
}

TEST(SharedWriterTest, SendLeftovers_SendsAsSoonAsThereIsRoom) {
  Simulate([] {
    Fixture fixture;
    base::Thread sender;
    absl::Status end;
    ASSERT_THAT(sender.Start(Context(), "sender",
                             [&](const Context& ctx) { end = fixture.writer.SendLeftovers(ctx); }),
                IsOk());
    EXPECT_THAT(fixture.Write(Context(), "full"), IsOk());
    fixture.writer.Queue("queued");
    fixture.writer.TrySend();
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    EXPECT_THAT(fixture.peer().Read(Context()), IsOkAndHolds("full"));
    EXPECT_THAT(fixture.peer().Read(Timeout(absl::Seconds(1))), IsOkAndHolds("queued"));
    sender.RequestStop();
    sender.Join();
    EXPECT_THAT(end, StatusIs(StatusCode::kCancelled));
  });
}

TEST(SharedWriterTest, SendLeftovers_TheStreamHasEnded_ReturnsItsError) {
  Simulate([] {
    Fixture fixture;
    fixture.peer().Close();
    fixture.writer.Queue("queued");
    fixture.writer.TrySend();
    EXPECT_THAT(fixture.writer.SendLeftovers(Context()), StatusIs(StatusCode::kUnavailable));
    EXPECT_THAT(fixture.Write(Context(), "x"), StatusIs(StatusCode::kUnavailable));
    EXPECT_THAT(fixture.writer.Flush(Context()), StatusIs(StatusCode::kUnavailable));
  });
}

TEST(SharedWriterTest, Flush_WaitsUntilTheQueueHasBeenRead) {
  Simulate([] {
    Fixture fixture;
    fixture.writer.Queue("queued");
    EXPECT_THAT(fixture.writer.Flush(Timeout(absl::Seconds(1))),
                StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_EQ(ReadAvailable(fixture.peer()), "queued");
    EXPECT_THAT(fixture.writer.Flush(Timeout(absl::Seconds(1))), IsOk());
  });
}

// The end of a protocol whose last frame is "end".
class Protocol {
 public:
  explicit Protocol(DuplexStream& stream) : writer_(stream) {}

  void Finish() {
    std::string frames;
    {
      base::MutexLock lock(mutex_);  // of the state that makes the frames
      state_.Finish(frames);
      writer_.Queue(frames);
    }
    writer_.TrySend();
  }

 private:
  struct State {
    bool finished = false;

    void Finish(std::string& frames) {
      if (!finished) frames += "end";
      finished = true;
    }
  };

  base::Mutex mutex_;
  State state_ ABSL_GUARDED_BY(mutex_);
  SharedWriter writer_;
};

TEST(SharedWriterTest, FramesOfAState_AsInTheHeader) {
  const Pipe pipe = MakePipe();
  Protocol protocol(*pipe.first);
  protocol.Finish();
  protocol.Finish();
  EXPECT_EQ(ReadAvailable(*pipe.second), "end");
}

// ---- Many threads

constexpr int kThreads = 4;

// Writes lines such as "2.17 xxxx", some of which are given up, and some of which are queued.
// Returns those that must arrive.
std::vector<std::string> WriteLines(Fixture& fixture, int thread, uint64_t seed, int count) {
  Dice dice(seed + static_cast<uint64_t>(thread));
  std::vector<std::string> sent;
  for (int i = 0; i < count; ++i) {
    const std::string line =
        absl::StrCat(thread, ".", i, " ", std::string(dice.Below(60), 'x'), "\n");
    if (dice.Below(4) == 0) {
      {
        base::MutexLock lock(fixture.mutex);
        fixture.writer.Queue(line);
      }
      fixture.writer.TrySend();
      sent.push_back(line);
    } else if (fixture
                   .Write(Timeout(absl::Milliseconds(static_cast<int64_t>(dice.Below(20)))), line)
                   .ok()) {
      sent.push_back(line);
    }
  }
  return sent;
}

// Returns an error unless the lines of each thread arrive whole and in order, and those that were
// given up do not.
absl::Status RunThreads(uint64_t seed, int count) {
  Fixture fixture(/*buffer_bytes=*/100);
  std::array<std::vector<std::string>, kThreads> sent;
  std::array<std::vector<std::string>, kThreads> arrived;
  std::string text;
  base::Thread reader;
  KUBE_RETURN_IF_ERROR(reader.Start(Context(), "reader", [&](const Context& ctx) {
    Dice dice(seed);
    while (true) {
      const absl::StatusOr<std::string> bytes = fixture.peer().Read(ctx);
      if (!bytes.ok() || bytes->empty()) return;
      absl::StrAppend(&text, *bytes);
      // Slow enough for some of the writes to be given up.
      if (dice.Below(3) == 0) base::SleepFor(ctx, absl::Milliseconds(5)).IgnoreError();
    }
  }));
  base::ThreadGroup group{Context()};
  for (int i = 0; i < kThreads; ++i) {
    group.Go("writer", [&, i](const Context&) {
      sent[static_cast<size_t>(i)] = WriteLines(fixture, i, seed, count);
      return absl::OkStatus();
    });
  }
  KUBE_RETURN_IF_ERROR(group.Wait());
  KUBE_RETURN_IF_ERROR(fixture.writer.Flush(Context()));
  fixture.pipe.first->Close();
  reader.Join();
  for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const auto thread = static_cast<size_t>(line[0] - '0');
    if (thread >= arrived.size()) return absl::DataLossError(absl::StrCat("torn: ", line));
    arrived[thread].push_back(absl::StrCat(line, "\n"));
  }
  return arrived == sent ? absl::OkStatus() : absl::DataLossError("other lines have arrived");
}

TEST(SharedWriterTest, ManyThreads_Simulated_FramesArriveWholeAndInOrder) {
  EXPECT_THAT(
      base::SearchSeeds(
          [](base::SimRuntime& sim) -> absl::Status {
            absl::Status result;
            KUBE_RETURN_IF_ERROR(sim.Run([&] { result = RunThreads(sim.seed(), /*count=*/20); }));
            return result;
          },
          {.seeds = base::SimulationSeeds(200)}),
      IsOk());
}

TEST(SharedWriterTest, ManyThreads_OnRealThreads_FramesArriveWholeAndInOrder) {
  EXPECT_THAT(RunThreads(/*seed=*/20'261'126, /*count=*/500), IsOk());
}

}  // namespace
}  // namespace kube::io
