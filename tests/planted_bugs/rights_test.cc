// The rights of the librarian, of which one is missing, or one too many.

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/operator_world.h"
#include "controller/testing/operator_world_options.h"
#include "envtest/service_account.h"
#include "gtest/gtest.h"
#include "tests/planted_bugs/librarian.h"
#include "tests/planted_bugs/scenario.h"

namespace kube::planted_bugs {
namespace {

using controller::AuditKind;
using controller::OperatorWorld;
using controller::OperatorWorldOptions;

constexpr char kAccount[] = R"(
apiVersion: v1
kind: Namespace
metadata: {name: librarian}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: librarian, namespace: librarian}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: librarian}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: librarian}
subjects:
- {kind: ServiceAccount, name: librarian, namespace: librarian}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: librarian}
rules:
- {apiGroups: [library.example.com], resources: [shelves], verbs: [get, list, patch, watch]}
- {apiGroups: [library.example.com], resources: [shelves/status], verbs: [patch]}
)";

// Returns a world in which the operator has the rights of kAccount and these verbs on config maps.
OperatorWorldOptions WorldWith(absl::string_view verbs, absl::string_view more = "") {
  OperatorWorldOptions options = ShelfWorld();
  options.audits.finalizers = {"library.example.com/catalogue"};
  options.account = envtest::ServiceAccountOptions{
      .manifest = absl::StrCat(kAccount, "- {apiGroups: [\"\"], resources: [configmaps], verbs: [",
                               verbs, "]}\n", more)};
  return options;
}

TEST(RightsTest, TheRightsThatSuffice_PassTheAudits) {
  OperatorWorldOptions options = WorldWith("create, delete, get, list, patch, watch");
  options.audit_unused_rights = true;
  OperatorWorld world(options);
  world.Add<Librarian>();
  const absl::Status result = world.Run(LifeOfShelves);
  EXPECT_TRUE(result.ok()) << result;
}

TEST(RightsTest, ARightThatIsMissing_IsFound) {
  OperatorWorld world(WorldWith("create, get, list, patch, watch"));
  world.Add<Librarian>();
  EXPECT_TRUE(Finds(world, LifeOfShelves, AuditKind::kMissingRight));
}

TEST(RightsTest, ARightThatIsNeverUsed_IsFound) {
  OperatorWorldOptions options =
      WorldWith("create, delete, get, list, patch, watch",
                "- {apiGroups: [\"\"], resources: [secrets], verbs: [get, list]}\n");
  options.audit_unused_rights = true;
  OperatorWorld world(options);
  world.Add<Librarian>();
  EXPECT_TRUE(Finds(world, LifeOfShelves, AuditKind::kUnusedRight));
}

}  // namespace
}  // namespace kube::planted_bugs
