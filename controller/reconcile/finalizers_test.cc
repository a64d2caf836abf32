#include "controller/reconcile/finalizers.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/finalizers.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "controller/cache/cache.h"
#include "controller/cache/watched.h"
#include "controller/reconcile/client_of.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/testing/test_request.h"
#include "controller/workqueue/run_workers.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr typed::Resource kMaps = typed::ResourceTraits<corev1::ConfigMap>::kResource;
constexpr char kDns[] = "example.com/dns";
constexpr char kDisk[] = "example.com/disk";
constexpr char kForeign[] = "example.com/of-another";

// An API server, and two finalizers whose functions write down their calls.
struct World {
  World()
      : client(*rest::MakeClient(envtest::InProcessConfig(server))),
        cache(client),
        watched(cache.Watch<corev1::ConfigMap>()),
        finalizers(client, kMaps, watched.core(), "tester") {
    finalizers.Add(kDns, [this](Request<corev1::ConfigMap>& request) {
      calls.push_back(absl::StrCat("dns of ", request.name().name));
      return dns_result;
    });
    finalizers.Add(kDisk, [this](Request<corev1::ConfigMap>& request) {
      calls.push_back(absl::StrCat("disk of ", request.name().name));
      return disk_result;
    });
  }

  auto Maps() const { return ClientOf<corev1::ConfigMap>(client, kMaps).Namespace("default"); }
  // Creates the object "web" with these finalizers and returns it.
  corev1::ConfigMap Create(const std::vector<std::string>& names) const {
    corev1::ConfigMap map = {.metadata = {.name = "web"}};
    for (const std::string& name : names) map.metadata.finalizers.push_back(name);
    const absl::StatusOr<corev1::ConfigMap> created = Maps().Create(Context(), map);
    EXPECT_THAT(created, IsOk());
    return created.ok() ? *created : corev1::ConfigMap();
  }
  // Does the same, and requests that the object be deleted.
  corev1::ConfigMap CreateAndDelete(const std::vector<std::string>& names) const {
    Create(names);
    EXPECT_THAT(Maps().Delete(Context(), "web"), IsOk());
    return Now();
  }
  corev1::ConfigMap Now() const {
    const absl::StatusOr<corev1::ConfigMap> now = Maps().Get(Context(), "web");
    EXPECT_THAT(now, IsOk());
    return now.ok() ? *now : corev1::ConfigMap();
  }
  bool IsGone() const { return errors::IsNotFound(Maps().Get(Context(), "web").status()); }

  apiserver::ApiHandler server;
  const rest::Client client;
  Cache cache;
  const Watched<corev1::ConfigMap> watched;
  Finalizers<corev1::ConfigMap> finalizers;
  std::vector<std::string> calls;
  absl::Status dns_result;
  absl::Status disk_result;
};

void Simulate(absl::AnyInvocable<void(World&)> test) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&test] {
    World world;
    test(world);
  }),
              IsOk());
}

std::vector<std::string> FinalizersOf(const corev1::ConfigMap& map) {
  std::vector<std::string> names;
  for (const auto& name : map.metadata.finalizers) names.push_back(std::string(name.view()));
  return names;
}

// behaviour.md: UTIL-14
TEST(FinalizersTest, EnsureOn_AddsWhatIsMissing_AndKeepsTheOthers) {
  Simulate([](World& world) {
    TestRequest<corev1::ConfigMap> test(world.Create({kForeign, kDisk}));
    const absl::StatusOr<std::shared_ptr<const corev1::ConfigMap>> object =
        world.finalizers.EnsureOn(test.request());
    ASSERT_THAT(object, IsOk());
    EXPECT_THAT(FinalizersOf(**object), ElementsAre(kForeign, kDisk, kDns));
    EXPECT_THAT(FinalizersOf(world.Now()), ElementsAre(kForeign, kDisk, kDns));
    ASSERT_EQ(test.writes().size(), 1u);
    EXPECT_EQ(test.writes()[0].store, world.watched.core());
    EXPECT_EQ(test.writes()[0].resource_version, (*object)->metadata.resource_version.view());
    EXPECT_THAT(world.calls, IsEmpty());
  });
}

