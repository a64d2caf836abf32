#include "controller/reconcile/writer.h"

#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
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
#include "apimachinery/labels/selector.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "controller/cache/cache.h"
#include "controller/cache/watched.h"
#include "controller/reconcile/cause.h"
#include "controller/reconcile/client_of.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/testing/test_request.h"
#include "controller/reconcile/writes_options.h"
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
using unstructured::Unstructured;

constexpr typed::Resource kMaps = typed::ResourceTraits<corev1::ConfigMap>::kResource;

corev1::ConfigMap SiteIn(absl::string_view namespace_name) {
  return {.metadata = {.name = "site", .namespace_ = namespace_name}};
}

// An API server, a cache, and a request of the object "default/site".
struct World {
  World()
      : client(*rest::MakeClient(envtest::InProcessConfig(server))),
        cache(client),
        maps(cache.Watch<corev1::ConfigMap>()),
        test(SiteIn("default")) {
    server.ClearRequests();
  }

  auto Maps() const { return ClientOf<corev1::ConfigMap>(client, kMaps).Namespace("default"); }
  // Returns a writer that belongs to the watch, which has synced, or to none.
  Writer<corev1::ConfigMap> Watching(WritesOptions options = {}) {
    maps.core()->Start();
    EXPECT_THAT(maps.core()->WaitForSync(WithTimeout(Context(), absl::Minutes(1))), IsOk());
    return Writer<corev1::ConfigMap>(client, kMaps, maps.core(), "tester", options);
  }
  Writer<corev1::ConfigMap> Blind(WritesOptions options = {}) const {
    return Writer<corev1::ConfigMap>(client, kMaps, nullptr, "tester", options);
  }
  // Waits until the cache has all that the server has.
  void Settle() const { EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk()); }
  // Returns the requests for config maps since the last call, but lists and watches.
  std::vector<std::string> Requests() {
    std::vector<std::string> texts;
    for (const apiserver::LoggedRequest& logged : server.Requests()) {
      if (logged.resource != "configmaps" || logged.verb == "list" || logged.verb == "watch") {
        continue;
      }
      texts.push_back(logged.name.empty() ? logged.verb
                                          : absl::StrCat(logged.verb, " ", logged.name));
    }
    server.ClearRequests();
    return texts;
  }
  AnyRequest& request() { return test.request(); }

  apiserver::ApiHandler server;
  const rest::Client client;
  Cache cache;
  const Watched<corev1::ConfigMap> maps;
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

corev1::ConfigMap MapOf(absl::string_view name) { return {.metadata = {.name = name}}; }

absl::Status SetBlue(corev1::ConfigMap& map) {
  map.data["colour"] = "blue";
  return absl::OkStatus();
}

TEST(WriterTest, Create_IsInTheRequestsNamespace_HasTheFieldManager_AndIsNoted) {
  Simulate([](World& world) {
    const Writer<corev1::ConfigMap> writer = world.Watching();
    corev1::ConfigMap map = MapOf("settings");
    map.data["colour"] = "red";
    const absl::StatusOr<corev1::ConfigMap> created = writer.Create(world.request(), map);
    ASSERT_THAT(created, IsOk());
    EXPECT_EQ(created->metadata.namespace_, "default");
    ASSERT_EQ(created->metadata.managed_fields.size(), 1u);
    EXPECT_EQ(created->metadata.managed_fields[0].manager, "tester");
    ASSERT_EQ(world.test.writes().size(), 1u);
    EXPECT_EQ(world.test.writes()[0].store, world.maps.core());
    EXPECT_EQ(world.test.writes()[0].namespace_name, "default");
    EXPECT_EQ(world.test.writes()[0].resource_version, created->metadata.resource_version.view());

    EXPECT_TRUE(
        errors::IsAlreadyExists(writer.Create(world.request(), MapOf("settings")).status()));
    EXPECT_EQ(world.test.writes().size(), 1u) << "a failed write is not waited for";
  });
}

