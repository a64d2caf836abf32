#include "apiserver/verbs/creation.h"

#include <string>

#include "absl/status/status.h"
#include "api/certificates/v1/types.kube.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apiserver/call/call.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {

namespace certificatesv1 = api::certificates::v1;

absl::Status CheckCreation(const Call& call) {
  if (!call.resource->terminating) return absl::OkStatus();
  return errors::Forbidden(call.resource->group_resource(), call.info.name,
                           "create not allowed while custom resource definition is terminating");
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
