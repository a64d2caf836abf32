#include "clientset/typed/create_or_edit.h"

#include <functional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/typed/options.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::typed {
namespace {

namespace corev1 = api::core::v1;
namespace fault = apiserver::fault;
using base::IsOk;
using base::SearchSeeds;
using base::SimRuntime;
using base::StatusIs;

constexpr Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};
using ConfigMaps = TypedClient<corev1::ConfigMap, corev1::ConfigMapList>;
using Anything = TypedClient<unstructured::Unstructured, unstructured::UnstructuredList>;

// Writes one entry of the map.
class Entry {
 public:
  explicit Entry(std::string key) : key_(std::move(key)) {}
  absl::Status operator()(corev1::ConfigMap& map) const {
    map.data[key_] = "1";
    return absl::OkStatus();
  }

 private:
  const std::string key_;
};

class CreateOrEditTest : public testing::Test {
 protected:
  // Returns the verbs of the requests since the last call: "get create".
  std::string Verbs() {
    std::string verbs;
    for (const apiserver::LoggedRequest& request : server_.Requests()) {
      absl::StrAppend(&verbs, verbs.empty() ? "" : " ", request.verb);
    }
    server_.ClearRequests();
    return verbs;
  }

  const Context ctx_ = {};
  apiserver::ApiHandler server_;
  const rest::Client client_ = *rest::MakeClient(envtest::InProcessConfig(server_));
  const ConfigMaps maps_ = ConfigMaps(client_, kConfigMaps).Namespace("default");
};

// behaviour.md: CR-9, UTIL-7
TEST_F(CreateOrEditTest, CreateOrEdit_MissingObject_CreatesIt_ExistingOne_PatchesIt) {
  bool was_new = false;
  const auto change = [&](corev1::ConfigMap& map) {
    was_new = map.metadata.uid.empty();
    EXPECT_EQ(map.metadata.name, "web");
    return Entry("a")(map);
  };
  absl::StatusOr<corev1::ConfigMap> map = CreateOrEdit(ctx_, maps_, "web", change);
  ASSERT_THAT(map, IsOk());
  EXPECT_TRUE(was_new);
  EXPECT_EQ(map->data["a"], "1");
  EXPECT_NE(map->metadata.uid, "");
  EXPECT_EQ(Verbs(), "get create");

  map = CreateOrEdit(ctx_, maps_, "web", Entry("b"));
  ASSERT_THAT(map, IsOk());
  EXPECT_EQ(map->data["a"], "1") << "the rest stays";
  EXPECT_EQ(map->data["b"], "1");
  EXPECT_EQ(Verbs(), "get patch");

  EXPECT_THAT(CreateOrEdit(ctx_, maps_, "web", change), IsOk());
  EXPECT_FALSE(was_new);
  EXPECT_EQ(Verbs(), "get") << "nothing to change";
}

TEST_F(CreateOrEditTest, CreateOrEdit_Unstructured_CreatesAndPatches) {
  const Anything maps =
      Anything(client_, {.version = "v1", .plural = "configmaps", .kind = "ConfigMap"})
          .Namespace("default");
  const auto change = [](unstructured::Unstructured& map) {
    return unstructured::SetNestedField(map.object, "1", {"data", "a"});
  };
  EXPECT_THAT(CreateOrEdit(ctx_, maps, "web", change), IsOk());
  EXPECT_THAT(CreateOrEdit(ctx_, maps, "web", change), IsOk());
  EXPECT_EQ(maps_.Get(ctx_, "web")->data["a"], "1");
}

TEST_F(CreateOrEditTest, CreateOrEdit_Options_ApplyToTheCreationToo) {
  EXPECT_THAT(CreateOrEdit(ctx_, maps_, "web", Entry("a"), {.patch = {.dry_run = {"All"}}}),
              IsOk());
  EXPECT_TRUE(errors::IsNotFound(maps_.Get(ctx_, "web").status()));
  EXPECT_THAT(CreateOrEdit(ctx_, maps_, "web", Entry("a"), {.subresource = "status"}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

// Errors of the caller's function that look like those that lead to a retry.
TEST_F(CreateOrEditTest, CreateOrEdit_ErrorFromTheFunction_IsNotRetried) {
  for (const bool exists : {false, true}) {
    SCOPED_TRACE(exists ? "the object exists" : "it does not");
    if (exists) {
      ASSERT_THAT(maps_.Create(ctx_, {.metadata = {.name = "web"}}), IsOk());
    }
    for (const absl::Status& error :
         {errors::NotFound({.resource = "secrets"}, "key"),
          errors::AlreadyExists({.resource = "secrets"}, "key"),
          errors::Conflict({.resource = "secrets"}, "key", "changed"), absl::InternalError("no")}) {
      int calls = 0;
      const auto refuse = [&](corev1::ConfigMap&) {
        ++calls;
        return error;
      };
      EXPECT_EQ(CreateOrEdit(ctx_, maps_, "web", refuse).status(), error);
      EXPECT_EQ(calls, 1) << error;
    }
    EXPECT_EQ(Verbs(), exists ? "create get get get get" : "get get get get")
        << "nothing is written";
  }
}

TEST_F(CreateOrEditTest, CreateOrEdit_MissingNamespace_ReturnsTheErrorOfCreate) {
  EXPECT_THAT(CreateOrEdit(ctx_, maps_.Namespace("none"), "web", Entry("a")),
              StatusIs(absl::StatusCode::kNotFound, testing::HasSubstr("namespaces \"none\"")));
  EXPECT_EQ(Verbs(), "get create");
}

TEST_F(CreateOrEditTest, CreateOrEdit_AlwaysAlreadyExists_GivesUpAfterItsSteps) {
  apiserver::Faults faults = server_.faults();
  faults.Add(
      {.verbs = {"get"},
       .fault = fault::Error{.status = errors::NotFound({.resource = "configmaps"}, "web")}});
  ASSERT_THAT(maps_.Create(ctx_, {.metadata = {.name = "web"}}), IsOk());
  server_.ClearRequests();
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&] {
    const absl::Status status =
        CreateOrEdit(Context(), maps_, "web", Entry("a"),
                     {.backoff = {.duration = absl::Milliseconds(10), .factor = 1, .steps = 3}})
            .status();
    EXPECT_TRUE(errors::IsAlreadyExists(status)) << status;
  }),
              IsOk());
  EXPECT_EQ(Verbs(), "get create get create get create");
}

