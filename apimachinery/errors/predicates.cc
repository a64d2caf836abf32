#include "apimachinery/errors/predicates.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/status_error.h"

namespace kube::errors {

namespace metav1 = api::meta::v1;

namespace {

// Tests the reason; if apimachinery does not know the reason of the error, tests the HTTP code.
bool Is(const absl::Status& error, absl::string_view reason, int32_t code) {
  const std::optional<metav1::Status> status = StatusOf(error);
  if (!status.has_value()) return false;
  if (status->reason == reason) return true;
  return status->code == code && !internal::IsKnownReason(status->reason.view());
}

// Tests the reason or the HTTP code: older rules of apimachinery, which it keeps for compatibility.
bool IsEither(const absl::Status& error, absl::string_view reason, int32_t code) {
  const std::optional<metav1::Status> status = StatusOf(error);
  return status.has_value() && (status->reason == reason || status->code == code);
}

bool HasReason(const absl::Status& error, absl::string_view reason) {
  return ReasonForError(error) == reason;
}

}  // namespace

bool IsNotFound(const absl::Status& error) { return Is(error, metav1::kStatusReasonNotFound, 404); }

bool IsAlreadyExists(const absl::Status& error) {
  return HasReason(error, metav1::kStatusReasonAlreadyExists);
}

bool IsConflict(const absl::Status& error) { return Is(error, metav1::kStatusReasonConflict, 409); }

bool IsInvalid(const absl::Status& error) { return Is(error, metav1::kStatusReasonInvalid, 422); }

bool IsGone(const absl::Status& error) { return Is(error, metav1::kStatusReasonGone, 410); }

bool IsResourceExpired(const absl::Status& error) {
  return Is(error, metav1::kStatusReasonExpired, 410);
}

bool IsNotAcceptable(const absl::Status& error) {
  return Is(error, metav1::kStatusReasonNotAcceptable, 406);
}

bool IsUnsupportedMediaType(const absl::Status& error) {
  return Is(error, metav1::kStatusReasonUnsupportedMediaType, 415);
}

bool IsMethodNotSupported(const absl::Status& error) {
  return Is(error, metav1::kStatusReasonMethodNotAllowed, 405);
}

bool IsServiceUnavailable(const absl::Status& error) {
  return Is(error, metav1::kStatusReasonServiceUnavailable, 503);
}

bool IsBadRequest(const absl::Status& error) {
  return Is(error, metav1::kStatusReasonBadRequest, 400);
}

bool IsUnauthorized(const absl::Status& error) {
  return Is(error, metav1::kStatusReasonUnauthorized, 401);
}

bool IsForbidden(const absl::Status& error) {
  return Is(error, metav1::kStatusReasonForbidden, 403);
}

bool IsTimeout(const absl::Status& error) { return Is(error, metav1::kStatusReasonTimeout, 504); }

bool IsServerTimeout(const absl::Status& error) {
  return HasReason(error, metav1::kStatusReasonServerTimeout);
}

bool IsInternalError(const absl::Status& error) {
  return Is(error, metav1::kStatusReasonInternalError, 500);
}

bool IsTooManyRequests(const absl::Status& error) {
  return IsEither(error, metav1::kStatusReasonTooManyRequests, 429);
}

bool IsRequestEntityTooLarge(const absl::Status& error) {
  return IsEither(error, metav1::kStatusReasonRequestEntityTooLarge, 413);
}

bool IsStoreReadError(const absl::Status& error) {
  return HasReason(error, metav1::kStatusReasonStoreReadError);
}

bool IsUnexpectedServerError(const absl::Status& error) {
  return HasStatusCause(error, metav1::kCauseTypeUnexpectedServerResponse);
}

bool IsUnexpectedObjectError(const absl::Status& error) {
  return error.GetPayload(internal::kUnexpectedObjectPayload).has_value();
}

absl::Status IgnoreNotFound(const absl::Status& error) {
  return errors::IsNotFound(error) ? absl::OkStatus() : error;
}

absl::Status IgnoreAlreadyExists(const absl::Status& error) {
  return errors::IsAlreadyExists(error) ? absl::OkStatus() : error;
}

std::string ReasonForError(const absl::Status& error) {
  const std::optional<metav1::Status> status = StatusOf(error);
  return status.has_value() ? std::string(status->reason) : std::string();
}

std::optional<metav1::StatusCause> StatusCause(const absl::Status& error, absl::string_view type) {
  const std::optional<metav1::Status> status = StatusOf(error);
  if (!status.has_value() || !status->details) return std::nullopt;
  for (const metav1::StatusCause& cause : status->details->causes) {
    if (cause.reason == type) return cause;
  }
  return std::nullopt;
}

bool HasStatusCause(const absl::Status& error, absl::string_view type) {
  return StatusCause(error, type).has_value();
}

std::optional<absl::Duration> SuggestsClientDelay(const absl::Status& error) {
  const std::optional<metav1::Status> status = StatusOf(error);
  if (!status.has_value() || !status->details) return std::nullopt;
  const absl::Duration delay = absl::Seconds(status->details->retry_after_seconds);
  // ServerTimeout asks for a delay even if that is zero.
  if (status->reason == metav1::kStatusReasonServerTimeout || delay > absl::ZeroDuration()) {
    return delay;
  }
  return std::nullopt;
}

}  // namespace kube::errors
