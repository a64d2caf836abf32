#include "envtest/fake/clientset.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/watch/event.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "envtest/fake/action.h"
#include "envtest/fake/reaction.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::fake {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;

class FakeClientsetTest : public testing::Test {
 protected:
  corev1::ConfigMapClient maps() const { return fake_.client().CoreV1().ConfigMaps("prod"); }
  corev1::PodClient pods() const { return fake_.client().CoreV1().Pods("prod"); }

  void AddMap() {
    ASSERT_THAT(fake_.Add(corev1::ConfigMap{
                    .metadata = {.name = "m", .namespace_ = "prod", .labels = {{"a", "b"}}}}),
                IsOk());
  }

  const Context ctx_{};
  Clientset fake_;
};

corev1::Pod RunningPod() {
  corev1::Pod pod = {.metadata = {.name = "web-0", .namespace_ = "prod"}};
  pod.spec.containers.push_back({.name = "main", .image = "web:1"});
  pod.status.phase = "Running";
  return pod;
}

TEST_F(FakeClientsetTest, Add_ObjectWithStatus_IsServedWithIt) {
  const corev1::Node node = {.metadata = {.name = "n1"}};
  const corev1::ConfigMap nowhere = {.metadata = {.name = "m"}};
  ASSERT_THAT(fake_.Add(RunningPod(), node, nowhere), IsOk());

  const absl::StatusOr<corev1::Pod> pod = pods().Get(ctx_, "web-0");
  ASSERT_THAT(pod, IsOk());
  EXPECT_EQ(pod->status.phase, "Running");
  EXPECT_EQ(pod->spec.restart_policy, "Always") << "a default of the server's";
  EXPECT_FALSE(pod->metadata.uid.empty());
  EXPECT_THAT(fake_.client().CoreV1().Nodes().Get(ctx_, "n1"), IsOk());
  EXPECT_THAT(fake_.client().CoreV1().ConfigMaps("default").Get(ctx_, "m"), IsOk());
  EXPECT_EQ(fake_.Actions().size(), 3u) << "of the Gets alone";
}

TEST_F(FakeClientsetTest, Add_InvalidObject_ReturnsTheServersError) {
  EXPECT_TRUE(errors::IsInvalid(fake_.Add(corev1::Pod{.metadata = {.name = "no-containers"}})));
  AddMap();
  EXPECT_TRUE(errors::IsAlreadyExists(
      fake_.Add(corev1::ConfigMap{.metadata = {.name = "m", .namespace_ = "prod"}})));
  EXPECT_THAT(fake_.Add(corev1::Container{}), StatusIs(absl::StatusCode::kInvalidArgument));
}

// The line that a test of client-go would compare.
std::string Line(const Action& action) {
  return absl::StrCat(action.verb, " ", action.resource.resource,
                      action.subresource.empty() ? "" : "/", action.subresource, " ",
                      action.namespace_name, "/", action.name);
}

