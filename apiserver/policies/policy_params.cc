#include "apiserver/policies/policy_params.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/webhooks/admitted_object.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;
using unstructured::Value;

absl::StatusOr<Value> ValueIn(const Resource& resource, const StoredObject& object) {
  KUBE_ASSIGN_OR_RETURN(const AdmittedObject converted,
                        AdmittedObject(object.object().Copy()).In(resource));
  return converted.ToValue();
}

// Returns the namespace to look in; "" for objects without namespaces.
absl::StatusOr<std::string> NamespaceOfParams(const Resource& resource,
                                              const admissionv1::ParamRef& ref,
                                              absl::string_view namespace_name) {
  const std::string named(ref.namespace_);
  if (!resource.namespaced()) {
    if (named.empty()) return named;
    return absl::InvalidArgumentError(
        "paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  if (!named.empty()) return named;
  if (!namespace_name.empty()) return std::string(namespace_name);
  return absl::InvalidArgumentError(
      "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
}

absl::StatusOr<std::vector<Value>> Selected(const Resource& resource,
                                            const admissionv1::ParamRef& ref,
                                            absl::string_view namespace_name,
                                            const Storage& storage) {
  KUBE_ASSIGN_OR_RETURN(const labels::Selector selector,
                        labels::LabelSelectorAsSelector(ref.selector.get()));
  KUBE_ASSIGN_OR_RETURN(
      const ListResult found,
      storage.List(resource.storage, {.prefix = resource.PrefixOf(namespace_name)}));
  std::vector<Value> values;
  for (const ListItem& item : found.items) {
    if (!selector.Matches(item.object->metadata().labels)) continue;
    KUBE_ASSIGN_OR_RETURN(Value value, ValueIn(resource, *item.object));
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace

absl::StatusOr<const Resource*> ResourceOfParams(const admissionv1::ParamKind& kind,
                                                 const Resources& resources) {
  const Resource* const found = resources.FindKind(kind.api_version.view(), kind.kind.view());
  if (found != nullptr) return found;
  const absl::string_view api_version = kind.api_version.view();
  return absl::InvalidArgumentError(
      absl::StrCat("failed to find resource referenced by paramKind: '",
                   absl::StrContains(api_version, "/") ? "" : "/", api_version,
                   ", Kind=", kind.kind.view(), "'"));
}

absl::StatusOr<std::vector<Value>> CollectParams(const Resource& resource,
                                                 const admissionv1::ParamRef& ref,
                                                 absl::string_view namespace_name,
                                                 const Storage& storage) {
  KUBE_ASSIGN_OR_RETURN(const std::string in, NamespaceOfParams(resource, ref, namespace_name));
  std::vector<Value> values;
  if (!ref.name.empty()) {
    const ObjectPtr found = storage.Get(resource.storage, resource.KeyOf(in, ref.name.view()));
    if (found != nullptr) {
      KUBE_ASSIGN_OR_RETURN(Value value, ValueIn(resource, *found));
      values.push_back(std::move(value));
    }
  } else if (ref.selector) {
    KUBE_ASSIGN_OR_RETURN(values, Selected(resource, ref, in, storage));
  } else {
    return absl::InvalidArgumentError("one of name or selector must be provided");
  }
  if (values.empty() && ref.parameter_not_found_action == "Deny") {
    return absl::NotFoundError(
        "no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return values;
}

}  // namespace kube::apiserver::internal