TEST(WriterTest, WithoutAWatch_NothingIsNoted) {
  Simulate([](World& world) {
    ASSERT_THAT(world.Blind().Create(world.request(), MapOf("settings")), IsOk());
    EXPECT_THAT(world.test.writes(), IsEmpty());
  });
}

// behaviour.md: CLIENT-30
TEST(WriterTest, TheOptionsAreThoseOfEachWrite) {
  Simulate([](World& world) {
    const Writer<corev1::ConfigMap> writer =
        world.Blind({.field_validation = std::string(metav1::kFieldValidationStrict),
                     .propagation_policy = std::string(metav1::kDeletePropagationBackground)});
    ASSERT_THAT(writer.Create(world.request(), MapOf("settings")), IsOk());
    const absl::StatusOr<corev1::ConfigMap> edited =
        writer.Edit(world.request(), "settings", SetBlue);
    ASSERT_THAT(edited, IsOk());
    ASSERT_THAT(writer.Delete(world.request(), *edited), IsOk());
    int writes = 0;
    for (const apiserver::LoggedRequest& logged : world.server.Requests()) {
      if (logged.verb != "create" && logged.verb != "patch") continue;
      ++writes;
      EXPECT_THAT(logged.target, HasSubstr("fieldManager=tester"));
      EXPECT_THAT(logged.target, HasSubstr("fieldValidation=Strict"));
    }
    EXPECT_EQ(writes, 2);
  });
}

// behaviour.md: CLIENT-30
TEST(WriterTest, DryRun_StoresNothing_AndIsNotNoted) {
  Simulate([](World& world) {
    ASSERT_THAT(world.Maps().Create(Context(), MapOf("old")), IsOk());
    const Writer<corev1::ConfigMap> writer = world.Watching({.dry_run = true});
    EXPECT_THAT(writer.Create(world.request(), MapOf("new")), IsOk());
    const absl::StatusOr<corev1::ConfigMap> edited = writer.Edit(world.request(), "old", SetBlue);
    ASSERT_THAT(edited, IsOk());
    EXPECT_EQ(edited->data.size(), 1u) << "the answer is that of a real write";
    EXPECT_THAT(writer.Apply(world.request(), {.metadata = {{.name = "applied"}}}), IsOk());
    const absl::StatusOr<corev1::ConfigMap> old = world.Maps().Get(Context(), "old");
    ASSERT_THAT(old, IsOk());
    EXPECT_THAT(writer.Delete(world.request(), *old), IsOk());

    EXPECT_THAT(world.test.writes(), IsEmpty());
    EXPECT_TRUE(errors::IsNotFound(world.Maps().Get(Context(), "new").status()));
    EXPECT_TRUE(errors::IsNotFound(world.Maps().Get(Context(), "applied").status()));
    const absl::StatusOr<corev1::ConfigMap> after = world.Maps().Get(Context(), "old");
    ASSERT_THAT(after, IsOk());
    EXPECT_EQ(after->data.size(), 0u);
  });
}

// ---- Apply

// behaviour.md: CLIENT-26
TEST(WriterTest, Apply_CreatesAndChanges_AndTakesFieldsFromOthers) {
  Simulate([](World& world) {
    corev1::ConfigMap of_another = MapOf("settings");
    of_another.data["colour"] = "red";
    of_another.data["size"] = "1";
    ASSERT_THAT(world.Maps().Create(Context(), of_another), IsOk());
    const absl::StatusOr<corev1::ConfigMap> applied = world.Blind().Apply(
        world.request(), {.metadata = {{.name = "settings"}}, .data = {{"colour", "blue"}}});
    ASSERT_THAT(applied, IsOk());
    EXPECT_EQ(*applied->data.find("colour"), "blue");
    EXPECT_EQ(*applied->data.find("size"), "1");
    EXPECT_THAT(world.Blind().Apply(world.request(), {.metadata = {{.name = "new"}}}), IsOk());
    EXPECT_THAT(world.Blind().Apply(world.request(), {}),
                StatusIs(absl::StatusCode::kInvalidArgument));
  });
}