TEST_F(FakeClientsetTest, Actions_OfEachVerb_AreLoggedInOrder) {
  AddMap();
  ASSERT_THAT(fake_.Add(RunningPod()), IsOk());
  absl::StatusOr<corev1::ConfigMap> map = maps().Get(ctx_, "m");
  ASSERT_THAT(map, IsOk());
  map->data["k"] = "1";
  ASSERT_THAT(maps().Update(ctx_, *map, {.field_manager = "me"}), IsOk());
  ASSERT_THAT(maps().Patch(ctx_, "m", patch::PatchType::kMerge, R"({"data":{"k":"2"}})"), IsOk());
  ASSERT_THAT(maps().List(ctx_, {.label_selector = "a=b"}), IsOk());
  ASSERT_THAT(fake_.client().CoreV1().ConfigMaps("").Watch(ctx_), IsOk());
  ASSERT_THAT(pods().UpdateStatus(ctx_, *pods().Get(ctx_, "web-0")), IsOk());
  ASSERT_THAT(pods().EvictV1(ctx_, {.metadata = {.name = "web-0"}}), IsOk());
  ASSERT_THAT(maps().Delete(ctx_, "m", {.grace_period_seconds = 5}), IsOk());
  ASSERT_THAT(maps().DeleteCollection(ctx_), IsOk());

  const std::vector<Action> actions = fake_.Actions();
  std::vector<std::string> lines;
  for (const Action& action : actions) lines.push_back(Line(action));
  ASSERT_THAT(lines, ElementsAre("get configmaps prod/m", "update configmaps prod/m",
                                 "patch configmaps prod/m", "list configmaps prod/",
                                 "watch configmaps /", "get pods prod/web-0",
                                 "update pods/status prod/web-0", "create pods/eviction prod/web-0",
                                 "delete configmaps prod/m", "deletecollection configmaps prod/"));
  EXPECT_EQ(actions[1].Object<corev1::ConfigMap>()->data["k"], "1");
  EXPECT_THAT(actions[1].query.at("fieldManager"), ElementsAre("me"));
  EXPECT_EQ(actions[2].patch_type, patch::PatchType::kMerge);
  EXPECT_EQ(actions[2].body, R"({"data":{"k":"2"}})");
  EXPECT_THAT(actions[3].query.at("labelSelector"), ElementsAre("a=b"));
  EXPECT_THAT(actions[8].body, testing::HasSubstr(R"("gracePeriodSeconds":5)"));
  fake_.ClearActions();
  EXPECT_THAT(fake_.Actions(), IsEmpty());
}

TEST_F(FakeClientsetTest, Reactor_Return_IsTheResponse) {
  fake_.PrependReactor("get", "configmaps", [](Action& action) {
    return Reaction::Return(corev1::ConfigMap{.metadata = {.name = action.name}});
  });
  fake_.PrependReactor("list", "*", [](Action&) {
    corev1::ConfigMapList list;
    list.items.push_back({.metadata = {.name = "listed"}});
    return Reaction::Return(list);
  });
  fake_.PrependReactor("delete", "*", [](Action&) { return Reaction::Done(); });
  EXPECT_EQ(maps().Get(ctx_, "none")->metadata.name, "none");
  EXPECT_EQ(maps().List(ctx_)->items[0].metadata.name, "listed");
  EXPECT_THAT(maps().Delete(ctx_, "none"), IsOk());
}

TEST_F(FakeClientsetTest, Reactor_Fail_IsTheErrorOfTheCall) {
  AddMap();
  const auto conflict = [](Action&) {
    return Reaction::Fail(errors::Conflict({"", "configmaps"}, "m", "changed"));
  };
  fake_.PrependReactor("update", "configmaps", conflict);
  const absl::Status failed = maps().Update(ctx_, *maps().Get(ctx_, "m")).status();
  EXPECT_TRUE(errors::IsConflict(failed)) << failed;

  fake_.PrependReactor("create", "*", [](Action&) {
    return Reaction::Fail(absl::UnavailableError("connection refused"));
  });
  EXPECT_THAT(maps().Create(ctx_, {.metadata = {.name = "n"}}),
              StatusIs(absl::StatusCode::kUnavailable, testing::HasSubstr("connection refused")));

  fake_.PrependReactor(
      "*", "*", [](Action&) { return Reaction::Fail(errors::TooManyRequestsError("slow down")); });
  EXPECT_TRUE(errors::IsTooManyRequests(maps().Get(ctx_, "m").status()));
}

