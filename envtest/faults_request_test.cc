// Faults of requests, as clients see them.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "envtest/testing/world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"
#include "net/httpclient/transport_error.h"

namespace kube::envtest {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;

absl::Status Create(const ConfigMaps& maps, absl::string_view name,
                    const Context& ctx = Context()) {
  corev1::ConfigMap map;
  map.metadata.name = name;
  return maps.Create(ctx, map).status();
}

bool Exists(const ConfigMaps& maps, absl::string_view name) {
  return maps.Get(Context(), name).ok();
}

class FaultsTest : public WorldTest {};
INSTANTIATE_TEST_SUITE_P(Forms, FaultsTest,
                         testing::Values(Form::kInProcess, Form::kHttp1, Form::kHttp2), FormName);

TEST_P(FaultsTest, Error_OfEachCode_IsReturnedToTheClient) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    const struct {
      absl::string_view name;
      absl::Status status;
      bool (*is)(const absl::Status&);
    } cases[] = {
        {"500", errors::InternalError("broken"), errors::IsInternalError},
        {"503", errors::ServiceUnavailable("busy"), errors::IsServiceUnavailable},
        {"429", errors::TooManyRequestsError("slowly"), errors::IsTooManyRequests},
        {"409", errors::Conflict({.group = "", .resource = "configmaps"}, "a", "changed"),
         errors::IsConflict},
        {"403", errors::Forbidden({.group = "", .resource = "configmaps"}, "a", "no"),
         errors::IsForbidden},
        {"401", errors::Unauthorized("who"), errors::IsUnauthorized},
        {"410", errors::ResourceExpired("too old"), errors::IsResourceExpired},
        {"plain", absl::DataLossError("oh"), errors::IsInternalError},
    };
    for (const auto& test : cases) {
      SCOPED_TRACE(test.name);
      const apiserver::FaultId id =
          world.faults().Add({.verbs = {"create"},
                              .resource = "configmaps",
                              .fault = apiserver::fault::Error{test.status}});
      const absl::Status status = Create(maps, "a");
      EXPECT_TRUE(test.is(status)) << status;
      EXPECT_EQ(world.faults().Count(id), (apiserver::FaultCount{.matched = 1, .fired = 1}));
      world.faults().Remove(id);
    }
    EXPECT_FALSE(Exists(maps, "a"));
    EXPECT_THAT(Create(maps, "a"), IsOk());
  });
}

// Remembers what each response says of Retry-After.
class RetryAfterRecorder final : public httpclient::Transport {
 public:
  RetryAfterRecorder(std::shared_ptr<httpclient::Transport> next, std::vector<std::string>& seen)
      : next_(std::move(next)), seen_(seen) {}
  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override {
    absl::StatusOr<httpclient::HttpResponse> response = next_->RoundTrip(ctx, std::move(request));
    if (response.ok()) {
      seen_.emplace_back(
          absl::StrCat(response->status, " ", response->headers.Get("retry-after").value_or("-")));
    }
    return response;
  }
  void CloseIdleConnections() override { next_->CloseIdleConnections(); }

 private:
  const std::shared_ptr<httpclient::Transport> next_;
  std::vector<std::string>& seen_;
};

TEST_P(FaultsTest, RetryAfterIsSentWhereItIsSaid) {
  Run([](World& world) {
    std::vector<std::string> seen;
    rest::Config config = world.Config();
    rest::Wrap(config, [&](std::shared_ptr<httpclient::Transport> next) {
      return std::make_shared<RetryAfterRecorder>(std::move(next), seen);
    });
    const rest::Client client = *rest::MakeClient(config);
    const rest::Request get = {
        .verb = "GET", .absolute_path = "/api/v1/namespaces/default", .max_retries = -1};
    for (const apiserver::fault::Error& error :
         {apiserver::fault::Error{errors::ServiceUnavailable("busy")},
          apiserver::fault::Error{errors::TooManyRequests("slowly", absl::Seconds(2))},
          apiserver::fault::Error{.status = errors::ServiceUnavailable("busy"),
          .retry_after = absl::Seconds(7)}}) {
      const apiserver::FaultId id = world.faults().Add({.fault = error});
      EXPECT_FALSE(client.Do(Context(), get).ok());
      world.faults().Remove(id);
    }
    EXPECT_THAT(client.Do(Context(), get), IsOk());
    EXPECT_THAT(seen, testing::ElementsAre("503 -", "429 2", "503 7", "200 -"));
  });
}

