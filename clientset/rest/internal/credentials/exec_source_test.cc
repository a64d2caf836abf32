#include "clientset/rest/internal/credentials/exec_source.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Credentials Token(const std::string& token, absl::Time expiration = absl::InfiniteFuture()) {
  return {.authorization = base::Secret("Bearer " + token), .expiration = expiration};
}

std::string TextOf(const absl::StatusOr<std::shared_ptr<const Credentials>>& got) {
  return got.ok() ? std::string((*got)->authorization.Reveal()) : got.status().ToString();
}

// A plug-in whose runs end when the test says so, one after another.
class Plugin {
 public:
  ExecSource::Runner Runner() {
    return [this](const Context& ctx) -> absl::StatusOr<Credentials> {
      ++runs;
      started.Push({}, true).IgnoreError();
      const auto next = answers.Pop(ctx);
      if (!next.ok()) {
        // Takes some time to end, as programs do.
        killed.Set();
        may_end.Wait({}).IgnoreError();
        return ctx.status();
      }
      return **next;
    };
  }
  void Answer(absl::StatusOr<Credentials> answer) {
    answers.Push({}, std::move(answer)).IgnoreError();
  }

  std::atomic<int> runs{0};
  base::BoundedQueue<bool> started{100, base::WhenFull::kBlock};
  base::BoundedQueue<std::optional<absl::StatusOr<Credentials>>> answers{100,
                                                                         base::WhenFull::kBlock};
  base::Event killed;
  base::Event may_end;
};

// Calls of Get on threads of their own.
class Callers {
 public:
  struct Call {
    std::optional<CancelScope> scope;
    absl::StatusOr<std::shared_ptr<const Credentials>> result = absl::UnknownError("");
    base::Thread thread;
  };

  Call& Start(ExecSource& source) {
    Call& call = *calls_.emplace_back(std::make_unique<Call>());
    call.scope.emplace(WithCancel({}));
    const absl::Status started = call.thread.Start({}, "caller", [&call, &source](const Context&) {
      call.result = source.Get(call.scope->context());
    });
    EXPECT_THAT(started, IsOk());
    return call;
  }
  void Join() {
    for (const auto& call : calls_) call->thread.Join();
  }
  const std::vector<std::unique_ptr<Call>>& calls() const { return calls_; }

 private:
  std::vector<std::unique_ptr<Call>> calls_;
};

// behaviour.md: EXEC-2
TEST(ExecSourceTest, KeepsCredentialsUntilTheyExpire) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  Plugin plugin;
  ExecSource source(plugin.Runner(), {});
  plugin.Answer(Token("a", clock.WallNow() + absl::Minutes(1)));
  const auto first = source.Get({});
  EXPECT_EQ(TextOf(first), "Bearer a");
  clock.Step(absl::Minutes(1));  // as in client-go, they expire after that time and not at it
  EXPECT_EQ(*source.Get({}), *first);
  EXPECT_EQ(plugin.runs, 1);
  clock.Step(absl::Nanoseconds(1));
  plugin.Answer(Token("b"));
  EXPECT_EQ(TextOf(source.Get({})), "Bearer b");
  clock.Step(absl::Hours(10000));
  EXPECT_EQ(TextOf(source.Get({})), "Bearer b");
  EXPECT_EQ(plugin.runs, 2);
}

TEST(ExecSourceTest, ExpiredAtOnceIsUsedOnce) {
  Plugin plugin;
  ExecSource source(plugin.Runner(), {});
  plugin.Answer(Token("old", absl::UnixEpoch()));
  plugin.Answer(Token("older", absl::UnixEpoch()));
  EXPECT_EQ(TextOf(source.Get({})), "Bearer old");
  EXPECT_EQ(TextOf(source.Get({})), "Bearer older");
}

TEST(ExecSourceTest, ErrorIsNotKept) {
  Plugin plugin;
  ExecSource source(plugin.Runner(), {});
  plugin.Answer(absl::UnavailableError("broken"));
  EXPECT_THAT(source.Get({}), StatusIs(absl::StatusCode::kUnavailable, "broken"));
  plugin.Answer(Token("a"));
  EXPECT_EQ(TextOf(source.Get({})), "Bearer a");
}

