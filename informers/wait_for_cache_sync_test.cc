#include "informers/wait_for_cache_sync.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/testing/faulty_transport.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_informer.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport_error.h"

namespace kube::informers {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

FaultyTransport::Fault Always(absl::Status error) {
  return [error = std::move(error)](const httpclient::HttpRequest&) -> FaultyTransport::Answer {
    if (httpclient::TransportErrorOf(error).has_value())
      return absl::StatusOr<httpclient::HttpResponse>(error);
    return absl::StatusOr<httpclient::HttpResponse>(ErrorResponse(error));
  };
}

absl::Status Forbidden() {
  return errors::Forbidden({.resource = "configmaps"}, "", "User \"jane\" cannot list it");
}

// Two clusters, of which one is well.
struct Two {
  Two() : good(good_cluster), bad(bad_cluster, {.reflector = {.name = "bad"}}) {}
  absl::Status Wait(absl::Duration timeout, const WaitForCacheSyncOptions& options = {}) {
    return WaitForCacheSync(WithTimeout(Context(), timeout), {&good.informer, &bad.informer},
                            options);
  }
  TestCluster good_cluster;
  TestCluster bad_cluster;
  TestInformer good;
  TestInformer bad;
};

// behaviour.md: INF-5
TEST(WaitForCacheSync, ReturnsWhenAllHaveSynced) {
  Simulate([] {
    Two two;
    const auto registration = two.good.informer.AddEventHandler({});
    two.good.Start();
    two.bad.Start();
    EXPECT_THAT(two.Wait(absl::Minutes(1)), IsOk());
    EXPECT_THAT(WaitForCacheSync(WithTimeout(Context(), absl::Minutes(1)), {&*registration}),
                IsOk());
    EXPECT_THAT(WaitForCacheSync(Context(), {}), IsOk());
  });
}

TEST(WaitForCacheSync, LogsThatItWaitsAndThatItIsOver) {
  const log::LogCapture capture;
  Simulate([] {
    Two two;
    two.good.Start();
    two.bad.Start();
    EXPECT_THAT(two.Wait(absl::Minutes(1)), IsOk());
    EXPECT_THAT(two.Wait(absl::Minutes(1)), IsOk()) << "does not wait, and logs nothing";
  });
  EXPECT_THAT(capture.Lines(), ElementsAre(R"(I "waiting for caches to sync" caches=2)",
                                           R"(I "caches are synced" caches=2)"));
}

TEST(WaitForCacheSync, LogsNothingIfItIsQuiet) {
  const log::LogCapture capture;
  Simulate([] {
    Two two;
    two.good.Start();
    two.bad.Start();
    EXPECT_THAT(two.Wait(absl::Minutes(1), {.quiet = true}), IsOk());
  });
  EXPECT_THAT(capture.Lines(), ElementsAre());
}

TEST(WaitForCacheSync, LogsNothingWhereTheVerbosityIsNegative) {
  const log::LogCapture capture;
  log::SetVerbosity(-1);
  Simulate([] {
    Two two;
    two.good.Start();
    two.bad.Start();
    EXPECT_THAT(two.Wait(absl::Minutes(1)), IsOk());
  });
  log::SetVerbosity(0);
  EXPECT_THAT(capture.Lines(), ElementsAre());
}

TEST(WaitForCacheSync, LogsTheErrorThatItFailsFastWithOnce) {
  const log::LogCapture capture;
  Simulate([] {
    Two two;
    two.bad_cluster.transport().SetFault(Always(Forbidden()));
    two.good.Start();
    two.bad.Start();
    EXPECT_TRUE(errors::IsForbidden(two.Wait(absl::Hours(1), {.fail_fast = true})));
  });
  std::vector<std::string> lines = capture.Lines();
  std::erase_if(lines, [](const std::string& line) { return line.front() != 'E'; });
  EXPECT_THAT(lines,
              ElementsAre(AllOf(StartsWith(R"(E "failed to list or watch" err=)"),
                                HasSubstr("cannot list it"), Not(HasSubstr("PERMISSION_DENIED")),
                                HasSubstr(R"(reflector="bad")"))));
}

// behaviour.md: INF-5
TEST(WaitForCacheSync, SaysWhoHasNotAndWhy) {
  const struct {
    const char* name;
    absl::Status error;
    const char* why;
  } kRows[] = {
      {"forbidden", Forbidden(), "configmaps is forbidden: User \"jane\" cannot list it"},
      {"refused",
       httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kConnect},
                                      "connection refused"),
       "connection refused"},
      {"500", errors::InternalError("etcd"), "etcd"},
  };
  const log::LogCapture quiet;
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    Simulate([&] {
      Two two;
      two.bad_cluster.transport().SetFault(Always(row.error));
      two.good.Start();
      two.bad.Start();
      EXPECT_THAT(two.Wait(absl::Minutes(1)),
                  StatusIs(absl::StatusCode::kDeadlineExceeded,
                           AllOf(StartsWith("wait for cache sync: bad: "), HasSubstr(row.why),
                                 Not(HasSubstr("; ")))));
      two.bad_cluster.transport().SetFault(nullptr);
      EXPECT_THAT(two.Wait(absl::Minutes(2)), IsOk());
    });
  }
}