TEST(FinalizersTest, EnsureOn_SendsNothing_IfTheyAreThere) {
  Simulate([](World& world) {
    TestRequest<corev1::ConfigMap> test(world.Create({kDns, kDisk}));
    world.server.ClearRequests();
    const absl::StatusOr<std::shared_ptr<const corev1::ConfigMap>> object =
        world.finalizers.EnsureOn(test.request());
    ASSERT_THAT(object, IsOk());
    EXPECT_EQ(*object, test.request().object());
    EXPECT_TRUE(world.server.Requests().empty());
    EXPECT_THAT(test.writes(), IsEmpty());
  });
}

TEST(FinalizersTest, EnsureOn_AnObjectThatIsBeingDeleted_IsAConflict) {
  Simulate([](World& world) {
    // The cache still has the object as it was before.
    TestRequest<corev1::ConfigMap> test(world.Create({kForeign}));
    ASSERT_THAT(world.Maps().Delete(Context(), "web"), IsOk());
    EXPECT_TRUE(errors::IsConflict(world.finalizers.EnsureOn(test.request()).status()));
    EXPECT_THAT(FinalizersOf(world.Now()), ElementsAre(kForeign));
  });
}

// behaviour.md: UTIL-14
TEST(FinalizersTest, Run_CallsTheFunctionsInOrder_ThenTheObjectIsGone) {
  Simulate([](World& world) {
    TestRequest<corev1::ConfigMap> test(world.CreateAndDelete({kDisk, kDns}));
    EXPECT_THAT(world.finalizers.Run(test.request()), IsOk());
    EXPECT_THAT(world.calls, ElementsAre("dns of web", "disk of web"));
    EXPECT_TRUE(world.IsGone());
    // The cache may still have the object.
    EXPECT_THAT(world.finalizers.Run(test.request()), IsOk());
  });
}

// behaviour.md: UTIL-15
TEST(FinalizersTest, Run_CallsOnlyWhatTheObjectHas_AndLeavesForeignFinalizers) {
  Simulate([](World& world) {
    TestRequest<corev1::ConfigMap> test(world.CreateAndDelete({kForeign, kDisk}));
    EXPECT_THAT(world.finalizers.Run(test.request()), IsOk());
    EXPECT_THAT(world.calls, ElementsAre("disk of web"));
    EXPECT_THAT(FinalizersOf(world.Now()), ElementsAre(kForeign));
    EXPECT_EQ(test.writes().size(), 1u);
  });
}

// behaviour.md: UTIL-14
TEST(FinalizersTest, Run_AFailure_DoesNotStopTheOthers) {
  Simulate([](World& world) {
    world.dns_result = absl::UnavailableError("no route");
    TestRequest<corev1::ConfigMap> test(world.CreateAndDelete({kDns, kDisk}));
    EXPECT_THAT(
        world.finalizers.Run(test.request()),
        StatusIs(absl::StatusCode::kUnavailable, "finalizer \"example.com/dns\" failed: no route"));
    EXPECT_THAT(world.calls, ElementsAre("dns of web", "disk of web"));
    EXPECT_THAT(FinalizersOf(world.Now()), ElementsAre(kDns));

    world.calls.clear();
    world.dns_result = absl::OkStatus();
    TestRequest<corev1::ConfigMap> retry(world.Now());
    EXPECT_THAT(world.finalizers.Run(retry.request()), IsOk());
    EXPECT_THAT(world.calls, ElementsAre("dns of web"));
    EXPECT_TRUE(world.IsGone());
  });
}

