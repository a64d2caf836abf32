#include "clientset/generic/internal/client_core.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/meta/object_name.h"
#include "apiserver/handler.h"
#include "clientset/generic/call.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::generic::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;

class ClientCoreTest : public testing::Test {
 protected:
  KindClient Maps() const {
    return core_.ClientOf({.version = "v1", .plural = "configmaps", .kind = "ConfigMap"},
                          corev1::ConfigMap::kMessage);
  }
  KindClient Nodes() const {
    return core_.ClientOf({.version = "v1", .plural = "nodes", .kind = "Node", .namespaced = false},
                          corev1::Node::kMessage);
  }

  apiserver::ApiHandler server_;
  ClientCore core_ = ClientCore(*rest::MakeClient(envtest::InProcessConfig(server_)), nullptr);
};

TEST_F(ClientCoreTest, Complete_EachScopeAndNamespace) {
  const struct {
    const char* name;
    bool of_maps;
    const char* own;
    const char* asked;
    Verb verb;
    const char* completed;  // null: an error
  } kRows[] = {
      {"no namespace of the client", true, "", "a", Verb::kGet, "a"},
      {"none at all", true, "", "", Verb::kGet, nullptr},
      {"that of the client", true, "a", "", Verb::kCreate, "a"},
      {"the same", true, "a", "a", Verb::kUpdate, "a"},
      {"another, of a read", true, "a", "b", Verb::kGet, nullptr},
      {"another, of a write", true, "a", "b", Verb::kPatch, nullptr},
      {"cluster-scoped", false, "", "", Verb::kGet, ""},
      {"cluster-scoped, with a namespace", false, "", "b", Verb::kDelete, ""},
      {"cluster-scoped, of a read", false, "a", "b", Verb::kGet, ""},
      {"cluster-scoped, of an apply", false, "a", "b", Verb::kApply, ""},
      {"cluster-scoped, of a write", false, "a", "b", Verb::kDelete, nullptr},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    core_.policy().namespace_name = row.own;
    meta::ObjectName name = {.namespace_name = row.asked, .name = "x"};
    const absl::Status status = core_.Complete(row.of_maps ? Maps() : Nodes(), row.verb, name);
    if (row.completed == nullptr) {
      EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument));
    } else {
      EXPECT_THAT(status, IsOk());
      EXPECT_EQ(name.namespace_name, row.completed);
    }
  }
}

TEST_F(ClientCoreTest, NamespaceOf_ACollectionNeedsOne_AListDoesNot) {
  EXPECT_THAT(core_.NamespaceOf(Maps(), Verb::kList, ""), IsOkAndHolds(std::string()));
  EXPECT_THAT(
      core_.NamespaceOf(Maps(), Verb::kDeleteAll, ""),
      StatusIs(absl::StatusCode::kInvalidArgument, "delete configmaps: a namespace is required"));
  EXPECT_THAT(core_.NamespaceOf(Maps(), Verb::kDeleteAll, "a"), IsOkAndHolds(std::string("a")));
  EXPECT_THAT(core_.NamespaceOf(Nodes(), Verb::kDeleteAll, "a"), IsOkAndHolds(std::string()));
  core_.policy().namespace_name = "own";
  EXPECT_THAT(core_.NamespaceOf(Maps(), Verb::kList, "a"), IsOkAndHolds(std::string("own")));
}

TEST_F(ClientCoreTest, Complete_OptionsOfTheCallComeFirst_ButForDryRuns) {
  core_.policy() = {.namespace_name = "",
                    .field_owner = "tool",
                    .field_validation = "Strict",
                    .dry_run = true,
                    .subresource = ""};
  const metav1::UpdateOptions completed = core_.Complete(metav1::UpdateOptions());
  EXPECT_EQ(completed.field_manager, "tool");
  EXPECT_EQ(completed.field_validation, "Strict");
  EXPECT_THAT(completed.dry_run, ElementsAre("All"));
  const metav1::PatchOptions own =
      core_.Complete(metav1::PatchOptions{.field_manager = "own", .field_validation = "Warn"});
  EXPECT_EQ(own.field_manager, "own");
  EXPECT_EQ(own.field_validation, "Warn");
  EXPECT_THAT(own.dry_run, ElementsAre("All"));
  EXPECT_THAT(core_.Complete(metav1::DeleteOptions()).dry_run, ElementsAre("All"));
  EXPECT_EQ(core_.Complete(metav1::ApplyOptions()).field_manager, "tool");
}

TEST_F(ClientCoreTest, FindReader_TheLastOfTheTypeAndKind) {
  const KindClient maps = Maps();
  EXPECT_EQ(core_.FindReader(corev1::ConfigMap::kMessage, maps.kind), nullptr);
  const auto first = std::make_shared<const int>(1);
  const auto second = std::make_shared<const int>(2);
  core_.AddReader(corev1::ConfigMap::kMessage, maps.kind, first);
  core_.AddReader(corev1::ConfigMap::kMessage, maps.kind, second);
  EXPECT_EQ(core_.FindReader(corev1::ConfigMap::kMessage, maps.kind), second);
  EXPECT_EQ(core_.FindReader(corev1::ConfigMap::kMessage, Nodes().kind), nullptr);
  EXPECT_EQ(core_.FindReader(corev1::Node::kMessage, maps.kind), nullptr);
}

}  // namespace
}  // namespace kube::generic::internal
