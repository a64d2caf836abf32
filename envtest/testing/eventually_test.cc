#include "envtest/testing/eventually.h"

#include <functional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Field;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Lt;
using ::testing::Not;
using ::testing::SizeIs;

// Matches a config map whose counter is `n`.
auto Counts(const std::string& n) {
  return ::testing::Truly(
      [n](const corev1::ConfigMap& map) { return map.data.value_or("n", "") == n; });
}

struct World {
  World() : client(*rest::MakeClient(InProcessConfig(server))), maps(client, "default") {}

  void Set(absl::string_view n) const {
    EXPECT_THAT(maps.Edit(Context(), "counter",
                          [n](corev1::ConfigMap& map) {
                            map.data["n"] = n;
                            return absl::OkStatus();
                          }),
                IsOk());
  }
  void Create() const {
    EXPECT_THAT(maps.Create(Context(), {.metadata = {.name = "counter"}, .data = {{"n", "0"}}}),
                IsOk());
  }

  apiserver::ApiHandler server{WithoutObjects()};
  const rest::Client client;
  const corev1::ConfigMapClient maps;

 private:
  static apiserver::HandlerOptions WithoutObjects() {
    apiserver::HandlerOptions options;
    options.cluster_objects = false;
    return options;
  }
};

// Runs `later` after `delay` on another thread.
class Later {
 public:
  Later(absl::Duration delay, std::function<void()> later) {
    EXPECT_THAT(thread_.Start(Context(), "later",
                              [delay, later = std::move(later)](const Context& ctx) {
                                if (base::SleepFor(ctx, delay).ok()) later();
                              }),
                IsOk());
  }
  ~Later() { thread_.Join(); }
  Later(const Later&) = delete;
  Later& operator=(const Later&) = delete;

 private:
  base::Thread thread_;
};

void Simulate(const std::function<void(World&)>& test) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&test] {
    World world;
    test(world);
  }),
              IsOk());
}

absl::Duration Since(base::MonotonicTime begin) { return base::Now() - begin; }

// behaviour.md: ENVTEST-16
TEST(EventuallyGet, WaitsUntilTheObjectMatches) {
  Simulate([](World& world) {
    const base::MonotonicTime begin = base::Now();
    const Later create(absl::Seconds(2), [&world] { world.Create(); });
    const Later set(absl::Seconds(4), [&world] { world.Set("1"); });
    const absl::StatusOr<corev1::ConfigMap> map = EventuallyGet(world.maps, "counter", Counts("1"));
    ASSERT_THAT(map, IsOk());
    EXPECT_EQ(map->data.value_or("n", ""), "1");
    EXPECT_THAT(Since(begin), AllOf(Ge(absl::Seconds(4)), Lt(absl::Seconds(5))));
  });
}

TEST(EventuallyGet, InRealTime_WaitsUntilTheObjectMatches) {
  World world;
  const Later create(absl::Milliseconds(20), [&world] { world.Create(); });
  EXPECT_THAT(EventuallyGet(world.maps, "counter", Counts("0"),
                            {.timeout = absl::Minutes(1), .interval = absl::Milliseconds(5)}),
              IsOk());
}

TEST(EventuallyGet, TheTimeoutPasses_TheErrorHasTheStateAndTheDifference) {
  Simulate([](World& world) {
    world.Create();
    const base::MonotonicTime begin = base::Now();
    const absl::Status waited =
        EventuallyGet(world.maps, "counter", Field(&corev1::ConfigMap::data, SizeIs(7)),
                      {.timeout = absl::Seconds(3)})
            .status();
    EXPECT_THAT(waited,
                StatusIs(absl::StatusCode::kDeadlineExceeded,
                         AllOf(HasSubstr("wait for configmaps \"counter\" in \"default\": not "
                                         "reached within 3s"),
                               HasSubstr("expected: is an object whose given field size is equal "
                                         "to 7"),
                               HasSubstr("name: \"counter\""), HasSubstr("because: whose given "),
                               HasSubstr("size 1"), Not(HasSubstr("managedFields")))));
    EXPECT_THAT(Since(begin), AllOf(Ge(absl::Seconds(3)), Lt(absl::Seconds(4))));
  });
}