TEST(FinalizersTest, Run_OneFailure_KeepsItsDelay_SeveralAreJoined) {
  Simulate([](World& world) {
    world.dns_result = workqueue::RetryAfter(absl::UnavailableError("busy"), absl::Minutes(1));
    TestRequest<corev1::ConfigMap> test(world.CreateAndDelete({kDns, kDisk}));
    EXPECT_EQ(workqueue::RetryDelayOf(world.finalizers.Run(test.request())), absl::Minutes(1));

    world.disk_result = absl::DataLossError("bad sector");
    EXPECT_THAT(world.finalizers.Run(test.request()).ToString(),
                testing::AllOf(HasSubstr("example.com/dns"), HasSubstr("bad sector")));
  });
}

TEST(FinalizersTest, Run_AnObjectThatWasCreatedAgain_KeepsItsFinalizers) {
  Simulate([](World& world) {
    TestRequest<corev1::ConfigMap> test(world.CreateAndDelete({kDns}));
    ASSERT_THAT(world.finalizers.Run(test.request()), IsOk());
    ASSERT_TRUE(world.IsGone());
    world.Create({kDns});
    EXPECT_THAT(world.finalizers.Run(test.request()), IsOk());
    EXPECT_THAT(FinalizersOf(world.Now()), ElementsAre(kDns));
  });
}

TEST(FinalizersTest, UnstructuredAndMetadataObjectsHaveThem) {  // META-3
  Simulate([](World& world) {
    const auto add_and_run = [&world](auto object, absl::string_view finalizer) {
      using T = decltype(object);
      Finalizers<T> finalizers(world.client, kMaps, nullptr, "tester");
      finalizers.Add(std::string(finalizer), [](Request<T>&) { return absl::OkStatus(); });
      TestRequest<T> test(object);
      const absl::StatusOr<std::shared_ptr<const T>> ensured = finalizers.EnsureOn(test.request());
      ASSERT_THAT(ensured, IsOk());
      EXPECT_TRUE(meta::ContainsFinalizer(**ensured, finalizer));
      EXPECT_TRUE(meta::ContainsFinalizer(world.Now(), finalizer));
      TestRequest<T> later(**ensured);
      EXPECT_THAT(finalizers.Run(later.request()), IsOk());
      EXPECT_FALSE(meta::ContainsFinalizer(world.Now(), finalizer));
    };
    const corev1::ConfigMap web = world.Create({});
    add_and_run(metav1::PartialObjectMetadata{.metadata = web.metadata}, kDns);
    unstructured::Unstructured object;
    object.set_name("web");
    object.set_namespace("default");
    object.set_uid(web.metadata.uid.view());
    add_and_run(object, kDisk);
  });
}

// behaviour.md: UTIL-14
TEST(FinalizersTest, Add_RefusesWhatIsRegisteredOrNotQualified) {
  struct Row {
    const char* name;
    const char* finalizer;
    const char* error;
  };
  const Row rows[] = {
      {"twice", "example.com/dns", "finalizer for key \"example.com/dns\" already registered"},
      {"no domain", "dns", "name should be qualified with a domain, such as example.com/dns"},
      {"empty", "", "register finalizer \"\""},
      {"not a name", "example.com/a b", "register finalizer \"example.com/a b\""},
      {"no function", "example.com/mail",
       "register finalizer \"example.com/mail\": there is no function"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const std::string finalizer = row.finalizer;
    const std::string error = row.error;
    Simulate([finalizer, error](World& world) {
      EXPECT_THAT(world.finalizers.status(), IsOk());
      world.finalizers.Add(finalizer, nullptr);
      EXPECT_THAT(world.finalizers.status(),
                  StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(error)));
      TestRequest<corev1::ConfigMap> test(world.Create({}));
      EXPECT_TRUE(workqueue::IsTerminalError(world.finalizers.EnsureOn(test.request()).status()));
      EXPECT_TRUE(workqueue::IsTerminalError(world.finalizers.Run(test.request())));
      EXPECT_THAT(world.calls, IsEmpty());
    });
  }
}

}  // namespace
}  // namespace kube::controller