TEST(WriterTest, Apply_OfTheSame_IsNotSent_WhileTheObjectIsUnchanged) {
  Simulate([](World& world) {
    const Writer<corev1::ConfigMap> writer = world.Watching();
    const auto apply = [&](absl::string_view colour) {
      return writer.Apply(world.request(),
                          {.metadata = {{.name = "settings"}}, .data = {{"colour", colour}}});
    };
    const absl::StatusOr<corev1::ConfigMap> first = apply("blue");
    ASSERT_THAT(first, IsOk());
    EXPECT_THAT(world.Requests(), ElementsAre("patch settings"));
    world.Settle();

    const absl::StatusOr<corev1::ConfigMap> again = apply("blue");
    ASSERT_THAT(again, IsOk());
    EXPECT_EQ(again->metadata.resource_version, first->metadata.resource_version);
    EXPECT_EQ(again->data, first->data);
    EXPECT_THAT(world.Requests(), IsEmpty());

    ASSERT_THAT(apply("red"), IsOk());
    EXPECT_THAT(world.Requests(), ElementsAre("patch settings")) << "another configuration";
    world.Settle();

    absl::StatusOr<corev1::ConfigMap> changed = world.Maps().Get(Context(), "settings");
    ASSERT_THAT(changed, IsOk());
    changed->data["colour"] = "green";
    ASSERT_THAT(world.Maps().Update(Context(), *changed), IsOk());
    world.Settle();
    world.Requests();
    ASSERT_THAT(apply("red"), IsOk());
    EXPECT_THAT(world.Requests(), ElementsAre("patch settings")) << "somebody has changed it";
    world.Settle();

    ASSERT_THAT(world.Maps().Delete(Context(), "settings"), IsOk());
    world.Settle();
    world.Requests();
    ASSERT_THAT(apply("red"), IsOk());
    EXPECT_THAT(world.Requests(), ElementsAre("patch settings")) << "somebody has deleted it";
  });
}

TEST(WriterTest, Apply_OfTheSame_IsSent_IfTheCacheCannotTell) {
  Simulate([](World& world) {
    const Writer<corev1::ConfigMap> blind = world.Blind();
    for (int i = 0; i < 2; ++i) {
      ASSERT_THAT(blind.Apply(world.request(), {.metadata = {{.name = "settings"}}}), IsOk());
      EXPECT_THAT(world.Requests(), ElementsAre("patch settings"));
      world.Settle();
    }
  });
}

TEST(WriterTest, Apply_OfTheSame_IsSentInAResync) {
  Simulate([](World& world) {
    const Writer<corev1::ConfigMap> writer = world.Watching();
    ASSERT_THAT(writer.Apply(world.request(), {.metadata = {{.name = "settings"}}}), IsOk());
    world.Settle();
    world.Requests();
    TestRequest<corev1::ConfigMap> resync(
        SiteIn("default"),
        {.causes = {{.type = Cause::Type::kAdded}, {.type = Cause::Type::kResync}}});
    ASSERT_THAT(writer.Apply(resync.request(), {.metadata = {{.name = "settings"}}}), IsOk());
    EXPECT_THAT(world.Requests(), ElementsAre("patch settings"));
  });
}

// The example of the header.
absl::Status ApplySettings(AnyRequest& request, const Writer<corev1::ConfigMap>& configs) {
  ApplyOf<corev1::ConfigMap> settings = {.metadata = {{.name = "settings"}}};
  settings.data["colour"] = "blue";
  return configs.Apply(request, settings).status();
}

TEST(WriterTest, Apply_AsInTheHeader) {
  Simulate([](World& world) {
    EXPECT_THAT(ApplySettings(world.request(), world.Blind()), IsOk());
    EXPECT_THAT(world.Maps().Get(Context(), "settings"), IsOk());
  });
}

// ---- Edit

