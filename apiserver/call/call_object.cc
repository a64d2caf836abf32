#include "apiserver/call/call_object.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/call/call.h"
#include "apiserver/defaults/defaults.h"
#include "apiserver/encoding/custom_input.h"
#include "apiserver/encoding/input.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

std::string NamespaceOf(const Call& call) {
  return call.resource->namespaced() ? call.info.namespace_name : "";
}

}  // namespace

absl::StatusOr<Object> ObjectOf(Call& call, absl::string_view field_validation) {
  if (call.resource->custom != nullptr) {
    return DecodeCustomBody(*call.request, *call.resource, FieldPolicyOf(field_validation),
                            &call.warnings);
  }
  KUBE_ASSIGN_OR_RETURN(
      Body body, DecodeBody(*call.request, *call.resource->kind, FieldPolicyOf(field_validation)));
  for (std::string& warning : body.warnings) call.warnings.push_back(std::move(warning));
  SetDefaults(body.object);
  return Object(std::move(body.object));
}

absl::Status CheckNamespace(const metav1::ObjectMeta& metadata, const Call& call) {
  if (metadata.namespace_.empty() || metadata.namespace_ == NamespaceOf(call)) {
    return absl::OkStatus();
  }
  return errors::BadRequest(
      "the namespace of the provided object does not match the namespace sent on the request");
}

absl::Status SetNamespace(Object& object, const Call& call) {
  KUBE_RETURN_IF_ERROR(CheckNamespace(object.metadata(), call));
  object.metadata().namespace_ = NamespaceOf(call);
  return absl::OkStatus();
}

absl::Status CheckName(const metav1::ObjectMeta& metadata, const Call& call) {
  if (metadata.name.empty()) {
    return errors::BadRequest(absl::StrCat("the name of the object (", call.info.name,
                                           " based on URL) was undeterminable: name must be "
                                           "provided"));
  }
  if (metadata.name != call.info.name) {
    return errors::BadRequest(absl::StrCat("the name of the object (", metadata.name.view(),
                                           ") does not match the name on the URL (", call.info.name,
                                           ")"));
  }
  return absl::OkStatus();
}

}  // namespace kube::apiserver::internal