TEST(ExecSourceTest, GetWithoutAuthorization_RunsThePluginAsGet) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  Plugin plugin;
  ExecSource source(plugin.Runner(), {});
  plugin.Answer(Token("a", clock.WallNow() + absl::Minutes(1)));
  const auto first = source.GetWithoutAuthorization({});
  EXPECT_EQ(TextOf(first), "Bearer a");
  EXPECT_EQ(*source.GetWithoutAuthorization({}), *first);
  EXPECT_EQ(plugin.runs, 1);
  clock.Step(absl::Minutes(2));
  plugin.Answer(Token("b"));
  EXPECT_EQ(TextOf(source.GetWithoutAuthorization({})), "Bearer b");
  EXPECT_EQ(plugin.runs, 2);
}

TEST(ExecSourceTest, GetWithoutAuthorization_PluginFails_ReturnsTheLastCredentials) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  const log::LogCapture log;
  Plugin plugin;
  ExecSource source(plugin.Runner(), {});
  plugin.Answer(absl::UnavailableError("broken"));
  EXPECT_THAT(source.GetWithoutAuthorization({}),
              StatusIs(absl::StatusCode::kUnavailable, "broken"));
  plugin.Answer(Token("a", clock.WallNow() + absl::Minutes(1)));
  const auto a = *source.GetWithoutAuthorization({});
  clock.Step(absl::Minutes(2));
  plugin.Answer(absl::UnavailableError("broken"));
  EXPECT_EQ(*source.GetWithoutAuthorization({}), a);
  EXPECT_THAT(log.Lines(), ElementsAre(HasSubstr("keeping the previous client certificate")));
  EXPECT_THAT(source.GetWithoutAuthorization(WithTimeout({}, absl::ZeroDuration())),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
}

// behaviour.md: EXEC-3
TEST(ExecSourceTest, RejectedForcesOneRun) {
  Plugin plugin;
  ExecSource source(plugin.Runner(), {});
  for (const char* token : {"a", "b", "b"}) plugin.Answer(Token(token));
  const auto a = *source.Get({});
  EXPECT_THAT(source.Rejected({}, *a), IsOkAndHolds(true));
  EXPECT_EQ(plugin.runs, 2);
  // Another request was sent with the same credentials.
  EXPECT_THAT(source.Rejected({}, *a), IsOkAndHolds(true));
  EXPECT_EQ(plugin.runs, 2);
  // The plug-in returns the same credentials again: neither a retry nor another run is worthwhile.
  const auto b = *source.Get({});
  EXPECT_THAT(source.Rejected({}, *b), IsOkAndHolds(false));
  EXPECT_THAT(source.Rejected({}, *b), IsOkAndHolds(false));
  EXPECT_EQ(plugin.runs, 3);
}