// ---- Other clients write at the same time.

constexpr int kWriters = 3;
constexpr base::Backoff kPatient = {
    .duration = absl::Milliseconds(10), .factor = 1.5, .jitter = 1, .steps = 30};

struct Crowd {
  apiserver::ApiHandler server;
  ConfigMaps maps = ConfigMaps(*rest::MakeClient(envtest::InProcessConfig(server)), kConfigMaps)
                        .Namespace("default");

  // Each writer adds an entry of its own; `others` run beside them.
  absl::Status Write(const std::function<absl::Status(const Context&)>& others) {
    base::ThreadGroup group{Context()};
    for (int i = 0; i < kWriters; ++i) {
      group.Go("writer", [this, i](const Context& ctx) -> absl::Status {
        const std::string key = absl::StrCat("writer-", i);
        KUBE_ASSIGN_OR_RETURN(corev1::ConfigMap map,
                              CreateOrEdit(ctx, maps, "web", Entry(key), {.backoff = kPatient}));
        if (map.data[key] != "1") return absl::DataLossError("returned without its entry");
        return absl::OkStatus();
      });
    }
    group.Go("others", others);
    return group.Wait();
  }
};

// Runs the writers in virtual time, with one interleaving for each seed.
absl::Status Search(const std::function<absl::Status(Crowd&)>& run) {
  return SearchSeeds(
      [&run](SimRuntime& sim) {
        absl::Status result;
        const absl::Status end = sim.Run([&] {
          Crowd crowd;
          result = run(crowd);
        });
        return end.ok() ? result : end;
      },
      {.seeds = base::SimulationSeeds(100)});
}

TEST(CreateOrEditSimulation, EverybodysChangeIsThereAndTheObjectWasCreatedOnce) {
  EXPECT_THAT(Search([](Crowd& crowd) -> absl::Status {
                KUBE_RETURN_IF_ERROR(crowd.Write([](const Context&) { return absl::OkStatus(); }));
                KUBE_ASSIGN_OR_RETURN(const auto map, crowd.maps.Get(Context(), "web"));
                if (map.data.size() != kWriters) return absl::DataLossError("a change is lost");
                int created = 0;
                for (const auto& request : crowd.server.Requests()) {
                  created += request.verb == "create" && request.code == 201;
                }
                return created == 1 ? absl::OkStatus() : absl::InternalError("created twice");
              }),
              IsOk());
}

// The object disappears between the GET and the PATCH of an edit, and reappears between the GET and
// the POST of a creation: neither NOT_FOUND nor ALREADY_EXISTS reaches the caller.
TEST(CreateOrEditSimulation, DeletionsInBetweenAreNoErrors) {
  EXPECT_THAT(Search([](Crowd& crowd) {
                return crowd.Write([&crowd](const Context& ctx) {
                  for (int i = 0; i < 5; ++i) {
                    const absl::Status status = crowd.maps.Delete(ctx, "web");
                    if (!status.ok() && !errors::IsNotFound(status)) return status;
                  }
                  return absl::OkStatus();
                });
              }),
              IsOk());
}

// The response to the creation is lost: the caller does not know whether it succeeded, and calls
// again.
TEST(CreateOrEditSimulation, CallingAgainAfterALostAnswerDoesNoHarm) {
  EXPECT_THAT(
      Search([](Crowd& crowd) -> absl::Status {
        crowd.server.faults().Add(
            {.verbs = {"create"}, .times = 1, .fault = fault::Drop{.after_commit = true}});
        const absl::Status first = CreateOrEdit(Context(), crowd.maps, "web", Entry("a")).status();
        if (!absl::IsUnavailable(first)) return absl::InternalError("the answer was not lost");
        const auto uid = crowd.maps.Get(Context(), "web")->metadata.uid;
        KUBE_ASSIGN_OR_RETURN(const auto map,
                              CreateOrEdit(Context(), crowd.maps, "web", Entry("a")));
        return map.metadata.uid == uid ? absl::OkStatus() : absl::InternalError("made anew");
      }),
      IsOk());
}

}  // namespace
}  // namespace kube::typed
