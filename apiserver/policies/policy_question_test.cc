#include "apiserver/policies/policy_question.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/policies/policy_set.h"
#include "apiserver/policies/testing/policy_case.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/webhooks/admission_question.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using testing::SizeIs;
using unstructured::Value;

class PolicyQuestion : public testing::Test {
 protected:
  PolicyQuestion() : resources_(Resources::BuiltIn()) {}

  const Resources resources_;
  Storage storage_;
  ConfigMapCreation creation_{resources_, R"({"metadata":{"name":"m"}})"};
};

TEST_F(PolicyQuestion, HasTheObjectAndTheRequest) {
  const absl::StatusOr<VersionedQuestion> versioned =
      VersionedIn(creation_.question(), creation_.resource());
  ASSERT_THAT(versioned, IsOk());
  EXPECT_EQ(versioned->object["kind"].text(), "ConfigMap");
  EXPECT_TRUE(versioned->old_object.is_null());
  EXPECT_EQ(versioned->request["operation"].text(), "CREATE");
  EXPECT_EQ(versioned->request["userInfo"]["username"].text(), "ann");
  EXPECT_TRUE(versioned->request["object"].is_null());
  EXPECT_TRUE(versioned->condition_request["uid"].is_null());
  EXPECT_EQ(RequestNameOf(creation_.question()), "m");
}

TEST_F(PolicyQuestion, HasTheNamespaceWithoutItsOwners) {
  const AdmissionQuestion question = creation_.question();
  EXPECT_TRUE(errors::IsNotFound(NamespaceObjectOf(question, storage_).status()));
  EXPECT_THAT(storage_.Create("/namespaces", "default",
                              ObjectOfJson("v1", "Namespace",
                                           R"({"metadata":{"name":"default","ownerReferences":[)"
                                           R"({"name":"o"}]}})")),
              IsOk());
  const absl::StatusOr<Value> found = NamespaceObjectOf(question, storage_);
  ASSERT_THAT(found, IsOk());
  EXPECT_EQ((*found)["metadata"]["name"].text(), "default");
  EXPECT_TRUE((*found)["metadata"]["ownerReferences"].is_null());
  EXPECT_TRUE((*found)["kind"].is_null());
}

TEST_F(PolicyQuestion, ParametersAreNullAloneIfThereAreNone) {
  const absl::StatusOr<std::vector<Value>> values =
      ParamsOf(PolicyBinding(), nullptr, "default", storage_);
  ASSERT_THAT(values, IsOk());
  ASSERT_THAT(*values, SizeIs(1));
  EXPECT_TRUE((*values)[0].is_null());
}

TEST_F(PolicyQuestion, ReviewsOfAccessAreExcluded) {
  EXPECT_TRUE(IsExcludedFromPolicies(
      *resources_.Find("authorization.k8s.io", "v1", "subjectaccessreviews")));
  EXPECT_TRUE(
      IsExcludedFromPolicies(*resources_.Find("authentication.k8s.io", "v1", "tokenreviews")));
  EXPECT_FALSE(IsExcludedFromPolicies(creation_.resource()));
}

}  // namespace
}  // namespace kube::apiserver::internal
