#include "informers/retry_watcher.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/watch/event.h"
#include "gtest/gtest.h"
#include "informers/lister_watcher.h"
#include "informers/testing/faulty_transport.h"
#include "informers/testing/test_cluster.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport_error.h"

namespace kube::informers {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::MonotonicTime;
using base::StatusIs;
using watch::EventType;

void Simulate(const std::function<void()>& body) {
  base::SimRuntime sim;
  const absl::Status end = sim.Run([&] { body(); });
  EXPECT_THAT(end, IsOk());
}

std::unique_ptr<RetryWatcher<ConfigMap>> Watch(TestCluster& cluster) {
  return *RetryWatcher<ConfigMap>::Make(*MakeListerWatcher(cluster.config_maps()),
                                        absl::StrCat(cluster.server().revision()));
}

// "ADDED a", "ERROR", or "end".
std::string Next(RetryWatcher<ConfigMap>& watcher) {
  const absl::StatusOr<std::optional<watch::Event<ConfigMap>>> event = watcher.Next(Context());
  EXPECT_THAT(event, IsOk());
  if (!event.ok() || !event->has_value()) return "end";
  if ((*event)->object == nullptr) return absl::StrCat(ToString((*event)->type));
  return absl::StrCat(ToString((*event)->type), " ", (*event)->object->metadata.name.view());
}

FaultyTransport::Fault FailTimes(int times, absl::Status error) {
  auto left = std::make_shared<int>(times);
  return
      [left, error = std::move(error)](const httpclient::HttpRequest&) -> FaultyTransport::Answer {
        if (*left == 0) return std::nullopt;
        --*left;
        if (httpclient::TransportErrorOf(error).has_value())
          return absl::StatusOr<httpclient::HttpResponse>(error);
        return absl::StatusOr<httpclient::HttpResponse>(ErrorResponse(error));
      };
}

// behaviour.md: RW-1
TEST(RetryWatcher, NeedsAVersion) {
  Simulate([] {
    TestCluster cluster;
    const auto source = *MakeListerWatcher(cluster.config_maps());
    for (const char* version : {"", "0"}) {
      EXPECT_THAT(RetryWatcher<ConfigMap>::Make(source, version).status(),
                  StatusIs(absl::StatusCode::kInvalidArgument));
    }
  });
}

// Every event, once, whatever happens to the watches.
// behaviour.md: RW-1
TEST(RetryWatcher, GoesOnWhereItWas) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("before");
    const auto watcher = Watch(cluster);
    cluster.Create("a");
    EXPECT_EQ(Next(*watcher), "ADDED a");
    cluster.transport().BreakStreams(absl::OkStatus());
    cluster.Set("a", "2");
    EXPECT_EQ(Next(*watcher), "MODIFIED a");
    cluster.transport().BreakStreams(
        httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kReset}, "reset"));
    cluster.Delete("a");
    cluster.Create("b");
    EXPECT_EQ(Next(*watcher), "DELETED a");
    EXPECT_EQ(Next(*watcher), "ADDED b");
    watcher->Stop();
    EXPECT_EQ(Next(*watcher), "end");
  });
}

TEST(RetryWatcher, TellsOnlyOfWhatItsSelectorsSelect) {
  Simulate([] {
    TestCluster cluster;
    const auto source = *MakeListerWatcher(
        cluster.config_maps(), {.label_selector = "value=2", .field_selector = "metadata.name=b"});
    const auto watcher =
        *RetryWatcher<ConfigMap>::Make(source, absl::StrCat(cluster.server().revision()));
    cluster.Create("a", "2");
    cluster.Create("b", "1");
    cluster.Set("b", "2");
    EXPECT_EQ(Next(*watcher), "ADDED b");
    cluster.transport().BreakStreams(absl::OkStatus());
    cluster.Set("a", "3");
    cluster.Delete("b");
    EXPECT_EQ(Next(*watcher), "DELETED b");
  });
}

// The example of RetryWatcher.
absl::StatusOr<std::string> NextNewName(const Context& ctx,
                                        const TypedListerWatcher<corev1::ConfigMap>& source,
                                        const std::string& list_version) {
  KUBE_ASSIGN_OR_RETURN(const auto watcher,
                        RetryWatcher<corev1::ConfigMap>::Make(source, list_version));
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const auto event, watcher->Next(ctx));
    if (!event.has_value()) return absl::CancelledError("the watch was stopped");
    if (event->type == watch::EventType::kError) return event->error;
    if (event->type == watch::EventType::kAdded) return std::string(event->object->metadata.name);
  }
}

TEST(RetryWatcher, BeginsAfterAVersion_AsInTheHeader) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("before");
    const std::string version = absl::StrCat(cluster.server().revision());
    cluster.Create("a");
    EXPECT_THAT(NextNewName(Context(), *MakeListerWatcher(cluster.config_maps()), version),
                base::IsOkAndHolds("a"));
  });
}

