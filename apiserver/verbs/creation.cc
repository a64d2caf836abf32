#include "apiserver/verbs/creation.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "api/certificates/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/call/write_record.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {

namespace certificatesv1 = api::certificates::v1;
namespace metav1 = api::meta::v1;

absl::Status CheckCreation(const Call& call) {
  if (!call.resource->terminating) return absl::OkStatus();
  return errors::Forbidden(call.resource->group_resource(), call.info.name,
                           "create not allowed while custom resource definition is terminating");
}

bool IsMissing(const absl::Status& error, const Call& call) {
  if (!errors::IsNotFound(error)) return false;
  const std::optional<metav1::Status> status = errors::StatusOf(error);
  return !status.has_value() || !status->details ||
         status->details->kind == call.resource->kind->plural;
}

absl::Status AuthorizeCreation(const Core& core, const Call& call) {
  RequestInfo creation = call.info;
  creation.verb = "create";
  const Decision decision = core.authorize(call.user, creation);
  if (decision.allowed) return absl::OkStatus();
  RecordDenial(creation.verb, call.record);
  return ForbiddenTo(call.user, creation, decision.reason);
}

void SetRequestor(const Call& call, Object& object) {
  auto* request = object.As<certificatesv1::CertificateSigningRequest>();
  if (request == nullptr) return;
  const User& user = call.user;
  request->spec.username = user.name;
  request->spec.uid = user.uid;
  request->spec.groups = {};
  for (const std::string& group : user.groups) request->spec.groups.push_back(group);
  request->spec.extra = {};
  for (const auto& [key, values] : user.extra) {
    List<String>& all = request->spec.extra[key];
    for (const std::string& value : values) all.push_back(value);
  }
}

}  // namespace kube::apiserver::internal
