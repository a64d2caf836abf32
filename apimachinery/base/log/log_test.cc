#include "apimachinery/base/log/log.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/log/log_record.h"
#include "apimachinery/base/log/log_sink.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/log_capture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::log {
namespace {

using testing::ElementsAre;
using testing::MatchesRegex;

// A sink made of a function.
class FunctionSink : public Sink {
 public:
  explicit FunctionSink(std::function<void(const Record&)> write) : write_(std::move(write)) {}
  void Write(const Record& record) override { write_(record); }

 private:
  const std::function<void(const Record&)> write_;
};

// Sets a sink of this function for a scope.
class ScopedSink {
 public:
  explicit ScopedSink(std::function<void(const Record&)> write)
      : previous_(SetSink(std::make_shared<FunctionSink>(std::move(write)))) {}
  ~ScopedSink() { SetSink(std::move(previous_)); }

 private:
  std::shared_ptr<Sink> previous_;
};

class LogTest : public testing::Test {
 protected:
  ~LogTest() override { SetVerbosity(0); }
};

TEST_F(LogTest, WritesWhatItIsGiven) {
  LogCapture capture;
  const int n = 3;
  Info("synced informer", {{"resource", "pods"}, {"count", n}});
  Info("started");
  Warning("slow", {{"took", absl::Seconds(2)}});
  Error(absl::NotFoundError("no such pod"), "get failed", {{"pod", KRef("prod", "web-0")}});
  Error(absl::OkStatus(), "odd", {{"token", base::Secret("hunter2")}});
  EXPECT_THAT(capture.Lines(),
              ElementsAre(R"(I "synced informer" resource="pods" count=3)", R"(I "started")",
                          R"(W "slow" took="2s")",
                          R"(E "get failed" err="NOT_FOUND: no such pod" pod="prod/web-0")",
                          R"(E "odd" token="<redacted>")"));
}

TEST_F(LogTest, MessagesHaveFields_AsInTheHeader) {
  LogCapture capture;
  SetVerbosity(4);
  const int n = 3;
  const absl::Status status = absl::UnavailableError("connection refused");
  log::Info("synced informer", {{"resource", "pods"}, {"count", n}});
  log::Error(status, "list failed", {{"resource", "pods"}, {"attempt", 2}});
  KUBE_VLOG(4, "watch event", {"type", "ADDED"}, {"pod", log::KRef("prod", "web-0")});
  EXPECT_THAT(
      capture.Lines(),
      ElementsAre(
          R"(I "synced informer" resource="pods" count=3)",
          R"(E "list failed" err="UNAVAILABLE: connection refused" resource="pods" attempt=2)",
          R"(I "watch event" type="ADDED" pod="prod/web-0")"));
}

TEST_F(LogTest, RecordsHaveTimePlaceAndVerbosity) {
  base::FakeClock clock;
  base::RuntimeScope scope(clock);
  SetVerbosity(5);
  int line = 0;
  std::vector<std::string> seen;
  ScopedSink sink([&](const Record& record) {
    EXPECT_EQ(record.time, clock.WallNow());
    seen.push_back(absl::StrCat(record.where.ToString(), " v", record.verbosity));
  });
  line = __LINE__ + 1;
  Info("a");
  Warning("b");
  Error(absl::OkStatus(), "c");
  KUBE_VLOG(5, "d");
  const auto at = [&](int offset) { return absl::StrCat("log_test.cc:", line + offset); };
  EXPECT_THAT(seen, ElementsAre(at(0) + " v0", at(1) + " v0", at(2) + " v0", at(3) + " v5"));
}

TEST_F(LogTest, VerbosityDecidesAndOffCostsNothing) {
  LogCapture capture;
  int evaluated = 0;
  EXPECT_FALSE(V(1));
  KUBE_VLOG(1, "off", {"n", ++evaluated}, {"m", ++evaluated});
  EXPECT_EQ(evaluated, 0);
  SetVerbosity(4);
  EXPECT_TRUE(V(4));
  EXPECT_FALSE(V(5));
  KUBE_VLOG(4, "on", {"n", ++evaluated}, {"m", "text"});
  KUBE_VLOG(5, "off", {"n", ++evaluated});
  KUBE_VLOG(0, "bare");
  EXPECT_EQ(evaluated, 1);
  EXPECT_THAT(capture.Lines(), ElementsAre(R"(I "on" n=1 m="text")", R"(I "bare")"));
}

TEST_F(LogTest, VlogIsOneStatement) {
  LogCapture capture;
  const bool taken = true;
  if (taken)
    KUBE_VLOG(0, "then");
  else
    KUBE_VLOG(0, "else");
  EXPECT_THAT(capture.Lines(), ElementsAre(R"(I "then")"));
}

TEST_F(LogTest, TheDefaultIsStandardError) {
  testing::internal::CaptureStderr();
  Info("hello", {{"n", 1}});
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              MatchesRegex("I[0-9]{4} [0-9:.]{15} +[0-9]+ log_test.cc:[0-9]+\\] "
                           "\"hello\" n=1\n"));
}

TEST_F(LogTest, SetSinkReturnsThePrevious) {
  const auto first = std::make_shared<FunctionSink>([](const Record&) {});
  const auto second = std::make_shared<FunctionSink>([](const Record&) {});
  EXPECT_EQ(SetSink(first), nullptr);
  EXPECT_EQ(SetSink(second), first);
  EXPECT_EQ(SetSink(nullptr), second);
}

TEST_F(LogTest, ASinkMayLogAndSetSinks) {
  testing::internal::CaptureStderr();
  int written = 0;
  {
    ScopedSink sink([&written](const Record&) {
      ++written;
      Warning("disk full");
      SetSink(SetSink(nullptr));
    });
    Info("one");
    Info("two");
  }
  EXPECT_EQ(written, 2);
  const std::string error = testing::internal::GetCapturedStderr();
  EXPECT_THAT(error, MatchesRegex("W.*\"disk full\"\nW.*\"disk full\"\n"));
}

TEST_F(LogTest, ASinkIsKeptUntilItsLastWriteReturns) {
  auto destroyed = std::make_shared<bool>(false);
  struct Marker {
    ~Marker() { *flag = true; }
    std::shared_ptr<bool> flag;
  };
  bool alive_inside = false;
  auto marker = std::make_shared<Marker>();
  marker->flag = destroyed;
  SetSink(
      std::make_shared<FunctionSink>([marker = std::move(marker), &alive_inside](const Record&) {
        SetSink(nullptr);
        alive_inside = !*marker->flag;
      }));
  Info("last");
  EXPECT_TRUE(alive_inside);
  EXPECT_TRUE(*destroyed);
}

TEST_F(LogTest, ThreadsLogWhileSinksChange) {
  constexpr int kThreads = 4;
  constexpr int kLines = 500;
  std::atomic<int> written{0};
  {
    ScopedSink outer([&written](const Record&) { ++written; });
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([t] {
        for (int i = 0; i < kLines; ++i) {
          Info("line", {{"thread", t}, {"i", i}});
          SetVerbosity(i % 2);
          KUBE_VLOG(2, "never");
        }
      });
    }
    for (int i = 0; i < 100; ++i) ScopedSink inner([&written](const Record&) { ++written; });
    threads.clear();
  }
  EXPECT_EQ(written, kThreads * kLines);
}

}  // namespace
}  // namespace kube::log
