#include "net/io/event_loop.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::io {
namespace {

using ::kube::base::IsOk;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class Recorder final : public EventLoop::Listener {
 public:
  void OnEvents(int fd, uint32_t events) override {
    seen.emplace_back(fd, events);
    if (then) then(fd);
  }
  std::vector<std::pair<int, uint32_t>> seen;
  std::function<void(int)> then;
};

class EventLoopTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(loop_.Open(), IsOk());
    for (int& fd : fds_) fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  }
  void TearDown() override {
    for (const int fd : fds_) ::close(fd);
  }
  // Makes the descriptor readable; it always is writable.
  static void Fill(int fd) {
    const uint64_t one = 1;
    ASSERT_EQ(::write(fd, &one, sizeof(one)), 8);
  }

  EventLoop loop_;
  Recorder recorder_;
  std::array<int, 2> fds_;
  EventLoop::Task* again_ = nullptr;
  int restarts_ = 0;
};

TEST_F(EventLoopTest, TellsOfWhatIsWatched) {
  loop_.Watch(fds_[0], EPOLLIN, &recorder_);
  loop_.RunOnce(/*wait=*/false);
  EXPECT_THAT(recorder_.seen, IsEmpty());
  Fill(fds_[0]);
  Fill(fds_[1]);
  loop_.RunOnce();
  EXPECT_THAT(recorder_.seen, ElementsAre(Pair(fds_[0], uint32_t{EPOLLIN})));
  // Reported again until the value is read (level-triggered).
  loop_.RunOnce();
  EXPECT_EQ(recorder_.seen.size(), 2u);
}

TEST_F(EventLoopTest, TheLastWishCounts) {
  Fill(fds_[0]);
  loop_.Watch(fds_[0], EPOLLIN, &recorder_);
  loop_.Watch(fds_[0], EPOLLOUT, &recorder_);
  loop_.RunOnce();
  EXPECT_THAT(recorder_.seen, ElementsAre(Pair(fds_[0], uint32_t{EPOLLOUT})));
  recorder_.seen.clear();
  loop_.Watch(fds_[0], EPOLLIN | EPOLLOUT, &recorder_);
  loop_.RunOnce();
  EXPECT_THAT(recorder_.seen, ElementsAre(Pair(fds_[0], uint32_t{EPOLLIN | EPOLLOUT})));
  recorder_.seen.clear();
  for (int i = 0; i < 2; ++i) {
    loop_.Watch(fds_[0], 0, &recorder_);
    loop_.RunOnce(false);
    EXPECT_THAT(recorder_.seen, IsEmpty());
  }
  loop_.Watch(fds_[0], EPOLLIN, &recorder_);
  loop_.RunOnce(false);
  EXPECT_THAT(recorder_.seen, ElementsAre(Pair(fds_[0], uint32_t{EPOLLIN})));
}

TEST_F(EventLoopTest, ACancelledTimerWakesNobody) {
  EventLoop::Timer cancelled(loop_, [] { FAIL(); });
  bool fired = false;
  EventLoop::Timer timer(loop_, [&] { fired = true; });
  cancelled.Set(loop_.now() + absl::Milliseconds(1));
  cancelled.Cancel();
  timer.Set(loop_.now() + absl::Milliseconds(3));
  loop_.RunOnce();  // does not return for the cancelled one
  EXPECT_TRUE(fired);
}

// The next socket may get the same number.
TEST_F(EventLoopTest, ForgetsSockets) {
  Fill(fds_[0]);
  loop_.Watch(fds_[0], EPOLLIN, &recorder_);
  loop_.Forget(fds_[0]);
  loop_.RunOnce(false);
  loop_.Watch(fds_[0], EPOLLIN, &recorder_);
  loop_.RunOnce(false);
  EXPECT_EQ(recorder_.seen.size(), 1u);
  loop_.Forget(fds_[0]);
  ::close(fds_[0]);
  fds_[0] = ::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
  loop_.RunOnce(false);
  EXPECT_EQ(recorder_.seen.size(), 1u);
  loop_.Watch(fds_[0], EPOLLIN, &recorder_);
  loop_.RunOnce(false);
  EXPECT_EQ(recorder_.seen.size(), 2u);
  loop_.Forget(1000);  // never watched
}

// Events of the same round for the previous socket are not reported.
TEST_F(EventLoopTest, ForgetsEventsThatAreOnTheirWay) {
  for (const int fd : fds_) {
    Fill(fd);
    loop_.Watch(fd, EPOLLIN, &recorder_);
  }
  recorder_.then = [this](int fd) {
    const int other = fd == fds_[0] ? fds_[1] : fds_[0];
    loop_.Forget(other);
    loop_.Watch(other, EPOLLOUT, &recorder_);
  };
  loop_.RunOnce();
  EXPECT_EQ(recorder_.seen.size(), 1u);
}

