#include "apiserver/auth/escalation.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/auth/rbac_policy.h"
#include "apiserver/auth/testing/rbac_object.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;

// "ann" may get pods in "n", "root" may do everything, and a role of "lost" does not exist.
RbacObjects Sample() {
  RbacObjects objects;
  objects.roles = {
      RbacObjectPtr("Role",
                    R"({"metadata":{"name":"reader","namespace":"n"},)"
                    R"("rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]})"),
      RbacObjectPtr("Role", R"({"metadata":{"name":"writer","namespace":"n"},)"
                            R"("rules":[{"verbs":["*"],"apiGroups":[""],"resources":["pods"]}]})"),
  };
  objects.cluster_roles = {RbacObjectPtr(
      "ClusterRole",
      R"({"metadata":{"name":"all"},"rules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"]},)"
      R"({"verbs":["*"],"nonResourceURLs":["*"]}]})")};
  objects.cluster_role_bindings = {
      RbacObjectPtr("ClusterRoleBinding",
                    R"({"metadata":{"name":"all"},"roleRef":{"kind":"ClusterRole","name":"all"},)"
                    R"("subjects":[{"kind":"User","name":"root"}]})")};
  objects.role_bindings = {
      RbacObjectPtr("RoleBinding", R"({"metadata":{"name":"a","namespace":"n"},)"
                                   R"("roleRef":{"kind":"Role","name":"reader"},)"
                                   R"("subjects":[{"kind":"User","name":"ann"}]})"),
      RbacObjectPtr("RoleBinding", R"({"metadata":{"name":"b","namespace":"n"},)"
                                   R"("roleRef":{"kind":"Role","name":"gone"},)"
                                   R"("subjects":[{"kind":"User","name":"lost"}]})"),
  };
  return objects;
}

std::string RoleJson(absl::string_view rules, absl::string_view metadata = "") {
  return absl::StrCat(R"({"metadata":{"name":"r","namespace":"n")", metadata, R"(},"rules":[)",
                      rules, "]}");
}

constexpr absl::string_view kGetPods = R"({"verbs":["get"],"apiGroups":[""],"resources":["pods"]})";
constexpr absl::string_view kListPods =
    R"({"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]})";

std::string BindingJson(absl::string_view role) {
  return absl::StrCat(R"({"metadata":{"name":"b","namespace":"n"},"roleRef":)", role, "}");
}

// A write, and who sends it.
class Writer {
 public:
  explicit Writer(User user, std::string may = "") : user_(std::move(user)), may_(std::move(may)) {}

  absl::Status Write(absl::string_view resource, absl::string_view kind, absl::string_view json,
                     std::optional<std::string> old = std::nullopt) const {
    const RbacPolicy policy(Sample());
    const RequestInfo info = {.is_resource_request = true,
                              .verb = old.has_value() ? "update" : "create",
                              .group = "rbac.authorization.k8s.io",
                              .namespace_name = kind == "ClusterRole" ? "" : "n",
                              .resource = std::string(resource),
                              .name = old.has_value() ? "r" : ""};
    const auto allows = [this](const RequestInfo& asked) {
      return absl::StrCat(asked.verb, " ", asked.resource, " ", asked.name) == may_;
    };
    const Object object = RbacObject(kind, json);
    std::optional<Object> before;
    if (old.has_value()) before = RbacObject(kind, *old);
    return CheckEscalation({.user = user_, .info = info, .policy = policy, .allows = allows},
                           before.has_value() ? &*before : nullptr, object);
  }

 private:
  const User user_;
  // The request that the authorizer allows, as "VERB RESOURCE NAME".
  const std::string may_;
};

TEST(CheckEscalation, GivesWhatOneHas) {
  const Writer ann({.name = "ann", .groups = {"devs", "system:authenticated"}});
  EXPECT_THAT(ann.Write("roles", "Role", RoleJson(kGetPods)), IsOk());
  const absl::Status denied = ann.Write("roles", "Role", RoleJson(kListPods));
  EXPECT_TRUE(errors::IsForbidden(denied));
  EXPECT_EQ(denied.message(),
            "roles.rbac.authorization.k8s.io \"r\" is forbidden: user \"ann\" (groups=[\"devs\" "
            "\"system:authenticated\"]) is attempting to grant RBAC permissions not currently "
            "held:\n{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"list\"]}");
}

