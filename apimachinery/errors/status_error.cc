#include "apimachinery/errors/status_error.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/unstructured.h"

namespace kube::errors {

namespace metav1 = api::meta::v1;

namespace {

struct CodeOfReason {
  absl::string_view reason;
  int32_t http_code;  // an error with this HTTP code has `code`; 0: by reason only
  absl::StatusCode code;
};

// The only list of known reasons: apimachinery's `knownReasons`.
constexpr CodeOfReason kCodes[] = {
    {metav1::kStatusReasonBadRequest, 400, absl::StatusCode::kInvalidArgument},
    {metav1::kStatusReasonUnauthorized, 401, absl::StatusCode::kUnauthenticated},
    {metav1::kStatusReasonForbidden, 403, absl::StatusCode::kPermissionDenied},
    {metav1::kStatusReasonNotFound, 404, absl::StatusCode::kNotFound},
    {metav1::kStatusReasonMethodNotAllowed, 405, absl::StatusCode::kUnimplemented},
    {metav1::kStatusReasonNotAcceptable, 406, absl::StatusCode::kUnimplemented},
    {metav1::kStatusReasonAlreadyExists, 0, absl::StatusCode::kAlreadyExists},
    {metav1::kStatusReasonConflict, 409, absl::StatusCode::kAborted},
    {metav1::kStatusReasonGone, 410, absl::StatusCode::kOutOfRange},
    {metav1::kStatusReasonExpired, 0, absl::StatusCode::kOutOfRange},
    {metav1::kStatusReasonRequestEntityTooLarge, 413, absl::StatusCode::kInvalidArgument},
    {metav1::kStatusReasonUnsupportedMediaType, 415, absl::StatusCode::kUnimplemented},
    {metav1::kStatusReasonInvalid, 422, absl::StatusCode::kInvalidArgument},
    {metav1::kStatusReasonTooManyRequests, 429, absl::StatusCode::kResourceExhausted},
    {metav1::kStatusReasonInternalError, 500, absl::StatusCode::kInternal},
    {metav1::kStatusReasonServerTimeout, 0, absl::StatusCode::kUnavailable},
    {metav1::kStatusReasonStoreReadError, 0, absl::StatusCode::kDataLoss},
    {metav1::kStatusReasonServiceUnavailable, 503, absl::StatusCode::kUnavailable},
    {metav1::kStatusReasonTimeout, 504, absl::StatusCode::kDeadlineExceeded},
};

const CodeOfReason* FindReason(absl::string_view reason) {
  for (const CodeOfReason& row : kCodes) {
    if (row.reason == reason) return &row;
  }
  return nullptr;
}

absl::StatusCode CodeForHttp(int32_t http_code) {
  for (const CodeOfReason& row : kCodes) {
    if (row.http_code != 0 && row.http_code == http_code) return row.code;
  }
  if (http_code == 501) return absl::StatusCode::kUnimplemented;
  if (http_code == 502) return absl::StatusCode::kUnavailable;
  return http_code >= 500 ? absl::StatusCode::kInternal : absl::StatusCode::kUnknown;
}

}  // namespace

absl::StatusCode CodeFor(const metav1::Status& status) {
  const CodeOfReason* row = FindReason(status.reason.view());
  return row != nullptr ? row->code : CodeForHttp(status.code);
}

absl::Status FromStatus(const metav1::Status& status) {
  absl::Status error(CodeFor(status), status.message.view());
  // The encoding cannot fail for any member of a Status.
  absl::StatusOr<std::string> json = codec::EncodeJson(status);
  if (json.ok()) error.SetPayload(kStatusPayload, absl::Cord(*std::move(json)));
  return error;
}

absl::Status FromObject(const codec::AnyObject& object) {
  if (const auto* status = object.As<metav1::Status>()) return FromStatus(*status);
  // Only the kind: the contents may be those of a Secret.
  const KindInfo& kind = object.kind();
  return UnexpectedObject(
      absl::StrCat(kind.group, kind.group.empty() ? "" : "/", kind.version, ", Kind=", kind.kind));
}

absl::Status FromObject(const unstructured::Unstructured& object) {
  // Servers write "v1"; apimachinery also accepts the group after which the package is named.
  const absl::string_view version = object.api_version();
  if (object.kind() == "Status" && (version == "v1" || version == "meta.k8s.io/v1")) {
    const absl::StatusOr<metav1::Status> status =
        unstructured::FromValue<metav1::Status>(object.object);
    return status.ok() ? FromStatus(*status) : status.status();
  }
  return UnexpectedObject(absl::StrCat(version, ", Kind=", object.kind()));
}

absl::Status UnexpectedObject(absl::string_view object) {
  absl::Status error = absl::UnknownError(absl::StrCat("unexpected object: ", object));
  error.SetPayload(internal::kUnexpectedObjectPayload, absl::Cord());
  return error;
}

std::optional<metav1::Status> StatusOf(const absl::Status& error) {
  const auto payload = error.GetPayload(kStatusPayload);
  if (!payload.has_value()) return std::nullopt;
  absl::StatusOr<metav1::Status> status = codec::DecodeJson<metav1::Status>(std::string(*payload));
  if (!status.ok()) return std::nullopt;
  return *std::move(status);
}

namespace internal {

bool IsKnownReason(absl::string_view reason) { return FindReason(reason) != nullptr; }

}  // namespace internal
}  // namespace kube::errors
