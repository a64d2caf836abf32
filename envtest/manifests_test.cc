#include "envtest/manifests.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/handler.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A definition, an object of its kind, and objects with and without a namespace of their own.
constexpr char kManifest[] = R"(apiVersion: v1
kind: Namespace
metadata:
  name: prod
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: dogs.example.com
spec:
  group: example.com
  names: {kind: Dog, listKind: DogList, plural: dogs, singular: dog}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
---
apiVersion: example.com/v1
kind: Dog
metadata:
  name: rex
  namespace: prod
---
# nothing
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  a: b
)";

class InstallManifestsTest : public testing::Test {
 protected:
  absl::StatusOr<std::vector<std::string>> Install(const ManifestOptions& options) {
    return InstallManifests(Context(), client_, options);
  }
  absl::Status Get(absl::string_view group, absl::string_view plural, absl::string_view space,
                   absl::string_view name) {
    return dynamic::DynamicClient(client_)
        .Resource({.group = std::string(group), .version = "v1", .resource = std::string(plural)})
        .Namespace(space)
        .Get(Context(), name)
        .status();
  }

  apiserver::ApiHandler server_;
  const rest::Client client_ = *rest::MakeClient(InProcessConfig(server_));
};

TEST_F(InstallManifestsTest, DocumentsOfAllKinds_AreApplied) {
  const auto left_out = InstallManifests(Context(), client_, {.manifest = kManifest});
  ASSERT_THAT(left_out, IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(Get("", "namespaces", "", "prod"), IsOk());
  EXPECT_THAT(Get("example.com", "dogs", "prod", "rex"), IsOk());
  EXPECT_THAT(Get("", "configmaps", "default", "settings"), IsOk());
  // Once more, elsewhere.
  EXPECT_THAT(Install({.manifest = kManifest, .namespace_name = "prod"}), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(Get("", "configmaps", "prod", "settings"), IsOk());
}

TEST_F(InstallManifestsTest, AKindThatTheServerDoesNotHave_IsAnErrorOrLeftOut) {
  constexpr char kUnknown[] = R"(apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: metrics}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
)";
  EXPECT_THAT(Install({.manifest = kUnknown}).status(),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr("manifest"), HasSubstr("ServiceMonitor \"metrics\""))));
  EXPECT_THAT(Get("", "configmaps", "default", "settings"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(Install({.manifest = kUnknown, .skip_unknown_kinds = true}),
              IsOkAndHolds(ElementsAre("ServiceMonitor \"metrics\"")));
  EXPECT_THAT(Get("", "configmaps", "default", "settings"), IsOk());
}

TEST_F(InstallManifestsTest, WhatIsWrongInADocument_IsSaidWithItsLine) {
  constexpr char kNameless[] =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n"
      "apiVersion: v1\nkind: ConfigMap\n";
  EXPECT_THAT(Install({.manifest = kNameless}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("line 5"), HasSubstr("the ConfigMap has no name"))));
  EXPECT_THAT(Get("", "configmaps", "default", "a"), IsOk()) << "it stood before";
  constexpr char kWrong[] = R"(apiVersion: v1
kind: Service
metadata: {name: web}
spec: {ports: [{port: 0}]}
)";
  EXPECT_THAT(Install({.manifest = kWrong}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("apply Service \"web\"")));
  EXPECT_THAT(Install({.paths = {"/none/install.yaml"}}).status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/none/install.yaml")));
}

}  // namespace
}  // namespace kube::envtest