TEST(WaitForCacheSync, AnAnswerThatCannotBeDecodedIsAReason) {
  const log::LogCapture quiet;
  Simulate([] {
    Two two;
    two.bad_cluster.transport().SetFault(
        [](const httpclient::HttpRequest&) -> FaultyTransport::Answer {
          return absl::StatusOr<httpclient::HttpResponse>(JsonResponse("<html>hello</html>"));
        });
    two.good.Start();
    two.bad.Start();
    EXPECT_THAT(
        two.Wait(absl::Hours(1), {.fail_fast = true}),
        StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("wait for cache sync: bad: ")));
  });
}

TEST(WaitForCacheSync, FailsFastWhereTryingAgainIsInVain) {
  const log::LogCapture quiet;
  Simulate([] {
    Two two;
    two.bad_cluster.transport().SetFault(Always(Forbidden()));
    two.good.Start();
    two.bad.Start();
    const base::MonotonicTime begin = base::Now();
    const absl::Status status = two.Wait(absl::Hours(1), {.fail_fast = true});
    EXPECT_LE(base::Now() - begin, absl::Seconds(1));
    EXPECT_TRUE(errors::IsForbidden(status)) << status;
    EXPECT_THAT(std::string(status.message()), StartsWith("wait for cache sync: bad: "));
    // A server that is away may come back.
    two.bad_cluster.transport().SetFault(Always(errors::ServiceUnavailable("starting")));
    Pass(absl::Minutes(2));
    EXPECT_THAT(two.Wait(absl::Minutes(5), {.fail_fast = true}),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
  });
}

TEST(WaitForCacheSync, SaysThatNobodyRunsIt) {
  Simulate([] {
    Two two;
    two.good.Start();
    EXPECT_THAT(two.Wait(absl::Seconds(10)),
                StatusIs(absl::StatusCode::kDeadlineExceeded,
                         "wait for cache sync: bad: informer has not started"));
  });
}

TEST(WaitForCacheSync, EndsWhenOneHasStopped) {
  const log::LogCapture quiet;
  Simulate([] {
    Two two;
    two.bad_cluster.transport().SetFault(Always(Forbidden()));
    two.good.Start();
    two.bad.Start();
    Pass(absl::Seconds(1));
    two.bad.thread.RequestStop();
    EXPECT_THAT(two.Wait(absl::Minutes(1)),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr("bad: the informer has stopped after: "),
                               HasSubstr("User \"jane\" cannot list it"))));
    // What the caller has ended himself is no surprise, but what was wrong before is still said.
    EXPECT_THAT(two.Wait(absl::ZeroDuration()),
                StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("cannot list it")));
    // What has synced stays so.
    two.good.Stop();
    EXPECT_THAT(WaitForCacheSync(Context(), {&two.good.informer}), IsOk());
  });
}

TEST(CannotSync, TellsLastingErrorsFromThoseThatPass) {
  const struct {
    const char* name;
    absl::Status why;
    bool cannot_sync;
  } rows[] = {
      {"it has synced", absl::OkStatus(), false},
      {"unauthorized", errors::Unauthorized("no token"), true},
      {"forbidden", Forbidden(), true},
      {"no such resource", errors::NotFound({.resource = "widgets"}, ""), true},
      {"method not supported", errors::MethodNotSupported({.resource = "pods"}, "list"), true},
      {"a request that the server rejects", errors::BadRequest("unknown field selector"), true},
      {"invalid options", absl::InvalidArgumentError("projection: no such field"), true},
      {"not started, or listing", absl::UnavailableError("informer has not started"), false},
      {"it has stopped", absl::FailedPreconditionError("the informer has stopped"), false},
      {"too many requests", errors::TooManyRequestsError("slow"), false},
      {"an error of the server", errors::InternalError("etcd"), false},
      {"the server is starting", errors::ServiceUnavailable("not ready"), false},
      {"an expired version", errors::ResourceExpired("too old resource version"), false},
      {"no connection",
       httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kConnect},
                                      "refused"),
       false},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(CannotSync(row.why), row.cannot_sync);
  }
}

}  // namespace
}  // namespace kube::informers
