#include "net/httpclient/transport_error.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::httpclient {
namespace {

// The payload is "<kind> sent" or "<kind> unsent".
constexpr char kPayload[] = "kube/transport-error";

struct KindInfo {
  absl::string_view name;
  absl::StatusCode code;
};

// In the order of the enumerators.
constexpr std::array<KindInfo, 10> kKinds = {{
    {"resolve", absl::StatusCode::kUnavailable},
    {"connect", absl::StatusCode::kUnavailable},
    {"proxy", absl::StatusCode::kUnavailable},
    {"tls", absl::StatusCode::kUnauthenticated},
    {"reset", absl::StatusCode::kUnavailable},
    {"eof", absl::StatusCode::kUnavailable},
    {"lost", absl::StatusCode::kUnavailable},
    {"timeout", absl::StatusCode::kDeadlineExceeded},
    {"protocol", absl::StatusCode::kDataLoss},
    {"closed", absl::StatusCode::kCancelled},
}};

}  // namespace

absl::string_view ToString(TransportErrorKind kind) {
  return kKinds[static_cast<size_t>(kind)].name;
}

std::ostream& operator<<(std::ostream& out, TransportErrorKind kind) {
  return out << ToString(kind);
}

absl::Status MakeTransportError(const TransportError& error, absl::string_view message) {
  const KindInfo& kind = kKinds[static_cast<size_t>(error.kind)];
  absl::Status status(kind.code, message);
  status.SetPayload(kPayload,
                    absl::Cord(absl::StrCat(kind.name, error.maybe_sent ? " sent" : " unsent")));
  return status;
}

std::optional<TransportError> TransportErrorOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kPayload);
  if (!payload.has_value()) return std::nullopt;
  const std::string text(*payload);
  for (size_t i = 0; i < kKinds.size(); ++i) {
    const absl::string_view name = kKinds[i].name;
    const absl::string_view rest =
        absl::string_view(text).substr(std::min(name.size(), text.size()));
    if (!absl::StartsWith(text, name) || (rest != " sent" && rest != " unsent")) continue;
    return TransportError{.kind = static_cast<TransportErrorKind>(i),
                          .maybe_sent = rest == " sent"};
  }
  return std::nullopt;
}

bool IsConnectionLost(const absl::Status& status) {
  const std::optional<TransportError> error = TransportErrorOf(status);
  if (!error.has_value()) return false;
  return error->kind == TransportErrorKind::kReset || error->kind == TransportErrorKind::kEof ||
         error->kind == TransportErrorKind::kLost;
}

}  // namespace kube::httpclient
