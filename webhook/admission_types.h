#ifndef WEBHOOK_ADMISSION_TYPES_H_
#define WEBHOOK_ADMISSION_TYPES_H_

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/admission/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/validation/field_error.h"

// What an API server asks an admission webhook, and what the webhook answers. Most webhooks are
// made of typed functions, which admission.h turns into handlers; a handler of one's own answers
// requests that have no type here.
//
//   return [](const Context&, const RawAdmissionRequest& request) {
//     if (request.sub_resource == "exec") return Denied("nobody runs commands here");
//     return Allowed();
//   };
namespace kube::webhook {

// What a request does with an object (Go: `admissionv1.Operation`).
enum class Operation : uint8_t {
  kCreate,
  kUpdate,   // by replacement, patch or apply
  kDelete,   // also each object of a deletion of many
  kConnect,  // with a subresource such as exec or proxy
};

// Returns the value in a review: "CREATE".
absl::string_view ToString(Operation operation);
std::ostream& operator<<(std::ostream& out, Operation operation);
// Returns nullopt for anything that is not the value of an operation; case matters.
std::optional<Operation> ParseOperation(absl::string_view text);

// A request as the API server sends it, with the objects as JSON. Each object may be empty.
using RawAdmissionRequest = api::admission::v1::AdmissionRequest;

// The answer to a request. A plain value, which the functions below make. The UID is not part of
// it: who sends it takes that of the request. (controller-runtime: `admission.Response`)
struct AdmissionResponse {
  // Whether the request may go on.
  bool allowed = false;
  // What the client of the API server is told if the request is refused: code, reason, message and
  // causes. A code of 0 is sent as 200. The API server shows nothing of it if the request is
  // allowed.
  api::meta::v1::Status result = {};
  // A JSON patch of the object in the request (see patch/json_patch.h). Empty: no change. Only a
  // mutating webhook may have one.
  std::string json_patch = {};
  // Texts for the client, one line each, also if the request is refused. kubectl prints them. If
  // all warnings of a request together have more than 4096 characters, the API server cuts each to
  // 256.
  std::vector<std::string> warnings = {};
  // Entries for the audit log. The API server puts the webhook's name in front of the keys.
  std::map<std::string, std::string> audit_annotations = {};
};

// Returns an answer that lets the request go on unchanged. (controller-runtime:
// `admission.Allowed`)
AdmissionResponse Allowed(absl::string_view message = "");

// Returns an answer that lets the request go on with a changed object. (controller-runtime:
// `admission.Patched`)
AdmissionResponse Patched(std::string json_patch);

// Returns a refusal with code 403 and reason Forbidden. (controller-runtime: `admission.Denied`)
AdmissionResponse Denied(absl::string_view message);

// Returns a refusal because the webhook could not judge the request, with an HTTP code such as 400
// and no reason. (controller-runtime: `admission.Errored`)
AdmissionResponse Errored(int32_t code, absl::string_view message);

// Returns a refusal with code 422, reason Invalid and a cause for each error, as the API server
// itself refuses an invalid object. `name` is empty if the server is to choose it. `field_errors`
// must not be empty. (Go: `apierrors.NewInvalid`, returned by a validator)
AdmissionResponse ValidationFailed(const schema::GroupKind& kind, absl::string_view name,
                                   const validation::field::ErrorList& field_errors);

// Returns the refusal that an error stands for. If it carries a metav1::Status, as those of
// errors/errors.h and of clients do, the answer has its code, reason, message and details;
// otherwise it is Denied with the error's message. `error` must not be OK: the answer is then a
// refusal with code 500, because nobody knows what was meant. (controller-runtime: what becomes of
// the error of a defaulter or validator)
AdmissionResponse Refused(const absl::Status& error);

// Answers requests of one webhook. It is called on a thread of the server, several calls may run at
// the same time, and it may block: `ctx` is done when the API server no longer waits, and an answer
// that comes later is not used. The request lives as long as the call. (controller-runtime:
// `admission.Handler`)
using AdmissionHandler =
    std::function<AdmissionResponse(const Context& ctx, const RawAdmissionRequest& request)>;

}  // namespace kube::webhook

#endif  // WEBHOOK_ADMISSION_TYPES_H_