// By now the number may belong to another listener.
TEST_F(EventLoopTest, ForgetsForItsListenerAlone) {
  Fill(fds_[0]);
  Recorder other;
  loop_.Watch(fds_[0], EPOLLIN, &recorder_);
  loop_.Forget(fds_[0], &other);
  loop_.Forget(1000, &other);
  loop_.RunOnce(false);
  EXPECT_EQ(recorder_.seen.size(), 1u);
  loop_.Forget(fds_[0], &recorder_);
  loop_.RunOnce(false);
  EXPECT_EQ(recorder_.seen.size(), 1u);
}

// A library may close a descriptor without telling.
TEST_F(EventLoopTest, SocketsThatWereClosedMeanwhile) {
  const auto replace = [this] {
    const int number = fds_[0];
    ::close(number);
    ASSERT_EQ(::dup2(fds_[1], number), number);
  };
  // Before the kernel was told.
  loop_.Watch(fds_[0], EPOLLIN, &recorder_);
  ::close(fds_[0]);
  loop_.RunOnce(false);
  EXPECT_THAT(recorder_.seen, IsEmpty());
  fds_[0] = ::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
  loop_.Watch(fds_[0], EPOLLIN, &recorder_);
  loop_.RunOnce(false);
  EXPECT_THAT(recorder_.seen, ElementsAre(Pair(fds_[0], uint32_t{EPOLLIN})));
  // After the kernel was told, and the number was reused.
  recorder_.seen.clear();
  replace();
  loop_.Watch(fds_[0], EPOLLOUT, &recorder_);
  loop_.RunOnce(false);
  EXPECT_THAT(recorder_.seen, ElementsAre(Pair(fds_[0], uint32_t{EPOLLOUT})));
}

// epoll does not accept regular files.
TEST_F(EventLoopTest, WhatCannotBeWatched) {
  const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  loop_.Watch(file, EPOLLIN, &recorder_);
  Fill(fds_[0]);
  loop_.Watch(fds_[0], EPOLLIN, &recorder_);
  loop_.RunOnce();
  EXPECT_THAT(recorder_.seen, ElementsAre(Pair(fds_[0], uint32_t{EPOLLIN})));
  loop_.Forget(file);
  ::close(file);
}

TEST_F(EventLoopTest, TimersFireInOrder) {
  std::string fired;
  EventLoop::Timer a(loop_, [&] { fired += 'a'; });
  EventLoop::Timer b(loop_, [&] { fired += 'b'; });
  EventLoop::Timer c(loop_, [&] { fired += 'c'; });
  a.Set(loop_.now() + absl::Milliseconds(3));
  b.Set(loop_.now() + absl::Milliseconds(1));
  c.Set(loop_.now() + absl::Hours(1));
  EXPECT_TRUE(a.is_set());
  while (fired.size() < 2) loop_.RunOnce();
  EXPECT_EQ(fired, "ba");
  EXPECT_FALSE(a.is_set());
  EXPECT_TRUE(c.is_set());
}

TEST_F(EventLoopTest, TimersArePutOffMovedUpAndCancelled) {
  std::string fired;
  EventLoop::Timer late(loop_, [&] { fired += 'l'; });
  EventLoop::Timer off(loop_, [&] { fired += 'o'; });
  EventLoop::Timer early(loop_, [&] { fired += 'e'; });
  {
    EventLoop::Timer gone(loop_, [&] { fired += 'g'; });
    gone.Set(loop_.now());
  }
  late.Set(loop_.now());
  late.Set(loop_.now() + absl::Milliseconds(5));
  off.Set(loop_.now());
  off.Cancel();
  early.Set(loop_.now() + absl::Hours(1));
  early.Set(loop_.now() + absl::Milliseconds(1));
  while (fired.size() < 2) loop_.RunOnce();
  EXPECT_EQ(fired, "el");
}

// Timers that are due are all called in the same round.
TEST_F(EventLoopTest, ATimerThatWasPutOffIsCalledInItsRound) {
  bool fired = false;
  EventLoop::Timer first(loop_, [] {});
  EventLoop::Timer timer(loop_, [&] { fired = true; });
  const base::MonotonicTime now = loop_.now();
  first.Set(now);
  timer.Set(now);
  timer.Set(now + absl::Nanoseconds(10));
  while (base::Runtime::Real().Now() < now + absl::Microseconds(1)) {
  }
  loop_.RunOnce(false);
  EXPECT_TRUE(fired);
}

