#include "controller/reconcile/owned.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.applies.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource_traits.h"
#include "controller/cache/cache.h"
#include "controller/cache/watched.h"
#include "controller/reconcile/client_of.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/testing/test_request.h"
#include "controller/reconcile/writer.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The owners of the tests are config maps, their children secrets.
const schema::GroupVersionKind kConfigMap = {.group = "", .version = "v1", .kind = "ConfigMap"};

// An API server with the owner "default/site", whose request there is.
struct World {
  World()
      : client(*rest::MakeClient(envtest::InProcessConfig(server))),
        cache(client),
        secrets(Secrets()),
        site(CreateOwner("site")),
        test(site, {.kind = kConfigMap}) {
    secrets.core()->Start();
    EXPECT_THAT(secrets.core()->WaitForSync(WithTimeout(Context(), absl::Minutes(1))), IsOk());
  }

  Owned<corev1::Secret> Secrets() {
    Watched<corev1::Secret> watched = cache.Watch<corev1::Secret>();
    Writer<corev1::Secret> writer(client, typed::ResourceTraits<corev1::Secret>::kResource,
                                  watched.core(), "tester");
    return Owned<corev1::Secret>(std::move(watched), std::move(writer));
  }
  corev1::ConfigMap CreateOwner(absl::string_view name) const {
    const absl::StatusOr<corev1::ConfigMap> created =
        ClientOf<corev1::ConfigMap>(client, typed::ResourceTraits<corev1::ConfigMap>::kResource)
            .Namespace("default")
            .Create(Context(), {.metadata = {.name = name}});
    EXPECT_THAT(created, IsOk());
    return created.ok() ? *created : corev1::ConfigMap();
  }
  auto Server() const {
    return ClientOf<corev1::Secret>(client, typed::ResourceTraits<corev1::Secret>::kResource)
        .Namespace("default");
  }
  // Waits until the cache has all that the server has.
  void Settle() const { EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk()); }
  AnyRequest& request() { return test.request(); }

  apiserver::ApiHandler server;
  const rest::Client client;
  Cache cache;
  const Owned<corev1::Secret> secrets;
  const corev1::ConfigMap site;
  TestRequest<corev1::ConfigMap> test;
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

corev1::Secret SecretOf(absl::string_view name) { return {.metadata = {.name = name}}; }

absl::Status Label(corev1::Secret& secret) {
  secret.metadata.labels["team"] = "web";
  return absl::OkStatus();
}

std::vector<std::string> ChildrenOf(const Owned<corev1::Secret>& owned, const AnyRequest& request) {
  std::vector<std::string> names;
  for (const auto& child : owned.Children(request)) {
    names.push_back(std::string(child->metadata.name.view()));
  }
  return names;
}

// behaviour.md: UTIL-1
TEST(OwnedTest, Create_MakesTheRequestsObjectTheController) {
  Simulate([](World& world) {
    const absl::StatusOr<corev1::Secret> created =
        world.secrets.Create(world.request(), SecretOf("child"));
    ASSERT_THAT(created, IsOk());
    ASSERT_EQ(created->metadata.owner_references.size(), 1u);
    const metav1::OwnerReference& owner = created->metadata.owner_references[0];
    EXPECT_EQ(owner.api_version, "v1");
    EXPECT_EQ(owner.kind, "ConfigMap");
    EXPECT_EQ(owner.name, "site");
    EXPECT_EQ(owner.uid, world.site.metadata.uid);
    EXPECT_EQ(owner.controller, true);
    EXPECT_EQ(owner.block_owner_deletion, true);
    EXPECT_EQ(world.test.writes().size(), 1u);
  });
}

TEST(OwnedTest, Apply_MakesTheRequestsObjectTheController_AndIsNotRepeated) {
  Simulate([](World& world) {
    const auto apply = [&] {
      return world.secrets.Apply(world.request(), {.metadata = {{.name = "child"}}});
    };
    const absl::StatusOr<corev1::Secret> applied = apply();
    ASSERT_THAT(applied, IsOk());
    EXPECT_TRUE(meta::IsControlledBy(*applied, world.site));
    world.Settle();
    world.server.ClearRequests();
    EXPECT_THAT(apply(), IsOk());
    for (const apiserver::LoggedRequest& logged : world.server.Requests()) {
      EXPECT_NE(logged.verb, "patch");
    }
  });
}

TEST(OwnedTest, WhatHasNoControllerIsAdopted) {
  Simulate([](World& world) {
    for (const char* name : {"applied", "ensured"}) {
      ASSERT_THAT(world.Server().Create(Context(), SecretOf(name)), IsOk());
    }
    world.Settle();
    const absl::StatusOr<corev1::Secret> applied =
        world.secrets.Apply(world.request(), {.metadata = {{.name = "applied"}}});
    ASSERT_THAT(applied, IsOk());
    EXPECT_TRUE(meta::IsControlledBy(*applied, world.site));
    EXPECT_THAT(world.secrets.Ensure(world.request(), "ensured", Label),
                IsOkAndHolds(Outcome::kUpdated));
    EXPECT_THAT(world.secrets.Ensure(world.request(), "created", Label),
                IsOkAndHolds(Outcome::kCreated));
    world.Settle();
    EXPECT_THAT(world.secrets.Ensure(world.request(), "created", Label),
                IsOkAndHolds(Outcome::kUnchanged));
    EXPECT_THAT(ChildrenOf(world.secrets, world.request()),
                ElementsAre("applied", "created", "ensured"));
  });
}

