#include "apiserver/policies/policy_set.h"

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/policies/testing/policy_case.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using testing::IsNull;
using testing::NotNull;
using testing::SizeIs;

constexpr char kTrue[] = R"("validations":[{"expression":"true"}])";

RequestInfo About(absl::string_view verb, absl::string_view resource) {
  return {.is_resource_request = true,
          .verb = std::string(verb),
          .version = "v1",
          .namespace_name = "default",
          .resource = std::string(resource)};
}

TEST(PolicySource, KnowsWhatIsBound) {
  const Resources resources = Resources::BuiltIn();
  Storage storage;
  PolicySource source(storage);
  const RequestInfo creation = About("create", "configmaps");
  EXPECT_THAT(source.For(creation, resources), IsNull());
  StoreBoundPolicy(storage, "p", kTrue);
  const std::shared_ptr<const PolicySet> set = source.For(creation, resources);
  ASSERT_THAT(set, NotNull());
  ASSERT_THAT(set->policies, SizeIs(1));
  EXPECT_EQ(set->policies[0]->name, "p");
  ASSERT_THAT(set->policies[0]->bindings, SizeIs(1));
  EXPECT_TRUE(set->policies[0]->bindings[0].denies);
  EXPECT_FALSE(set->policies[0]->bindings[0].warns);
}

TEST(PolicySource, IsForRequestsThatRulesSelect) {
  const Resources resources = Resources::BuiltIn();
  Storage storage;
  StoreBoundPolicy(storage, "p", kTrue);
  PolicySource source(storage);
  EXPECT_THAT(source.For(About("create", "configmaps"), resources), NotNull());
  EXPECT_THAT(source.For(About("update", "configmaps"), resources), NotNull())
      << "an update may create";
  EXPECT_THAT(source.For(About("delete", "configmaps"), resources), IsNull());
  EXPECT_THAT(source.For(About("get", "configmaps"), resources), IsNull());
  EXPECT_THAT(source.For(About("create", "secrets"), resources), IsNull());
}

TEST(PolicySource, ForgetsPoliciesWithoutBindings) {
  const Resources resources = Resources::BuiltIn();
  Storage storage;
  StoreBoundPolicy(storage, "p", kTrue);
  PolicySource source(storage);
  const RequestInfo creation = About("create", "configmaps");
  EXPECT_THAT(source.For(creation, resources), NotNull());
  constexpr char kBindings[] = "admissionregistration.k8s.io/validatingadmissionpolicybindings";
  const ObjectPtr binding = storage.Get(kBindings, "p");
  ASSERT_THAT(binding, NotNull());
  EXPECT_THAT(storage.Delete(kBindings, "p", binding->revision(), binding->object().Copy()),
              IsOk());
  EXPECT_THAT(source.For(creation, resources), IsNull());
}

TEST(PolicySource, KeepsWhyAnExpressionCannotBeCompiled) {
  const Resources resources = Resources::BuiltIn();
  Storage storage;
  StoreBoundPolicy(storage, "p", R"("validations":[{"expression":"1"}])");
  PolicySource source(storage);
  const std::shared_ptr<const PolicySet> set = source.For(About("create", "configmaps"), resources);
  ASSERT_THAT(set, NotNull());
  ASSERT_THAT(set->policies[0]->validations, SizeIs(1));
  EXPECT_EQ(set->policies[0]->validations[0].expression.program.status().message(),
            "must evaluate to bool but got int");
}

}  // namespace
}  // namespace kube::apiserver::internal