TEST_F(EventLoopTest, ATimerThatSetsItselfIsCalledOnceARound) {
  int fired = 0;
  EventLoop::Timer* self = nullptr;
  EventLoop::Timer timer(loop_, [&] {
    if (++fired < 3) self->Set(loop_.now());
  });
  self = &timer;
  timer.Set(loop_.now());
  loop_.RunOnce(false);
  EXPECT_EQ(fired, 1);
  loop_.RunOnce();
  EXPECT_EQ(fired, 2);
  loop_.RunOnce();
  EXPECT_EQ(fired, 3);
}

TEST_F(EventLoopTest, CallsWhatIsPostedInOrder) {
  std::string called;
  EXPECT_TRUE(loop_.Post([&] {
    called += 'a';
    loop_.Post([&] { called += 'c'; });
  }));
  EXPECT_TRUE(loop_.Post([&] { called += 'b'; }));
  loop_.RunOnce();  // does not wait: something was posted
  EXPECT_EQ(called, "ab");
  loop_.RunOnce();
  EXPECT_EQ(called, "abc");
}

TEST_F(EventLoopTest, IsWokenByAnotherThread) {
  for (int i = 0; i < 2; ++i) {
    bool called = false;
    base::Thread thread;
    ASSERT_THAT(thread.Start(Context(), "waker",
                             [&](const Context&) { loop_.Post([&called] { called = true; }); }),
                IsOk());
    while (!called) loop_.RunOnce();
    thread.Join();
  }
}

// Three threads, each of which posts its next closure when the last one was called. A wake-up that
// is lost leaves them waiting.
TEST_F(EventLoopTest, NoClosureWaitsForAnotherOne) {
  constexpr int kPosters = 3;
  constexpr int kClosures = 3000;
  base::Mutex mutex;
  base::CondVar called;
  std::array<int, kPosters> counts = {};
  std::atomic<bool> stop = false;
  base::Thread io;
  ASSERT_THAT(io.Start(Context(), "io",
                       [&](const Context&) {
                         while (!stop) loop_.RunOnce();
                         loop_.Close();
                       }),
              IsOk());
  base::ThreadGroup posters(WithTimeout(Context(), absl::Minutes(1)));
  for (int& count : counts) {
    posters.Go("poster", [&](const Context& ctx) -> absl::Status {
      for (int n = 1; n <= kClosures; ++n) {
        const bool taken = loop_.Post([&] {
          base::MutexLock lock(mutex);
          ++count;
          called.NotifyAll();
        });
        if (!taken) return absl::InternalError("closed");
        base::MutexLock lock(mutex);
        absl::Status status = called.Wait(ctx, mutex, [&] { return count == n; });
        if (!status.ok()) return status;
      }
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(posters.Wait(), IsOk());
  loop_.Post([&] { stop = true; });
  io.Join();
}

TEST_F(EventLoopTest, CallsWhatWasPostedBeforeItCloses) {
  bool called = false;
  EXPECT_TRUE(loop_.Post([&] { called = true; }));
  loop_.Close();
  EXPECT_TRUE(called);
  EXPECT_FALSE(loop_.Post([] { FAIL(); }));
}

using Turn = EventLoop::Turn;

TEST_F(EventLoopTest, TasksAreCalledOnceAndByTheirTurns) {
  std::string called;
  EventLoop::Task start(loop_, Turn::kStarts, [&] { called += 's'; });
  EventLoop::Task end(loop_, Turn::kEnds, [&] {
    called += 'e';
    start.Schedule();
  });
  EventLoop::Task connection(loop_, Turn::kConnections, [&] {
    called += 'c';
    end.Schedule();
  });
  start.Schedule();
  connection.Schedule();
  connection.Schedule();
  loop_.RunOnce(false);
  EXPECT_EQ(called, "ces");
  loop_.RunOnce(false);
  EXPECT_EQ(called, "ces");
}

TEST_F(EventLoopTest, TasksMayGoAtAnyTime) {
  std::string called;
  auto later = std::make_unique<EventLoop::Task>(loop_, Turn::kConnections, [&] { FAIL(); });
  std::unique_ptr<EventLoop::Task> self;
  EventLoop::Task first(loop_, Turn::kConnections, [&] {
    called += 'f';
    later.reset();
  });
  self = std::make_unique<EventLoop::Task>(loop_, Turn::kConnections, [&] {
    called += 'x';
    self.reset();
  });
  EventLoop::Task cancelled(loop_, Turn::kEnds, [&] { FAIL(); });
  first.Schedule();
  later->Schedule();
  self->Schedule();
  cancelled.Schedule();
  cancelled.Cancel();
  loop_.RunOnce(false);
  EXPECT_EQ(called, "fx");
  EventLoop::Task again(loop_, Turn::kEnds, [&] {
    if (++restarts_ < 3) again_->Schedule();
  });
  again_ = &again;
  again.Schedule();
  loop_.RunOnce(false);
  EXPECT_EQ(restarts_, 3);
}

}  // namespace
}  // namespace kube::io