TEST(EventuallyGet, ThereIsNoObject_TheErrorSaysSo) {
  Simulate([](World& world) {
    EXPECT_THAT(EventuallyGet(world.maps, "none", ::testing::_).status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded,
                         AllOf(HasSubstr("not reached within 10s: get configmaps \"none\""),
                               HasSubstr("configmaps \"none\" not found"))));
  });
}

TEST(EventuallyGet, TheContextEnds_ItsStatusIsTheError) {
  Simulate([](World& world) {
    CancelScope scope = WithCancel(Context());
    const Later cancel(absl::Seconds(1), [&scope] { scope.Cancel(); });
    EXPECT_THAT(
        EventuallyGet(world.maps, "none", ::testing::_, {.context = scope.context()}).status(),
        StatusIs(absl::StatusCode::kCancelled, HasSubstr("not found")));
  });
}

TEST(EventuallyGet, ARequestHangs_TheTimeoutHolds) {
  Simulate([](World& world) {
    world.server.faults().Add(
        {.verbs = {"get"}, .fault = apiserver::fault::Delay{.time = absl::InfiniteDuration()}});
    const base::MonotonicTime begin = base::Now();
    EXPECT_THAT(EventuallyGet(world.maps, "none", ::testing::_).status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT(Since(begin), AllOf(Ge(absl::Seconds(10)), Lt(absl::Seconds(11))));
  });
}

TEST(EventuallyGet, DynamicClientsAndTypedClients_AreClients) {
  Simulate([](World& world) {
    world.Create();
    const auto dynamic_maps = dynamic::DynamicClient(world.client)
                                  .Resource({.version = "v1", .resource = "configmaps"})
                                  .Namespace("default");
    const auto is_counter = ::testing::Truly([](const unstructured::Unstructured& object) {
      return object.name() == absl::string_view("counter");
    });
    EXPECT_THAT(EventuallyGet(dynamic_maps, "counter", is_counter), IsOk());
    EXPECT_THAT(EventuallyGet(world.maps.typed_client(), "counter", Counts("0")), IsOk());
    EXPECT_THAT(EventuallyGet(dynamic_maps, "counter", Not(is_counter)).status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded, Not(HasSubstr("managedFields"))));
  });
}

// behaviour.md: ENVTEST-16
TEST(EventuallyList, WaitsUntilTheItemsMatch) {
  Simulate([](World& world) {
    const Later create(absl::Seconds(2), [&world] { world.Create(); });
    const absl::StatusOr<corev1::ConfigMapList> list =
        EventuallyList(world.maps, AllOf(SizeIs(1), Each(Counts("0"))));
    ASSERT_THAT(list, IsOk());
    EXPECT_THAT(list->items, Contains(Counts("0")));
    EXPECT_THAT(
        EventuallyList(world.maps, IsEmpty()).status(),
        StatusIs(absl::StatusCode::kDeadlineExceeded,
                 AllOf(HasSubstr("wait for configmaps in \"default\""), HasSubstr("counter"))));
    EXPECT_THAT(EventuallyList(world.maps, IsEmpty(), {.list = {.label_selector = "no=such"}}),
                IsOk());
  });
}

TEST(EventuallyGone, WaitsUntilItIsDeleted) {
  Simulate([](World& world) {
    world.Create();
    EXPECT_THAT(EventuallyGone(world.maps, "counter", {.timeout = absl::Seconds(1)}),
                StatusIs(absl::StatusCode::kDeadlineExceeded,
                         AllOf(HasSubstr("it exists"), HasSubstr("counter"))));
    const Later remove(absl::Seconds(2),
                       [&world] { EXPECT_THAT(world.maps.Delete(Context(), "counter"), IsOk()); });
    EXPECT_THAT(EventuallyGone(world.maps, "counter"), IsOk());
  });
}

