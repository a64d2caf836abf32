#include "apiserver/auth/rbac_policy_cache.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/auth/rbac_policy.h"
#include "apiserver/auth/testing/rbac_object.h"
#include "apiserver/request_info.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;

constexpr absl::string_view kRoles = "rbac.authorization.k8s.io/roles";
constexpr absl::string_view kBindings = "rbac.authorization.k8s.io/rolebindings";
constexpr absl::string_view kRole =
    R"({"metadata":{"name":"r","namespace":"n"},)"
    R"("rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]})";
constexpr absl::string_view kBinding =
    R"({"metadata":{"name":"b","namespace":"n"},"roleRef":{"kind":"Role","name":"r"},)"
    R"("subjects":[{"kind":"User","name":"ann"}]})";

bool AnnMay(RbacPolicyCache& cache) {
  return cache.Get()
      ->Authorize(
          {.name = "ann"},
          {.is_resource_request = true, .verb = "get", .namespace_name = "n", .resource = "pods"})
      .allowed;
}

TEST(RbacPolicyCache, SeesEachWrite) {
  Storage storage;
  RbacPolicyCache cache(storage);
  EXPECT_FALSE(AnnMay(cache));
  ASSERT_THAT(storage.Create(kBindings, "n/b", RbacObject("RoleBinding", kBinding)), IsOk());
  EXPECT_FALSE(AnnMay(cache)) << "there is no role";
  const auto role = storage.Create(kRoles, "n/r", RbacObject("Role", kRole));
  ASSERT_THAT(role, IsOk());
  EXPECT_TRUE(AnnMay(cache));
  const auto empty =
      storage.Update(kRoles, "n/r", (*role)->revision(),
                     RbacObject("Role", R"({"metadata":{"name":"r","namespace":"n"}})"));
  ASSERT_THAT(empty, IsOk());
  EXPECT_FALSE(AnnMay(cache));
  ASSERT_THAT(storage.Update(kRoles, "n/r", (*empty)->revision(), RbacObject("Role", kRole)),
              IsOk());
  EXPECT_TRUE(AnnMay(cache));
  const int64_t revision = storage.Get(kBindings, "n/b")->revision();
  ASSERT_THAT(storage.Delete(kBindings, "n/b", revision, RbacObject("RoleBinding", kBinding)),
              IsOk());
  EXPECT_FALSE(AnnMay(cache));
}

TEST(RbacPolicyCache, IsMadeOnceForManyChecks) {
  Storage storage;
  RbacPolicyCache cache(storage);
  const std::shared_ptr<const RbacPolicy> policy = cache.Get();
  EXPECT_EQ(cache.Get(), policy);
  ASSERT_THAT(storage.Create("/configmaps", "n/r", RbacObject("Role", kRole)), IsOk());
  EXPECT_EQ(cache.Get(), policy) << "other resources do not matter";
  ASSERT_THAT(storage.Create(kRoles, "n/r", RbacObject("Role", kRole)), IsOk());
  EXPECT_NE(cache.Get(), policy);
}

TEST(RbacPolicyCache, MayGoBeforeTheStorage) {
  Storage storage;
  std::optional<RbacPolicyCache> cache(std::in_place, storage);
  const std::shared_ptr<const RbacPolicy> policy = cache->Get();
  cache.reset();
  ASSERT_THAT(storage.Create(kRoles, "n/r", RbacObject("Role", kRole)), IsOk());
  EXPECT_FALSE(policy->Authorize({.name = "ann"}, {.path = "/x", .verb = "get"}).allowed);
}

}  // namespace
}  // namespace kube::apiserver::internal
