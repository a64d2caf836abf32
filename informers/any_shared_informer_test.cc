#include "informers/any_shared_informer.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/testing/faulty_transport.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_informer.h"
#include "informers/wait_for_cache_sync.h"
#include "net/httpclient/http_message.h"

namespace kube::informers {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// A server that takes requests, and then says nothing.
FaultyTransport::Answer Silence(const httpclient::HttpRequest&) {
  return absl::StatusOr<httpclient::HttpResponse>(SilentResponse());
}

FaultyTransport::Answer Forbidden(const httpclient::HttpRequest&) {
  return absl::StatusOr<httpclient::HttpResponse>(
      ErrorResponse(errors::Forbidden({.resource = "configmaps"}, "", "no role")));
}

TEST(AnySharedInformer, SaysWhyItHasNotSynced) {
  Simulate([] {
    TestCluster cluster;
    cluster.transport().SetFault(Silence);
    TestInformer test(cluster);
    const AnySharedInformer& informer = test.informer;
    EXPECT_THAT(informer.WhyNotSynced(),
                StatusIs(absl::StatusCode::kUnavailable, "configmaps: informer has not started"));
    test.Start();
    Pass(absl::Seconds(5));
    EXPECT_THAT(informer.WhyNotSynced(),
                StatusIs(absl::StatusCode::kUnavailable, "configmaps: WatchListing for 5s"));
    test.Stop();
    EXPECT_TRUE(informer.IsStopped());
    // Nothing was wrong, but that it was stopped.
    EXPECT_THAT(informer.WhyNotSynced(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                                  "configmaps: the informer has stopped"));
  });
}

TEST(AnySharedInformer, SaysWhatWasWrongUntilItHasStoppedAndAfterwards) {
  const log::LogCapture quiet;
  Simulate([] {
    TestCluster cluster;
    cluster.transport().SetFault(Forbidden);
    TestInformer test(cluster);
    test.Start();
    Pass(absl::Seconds(5));
    EXPECT_TRUE(errors::IsForbidden(test.informer.WhyNotSynced()));
    test.Stop();
    EXPECT_THAT(test.informer.WhyNotSynced(),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(StartsWith("configmaps: the informer has stopped after: "),
                               HasSubstr("no role"))));
  });
}

TEST(AnySharedInformer, SaysAtOnceWhetherItCannotSync) {
  const struct {
    const char* name;
    absl::Status error;
    bool cannot_sync;
  } rows[] = {
      {"unauthorized", errors::Unauthorized("no token"), true},
      {"forbidden", errors::Forbidden({.resource = "configmaps"}, "", "no role"), true},
      {"no such resource", errors::NotFound({.resource = "configmaps"}, ""), true},
      {"an error of the server", errors::InternalError("etcd"), false},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const log::LogCapture quiet;
    Simulate([&] {
      TestCluster cluster;
      cluster.transport().SetFault([&](const httpclient::HttpRequest&) -> FaultyTransport::Answer {
        return absl::StatusOr<httpclient::HttpResponse>(ErrorResponse(row.error));
      });
      TestInformer test(cluster);
      EXPECT_FALSE(CannotSync(test.informer.WhyNotSynced())) << "it has not started";
      test.Start();
      Pass(absl::Milliseconds(500));
      EXPECT_EQ(CannotSync(test.informer.WhyNotSynced()), row.cannot_sync);
      // It goes on trying.
      cluster.transport().SetFault(nullptr);
      Await([&] { return test.informer.HasSynced(); });
      EXPECT_FALSE(CannotSync(test.informer.WhyNotSynced()));
    });
  }
}

TEST(AnySharedInformer, WhatHasSyncedStaysSo) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    TestInformer test(cluster);
    test.StartAndSync();
    test.Stop();
    EXPECT_TRUE(test.informer.HasSynced());
    EXPECT_THAT(test.informer.WhyNotSynced(), IsOk());
    EXPECT_EQ(test.informer.status().stored, 1u);
  });
}

TEST(HandlerRegistration, SaysThatItWasRemoved) {
  Simulate([] {
    TestCluster cluster;
    cluster.transport().SetFault(Silence);
    TestInformer test(cluster);
    const auto registration = test.informer.AddEventHandler({});
    ASSERT_THAT(registration, IsOk());
    EXPECT_FALSE(registration->IsStopped());
    test.informer.RemoveEventHandler(*registration);
    EXPECT_TRUE(registration->IsStopped());
    EXPECT_THAT(registration->WhyNotSynced(),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         "configmaps, handler-0: handler was removed or informer has stopped"));
  });
}

TEST(HandlerRegistration, SaysThatAnInformerThatNeverRanIsGone) {
  Simulate([] {
    TestCluster cluster;
    auto test = std::make_unique<TestInformer>(cluster);
    const auto registration = test->informer.AddEventHandler({});
    ASSERT_THAT(registration, IsOk());
    test = nullptr;
    EXPECT_TRUE(registration->IsStopped());
    EXPECT_THAT(registration->WhyNotSynced(), StatusIs(absl::StatusCode::kFailedPrecondition));
  });
}

}  // namespace
}  // namespace kube::informers