// Virtual time: the client waits as the server says, and then succeeds.
TEST(Faults, ClientsWaitAsTheyAreTold) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    World world(Form::kInProcess, {});
    const apiserver::FaultId id = world.faults().Add(
        {.times = 2,
         .fault = apiserver::fault::Error{errors::TooManyRequests("slowly", absl::Seconds(20))}});
    const base::MonotonicTime start = base::Now();
    EXPECT_THAT(Create(world.Maps(), "a"), IsOk());
    EXPECT_GE(base::Now() - start, absl::Seconds(40));
    EXPECT_EQ(world.faults().Count(id), (apiserver::FaultCount{.matched = 3, .fired = 2}));
  }),
              IsOk());
}

TEST_P(FaultsTest, ConnectionsDropBeforeTheCommitOrAfterIt) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    for (const bool after_commit : {false, true}) {
      SCOPED_TRACE(after_commit);
      world.faults().Add(
          {.verbs = {"create"}, .times = 1, .fault = apiserver::fault::Drop{after_commit}});
      const std::string name = after_commit ? "done" : "lost";
      const absl::Status status = Create(maps, name);
      EXPECT_TRUE(httpclient::TransportErrorOf(status).has_value()) << status;
      EXPECT_EQ(Exists(maps, name), after_commit);
    }
    const std::vector<apiserver::LoggedRequest> log = world.server().Requests();
    ASSERT_GE(log.size(), 4u);
    EXPECT_EQ(log[0].fault, "drop");
    EXPECT_EQ(log[0].code, 0);
    EXPECT_EQ(log[2].fault, "drop");
    EXPECT_EQ(log[2].code, 201);
    EXPECT_EQ(log[3].fault, "");
  });
}

TEST_P(FaultsTest, AnErrorMayHideThatItWasDone) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    world.faults().Add(
        {.verbs = {"create"},
         .fault = apiserver::fault::Error{.status = errors::Timeout("late", absl::ZeroDuration()),
                                          .after_commit = true}});
    EXPECT_TRUE(errors::IsTimeout(Create(maps, "a")));
    EXPECT_TRUE(Exists(maps, "a"));
  });
}

TEST_P(FaultsTest, Delay_BeforeOrAfterCommit_DelaysTheResponse) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    for (const bool after_commit : {false, true}) {
      world.faults().Clear();
      world.faults().Add(
          {.verbs = {"create"},
           .fault = apiserver::fault::Delay{
               .time = absl::Milliseconds(20), .jitter = 0.5, .after_commit = after_commit}});
      const base::MonotonicTime start = base::Now();
      EXPECT_THAT(Create(maps, after_commit ? "a" : "b"), IsOk());
      EXPECT_GE(base::Now() - start, absl::Milliseconds(20));
    }
  });
}

TEST_P(FaultsTest, Delay_Infinite_HangsUntilTheClientCancels) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    const ConfigMaps other = world.Maps("other");
    for (const bool after_commit : {false, true}) {
      SCOPED_TRACE(after_commit);
      const std::string name = after_commit ? "done" : "lost";
      const apiserver::FaultId id =
          world.faults().Add({.verbs = {"create"},
                              .user = "admin",
                              .times = 1,
                              .fault = apiserver::fault::Delay{.time = absl::InfiniteDuration(),
                                                               .after_commit = after_commit}});
      CancelScope scope = WithCancel(Context());
      absl::Status status;
      base::Thread creating;
      ASSERT_THAT(
          creating.Start(Context(), "creating",
                         [&](const Context&) { status = Create(maps, name, scope.context()); }),
          IsOk());
      EXPECT_TRUE(Eventually([&] { return world.faults().Count(id).fired == 1; }));
      if (after_commit) {
        EXPECT_TRUE(Eventually([&] { return Exists(other, name); }));
      }
      scope.Cancel();
      creating.Join();
      EXPECT_THAT(status, StatusIs(absl::StatusCode::kCancelled));
      EXPECT_EQ(Exists(other, name), after_commit);
    }
  });
}

