#include "apiserver/type_checking/policy_status.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/object.h"
#include "apiserver/policies/testing/policy_case.h"
#include "apiserver/registry/registry.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using Policy = api::admissionregistration::v1::ValidatingAdmissionPolicy;

constexpr char kStorage[] = "admissionregistration.k8s.io/validatingadmissionpolicies";

class PolicyStatusTest : public testing::Test {
 protected:
  explicit PolicyStatusTest(StorageOptions options = {}) : storage_(options) {}

  Target TargetOf(absl::string_view name, absl::string_view subresource = "") const {
    return {.resource = resources_->Find("admissionregistration.k8s.io", "v1",
                                         "validatingadmissionpolicies"),
            .name = std::string(name),
            .subresource = std::string(subresource)};
  }

  void Create(absl::string_view name, absl::string_view expression) {
    ASSERT_THAT(registry_.Create(
                    TargetOf(name),
                    ObjectOfJson(
                        "admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy",
                        absl::StrCat(R"({"metadata":{"name":")", name,
                                     R"("},"spec":{"matchConstraints":{"resourceRules":[)",
                                     R"({"operations":["*"],"apiGroups":["apps"],)",
                                     R"("apiVersions":["v1"],"resources":["deployments"]}]},)",
                                     R"("validations":[{"expression":")", expression, R"("}]}})"))),
                IsOk());
  }

  void Update(const Target& target, absl::FunctionRef<void(Policy&)> change) {
    ASSERT_THAT(registry_.Update(target,
                                 [&](const StoredObject& current) -> absl::StatusOr<Object> {
                                   Object changed = current.object().Copy();
                                   change(*changed.As<Policy>());
                                   return changed;
                                 }),
                IsOk());
  }

  // Returns the policy as it is stored.
  Policy Stored(absl::string_view name) const {
    return *storage_.Get(kStorage, name)->object().As<Policy>();
  }

  ResourceTable table_{Resources::BuiltIn()};
  const std::shared_ptr<const Resources> resources_ = table_.Get();
  Storage storage_;
  Registry registry_{storage_, table_};
  PolicyStatus status_{registry_, table_};
};

class ShortHistory : public PolicyStatusTest {
 protected:
  ShortHistory() : PolicyStatusTest(StorageOptions{.max_changes = 1}) {}
};

TEST_F(PolicyStatusTest, SaysThatNothingIsWrong) {
  ASSERT_NO_FATAL_FAILURE(Create("p", "object.spec.replicas > 1"));
  EXPECT_TRUE(status_.Settle());
  const Policy policy = Stored("p");
  EXPECT_EQ(policy.status.observed_generation, 1);
  ASSERT_TRUE(policy.status.type_checking.has_value());
  EXPECT_TRUE(policy.status.type_checking->expression_warnings.empty());
  EXPECT_FALSE(status_.Settle()) << "its own write is nothing to do, and was looked at";
}

TEST_F(PolicyStatusTest, HasTheWarningsOfTheLatestGeneration) {
  ASSERT_NO_FATAL_FAILURE(Create("p", "object.spec.replica > 1"));
  status_.Settle();
  const Policy bad = Stored("p");
  ASSERT_TRUE(bad.status.type_checking.has_value());
  ASSERT_EQ(bad.status.type_checking->expression_warnings.size(), 1u);
  EXPECT_EQ(bad.status.type_checking->expression_warnings[0].field_ref,
            "spec.validations[0].expression");

  ASSERT_NO_FATAL_FAILURE(Update(TargetOf("p"), [](Policy& policy) {
    policy.spec.validations[0].expression = "object.spec.replicas > 1";
  }));
  EXPECT_EQ(Stored("p").status.observed_generation, 1) << "nobody has looked yet";
  status_.Settle();
  const Policy good = Stored("p");
  EXPECT_EQ(good.status.observed_generation, 2);
  ASSERT_TRUE(good.status.type_checking.has_value());
  EXPECT_TRUE(good.status.type_checking->expression_warnings.empty());
}

TEST_F(PolicyStatusTest, LeavesAloneWhatItHasLookedAt) {
  ASSERT_NO_FATAL_FAILURE(Create("p", "object.spec.replica > 1"));
  status_.Settle();
  ASSERT_NO_FATAL_FAILURE(
      Update(TargetOf("p", "status"), [](Policy& policy) { policy.status.type_checking.reset(); }));
  const int64_t revision = storage_.revision();
  EXPECT_TRUE(status_.Settle());
  EXPECT_EQ(storage_.revision(), revision);
}

TEST_F(PolicyStatusTest, ForgetsPoliciesThatAreGone) {
  ASSERT_NO_FATAL_FAILURE(Create("p", "true"));
  ASSERT_THAT(registry_.Delete(TargetOf("p"), {}), IsOk());
  EXPECT_TRUE(status_.Settle());
  EXPECT_EQ(storage_.Get(kStorage, "p"), nullptr);
}

TEST_F(ShortHistory, DoesNotHidePolicies) {
  for (const char* name : {"a", "b", "c"}) ASSERT_NO_FATAL_FAILURE(Create(name, "true"));
  EXPECT_TRUE(status_.Settle());
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_EQ(Stored(name).status.observed_generation, 1) << name;
  }
}

}  // namespace
}  // namespace kube::apiserver::internal
