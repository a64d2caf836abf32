#include "apiserver/auth/param_rights.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace field = validation::field;
using base::IsOk;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kValidating[] = "ValidatingAdmissionPolicy";
constexpr char kValidatingBinding[] = "ValidatingAdmissionPolicyBinding";
constexpr char kMutating[] = "MutatingAdmissionPolicy";
constexpr char kMutatingBinding[] = "MutatingAdmissionPolicyBinding";

Object MakeObject(absl::string_view kind, absl::string_view name, absl::string_view spec) {
  const std::string json =
      absl::StrCat(R"({"metadata":{"name":")", name, R"("},"spec":)", spec, "}");
  absl::StatusOr<codec::AnyObject> object = codec::AnyObject::DecodeJson(
      *api::FindKind("admissionregistration.k8s.io/v1", kind), absl::string_view(json));
  KUBE_CHECK(object.ok()) << object.status();
  return Object(*std::move(object));
}

Object Policy(absl::string_view kind, absl::string_view param_kind) {
  return MakeObject(
      kind, "p", absl::StrCat(R"({"paramKind":{"apiVersion":"v1","kind":")", param_kind, "\"}}"));
}

Object Binding(absl::string_view kind, absl::string_view policy, absl::string_view name) {
  return MakeObject(kind, "b",
                    absl::StrCat(R"({"policyName":")", policy,
                                 R"(","paramRef":{"namespace":"n","name":")", name, "\"}}"));
}

// The writes of "ann", who may send one request.
class ParamRights : public testing::Test {
 protected:
  ParamRights() : resources_(Resources::BuiltIn()) {}

  void SetUp() override {
    EXPECT_THAT(storage_.Create("admissionregistration.k8s.io/validatingadmissionpolicies", "p",
                                Policy(kValidating, "ConfigMap")),
                IsOk());
  }

  // Returns the errors of a write, and remembers what was asked.
  std::vector<std::string> Write(const Object& object, const Object* old = nullptr) {
    asked_.clear();
    const auto allows = [this](const RequestInfo& info) {
      asked_ = absl::StrCat(info.verb, " ", info.group, "/", info.version, " ", info.namespace_name,
                            "/", info.resource, " ", info.name);
      return asked_ == may_;
    };
    const PolicyWrite write = {
        .user = user_, .resources = resources_, .storage = storage_, .allows = allows};
    std::vector<std::string> texts;
    for (const field::Error& each : CheckParamRights(write, old, object)) {
      texts.push_back(each.ToString());
    }
    return texts;
  }

  const Resources resources_;
  Storage storage_;
  User user_ = {.name = "ann", .uid = "", .groups = {"devs", "system:authenticated"}};
  std::string may_;
  std::string asked_;
};

TEST_F(ParamRights, PoliciesNeedAllObjectsOfTheirKind) {
  const Object policy = Policy(kValidating, "ConfigMap");
  EXPECT_THAT(Write(policy),
              ElementsAre("spec.paramKind: Forbidden: user &{ann  [devs system:authenticated] "
                          "map[]} must have \"get\" permission on all objects of the referenced "
                          "paramKind (kind=ConfigMap, apiVersion=v1)"));
  EXPECT_EQ(asked_, "get /v1 */configmaps *");
  may_ = asked_;
  EXPECT_THAT(Write(policy), IsEmpty());
  may_.clear();
  EXPECT_THAT(Write(policy, &policy), IsEmpty()) << "the kind is as it was";
  const Object other = Policy(kValidating, "Secret");
  EXPECT_THAT(Write(policy, &other), SizeIs(1));
  Write(Policy(kMutating, "None"));
  EXPECT_EQ(asked_, "get /v1 */* *");
}

TEST_F(ParamRights, BindingsNeedTheObjectsOfTheirReference) {
  const Object named = Binding(kValidatingBinding, "p", "limits");
  EXPECT_THAT(Write(named),
              ElementsAre("spec.paramRef: Forbidden: user &{ann  [devs system:authenticated] "
                          "map[]} does not have \"get\" permission on the object referenced by "
                          "paramRef"));
  EXPECT_EQ(asked_, "get /v1 n/configmaps limits");
  may_ = asked_;
  EXPECT_THAT(Write(named), IsEmpty());
  Write(Binding(kValidatingBinding, "p", ""));
  EXPECT_EQ(asked_, "list /v1 n/configmaps ");
  Write(named, &named);
  EXPECT_EQ(asked_, "get /v1 n/configmaps limits") << "an update asks again";
}

TEST_F(ParamRights, UnknownPoliciesNeedEverything) {
  user_ = {.name = "ann", .uid = "7", .groups = {}, .extra = {{"k", {"a", "b"}}, {"l", {}}}};
  EXPECT_THAT(
      Write(Binding(kValidatingBinding, "none", "limits")),
      ElementsAre("spec.paramRef: Forbidden: unable to get policy none to determine minimum "
                  "required permissions and user &{ann 7 [] map[k:[a b] l:[]]} does not have "
                  "\"get\" permission for all groups, versions and resources"));
  EXPECT_EQ(asked_, "get */* n/* limits");
}

TEST_F(ParamRights, UnknownKindsNeedAllResources) {
  EXPECT_THAT(storage_.Create("admissionregistration.k8s.io/mutatingadmissionpolicies", "p",
                              Policy(kMutating, "None")),
              IsOk());
  user_.groups = {};
  EXPECT_THAT(Write(Binding(kMutatingBinding, "p", "limits")),
              ElementsAre("spec.paramRef: Forbidden: unable to resolve paramKind &{v1 None} to "
                          "determine minimum required permissions and user &{ann  [] map[]} does "
                          "not have \"get\" permission for all groups, versions and resources"));
  EXPECT_EQ(asked_, "get /v1 n/* limits");
}

TEST_F(ParamRights, MastersMayReadAll) {
  user_.groups = {"system:masters"};
  EXPECT_THAT(Write(Policy(kValidating, "ConfigMap")), IsEmpty());
  EXPECT_EQ(asked_, "");
}

}  // namespace
}  // namespace kube::apiserver::internal