TEST(WriterTest, Edit_KeepsWhatOthersWrite) {
  Simulate([](World& world) {
    ASSERT_THAT(world.Maps().Create(Context(), MapOf("settings")), IsOk());
    const Writer<corev1::ConfigMap> writer = world.Watching();
    bool is_first = true;
    const absl::StatusOr<corev1::ConfigMap> edited =
        writer.Edit(world.request(), "settings", [&](corev1::ConfigMap& map) -> absl::Status {
          EXPECT_EQ(world.test.step(), "edit configmaps \"default/settings\"");
          if (is_first) {
            corev1::ConfigMap of_another = map;
            of_another.data["size"] = "2";
            EXPECT_THAT(world.Maps().Update(Context(), of_another), IsOk());
            is_first = false;
          }
          return SetBlue(map);
        });
    ASSERT_THAT(edited, IsOk());
    EXPECT_EQ(edited->data.size(), 2u);
    EXPECT_EQ(world.test.writes().size(), 1u);
    EXPECT_EQ(world.test.step(), "");
    EXPECT_TRUE(errors::IsNotFound(writer.Edit(world.request(), "none", SetBlue).status()));
    EXPECT_TRUE(errors::IsNotFound(
        writer.Edit(world.request(), {.namespace_name = "kube-system", .name = "settings"}, SetBlue)
            .status()));
  });
}

// ---- Ensure

// behaviour.md: UTIL-7
TEST(WriterTest, Ensure_CreatesThenChangesThenDoesNothing) {
  Simulate([](World& world) {
    const Writer<corev1::ConfigMap> writer = world.Watching();
    EXPECT_THAT(writer.Ensure(world.request(), "settings", SetBlue),
                IsOkAndHolds(Outcome::kCreated));
    world.Settle();
    world.Requests();

    EXPECT_THAT(writer.Ensure(world.request(), "settings", SetBlue),
                IsOkAndHolds(Outcome::kUnchanged));
    EXPECT_THAT(world.Requests(), IsEmpty()) << "the cache shows that nothing is to be done";

    const auto set_red = [](corev1::ConfigMap& map) {
      map.data["colour"] = "red";
      return absl::OkStatus();
    };
    EXPECT_THAT(writer.Ensure(world.request(), "settings", set_red),
                IsOkAndHolds(Outcome::kUpdated));
    const absl::StatusOr<corev1::ConfigMap> map = world.Maps().Get(Context(), "settings");
    ASSERT_THAT(map, IsOk());
    EXPECT_EQ(*map->data.find("colour"), "red");
    EXPECT_EQ(world.test.writes().size(), 2u);
  });
}

// behaviour.md: UTIL-9
TEST(WriterTest, Ensure_WithACacheThatIsBehind_NeitherFailsNorOverwrites) {
  Simulate([](World& world) {
    corev1::ConfigMap map = MapOf("settings");
    map.data["size"] = "1";
    ASSERT_THAT(world.Maps().Create(Context(), map), IsOk());
    // Its watch has not been started, so the object is missing there.
    const Writer<corev1::ConfigMap> writer(world.client, kMaps, world.maps.core(), "tester");
    EXPECT_THAT(writer.Ensure(world.request(), "settings", SetBlue),
                IsOkAndHolds(Outcome::kUpdated));
    EXPECT_THAT(writer.Ensure(world.request(), "settings", SetBlue),
                IsOkAndHolds(Outcome::kUnchanged));
    const absl::StatusOr<corev1::ConfigMap> after = world.Maps().Get(Context(), "settings");
    ASSERT_THAT(after, IsOk());
    EXPECT_EQ(after->data.size(), 2u);
  });
}

// behaviour.md: UTIL-8
TEST(WriterTest, Ensure_TheFunctionMayNotRename) {
  Simulate([](World& world) {
    const Writer<corev1::ConfigMap> writer = world.Blind();
    const auto rename = [](corev1::ConfigMap& map) {
      map.metadata.name = "other";
      return absl::OkStatus();
    };
    const auto move = [](corev1::ConfigMap& map) {
      map.metadata.namespace_ = "kube-system";
      return absl::OkStatus();
    };
    EXPECT_THAT(writer.Ensure(world.request(), "settings", rename),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("must not change the name or the namespace")));
    EXPECT_THAT(writer.Ensure(world.request(), "settings", move),
                StatusIs(absl::StatusCode::kInvalidArgument));
    EXPECT_TRUE(errors::IsNotFound(world.Maps().Get(Context(), "settings").status()));
  });
}

