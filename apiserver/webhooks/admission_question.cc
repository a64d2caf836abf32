#include "apiserver/webhooks/admission_question.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admission/v1/types.kube.h"
#include "api/authentication/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "apiserver/webhooks/admitted_object.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admission::v1;
namespace authenticationv1 = api::authentication::v1;
namespace metav1 = api::meta::v1;

metav1::GroupVersionKind KindOf(const KindInfo& kind) {
  return {.group = kind.group, .version = kind.version, .kind = kind.kind};
}

metav1::GroupVersionResource ResourceOf(const Resource& resource) {
  const KindInfo& kind = *resource.kind;
  return {.group = kind.group, .version = kind.version, .resource = kind.plural};
}

authenticationv1::UserInfo UserInfoOf(const User& user) {
  authenticationv1::UserInfo made;
  made.username = user.name;
  made.uid = user.uid;
  for (const std::string& group : user.groups) made.groups.push_back(group);
  for (const auto& [key, values] : user.extra) {
    List<String>& all = made.extra[key];
    for (const std::string& value : values) all.push_back(value);
  }
  return made;
}

// Returns the JSON of the options in a query, as those of the kind `kind`.
template <typename Options>
std::string QueryOptionsJson(const queryparams::Values& query, absl::string_view kind) {
  absl::StatusOr<Options> options = queryparams::DecodeParameters<Options>(query);
  // A request with other parameters is refused before anybody is asked.
  if (!options.ok()) return "";
  options->kind = kind;
  options->api_version = "meta.k8s.io/v1";
  return codec::EncodeJson(*options).value_or("");
}

bool Selects(const labels::Selector& selector, const AdmittedObject* object) {
  if (object == nullptr) return false;
  const Map<String>* const labels = object->labels();
  return labels != nullptr && selector.Matches(*labels);
}

}  // namespace

std::string AdmissionQuestion::NamespaceOf() const {
  if (!info->namespace_name.empty() || now == nullptr) return info->namespace_name;
  // A namespace that is created counts as being in itself.
  const KindInfo& kind = *resource->kind;
  const bool is_namespace = kind.group.empty() && kind.plural == "namespaces";
  return is_namespace ? std::string(now->name()) : "";
}

absl::StatusOr<bool> AdmissionQuestion::InNamespace(
    const absl::StatusOr<labels::Selector>& selector, const Storage& storage) const {
  const bool is_namespace = resource->kind->plural == "namespaces";
  const std::string name = NamespaceOf();
  if (name.empty() && !is_namespace) return true;
  KUBE_RETURN_IF_ERROR(selector.status());
  if (selector->empty()) return true;
  if (is_namespace && info->subresource.empty() && now != nullptr) return Selects(*selector, now);
  const ObjectPtr found = storage.Get("/namespaces", name);
  if (found == nullptr) return errors::NotFound({.group = "", .resource = "namespaces"}, name);
  return selector->Matches(found->metadata().labels);
}

bool AdmissionQuestion::HasLabels(const labels::Selector& selector) const {
  return selector.empty() || Selects(selector, now) || Selects(selector, old);
}

bool AdmissionQuestion::IsDryRun() const {
  if (operation == "CONNECT") return false;
  if (operation == "DELETE" && delete_options != nullptr) return !delete_options->dry_run.empty();
  const auto found = info->query.find("dryRun");
  return found != info->query.end() && !found->second.empty();
}

std::string AdmissionQuestion::OptionsJson() const {
  if (operation == "CREATE") {
    return QueryOptionsJson<metav1::CreateOptions>(info->query, "CreateOptions");
  }
  if (operation == "UPDATE") {
    return QueryOptionsJson<metav1::UpdateOptions>(info->query, "UpdateOptions");
  }
  if (operation != "DELETE") return "";
  metav1::DeleteOptions options;
  if (delete_options != nullptr) options = *delete_options;
  options.kind = "DeleteOptions";
  options.api_version = "meta.k8s.io/v1";
  return codec::EncodeJson(options).value_or("");
}

admissionv1::AdmissionRequest AdmissionQuestion::RequestFor(const Resource& as) const {
  const AdmittedObject& object = now != nullptr ? *now : *old;
  const bool own = object.is_resource();
  admissionv1::AdmissionRequest request;
  request.kind = KindOf(own ? *as.kind : object.kind());
  request.resource = ResourceOf(as);
  request.sub_resource = info->subresource;
  request.request_kind = KindOf(own ? *resource->kind : object.kind());
  request.request_resource = ResourceOf(*resource);
  request.request_sub_resource = info->subresource;
  request.name = info->name;
  if (info->name.empty() && operation == "CREATE") request.name = object.name();
  request.namespace_ = NamespaceOf();
  request.operation = operation;
  request.user_info = UserInfoOf(*user);
  request.dry_run = IsDryRun();
  const std::string options = OptionsJson();
  if (!options.empty()) request.options = options;
  return request;
}

}  // namespace kube::apiserver::internal
