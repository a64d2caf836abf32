#ifndef WEBHOOK_ADMISSION_H_
#define WEBHOOK_ADMISSION_H_

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/authentication/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "clientset/typed/resource_traits.h"
#include "webhook/admission_types.h"

// Admission webhooks made of functions of typed objects: what sets defaults, and what says whether
// an object may be written. Functions are called on threads of the server, several at the same
// time, and may block; AdmissionRequest::context is done when nobody waits for the answer any more.
//
//   return Validator<corev1::Pod>([](const AdmissionRequest<corev1::Pod>& request) {
//     field::ErrorList wrong;
//     if (request.object->spec.host_network) {
//       wrong.push_back(field::Forbidden(field::Path("spec").Child("hostNetwork"), "not here"));
//     }
//     return wrong;
//   });
namespace kube::webhook {

// The types whose objects typed webhooks take: the kinds that can be listed, built-in ones and
// those of a kube_library, and unstructured::Unstructured, which takes objects of any kind. The
// header of the kind's client must be included. Objects that only subresources have, such as a
// Scale, come as Unstructured.
template <typename T>
concept AdmittedKind = typed::ResourceKind<T> || std::same_as<T, unstructured::Unstructured>;

// What somebody wants to do with an object. Valid during the call of the function that gets it; of
// a copy only `raw` is not valid any more. Tests of such functions fill in what these read.
// Thread-compatible. (controller-runtime: `admission.Request`)
template <AdmittedKind T>
struct AdmissionRequest {
  // Is done when the API server does not wait any longer. Give it to all that waits.
  Context context = {};
  Operation operation = Operation::kCreate;
  // Without a name if the object is created and the server is to choose the name.
  meta::ObjectName name = {};
  // Who wants it.
  api::authentication::v1::UserInfo user = {};
  // Whether nothing is to be stored. A webhook that changes something else must not do so then.
  bool dry_run = false;
  // The subresource: "status", "scale"; empty for the object itself. A write of a status comes here
  // only if the webhook's rules name it.
  std::string subresource = {};

  // The object as it is to be; for a deletion, the object that is deleted. Never null in a
  // Defaulter and in a Validator. In an Admitter it is null if a connection has no object.
  std::shared_ptr<const T> object = nullptr;
  // The object as it is stored. Null for creations and connections.
  std::shared_ptr<const T> old_object = nullptr;

  // All of it, with the objects as JSON and with the options of the request. Null in tests that do
  // not set it.
  const RawAdmissionRequest* raw = nullptr;
  // What Warn has added.
  std::shared_ptr<std::vector<std::string>> warnings = std::make_shared<std::vector<std::string>>();

