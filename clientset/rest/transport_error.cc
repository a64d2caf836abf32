#include "clientset/rest/transport_error.h"

#include <optional>
#include <ostream>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::rest {

namespace {

constexpr absl::string_view kPayload = "kubernetes.io/TransportError";

struct KindInfo {
  absl::string_view name;
  absl::StatusCode code;
};

KindInfo InfoOf(TransportErrorKind kind) {
  switch (kind) {
    case TransportErrorKind::kResolve:
      return {"resolve", absl::StatusCode::kUnavailable};
    case TransportErrorKind::kConnect:
      return {"connect", absl::StatusCode::kUnavailable};
    case TransportErrorKind::kProxy:
      return {"proxy", absl::StatusCode::kUnavailable};
    case TransportErrorKind::kTls:
      return {"tls", absl::StatusCode::kUnauthenticated};
    case TransportErrorKind::kReset:
      return {"reset", absl::StatusCode::kUnavailable};
    case TransportErrorKind::kEof:
      return {"eof", absl::StatusCode::kUnavailable};
    case TransportErrorKind::kLost:
      return {"lost", absl::StatusCode::kUnavailable};
    case TransportErrorKind::kTimeout:
      return {"timeout", absl::StatusCode::kDeadlineExceeded};
    case TransportErrorKind::kProtocol:
      return {"protocol", absl::StatusCode::kDataLoss};
    case TransportErrorKind::kClosed:
      return {"closed", absl::StatusCode::kCancelled};
  }
  return {"unknown", absl::StatusCode::kUnknown};
}

}  // namespace

absl::string_view ToString(TransportErrorKind kind) { return InfoOf(kind).name; }

std::ostream& operator<<(std::ostream& out, TransportErrorKind kind) {
  return out << ToString(kind);
}

absl::Status MakeTransportError(const TransportError& error, absl::string_view message) {
  absl::Status status(InfoOf(error.kind).code, message);
  const char bytes[] = {static_cast<char>('a' + static_cast<int>(error.kind)),
                        error.maybe_sent ? '1' : '0'};
  status.SetPayload(kPayload, absl::Cord(absl::string_view(bytes, sizeof(bytes))));
  return status;
}

std::optional<TransportError> TransportErrorOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kPayload);
  if (!payload.has_value() || payload->size() != 2) return std::nullopt;
  return TransportError{.kind = static_cast<TransportErrorKind>((*payload)[0] - 'a'),
                        .maybe_sent = (*payload)[1] == '1'};
}

bool IsConnectionLost(const absl::Status& status) {
  const std::optional<TransportError> error = TransportErrorOf(status);
  return error.has_value() &&
         (error->kind == TransportErrorKind::kReset || error->kind == TransportErrorKind::kEof ||
          error->kind == TransportErrorKind::kLost);
}

}  // namespace kube::rest
