#include "apiserver/errors/plain_error.h"

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/status_error.h"

namespace kube::apiserver::internal {

absl::Status PlainError(absl::string_view message) {
  api::meta::v1::Status status;
  status.status = "Failure";
  status.message = message;
  status.code = 500;
  return errors::FromStatus(status);
}

}  // namespace kube::apiserver::internal