TEST(EventuallyGone, TheServerDoesNotKnowTheResource_IsNotGone) {
  Simulate([](World& world) {
    const auto unknown =
        dynamic::DynamicClient(world.client)
            .Resource({.group = "example.com", .version = "v1", .resource = "dogs"})
            .Namespace("default");
    EXPECT_THAT(EventuallyGone(unknown, "rex"), StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT(ConsistentlyGone(unknown, "rex"), StatusIs(absl::StatusCode::kFailedPrecondition));
  });
}

TEST(EventuallyGone, ADynamicClient_TellsThatItIsGone) {
  Simulate([](World& world) {
    const auto maps = dynamic::DynamicClient(world.client)
                          .Resource({.version = "v1", .resource = "configmaps"})
                          .Namespace("default");
    EXPECT_THAT(EventuallyGone(maps, "none"), IsOk());
    EXPECT_THAT(EventuallyGone(world.maps.typed_client(), "none"), IsOk());
  });
}

TEST(ConsistentlyGet, ItStaysSo_TakesTheDuration) {
  Simulate([](World& world) {
    world.Create();
    const base::MonotonicTime begin = base::Now();
    EXPECT_THAT(ConsistentlyGet(world.maps, "counter", Counts("0")), IsOk());
    EXPECT_THAT(Since(begin), AllOf(Ge(absl::Seconds(2)), Lt(absl::Seconds(3))));
  });
}

TEST(ConsistentlyGet, ItChanges_EndsAtOnce) {
  Simulate([](World& world) {
    world.Create();
    const Later set(absl::Seconds(1), [&world] { world.Set("1"); });
    EXPECT_THAT(
        ConsistentlyGet(world.maps, "counter", Counts("0"), {.duration = absl::Hours(1)}).status(),
        StatusIs(absl::StatusCode::kFailedPrecondition,
                 AllOf(HasSubstr("check configmaps \"counter\" in \"default\": did not hold after "
                                 "1"),
                       HasSubstr("n: \"1\""))));
  });
}

TEST(ConsistentlyList, ItChanges_EndsAtOnce) {
  Simulate([](World& world) {
    EXPECT_THAT(ConsistentlyList(world.maps, IsEmpty()), IsOk());
    const Later create(absl::Seconds(1), [&world] { world.Create(); });
    EXPECT_THAT(ConsistentlyList(world.maps, IsEmpty()).status(),
                StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("counter")));
  });
}

TEST(ConsistentlyGone, ItComes_EndsAtOnce) {
  Simulate([](World& world) {
    EXPECT_THAT(ConsistentlyGone(world.maps, "counter"), IsOk());
    const Later create(absl::Seconds(1), [&world] { world.Create(); });
    EXPECT_THAT(ConsistentlyGone(world.maps, "counter"),
                StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("it exists")));
  });
}

TEST(ConsistentlyGet, TheContextEnds_ItsStatusIsTheError) {
  Simulate([](World& world) {
    world.Create();
    CancelScope scope = WithCancel(Context());
    const Later cancel(absl::Seconds(1), [&scope] { scope.Cancel(); });
    EXPECT_THAT(
        ConsistentlyGet(world.maps, "counter", ::testing::_, {.context = scope.context()}).status(),
        StatusIs(absl::StatusCode::kCancelled));
  });
}

TEST(EventuallyOk, CallsUntilItSucceeds) {
  Simulate([](World&) {
    int calls = 0;
    const auto third = [&calls] {
      return ++calls == 3 ? absl::OkStatus() : absl::UnavailableError("not yet");
    };
    EXPECT_THAT(EventuallyOk(third), IsOk());
    EXPECT_EQ(calls, 3);
    EXPECT_THAT(EventuallyOk([] { return absl::InternalError("never"); }),
                StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("never")));
  });
}

TEST(ConsistentlyOk, CallsUntilItFails) {
  Simulate([](World&) {
    int calls = 0;
    const auto third = [&calls] {
      return ++calls == 3 ? absl::InternalError("broken") : absl::OkStatus();
    };
    EXPECT_THAT(ConsistentlyOk(third),
                StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("broken")));
    EXPECT_EQ(calls, 3);
    EXPECT_THAT(ConsistentlyOk([] { return absl::OkStatus(); }), IsOk());
  });
}

}  // namespace
}  // namespace kube::envtest