TEST_P(FaultsTest, APartitionHangsOneClientUntilItHeals) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps("near");
    const ConfigMaps far = world.Maps("far");
    auto watcher = far.Watch(Context());
    ASSERT_THAT(watcher, IsOk());
    ASSERT_THAT(Create(maps, "a"), IsOk());
    EXPECT_EQ(Next(**watcher), "ADDED a");

    const apiserver::FaultId partition =
        world.faults().Add({.user = "far", .fault = apiserver::fault::Partition{}});
    EXPECT_THAT(Create(maps, "b"), IsOk());
    EXPECT_EQ(Next(**watcher, world.quiet()), "QUIET");
    absl::Status status = absl::UnknownError("not yet");
    base::Thread creating;
    ASSERT_THAT(
        creating.Start(Context(), "creating", [&](const Context&) { status = Create(far, "c"); }),
        IsOk());
    // The watch that was open, and the request.
    EXPECT_TRUE(Eventually([&] { return world.faults().Count(partition).fired == 2; }));
    EXPECT_FALSE(Exists(maps, "c"));
    EXPECT_THAT(far.Get(WithTimeout(Context(), absl::Milliseconds(20)), "a").status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded));

    world.faults().Remove(partition);
    creating.Join();
    EXPECT_THAT(status, IsOk());
    EXPECT_EQ(Next(**watcher), "ADDED b");
    EXPECT_EQ(Next(**watcher), "ADDED c");
  });
}

TEST_P(FaultsTest, Partition_Refuse_FailsConnectionsAtOnce) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    auto watcher = maps.Watch(Context());
    ASSERT_THAT(watcher, IsOk());
    ASSERT_THAT(Create(maps, "a"), IsOk());
    EXPECT_EQ(Next(**watcher), "ADDED a");
    world.faults().Add({.fault = apiserver::fault::Partition{.refuse = true}});
    EXPECT_EQ(Next(**watcher), "BROKEN");
    EXPECT_TRUE(httpclient::TransportErrorOf(Create(maps, "b")).has_value());
    EXPECT_EQ(world.server().Requests().back().fault, "partition");
    world.faults().Clear();
    EXPECT_FALSE(Exists(maps, "b"));
  });
}

TEST_P(FaultsTest, RestartsKeepDataOrLoseThem) {
  Run([](World& world) {
    const ConfigMaps maps = world.Maps();
    ASSERT_THAT(Create(maps, "a"), IsOk());
    const auto created = maps.Get(Context(), "a");
    auto watcher = maps.Watch(Context());
    ASSERT_THAT(watcher, IsOk());
    EXPECT_EQ(Next(**watcher), "ADDED a");
    ASSERT_THAT(world.Restart({}), IsOk());
    EXPECT_EQ(Next(**watcher), "BROKEN");
    EXPECT_EQ(world.server().watches(), 0u);
    const auto after = maps.Get(Context(), "a");
    ASSERT_THAT(after, IsOk());
    EXPECT_EQ(after->metadata, created->metadata);

    const int64_t before = world.server().revision();
    for (int i = 0; i < 10; ++i) ASSERT_THAT(Create(maps, absl::StrCat("b", i)), IsOk());
    ASSERT_THAT(world.Restart({.keep_data = false}), IsOk());
    EXPECT_TRUE(errors::IsNotFound(maps.Get(Context(), "a").status()));
    EXPECT_LT(world.server().revision(), before + 10);
    EXPECT_THAT(Create(maps, "a"), IsOk()) << "tokens and namespaces are there";
    EXPECT_NE(maps.Get(Context(), "a")->metadata.uid, created->metadata.uid);
  });
}

TEST_P(FaultsTest, RulesAreThereFromTheBeginning) {
  Run(
      [](World& world) {
        EXPECT_TRUE(errors::IsServiceUnavailable(Create(world.Maps(), "a")));
        EXPECT_THAT(world.faults().Counts(), testing::ElementsAre(apiserver::FaultCount{1, 1}));
      },
      {.faults = {{.fault = apiserver::fault::Error{errors::ServiceUnavailable("busy")}}}});
}

}  // namespace
}  // namespace kube::envtest