// Bookmarks are not passed on, but the next watch begins there.
// behaviour.md: RW-1
TEST(RetryWatcher, Bookmarks) {
  Simulate([] {
    TestCluster cluster;
    const auto watcher = Watch(cluster);
    EXPECT_THAT(watcher->Next(WithTimeout(Context(), absl::Seconds(1))).status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    // Another resource's changes move the server on.
    ASSERT_THAT(cluster.direct().Namespace("kube-system").List(Context()).status(), IsOk());
    EXPECT_THAT(watcher->Next(WithTimeout(Context(), absl::Minutes(2))).status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    cluster.Create("a");
    EXPECT_EQ(Next(*watcher), "ADDED a");
  });
}

// Once a second, or as the server asks.
// behaviour.md: RW-1
TEST(RetryWatcher, WaitsBetweenTries) {
  const struct {
    const char* name;
    absl::Status error;
    absl::Duration least;
    absl::Duration most;
  } cases[] = {
      {"500", errors::InternalError("etcd"), absl::Seconds(3), absl::Seconds(3.5)},
      {"refused",
       httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kConnect}, "no"),
       absl::Seconds(3), absl::Seconds(3.5)},
      {"504", errors::Timeout("slow", absl::Seconds(4)), absl::Seconds(11), absl::Seconds(14)},
  };
  for (const auto& test : cases) {
    Simulate([&] {
      SCOPED_TRACE(test.name);
      TestCluster cluster;
      cluster.transport().SetFault(FailTimes(3, test.error));
      const auto watcher = Watch(cluster);
      cluster.Create("a");
      const MonotonicTime start = base::Now();
      EXPECT_EQ(Next(*watcher), "ADDED a");
      EXPECT_GE(base::Now() - start, test.least);
      EXPECT_LE(base::Now() - start, test.most);
    });
  }
}

// client-go retries some of these forever.
// behaviour.md: RW-1, RW-2
TEST(RetryWatcher, EndsWhereTryingDoesNotHelp) {
  const absl::Status errors[] = {errors::Forbidden({.resource = "configmaps"}, "", "no"),
                                 errors::Unauthorized("no"), errors::ResourceExpired("too old"),
                                 errors::Gone("too old")};
  for (const absl::Status& error : errors) {
    Simulate([&] {
      SCOPED_TRACE(error.ToString());
      TestCluster cluster;
      cluster.transport().SetFault(FailTimes(9, error));
      const auto watcher = Watch(cluster);
      const auto event = watcher->Next(Context());
      ASSERT_THAT(event, IsOk());
      EXPECT_EQ((*event)->type, EventType::kError);
      EXPECT_EQ(errors::ReasonForError((*event)->error), errors::ReasonForError(error));
      EXPECT_EQ(Next(*watcher), "end");
    });
  }
}

// 401 and 403 in an event are no answer to the request: only the next answer decides.
// behaviour.md: RW-1
TEST(RetryWatcher, GoesOnAfterAnEventWith401Or403) {
  for (const int code : {401, 403}) {
    Simulate([&] {
      SCOPED_TRACE(code);
      TestCluster cluster;
      auto left = std::make_shared<int>(1);
      cluster.transport().SetFault([left, code](
                                       const httpclient::HttpRequest&) -> FaultyTransport::Answer {
        if (*left == 0) return std::nullopt;
        --*left;
        return absl::StatusOr<httpclient::HttpResponse>(JsonResponse(absl::StrCat(
            R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure",)",
            R"("code":)", code, "}}\n")));
      });
      const auto watcher = Watch(cluster);
      cluster.Create("a");
      const MonotonicTime start = base::Now();
      EXPECT_EQ(Next(*watcher), "ADDED a");
      EXPECT_GE(base::Now() - start, absl::Seconds(1));
    });
  }
}

// behaviour.md: RW-1
TEST(RetryWatcher, EndsWhenTheServerHasForgotten) {
  Simulate([] {
    TestCluster cluster;
    const auto watcher = Watch(cluster);
    cluster.Create("a");
    cluster.Create("b");
    cluster.server().Compact();
    EXPECT_EQ(Next(*watcher), "ERROR");
    EXPECT_EQ(Next(*watcher), "end");
  });
}

TEST(RetryWatcher, StopsAtOnce) {
  for (const bool refused : {false, true}) {
    Simulate([&] {
      TestCluster cluster;
      if (refused) {
        cluster.transport().SetFault(
            FailTimes(1000, httpclient::MakeTransportError(
                                {.kind = httpclient::TransportErrorKind::kConnect}, "no")));
      }
      const auto watcher = Watch(cluster);
      base::Thread thread;
      ASSERT_THAT(thread.Start(Context(), "next",
                               [&](const Context&) { EXPECT_EQ(Next(*watcher), "end"); }),
                  IsOk());
      ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(5.5)), IsOk());
      const MonotonicTime start = base::Now();
      watcher->Stop();
      thread.Join();
      EXPECT_EQ(base::Now(), start);
    });
  }
}

}  // namespace
}  // namespace kube::informers