TEST(WriterTest, Ensure_ReturnsTheErrorOfTheFunction) {
  Simulate([](World& world) {
    const auto fail = [](corev1::ConfigMap&) { return absl::DataLossError("no colour"); };
    EXPECT_THAT(world.Blind().Ensure(world.request(), "settings", fail),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("no colour")));
    EXPECT_THAT(world.test.writes(), IsEmpty());
  });
}

// ---- resources that are known when the program runs

Unstructured AnyMapOf(absl::string_view name) {
  Unstructured map;
  map.set_name(name);
  return map;
}

TEST(WriterTest, WritesUnstructuredObjects) {
  Simulate([](World& world) {
    const Writer<Unstructured> writer(world.client, kMaps, nullptr, "tester");
    const absl::StatusOr<Unstructured> created =
        writer.Create(world.request(), AnyMapOf("settings"));
    ASSERT_THAT(created, IsOk());
    EXPECT_EQ(created->namespace_name(), "default");
    const auto set_blue = [](Unstructured& map) {
      At(map.object, {"data", "colour"}) = "blue";
      return absl::OkStatus();
    };
    EXPECT_THAT(writer.Ensure(world.request(), "settings", set_blue),
                IsOkAndHolds(Outcome::kUpdated));
    EXPECT_THAT(writer.Ensure(world.request(), "settings", set_blue),
                IsOkAndHolds(Outcome::kUnchanged));
    EXPECT_THAT(writer.Ensure(world.request(), "other", set_blue), IsOkAndHolds(Outcome::kCreated));
    EXPECT_THAT(writer.Apply(world.request(), AnyMapOf("applied")), IsOk());
    EXPECT_THAT(world.Maps().Get(Context(), "applied"), IsOk());

    EXPECT_TRUE(errors::IsConflict(writer.Delete(world.request(), *created)))
        << "it has changed since";
    const absl::StatusOr<Unstructured> now =
        writer.Edit(world.request(), "settings", [](Unstructured&) { return absl::OkStatus(); });
    ASSERT_THAT(now, IsOk());
    EXPECT_THAT(writer.Delete(world.request(), *now), IsOk());
    EXPECT_TRUE(errors::IsNotFound(world.Maps().Get(Context(), "settings").status()));
  });
}

TEST(WriterTest, Apply_OfAnUnstructured_IsSentOnceWithAWatch) {
  Simulate([](World& world) {
    const Watched<Unstructured> watched = world.cache.WatchDynamic(kMaps);
    watched.core()->Start();
    ASSERT_THAT(watched.core()->WaitForSync(WithTimeout(Context(), absl::Minutes(1))), IsOk());
    const Writer<Unstructured> writer(world.client, kMaps, watched.core(), "tester");
    world.Requests();
    ASSERT_THAT(writer.Apply(world.request(), AnyMapOf("settings")), IsOk());
    world.Settle();
    ASSERT_THAT(writer.Apply(world.request(), AnyMapOf("settings")), IsOk());
    EXPECT_THAT(world.Requests(), ElementsAre("patch settings"));
    ASSERT_EQ(world.test.writes().size(), 1u);
    EXPECT_EQ(world.test.writes()[0].store, watched.core());
  });
}