  // Tells the client something without refusing the request; also if it is refused. One line, and
  // no "Warning:" in front, which kubectl adds. (controller-runtime: `admission.Warnings`)
  void Warn(std::string warning) const { warnings->push_back(std::move(warning)); }
};

// Returns a handler that lets a function complete objects before they are stored. The function
// changes its second argument, which begins as a copy of `request.object`. The answer is a patch of
// what the function has changed and of nothing else, so that fields which T does not know stay, and
// fields which are empty in T are not written.
//
// An error refuses the request; see Refused. A function must come to the same result if it is
// called again with what it has made. It is not called for deletions. An object that is not a T is
// refused with code 400. (controller-runtime: `admission.WithDefaulter`)
template <AdmittedKind T>
AdmissionHandler Defaulter(std::function<absl::Status(const AdmissionRequest<T>&, T&)> complete);

// Returns a handler that refuses objects with what a function finds wrong with them: code 422,
// reason Invalid, and the errors as causes, as the API server refuses an object. An empty list
// allows the request. It is not called for connections, and for deletions only if the webhook's
// rules name them. An object that is not a T is refused with code 400. (controller-runtime:
// `admission.WithValidator`)
template <AdmittedKind T>
AdmissionHandler Validator(
    std::function<validation::field::ErrorList(const AdmissionRequest<T>&)> validate);

// Returns a handler that lets a function judge requests, not only objects: who may do what, and
// when. OK allows the request; an error refuses it: with code, reason and message of an error of
// apimachinery/errors/errors.h, or else with code 403; see Refused. Called for all operations that
// the webhook's rules name. (controller-runtime: `admission.HandlerFunc`)
template <AdmittedKind T>
AdmissionHandler Admitter(std::function<absl::Status(const AdmissionRequest<T>&)> admit);

// ---- implementation of the templates

namespace internal {

inline constexpr int32_t kBadRequest = 400;
inline constexpr int32_t kInternalError = 500;

// Which objects a request must have.
struct NeededObjects {
  bool object = false;
  bool old_object = false;
};

// Returns what a request that is judged must have.
NeededObjects NeededFor(Operation operation);

// Returns the refusal of a request whose operation is not known.
AdmissionResponse UnknownOperation(const RawAdmissionRequest& request);

// Returns the answer for a changed object: a patch, or a refusal with code 500 if a value or the
// patch cannot be made.
AdmissionResponse AnswerChanged(absl::string_view raw,
                                const absl::StatusOr<unstructured::Value>& before,
                                const absl::StatusOr<unstructured::Value>& after);

// Returns the answer for an object with these errors; without errors it is allowed.
AdmissionResponse AnswerValidated(const RawAdmissionRequest& request,
                                  const validation::field::ErrorList& field_errors);

// Returns INVALID_ARGUMENT if an object is not of this kind. An object need not say its kind.
absl::Status CheckKind(const schema::GroupVersionKind& wanted, absl::string_view api_version,
                       absl::string_view kind);

// Returns null if there is no object, and it is not needed.
template <AdmittedKind T>
absl::StatusOr<std::shared_ptr<const T>> DecodeObject(const RawExtension& raw, bool is_needed) {
  if (raw.view().empty()) {
    if (is_needed) return absl::InvalidArgumentError("there is no content to decode");
    return std::shared_ptr<const T>();
  }
  KUBE_ASSIGN_OR_RETURN(T object, codec::DecodeJson<T>(raw.view()));
  if constexpr (!std::same_as<T, unstructured::Unstructured>) {
    KUBE_RETURN_IF_ERROR(
        CheckKind(typed::KindOf<T>(), object.api_version.view(), object.kind.view()));
  }
  return std::make_shared<const T>(std::move(object));
}

template <AdmittedKind T>
absl::StatusOr<AdmissionRequest<T>> MakeRequest(const Context& ctx, const RawAdmissionRequest& raw,
                                                Operation operation, const NeededObjects& needed) {
  AdmissionRequest<T> request;
  request.context = ctx;
  request.operation = operation;
  request.name = {.namespace_name = std::string(raw.namespace_.view()),
                  .name = std::string(raw.name.view())};
  request.user = raw.user_info;
  request.dry_run = raw.dry_run.value_or(false);
  request.subresource = std::string(raw.sub_resource.view());
  request.raw = &raw;
  if (operation != Operation::kDelete) {
    KUBE_ASSIGN_OR_RETURN(request.object, DecodeObject<T>(raw.object, needed.object));
  }
  KUBE_ASSIGN_OR_RETURN(request.old_object, DecodeObject<T>(raw.old_object, needed.old_object));
  if (operation == Operation::kDelete) request.object = request.old_object;
  return request;
}

}  // namespace internal

template <AdmittedKind T>
AdmissionHandler Defaulter(std::function<absl::Status(const AdmissionRequest<T>&, T&)> complete) {
  return [complete = std::move(complete)](const Context& ctx,
                                          const RawAdmissionRequest& raw) -> AdmissionResponse {
    if (raw.operation == ToString(Operation::kDelete)) return Allowed();
    const std::optional<Operation> operation = ParseOperation(raw.operation.view());
    const absl::StatusOr<AdmissionRequest<T>> request = internal::MakeRequest<T>(
        ctx, raw, operation.value_or(Operation::kCreate), {.object = true});
    if (!request.ok()) return Errored(internal::kBadRequest, request.status().message());
    if (!operation.has_value()) return internal::UnknownOperation(raw);
    T object = *request->object;
    const absl::Status status = complete(*request, object);
    AdmissionResponse response = Allowed();
    if (!status.ok()) {
      response = Refused(status);
    } else if (!(object == *request->object)) {
      response = internal::AnswerChanged(raw.object.view(), unstructured::ToValue(*request->object),
                                         unstructured::ToValue(object));
    }
    response.warnings = *request->warnings;
    return response;
  };
}

template <AdmittedKind T>
AdmissionHandler Validator(
    std::function<validation::field::ErrorList(const AdmissionRequest<T>&)> validate) {
  return [validate = std::move(validate)](const Context& ctx,
                                          const RawAdmissionRequest& raw) -> AdmissionResponse {
    const std::optional<Operation> operation = ParseOperation(raw.operation.view());
    if (!operation.has_value()) return internal::UnknownOperation(raw);
    if (*operation == Operation::kConnect) return Allowed();
    const absl::StatusOr<AdmissionRequest<T>> request =
        internal::MakeRequest<T>(ctx, raw, *operation, internal::NeededFor(*operation));
    if (!request.ok()) return Errored(internal::kBadRequest, request.status().message());
    AdmissionResponse response = internal::AnswerValidated(raw, validate(*request));
    response.warnings = *request->warnings;
    return response;
  };
}

template <AdmittedKind T>
AdmissionHandler Admitter(std::function<absl::Status(const AdmissionRequest<T>&)> admit) {
  return [admit = std::move(admit)](const Context& ctx,
                                    const RawAdmissionRequest& raw) -> AdmissionResponse {
    const std::optional<Operation> operation = ParseOperation(raw.operation.view());
    if (!operation.has_value()) return internal::UnknownOperation(raw);
    const absl::StatusOr<AdmissionRequest<T>> request =
        internal::MakeRequest<T>(ctx, raw, *operation, internal::NeededFor(*operation));
    if (!request.ok()) return Errored(internal::kBadRequest, request.status().message());
    const absl::Status status = admit(*request);
    AdmissionResponse response = status.ok() ? Allowed() : Refused(status);
    response.warnings = *request->warnings;
    return response;
  };
}

}  // namespace kube::webhook

#endif  // WEBHOOK_ADMISSION_H_