TEST_F(FakeClientsetTest, Reactor_SetObject_ChangesTheRequestAndNotTheLog) {
  AddMap();
  fake_.PrependReactor("create", "configmaps", [](Action& action) {
    absl::StatusOr<corev1::ConfigMap> map = action.Object<corev1::ConfigMap>();
    if (!map.ok()) return Reaction::Fail(map.status());
    map->metadata.labels["seen"] = "yes";
    const absl::Status changed = action.SetObject(*map);
    return changed.ok() ? Reaction::PassOn() : Reaction::Fail(changed);
  });
  const absl::StatusOr<corev1::ConfigMap> created =
      maps().Create(ctx_, {.metadata = {.name = "n"}});
  ASSERT_THAT(created, IsOk());
  EXPECT_EQ(created->metadata.labels.value_or("seen", ""), "yes");
  EXPECT_EQ(maps().Get(ctx_, "n")->metadata.labels.value_or("seen", ""), "yes");
  EXPECT_TRUE(fake_.Actions()[0].Object<corev1::ConfigMap>()->metadata.labels.empty())
      << "the log has what was sent";
}

TEST_F(FakeClientsetTest, Reactors_InOrder_UntilOneReacts) {
  std::vector<std::string> asked;
  const auto reactor = [&asked](const char* name, bool passes) {
    return [&asked, name, passes](Action&) {
      asked.emplace_back(name);
      return passes ? Reaction::PassOn() : Reaction::Done();
    };
  };
  fake_.AddReactor("*", "pods", reactor("second, all of pods", true));
  fake_.AddReactor("delete", "pods", reactor("third, ends it", false));
  fake_.AddReactor("*", "*", reactor("too late", true));
  fake_.AddReactor("delete", "pods/status", reactor("another subresource", true));
  fake_.PrependReactor("delete", "*", reactor("first", true));
  EXPECT_THAT(pods().Delete(ctx_, "none"), IsOk());
  EXPECT_THAT(asked, ElementsAre("first", "second, all of pods", "third, ends it"));
}

TEST_F(FakeClientsetTest, Reactor_OfASubresource_SeesOnlyThatOne) {
  ASSERT_THAT(fake_.Add(RunningPod()), IsOk());
  fake_.PrependReactor("update", "pods/status", [](Action&) {
    return Reaction::Fail(errors::InternalError("no status today"));
  });
  const absl::StatusOr<corev1::Pod> pod = pods().Get(ctx_, "web-0");
  EXPECT_TRUE(errors::IsInternalError(pods().UpdateStatus(ctx_, *pod).status()));
  EXPECT_THAT(pods().Update(ctx_, *pod), IsOk());
}

TEST_F(FakeClientsetTest, Reactor_UsesTheClient_ItsWriteCausesAConflict) {
  AddMap();
  // Somebody else writes between the read and the write.
  fake_.PrependReactor("update", "configmaps", [this](Action& action) {
    if (action.query.count("fieldManager") > 0) return Reaction::PassOn();
    absl::StatusOr<corev1::ConfigMap> theirs = maps().Get(ctx_, action.name);
    theirs->data["theirs"] = "yes";
    EXPECT_THAT(maps().Update(ctx_, *theirs, {.field_manager = "them"}), IsOk());
    return Reaction::PassOn();
  });
  EXPECT_TRUE(errors::IsConflict(maps().Update(ctx_, *maps().Get(ctx_, "m")).status()));
}

TEST_F(FakeClientsetTest, Watch_WithoutReactors_ReturnsTheServersEvents) {
  AddMap();
  const auto watcher = maps().Watch(ctx_);
  ASSERT_THAT(watcher, IsOk());
  EXPECT_EQ((**(*watcher)->Next(ctx_)).type, watch::EventType::kAdded);
  ASSERT_THAT(maps().Delete(ctx_, "m"), IsOk());
  EXPECT_EQ((**(*watcher)->Next(ctx_)).type, watch::EventType::kDeleted);
}