TEST(CheckEscalation, TellsRolesThatDoNotExist) {
  EXPECT_EQ(Writer({.name = "lost"}).Write("roles", "Role", RoleJson(kGetPods)).message(),
            "roles.rbac.authorization.k8s.io \"r\" is forbidden: user \"lost\" (groups=[]) is "
            "attempting to grant RBAC permissions not currently held:\n{APIGroups:[\"\"], "
            "Resources:[\"pods\"], Verbs:[\"get\"]}; resolution errors: "
            "[roles.rbac.authorization.k8s.io \"gone\" not found]");
}

TEST(CheckEscalation, AllowsMoreToSome) {
  struct Row {
    const char* name;
    Writer writer;
    bool create;
  };
  const Row rows[] = {
      {"an administrator", Writer({.name = "x", .groups = {"system:masters"}}), true},
      {"a user who may escalate new roles", Writer({.name = "ann"}, "escalate roles "), true},
      {"a user who may escalate this role", Writer({.name = "ann"}, "escalate roles r"), false},
      {"a user who may do everything", Writer({.name = "root"}), true},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    std::optional<std::string> old;
    if (!row.create) old = RoleJson(kGetPods);
    EXPECT_THAT(row.writer.Write("roles", "Role", RoleJson(kListPods), old), IsOk());
  }
}

TEST(CheckEscalation, LooksAtTheWholeRoleOfAnUpdate) {
  const Writer ann({.name = "ann"});
  // It keeps what it had, which is more than the user has.
  EXPECT_TRUE(errors::IsForbidden(ann.Write(
      "roles", "Role", RoleJson(kListPods, R"(,"labels":{"a":"b"})"), RoleJson(kListPods))));
  EXPECT_THAT(ann.Write("roles", "Role", RoleJson(kListPods, R"(,"finalizers":["a.io/b"])"),
                        RoleJson(kListPods)),
              IsOk())
      << "only for the garbage collector";
}

TEST(CheckEscalation, NeedsEverythingForAggregation) {
  const absl::string_view aggregated =
      R"({"metadata":{"name":"r"},"aggregationRule":{"clusterRoleSelectors":[{}]}})";
  const Writer ann({.name = "ann"});
  EXPECT_EQ(ann.Write("clusterroles", "ClusterRole", aggregated).message(),
            "clusterroles.rbac.authorization.k8s.io \"r\" is forbidden: must have cluster-admin "
            "privileges to use the aggregationRule");
  EXPECT_TRUE(errors::IsForbidden(ann.Write(
      "clusterroles", "ClusterRole", R"({"metadata":{"name":"r"}})", std::string(aggregated))))
      << "nor may its rule be taken away";
  EXPECT_THAT(Writer({.name = "root"}).Write("clusterroles", "ClusterRole", aggregated), IsOk());
}

TEST(CheckEscalation, BindsWhatOneHas) {
  const std::string reader = BindingJson(R"({"kind":"Role","name":"reader"})");
  const std::string writer = BindingJson(R"({"kind":"Role","name":"writer"})");
  const Writer ann({.name = "ann"});
  EXPECT_THAT(ann.Write("rolebindings", "RoleBinding", reader), IsOk());
  EXPECT_EQ(
      ann.Write("rolebindings", "RoleBinding", writer).message(),
      "rolebindings.rbac.authorization.k8s.io \"b\" is forbidden: user \"ann\" (groups=[]) is "
      "attempting to grant RBAC permissions not currently held:\n{APIGroups:[\"\"], "
      "Resources:[\"pods\"], Verbs:[\"*\"]}");
  EXPECT_THAT(
      Writer({.name = "ann"}, "bind roles writer").Write("rolebindings", "RoleBinding", writer),
      IsOk());
  const std::string all = BindingJson(R"({"kind":"ClusterRole","name":"all"})");
  EXPECT_TRUE(errors::IsForbidden(ann.Write("rolebindings", "RoleBinding", all)));
  EXPECT_THAT(
      Writer({.name = "ann"}, "bind clusterroles all").Write("rolebindings", "RoleBinding", all),
      IsOk());
}

TEST(CheckEscalation, NeedsTheRoleOfABinding) {
  const Writer root({.name = "root"});
  const absl::Status gone =
      root.Write("rolebindings", "RoleBinding", BindingJson(R"({"kind":"Role","name":"gone"})"));
  EXPECT_TRUE(errors::IsNotFound(gone));
  EXPECT_EQ(gone.message(), "rolebindings.rbac.authorization.k8s.io \"gone\" not found");
  EXPECT_EQ(root.Write("rolebindings", "RoleBinding", BindingJson(R"({"kind":"Rule","name":"x"})"))
                .message(),
            "unsupported role reference kind: \"Rule\"");
}

}  // namespace
}  // namespace kube::apiserver::internal
