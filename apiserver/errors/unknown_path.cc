#include "apiserver/errors/unknown_path.h"

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/status_error.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

absl::Status Generic(int code, absl::string_view reason, absl::string_view message) {
  metav1::Status status;
  status.status = "Failure";
  status.reason = reason;
  status.message = message;
  status.details.emplace();
  status.code = code;
  return errors::FromStatus(status);
}

}  // namespace

absl::Status NoSuchResource() {
  return Generic(404, "NotFound", "the server could not find the requested resource");
}

absl::Status NoSuchMethod() {
  return Generic(405, "MethodNotAllowed",
                 "the server does not allow this method on the requested resource");
}

}  // namespace kube::apiserver::internal
