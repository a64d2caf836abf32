#include "apiserver/verbs/object_warnings.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/messages.h"
#include "apiserver/call/call.h"
#include "apiserver/crd_schema/structural.h"
#include "apiserver/object.h"
#include "apiserver/strategy/custom.h"

namespace kube::apiserver::internal {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;

bool HasRules(const CustomResourceDefinition& crd) {
  for (const auto& version : crd.spec.versions) {
    if (!version.schema || !version.schema->open_api_v3_schema) continue;
    const auto schema = crd_schema::Structural::Make(*version.schema->open_api_v3_schema);
    if (schema.ok() && (*schema)->has_rules()) return true;
  }
  return false;
}

}  // namespace

void AddWarnings(const Object& object, const Object* old, Call& call) {
  if (object.is_custom() && call.info.subresource.empty()) {
    for (std::string& each : CustomWarnings(object, old)) call.warnings.push_back(std::move(each));
  }
  const auto* crd = object.As<CustomResourceDefinition>();
  if (crd != nullptr && call.info.subresource.empty() && HasRules(*crd)) {
    call.warnings.push_back(
        "this embedded API server does not evaluate x-kubernetes-validations: objects that break "
        "them are valid");
  }
}

void AddNameWarning(absl::string_view name, Call& call) {
  if (!call.info.subresource.empty()) return;
  const KindInfo& kind = *call.resource->kind;
  const auto is_one_of = [&](absl::string_view group,
                             std::initializer_list<absl::string_view> kinds) {
    return kind.group == group && std::find(kinds.begin(), kinds.end(), kind.kind) != kinds.end();
  };
  const bool pod = is_one_of("", {"Pod"});
  if (!pod && !is_one_of("", {"ReplicationController"}) &&
      !is_one_of("apps", {"Deployment", "ReplicaSet"}) && !is_one_of("batch", {"CronJob", "Job"})) {
    return;
  }
  const validation::Messages wrong = validation::IsDns1123Label(name);
  if (wrong.empty()) return;
  call.warnings.push_back(absl::StrCat(
      "metadata.name: this is used in ", pod ? "the Pod's hostname" : "Pod names and hostnames",
      ", which can result in surprising behavior; a DNS label is recommended: [",
      absl::StrJoin(wrong, " "), "]"));
}

}  // namespace kube::apiserver::internal