TEST(WriterTest, EditsAndDeletesWhatHasOnlyMetadata) {
  Simulate([](World& world) {
    corev1::ConfigMap map = MapOf("settings");
    map.data["colour"] = "red";
    ASSERT_THAT(world.Maps().Create(Context(), map), IsOk());
    const Writer<metav1::PartialObjectMetadata> writer(world.client, kMaps, nullptr, "tester");
    const absl::StatusOr<metav1::PartialObjectMetadata> edited =
        writer.Edit(world.request(), "settings", [](metav1::PartialObjectMetadata& object) {
          object.metadata.labels["team"] = "web";
          return absl::OkStatus();
        });
    ASSERT_THAT(edited, IsOk());
    const absl::StatusOr<corev1::ConfigMap> now = world.Maps().Get(Context(), "settings");
    ASSERT_THAT(now, IsOk());
    EXPECT_EQ(now->metadata.labels.size(), 1u);
    EXPECT_EQ(now->data.size(), 1u) << "the rest stays";
    EXPECT_THAT(writer.Delete(world.request(), *edited), IsOk());
    EXPECT_TRUE(errors::IsNotFound(world.Maps().Get(Context(), "settings").status()));
  });
}

// behaviour.md: UTIL-7
TEST(OutcomeNameTest, IsThatOfControllerRuntime) {
  EXPECT_EQ(OutcomeName(Outcome::kUnchanged), "unchanged");
  EXPECT_EQ(OutcomeName(Outcome::kCreated), "created");
  EXPECT_EQ(OutcomeName(Outcome::kUpdated), "updated");
}

// ---- Delete

// behaviour.md: CLIENT-18
TEST(WriterTest, Delete_IsForTheStateThatTheCallerKnows) {
  Simulate([](World& world) {
    const Writer<corev1::ConfigMap> writer = world.Blind();
    const absl::StatusOr<corev1::ConfigMap> created =
        world.Maps().Create(Context(), MapOf("settings"));
    ASSERT_THAT(created, IsOk());
    const absl::StatusOr<corev1::ConfigMap> changed =
        world.Maps().Edit(Context(), "settings", SetBlue);
    ASSERT_THAT(changed, IsOk());
    EXPECT_TRUE(errors::IsConflict(writer.Delete(world.request(), *created)));
    EXPECT_THAT(writer.Delete(world.request(), *changed), IsOk());
    EXPECT_THAT(writer.Delete(world.request(), *changed), IsOk()) << "it is gone already";

    ASSERT_THAT(world.Maps().Create(Context(), MapOf("settings")), IsOk());
    EXPECT_TRUE(errors::IsConflict(writer.Delete(world.request(), *changed)))
        << "another object of this name";
    EXPECT_THAT(world.Maps().Get(Context(), "settings"), IsOk());
    // Who knows nothing but the name deletes what has it.
    EXPECT_THAT(writer.Delete(world.request(), MapOf("settings")), IsOk());
    EXPECT_TRUE(errors::IsNotFound(world.Maps().Get(Context(), "settings").status()));
  });
}

// behaviour.md: CLIENT-19
TEST(WriterTest, DeleteAll_DeletesTheScope) {
  Simulate([](World& world) {
    const Writer<corev1::ConfigMap> writer = world.Blind();
    for (const char* name : {"old", "new"}) {
      corev1::ConfigMap map = MapOf(name);
      map.metadata.labels["age"] = name;
      ASSERT_THAT(world.Maps().Create(Context(), map), IsOk());
    }
    EXPECT_THAT(writer.DeleteAll(world.request(), {.label_selector = labels::Nothing()}), IsOk());
    EXPECT_THAT(world.Maps().Get(Context(), "old"), IsOk());
    EXPECT_THAT(writer.DeleteAll(world.request(), {.label_selector = *labels::Parse("age=old")}),
                IsOk());
    EXPECT_TRUE(errors::IsNotFound(world.Maps().Get(Context(), "old").status()));
    EXPECT_THAT(world.Maps().Get(Context(), "new"), IsOk());

    TestRequest<corev1::ConfigMap> cluster_scoped(SiteIn(""));
    EXPECT_THAT(writer.DeleteAll(cluster_scoped.request(), {}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("a namespace is required")));
    EXPECT_THAT(writer.DeleteAll(cluster_scoped.request(), {.namespace_name = "default"}), IsOk());
    EXPECT_TRUE(errors::IsNotFound(world.Maps().Get(Context(), "new").status()));
  });
}

}  // namespace
}  // namespace kube::controller
