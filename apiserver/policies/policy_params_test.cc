#include "apiserver/policies/policy_params.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "api/all_kinds.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;
using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;
using unstructured::Value;

class PolicyParams : public testing::Test {
 protected:
  PolicyParams() : resources_(Resources::BuiltIn()) {
    Add("a", "m", "1");
    Add("a", "n", "2");
    Add("b", "o", "1");
  }

  const Resource& Find(absl::string_view api_version, absl::string_view kind) const {
    const Resource* const found = resources_.FindKind(api_version, kind);
    KUBE_CHECK(found != nullptr) << kind;
    return *found;
  }

  // Returns the names of the config maps for a request in the namespace `in`.
  absl::StatusOr<std::vector<std::string>> Names(const admissionv1::ParamRef& ref,
                                                 absl::string_view in) const {
    const absl::StatusOr<std::vector<Value>> values =
        CollectParams(Find("v1", "ConfigMap"), ref, in, storage_);
    if (!values.ok()) return values.status();
    std::vector<std::string> names;
    for (const Value& value : *values) {
      EXPECT_EQ(value["kind"].text(), "ConfigMap");
      names.emplace_back(value["metadata"]["name"].text().value_or(""));
    }
    return names;
  }

  Resources resources_;
  Storage storage_;

 private:
  void Add(absl::string_view namespace_name, absl::string_view name, absl::string_view label) {
    const Resource& maps = Find("v1", "ConfigMap");
    const std::string json = absl::StrCat(R"({"metadata":{"name":")", name, R"(","namespace":")",
                                          namespace_name, R"(","labels":{"l":")", label, "\"}}}");
    absl::StatusOr<codec::AnyObject> object =
        codec::AnyObject::DecodeJson(*api::FindKind("v1", "ConfigMap"), absl::string_view(json));
    KUBE_CHECK(object.ok()) << object.status();
    EXPECT_THAT(
        storage_.Create(maps.storage, maps.KeyOf(namespace_name, name), Object(*std::move(object))),
        IsOk());
  }
};

TEST_F(PolicyParams, AreNamed) {
  EXPECT_THAT(*Names({.name = "m"}, "a"), ElementsAre("m"));
  EXPECT_THAT(*Names({.name = "m"}, "b"), IsEmpty());
  EXPECT_THAT(*Names({.name = "m", .namespace_ = "a"}, "b"), ElementsAre("m"));
}

TEST_F(PolicyParams, AreSelected) {
  admissionv1::ParamRef ref;
  ref.selector.emplace().match_labels["l"] = "1";
  EXPECT_THAT(*Names(ref, "a"), ElementsAre("m"));
  EXPECT_THAT(*Names(ref, "b"), ElementsAre("o"));
  ref.selector.emplace();
  EXPECT_THAT(*Names(ref, "a"), ElementsAre("m", "n"));
}

TEST_F(PolicyParams, MayBeMissing) {
  admissionv1::ParamRef ref;
  ref.name = "none";
  ref.parameter_not_found_action = "Allow";
  EXPECT_THAT(*Names(ref, "a"), IsEmpty());
  ref.parameter_not_found_action = "Deny";
  EXPECT_THAT(Names(ref, "a").status(),
              StatusIs(absl::StatusCode::kNotFound,
                       "no params found for policy binding with `Deny` parameterNotFoundAction"));
}

TEST_F(PolicyParams, NeedANamespaceOrNone) {
  EXPECT_THAT(Names({.name = "m"}, "").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "cannot use namespaced paramRef in policy binding that matches "
                       "cluster-scoped resources"));
  EXPECT_THAT(
      CollectParams(Find("v1", "Namespace"), {.name = "m", .namespace_ = "a"}, "a", storage_)
          .status(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "paramRef.namespace must not be provided for a cluster-scoped `paramKind`"));
}

TEST_F(PolicyParams, KindsMustBeServed) {
  EXPECT_THAT(ResourceOfParams({.api_version = "v1", .kind = "Secret"}, resources_), IsOk());
  EXPECT_THAT(ResourceOfParams({.api_version = "v1", .kind = "None"}, resources_).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "failed to find resource referenced by paramKind: '/v1, Kind=None'"));
}

}  // namespace
}  // namespace kube::apiserver::internal