TEST(ExecSourceTest, FailedRefreshKeepsCredentials) {
  Plugin plugin;
  ExecSource source(plugin.Runner(), {});
  plugin.Answer(Token("a"));
  const auto a = *source.Get({});
  plugin.Answer(absl::UnavailableError("broken"));
  EXPECT_THAT(source.Rejected({}, *a), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_EQ(*source.Get({}), a);
}

// behaviour.md: EXEC-4
TEST(ExecSourceTest, OneRunForFiftyThreads) {
  Plugin plugin;
  ExecSource source(plugin.Runner(), {});
  Callers callers;
  for (int i = 0; i < 50; ++i) callers.Start(source);
  ASSERT_THAT(plugin.started.Pop({}), IsOk());
  plugin.Answer(Token("a"));
  callers.Join();
  for (const auto& call : callers.calls()) {
    EXPECT_EQ(TextOf(call->result), "Bearer a");
    EXPECT_EQ(*call->result, *callers.calls()[0]->result);
  }
  EXPECT_EQ(plugin.runs, 1);
}

TEST(ExecSourceTest, FirstCallerLeavesAndTheRunGoesOn) {
  Plugin plugin;
  ExecSource source(plugin.Runner(), {});
  Callers callers;
  auto& first = callers.Start(source);
  ASSERT_THAT(plugin.started.Pop({}), IsOk());
  auto& second = callers.Start(source);
  while (source.waiting() < 2) {
    std::this_thread::yield();
  }
  first.scope->Cancel();
  first.thread.Join();
  EXPECT_THAT(first.result, StatusIs(absl::StatusCode::kCancelled));
  plugin.Answer(Token("a"));
  second.thread.Join();
  EXPECT_EQ(TextOf(second.result), "Bearer a");
  EXPECT_EQ(plugin.runs, 1);
  EXPECT_FALSE(plugin.killed.IsSet());
}

TEST(ExecSourceTest, LastCallerEndsTheRun) {
  Plugin plugin;
  ExecSource source(plugin.Runner(), {});
  Callers callers;
  auto& first = callers.Start(source);
  ASSERT_THAT(plugin.started.Pop({}), IsOk());
  first.scope->Cancel();
  // The caller does not wait for the end of the program.
  first.thread.Join();
  EXPECT_THAT(first.result, StatusIs(absl::StatusCode::kCancelled));
  ASSERT_THAT(plugin.killed.Wait({}), IsOk());
  // Another caller waits for the end, and then has a run of its own.
  auto& second = callers.Start(source);
  EXPECT_THAT(source.Get(WithTimeout({}, absl::Milliseconds(5))),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_EQ(plugin.runs, 1);
  plugin.Answer(Token("b"));
  plugin.may_end.Set();
  second.thread.Join();
  EXPECT_EQ(TextOf(second.result), "Bearer b");
  EXPECT_EQ(plugin.runs, 2);
}

TEST(ExecSourceTest, ContextThatIsDoneStartsNothing) {
  Plugin plugin;
  ExecSource source(plugin.Runner(), {});
  EXPECT_THAT(source.Get(WithTimeout({}, absl::ZeroDuration())),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_EQ(plugin.runs, 0);
}

TEST(ExecSourceTest, DestructorEndsTheRun) {
  Plugin plugin;
  plugin.may_end.Set();
  {
    ExecSource source(plugin.Runner(), {});
    Callers callers;
    auto& first = callers.Start(source);
    ASSERT_THAT(plugin.started.Pop({}), IsOk());
    first.scope->Cancel();
    callers.Join();
  }
  EXPECT_TRUE(plugin.killed.IsSet());
}

// Callers come and go in random order.
TEST(ExecSourceTest, Storm) {
  std::atomic<int> running{0};
  ExecSource source(
      [&](const Context& ctx) -> absl::StatusOr<Credentials> {
        EXPECT_EQ(++running, 1);
        base::Event never;
        never.Wait(WithTimeout(ctx, absl::Microseconds(300))).IgnoreError();
        --running;
        if (ctx.done()) return ctx.status();
        return Token("a", absl::UnixEpoch());
      },
      {});
  std::vector<std::unique_ptr<base::Thread>> threads;
  for (int i = 0; i < 50; ++i) {
    threads.push_back(std::make_unique<base::Thread>());
    ASSERT_THAT(threads.back()->Start({}, "caller",
                                      [&source, i](const Context&) {
                                        for (int n = 0; n < 20; ++n) {
                                          const auto limit =
                                              absl::Microseconds((i * 7 + n) % 50 * 20);
                                          source.Get(WithTimeout({}, limit)).status().IgnoreError();
                                        }
                                      }),
                IsOk());
  }
  for (const auto& thread : threads) thread->Join();
  EXPECT_EQ(TextOf(source.Get({})), "Bearer a");
}

TEST(ExecSourceTest, MetricsOfCertificates) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  auto registry = std::make_shared<base::PrometheusRegistry>();
  auto metrics = ExecSource::MakeMetrics(*registry);
  ASSERT_THAT(metrics, IsOk());
  Plugin plugin;
  ExecSource source(plugin.Runner(), *metrics);
  const absl::Time now = clock.WallNow();
  for (const char* certificate : {"first", "second"}) {
    Credentials credentials = Token("a");
    credentials.certificate = certificate;
    credentials.not_before = base::Runtime::Real().WallNow() - absl::Hours(1);
    credentials.not_after = now + absl::Hours(2);
    plugin.Answer(credentials);
  }
  const auto first = *source.Get({});
  ASSERT_THAT(source.Rejected({}, *first), IsOkAndHolds(true));
  clock.Step(absl::Minutes(30));
  ASSERT_THAT(source.Get({}), IsOk());
  EXPECT_EQ(metrics->ttl_seconds.Value(), 5400);
  EXPECT_EQ(metrics->rotation_age.Count(), 1u);
  EXPECT_NEAR(metrics->rotation_age.Sum(), 3600, 60);
}

}  // namespace
}  // namespace kube::rest::internal
