#include "apiserver/policies/testing/policy_case.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/any_object.h"
#include "apiserver/defaults/defaults.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "apiserver/webhooks/admission_question.h"
#include "apiserver/webhooks/admitted_object.h"

namespace kube::apiserver::internal {
namespace {

constexpr char kApiVersion[] = "admissionregistration.k8s.io/v1";

const Resource& ConfigMaps(const Resources& resources) {
  const Resource* const found = resources.Find("", "v1", "configmaps");
  KUBE_CHECK(found != nullptr);
  return *found;
}

std::string PolicyJson(absl::string_view name, absl::string_view spec) {
  return absl::StrCat(R"({"metadata":{"name":")", name,
                      R"("},"spec":{"matchConstraints":{"resourceRules":[)",
                      R"({"operations":["CREATE"],"apiGroups":[""],"apiVersions":["v1"],)",
                      R"("resources":["configmaps"]}]},)", spec, "}}");
}

std::string BindingJson(absl::string_view name, absl::string_view more) {
  return absl::StrCat(R"({"metadata":{"name":")", name, R"("},"spec":{"policyName":")", name, "\"",
                      more, "}}");
}

void Store(Storage& storage, absl::string_view resource, absl::string_view kind,
           absl::string_view name, const std::string& json) {
  const absl::StatusOr<ObjectPtr> created =
      storage.Create(absl::StrCat("admissionregistration.k8s.io/", resource), name,
                     ObjectOfJson(kApiVersion, kind, json));
  KUBE_CHECK(created.ok()) << created.status();
}

}  // namespace

Object ObjectOfJson(absl::string_view api_version, absl::string_view kind, absl::string_view json) {
  absl::StatusOr<codec::AnyObject> object =
      codec::AnyObject::DecodeJson(*api::FindKind(api_version, kind), json);
  KUBE_CHECK(object.ok()) << object.status();
  SetDefaults(*object);
  return Object(*std::move(object));
}

void StoreBoundPolicy(Storage& storage, absl::string_view name, absl::string_view spec) {
  Store(storage, "validatingadmissionpolicies", "ValidatingAdmissionPolicy", name,
        PolicyJson(name, spec));
  Store(storage, "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding", name,
        BindingJson(name, R"(,"validationActions":["Deny"])"));
}

void StoreMutatingPolicy(Storage& storage, absl::string_view name, absl::string_view spec) {
  Store(storage, "mutatingadmissionpolicies", "MutatingAdmissionPolicy", name,
        PolicyJson(name, spec));
  Store(storage, "mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding", name,
        BindingJson(name, ""));
}

ConfigMapCreation::ConfigMapCreation(const Resources& resources, absl::string_view json)
    : resources_(resources),
      resource_(ConfigMaps(resources)),
      info_{.is_resource_request = true,
            .verb = "create",
            .version = "v1",
            .namespace_name = "default",
            .resource = "configmaps"},
      user_{.name = "ann"},
      now_(ObjectOfJson("v1", "ConfigMap", json)) {}

AdmissionQuestion ConfigMapCreation::question() {
  AdmissionQuestion question;
  question.info = &info_;
  question.user = &user_;
  question.resources = &resources_;
  question.resource = &resource_;
  question.operation = "CREATE";
  question.now = &now_;
  return question;
}

}  // namespace kube::apiserver::internal