TEST_F(FakeClientsetTest, Reactor_OnWatch_ReturnsItsEvents) {
  fake_.PrependReactor("watch", "configmaps", [](Action&) {
    const auto map =
        std::make_shared<const corev1::ConfigMap>(corev1::ConfigMap{.metadata = {.name = "m"}});
    return Reaction::Events<corev1::ConfigMap>(
        {{.type = watch::EventType::kModified, .object = map},
         {.type = watch::EventType::kError, .error = errors::ResourceExpired("too old")}});
  });
  const auto watcher = maps().Watch(ctx_);
  ASSERT_THAT(watcher, IsOk());
  const auto first = (*watcher)->Next(ctx_);
  EXPECT_EQ((*first)->type, watch::EventType::kModified);
  EXPECT_EQ((*first)->object->metadata.name, "m");
  EXPECT_TRUE(errors::IsResourceExpired((**(*watcher)->Next(ctx_)).error));
  EXPECT_FALSE((*watcher)->Next(ctx_)->has_value());

  fake_.PrependReactor("watch", "*", [](Action&) {
    return Reaction::Fail(errors::Forbidden({"", "configmaps"}, "", "no"));
  });
  EXPECT_TRUE(errors::IsForbidden(maps().Watch(ctx_).status()));
}

// What upstream's would let pass.
TEST_F(FakeClientsetTest, Requests_InvalidOrConflicting_AreRefused) {
  AddMap();
  const absl::StatusOr<corev1::ConfigMap> old = maps().Get(ctx_, "m");
  ASSERT_THAT(maps().Update(ctx_,
                            [&] {
                              corev1::ConfigMap changed = *old;
                              changed.data["k"] = "1";
                              return changed;
                            }()),
              IsOk());
  EXPECT_TRUE(errors::IsConflict(maps().Update(ctx_, *old).status()));
  EXPECT_TRUE(errors::IsNotFound(fake_.client()
                                     .CoreV1()
                                     .ConfigMaps("no-such-namespace")
                                     .Create(ctx_, {.metadata = {.name = "m"}})
                                     .status()));
  EXPECT_TRUE(errors::IsInvalid(fake_.client()
                                    .AppsV1()
                                    .Deployments("prod")
                                    .Create(ctx_, {.metadata = {.name = "d"}})
                                    .status()));
}

TEST(FakeClientset, ServerOptions_DenyRule_IsForbidden) {
  Clientset fake({.server = {.deny = {{.user = "admin", .verb = "list", .resource = "secrets"}}}});
  EXPECT_TRUE(
      errors::IsForbidden(fake.client().CoreV1().Secrets("default").List(Context()).status()));
  EXPECT_EQ(fake.server().Requests().size(), 1u);
}

TEST(FakeClientset, Client_AfterTheClientset_StillWorks) {
  auto fake = std::make_unique<Clientset>();
  const kubernetes::Clientset client = fake->client();
  fake.reset();
  EXPECT_THAT(client.CoreV1().Namespaces().Get(Context(), "default"), IsOk());
}

// What the example of the header tests.
absl::Status Touch(const kubernetes::Clientset& client) {
  const corev1::ConfigMapClient maps = client.CoreV1().ConfigMaps("prod");
  absl::StatusOr<corev1::ConfigMap> map = maps.Get(Context(), "m");
  if (!map.ok()) return map.status();
  map->data["touched"] = "yes";
  return maps.Update(Context(), *map).status();
}

TEST_F(FakeClientsetTest, TestsWhatUsesAClientset_AsInTheHeader) {
  const corev1::Pod pod = RunningPod();
  const corev1::ConfigMap map = {.metadata = {.name = "m", .namespace_ = "prod"}};
  fake::Clientset clientset;
  ASSERT_THAT(clientset.Add(pod, map), IsOk());
  clientset.PrependReactor("update", "configmaps", [](fake::Action&) {
    return fake::Reaction::Fail(errors::Conflict({"", "configmaps"}, "m", "changed"));
  });
  EXPECT_TRUE(errors::IsConflict(Touch(clientset.client())));
  EXPECT_TRUE(clientset.Actions().back().Matches("update", "configmaps"));
}

}  // namespace
}  // namespace kube::fake
