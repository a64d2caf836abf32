// Custom resources where requests one after the other, as tests/conformance has them, do not tell:
// watches that end, and definitions that change while objects are written.
#include <atomic>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using base::IsOk;
using unstructured::Unstructured;

constexpr typed::Resource kDefinitions = {.group = "apiextensions.k8s.io",
                                          .version = "v1",
                                          .plural = "customresourcedefinitions",
                                          .kind = "CustomResourceDefinition",
                                          .namespaced = false,
                                          .built_in = true};
constexpr char kName[] = "dogs.example.com";

CustomResourceDefinition Dogs() {
  CustomResourceDefinition crd;
  crd.metadata.name = kName;
  crd.spec.group = "example.com";
  crd.spec.scope = "Namespaced";
  crd.spec.names.plural = "dogs";
  crd.spec.names.kind = "Dog";
  for (absl::string_view name : {"v1", "v2"}) {
    auto& version = crd.spec.versions.emplace_back();
    version.name = name;
    version.served = true;
    version.storage = name == "v1";
    auto& schema = version.schema.emplace().open_api_v3_schema.emplace();
    schema.type = "object";
    schema.x_kubernetes_preserve_unknown_fields = true;
  }
  return crd;
}

class CustomResourcesTest : public ::testing::Test {
 protected:
  using Definitions = typed::TypedClient<CustomResourceDefinition,
                                         api::apiextensions::v1::CustomResourceDefinitionList>;
  using Objects = typed::TypedClient<Unstructured, unstructured::UnstructuredList>;

  CustomResourcesTest() {
    EXPECT_THAT(definitions_.Create(Context(), Dogs()), IsOk());
    EXPECT_THAT(Make("rex"), IsOk());
  }

  Objects Client(absl::string_view version) const {
    return Objects(client_,
                   {.group = "example.com", .version = version, .plural = "dogs", .kind = "Dog"})
        .Namespace("default");
  }

  absl::Status Make(absl::string_view name) {
    Unstructured dog;
    dog.set_name(name);
    return Client("v1").Create(Context(), dog).status();
  }

  // What a watch from the start tells until it ends: "ADDED rex".
  std::vector<std::string> All(watch::Watcher<Unstructured>& watcher) {
    std::vector<std::string> events;
    const Context ctx = WithTimeout(Context(), absl::Seconds(30));
    while (true) {
      auto event = watcher.Next(ctx);
      if (!event.ok() || !event->has_value()) return events;
      const absl::string_view name = (*event)->object ? (*event)->object->name() : "";
      events.push_back(absl::StrCat(watch::ToString((*event)->type), " ", name));
    }
  }

  apiserver::ApiHandler server_;
  const rest::Client client_ = *rest::MakeClient(InProcessConfig(server_));
  const Definitions definitions_{client_, kDefinitions};
};

TEST_F(CustomResourcesTest, AWatchEndsWithTheDefinitionAfterItsLastEvents) {
  auto watcher = Client("v2").Watch(Context());
  ASSERT_THAT(watcher, IsOk());
  ASSERT_THAT(definitions_.Delete(Context(), kName), IsOk());
  EXPECT_THAT(All(**watcher), ::testing::ElementsAre("ADDED rex", "DELETED rex"));
  EXPECT_EQ(server_.watches(), 0);
}

TEST_F(CustomResourcesTest, AWatchEndsWhenTheDefinitionChanges) {
  auto watcher = Client("v1").Watch(Context());
  ASSERT_THAT(watcher, IsOk());
  const auto change = [](CustomResourceDefinition& crd) {
    crd.spec.versions[1].served = false;
    return absl::OkStatus();
  };
  ASSERT_THAT(definitions_.Edit(Context(), kName, change), IsOk());
  EXPECT_THAT(All(**watcher), ::testing::ElementsAre("ADDED rex"));
}

TEST_F(CustomResourcesTest, AWatchGoesOnWhenTheDefinitionStaysTheSame) {
  auto watcher = Client("v1").Watch(Context());
  ASSERT_THAT(watcher, IsOk());
  const auto change = [](CustomResourceDefinition& crd) {
    crd.metadata.labels["a"] = "b";
    return absl::OkStatus();
  };
  ASSERT_THAT(definitions_.Edit(Context(), kName, change), IsOk());
  EXPECT_EQ(server_.watches(), 1);
}

// Objects are written in the version that is stored now, and no other, also where nothing else
// changes: what migrations of storage do.
TEST_F(CustomResourcesTest, AnUpdateOfNothingMigratesTheStorage) {
  const auto change = [](CustomResourceDefinition& crd) {
    crd.spec.versions[0].storage = false;
    crd.spec.versions[1].storage = true;
    return absl::OkStatus();
  };
  ASSERT_THAT(definitions_.Edit(Context(), kName, change), IsOk());
  const absl::StatusOr<Unstructured> before = Client("v1").Get(Context(), "rex");
  ASSERT_THAT(before, IsOk());
  const absl::StatusOr<Unstructured> once = Client("v1").Update(Context(), *before);
  ASSERT_THAT(once, IsOk());
  EXPECT_NE(once->resource_version(), before->resource_version());
  const absl::StatusOr<Unstructured> twice = Client("v1").Update(Context(), *once);
  ASSERT_THAT(twice, IsOk());
  EXPECT_EQ(twice->resource_version(), once->resource_version());
}

// Whatever a writer meets, it is an answer.
TEST_F(CustomResourcesTest, DefinitionsComeAndGoWhileObjectsAreWritten) {
  std::atomic<bool> done = false;
  base::ThreadGroup threads{Context()};
  for (int writer = 0; writer < 2; ++writer) {
    threads.Go("writer", [&, writer](const Context&) {
      for (int i = 0; !done; ++i) {
        const absl::Status made = Make(absl::StrCat("dog-", writer, "-", i));
        EXPECT_TRUE(made.ok() || errors::IsNotFound(made) || errors::IsForbidden(made)) << made;
      }
      return absl::OkStatus();
    });
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_THAT(definitions_.Delete(Context(), kName), IsOk());
    while (!errors::IsNotFound(definitions_.Get(Context(), kName).status())) {
    }
    EXPECT_THAT(definitions_.Create(Context(), Dogs()), IsOk());
  }
  done = true;
  EXPECT_THAT(threads.Wait(), IsOk());
  EXPECT_THAT(Make("last"), IsOk());
}

}  // namespace
}  // namespace kube::envtest