// behaviour.md: UTIL-2
TEST(OwnedTest, WhatAnotherControlsIsRefused) {
  Simulate([](World& world) {
    TestRequest<corev1::ConfigMap> other(world.CreateOwner("other"), {.kind = kConfigMap});
    ASSERT_THAT(world.secrets.Create(other.request(), SecretOf("child")), IsOk());
    const absl::StatusOr<corev1::Secret> before = world.Server().Get(Context(), "child");
    ASSERT_THAT(before, IsOk());
    world.Settle();

    const absl::Status refusals[] = {
        world.secrets.Create(world.request(), *before).status(),
        world.secrets.Apply(world.request(), {.metadata = {{.name = "child"}}}).status(),
        world.secrets.Edit(world.request(), "child", Label).status(),
        world.secrets.Ensure(world.request(), "child", Label).status(),
        world.secrets.Delete(world.request(), *before),
    };
    for (const absl::Status& refusal : refusals) {
      EXPECT_THAT(refusal,
                  StatusIs(absl::StatusCode::kAlreadyExists,
                           HasSubstr("Object default/child is already owned by another ConfigMap "
                                     "controller other")));
      EXPECT_TRUE(meta::IsAlreadyOwned(refusal));
    }
    const absl::StatusOr<corev1::Secret> after = world.Server().Get(Context(), "child");
    ASSERT_THAT(after, IsOk());
    EXPECT_EQ(after->metadata.resource_version, before->metadata.resource_version);
    EXPECT_THAT(ChildrenOf(world.secrets, world.request()), IsEmpty());
    EXPECT_THAT(ChildrenOf(world.secrets, other.request()), ElementsAre("child"));
  });
}

TEST(OwnedTest, WhatAnEarlierObjectOfTheNameControlsIsRefused) {
  Simulate([](World& world) {
    ASSERT_THAT(world.secrets.Create(world.request(), SecretOf("child")), IsOk());
    world.Settle();
    corev1::ConfigMap recreated = world.site;
    recreated.metadata.uid = "another";
    TestRequest<corev1::ConfigMap> later(recreated, {.kind = kConfigMap});
    EXPECT_THAT(world.secrets.Apply(later.request(), {.metadata = {{.name = "child"}}}),
                StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("not the present one")));
    EXPECT_THAT(world.secrets.Ensure(later.request(), "child", Label),
                StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("not the present one")));
    EXPECT_THAT(ChildrenOf(world.secrets, later.request()), IsEmpty());
  });
}

// behaviour.md: UTIL-3, UTIL-6
TEST(OwnedTest, OwnersMustFit) {
  Simulate([](World& world) {
    corev1::Secret elsewhere = SecretOf("child");
    elsewhere.metadata.namespace_ = "kube-system";
    EXPECT_THAT(
        world.secrets.Create(world.request(), elsewhere),
        StatusIs(absl::StatusCode::kInvalidArgument,
                 HasSubstr("cross-namespace owner references are disallowed, owner's namespace "
                           "default, obj's namespace kube-system")));
    const corev1::ConfigMap without_uid = {.metadata = {.name = "site", .namespace_ = "default"}};
    TestRequest<corev1::ConfigMap> not_created(without_uid, {.kind = kConfigMap});
    EXPECT_THAT(world.secrets.Create(not_created.request(), SecretOf("child")),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no UID")));
    EXPECT_THAT(ChildrenOf(world.secrets, not_created.request()), IsEmpty());
  });
}

TEST(OwnedTest, Edit_AndDelete_LeaveWhatHasNoController) {
  Simulate([](World& world) {
    const absl::StatusOr<corev1::Secret> free = world.Server().Create(Context(), SecretOf("free"));
    ASSERT_THAT(free, IsOk());
    EXPECT_THAT(world.secrets.Edit(world.request(), "free", Label),
                StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("is not owned by")));
    EXPECT_THAT(world.secrets.Delete(world.request(), *free),
                StatusIs(absl::StatusCode::kFailedPrecondition));
  });
}

TEST(OwnedTest, DeleteChildren_DeletesTheRequestsOwn) {
  Simulate([](World& world) {
    TestRequest<corev1::ConfigMap> other(world.CreateOwner("other"), {.kind = kConfigMap});
    ASSERT_THAT(world.secrets.Create(other.request(), SecretOf("of-other")), IsOk());
    ASSERT_THAT(world.Server().Create(Context(), SecretOf("free")), IsOk());
    for (const char* name : {"b", "a"}) {
      ASSERT_THAT(world.secrets.Create(world.request(), SecretOf(name)), IsOk());
    }
    world.Settle();
    EXPECT_THAT(ChildrenOf(world.secrets, world.request()), ElementsAre("a", "b"));
    EXPECT_THAT(world.secrets.DeleteChildren(world.request()), IsOk());
    EXPECT_THAT(world.secrets.DeleteChildren(world.request()), IsOk())
        << "the cache may still have them";
    world.Settle();
    EXPECT_THAT(ChildrenOf(world.secrets, world.request()), IsEmpty());
    EXPECT_TRUE(errors::IsNotFound(world.Server().Get(Context(), "a").status()));
    EXPECT_THAT(world.Server().Get(Context(), "of-other"), IsOk());
    EXPECT_THAT(world.Server().Get(Context(), "free"), IsOk());
  });
}

}  // namespace
}  // namespace kube::controller
