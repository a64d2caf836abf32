#include "informers/internal/reflector_errors.h"

#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "net/httpclient/transport_error.h"

namespace kube::informers::internal {

namespace metav1 = api::meta::v1;

bool IsExpired(const absl::Status& error) {
  return errors::IsResourceExpired(error) || errors::IsGone(error);
}

bool IsResourceVersionTooLarge(const absl::Status& error) {
  if (errors::HasStatusCause(error, metav1::kCauseTypeResourceVersionTooLarge)) return true;
  if (!errors::IsTimeout(error)) return false;
  constexpr absl::string_view kMessage = "Too large resource version";
  const std::optional<metav1::Status> status = errors::StatusOf(error);
  if (!status.has_value() || !status->details) return false;
  for (const metav1::StatusCause& cause : status->details->causes) {
    if (cause.message == kMessage) return true;
  }
  return absl::StrContains(status->message.view(), kMessage);
}

bool IsServerAway(const absl::Status& error) {
  if (errors::IsTooManyRequests(error)) return true;
  const std::optional<httpclient::TransportError> lost = httpclient::TransportErrorOf(error);
  return lost.has_value() && (lost->kind == httpclient::TransportErrorKind::kConnect ||
                              lost->kind == httpclient::TransportErrorKind::kResolve ||
                              lost->kind == httpclient::TransportErrorKind::kProxy);
}

bool IsConnectionEnd(const absl::Status& error) {
  return httpclient::TransportErrorOf(error).has_value() ||
         (absl::IsUnavailable(error) && !errors::StatusOf(error).has_value());
}

}  // namespace kube::informers::internal
