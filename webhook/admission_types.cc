#include "webhook/admission_types.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/admission/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/validation/field_error.h"

namespace kube::webhook {
namespace {

namespace admissionv1 = api::admission::v1;
namespace metav1 = api::meta::v1;

constexpr int32_t kOk = 200;
constexpr int32_t kForbidden = 403;
constexpr int32_t kInternalError = 500;

AdmissionResponse Answer(bool allowed, int32_t code, absl::string_view message) {
  AdmissionResponse response;
  response.allowed = allowed;
  response.result.code = code;
  response.result.message = message;
  return response;
}

}  // namespace

absl::string_view ToString(Operation operation) {
  switch (operation) {
    case Operation::kCreate:
      return admissionv1::kCreate;
    case Operation::kUpdate:
      return admissionv1::kUpdate;
    case Operation::kDelete:
      return admissionv1::kDelete;
    case Operation::kConnect:
      return admissionv1::kConnect;
  }
  return "";
}

std::ostream& operator<<(std::ostream& out, Operation operation) {
  return out << ToString(operation);
}

std::optional<Operation> ParseOperation(absl::string_view text) {
  for (const Operation operation :
       {Operation::kCreate, Operation::kUpdate, Operation::kDelete, Operation::kConnect}) {
    if (text == ToString(operation)) return operation;
  }
  return std::nullopt;
}

AdmissionResponse Allowed(absl::string_view message) { return Answer(true, kOk, message); }

AdmissionResponse Patched(std::string json_patch) {
  AdmissionResponse response = Allowed();
  response.json_patch = std::move(json_patch);
  return response;
}

AdmissionResponse Denied(absl::string_view message) {
  AdmissionResponse response = Answer(false, kForbidden, message);
  response.result.reason = metav1::kStatusReasonForbidden;
  return response;
}

AdmissionResponse Errored(int32_t code, absl::string_view message) {
  return Answer(false, code, message);
}

AdmissionResponse ValidationFailed(const schema::GroupKind& kind, absl::string_view name,
                                   const validation::field::ErrorList& field_errors) {
  return Refused(errors::Invalid(kind, name, field_errors));
}

AdmissionResponse Refused(const absl::Status& error) {
  if (error.ok())
    return Errored(kInternalError, "the webhook refused the request without an error");
  std::optional<metav1::Status> status = errors::StatusOf(error);
  if (!status.has_value()) return Denied(error.message());
  AdmissionResponse response;
  response.result = *std::move(status);
  return response;
}

}  // namespace kube::webhook
