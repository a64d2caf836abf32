#include "apiserver/policies/policy_admission.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/object.h"
#include "apiserver/policies/policy_set.h"
#include "apiserver/policies/testing/policy_case.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;

std::string Says(absl::string_view expression, absl::string_view more = "") {
  return absl::StrCat(R"("validations":[{"expression":")", expression, "\"}]", more);
}

class PolicyAdmissionTest : public testing::Test {
 protected:
  PolicyAdmissionTest() : resources_(Resources::BuiltIn()) {}

  void SetUp() override {
    EXPECT_THAT(
        storage_.Create("/namespaces", "default",
                        ObjectOfJson("v1", "Namespace", R"({"metadata":{"name":"default"}})")),
        IsOk());
  }

  // Returns the message of the denial, or "".
  std::string Denial() {
    ConfigMapCreation creation(resources_, R"({"metadata":{"name":"m"},"data":{"x":"y"}})");
    PolicySource source(storage_);
    std::shared_ptr<const PolicySet> policies = source.For(creation.info(), resources_);
    if (policies == nullptr) return "no policy";
    const auto authorize = [](const User& user, const RequestInfo& info) -> Decision {
      return {.allowed = user.name == "ann" && info.verb == "approve"};
    };
    PolicyAdmission admission(PolicyAdmission::Parts{
        .policies = std::move(policies), .authorize = authorize, .storage = &storage_});
    return std::string(admission.Validate(creation.question()).error.message());
  }

  const Resources resources_;
  Storage storage_;
};

TEST_F(PolicyAdmissionTest, TheFirstDenialByNameIsTheAnswer) {
  StoreBoundPolicy(storage_, "b", Says("false"));
  StoreBoundPolicy(storage_, "a", Says("object.data.x == 'z'"));
  EXPECT_EQ(Denial(),
            "configmaps \"m\" is forbidden: ValidatingAdmissionPolicy 'a' with binding 'a' denied "
            "request: failed expression: object.data.x == 'z'");
}

TEST_F(PolicyAdmissionTest, ExpressionsSeeTheRequestAndItsUser) {
  StoreBoundPolicy(storage_, "a",
                   Says("request.operation == 'CREATE' && request.userInfo.username == 'ann' && "
                        "oldObject == null && namespaceObject.metadata.name == 'default'"));
  StoreBoundPolicy(storage_, "b", Says("authorizer.requestResource.check('approve').allowed()"));
  EXPECT_EQ(Denial(), "");
}

TEST_F(PolicyAdmissionTest, WhatCannotBeConfiguredDeniesUnlessFailuresAreIgnored) {
  constexpr char kNoKind[] = R"(,"paramKind":{"apiVersion":"v1","kind":"None"})";
  StoreBoundPolicy(storage_, "a",
                   Says("true", absl::StrCat(kNoKind, R"(,"failurePolicy":"Ignore")")));
  EXPECT_EQ(Denial(), "");
  StoreBoundPolicy(storage_, "b", Says("true", kNoKind));
  EXPECT_EQ(Denial(),
            "configmaps \"m\" is forbidden: ValidatingAdmissionPolicy 'b' denied request: failed "
            "to configure policy: failed to find resource referenced by paramKind: '/v1, "
            "Kind=None'");
}

}  // namespace
}  // namespace kube::apiserver::internal
