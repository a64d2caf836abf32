#include "net/websocket/close.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/text/utf8.h"

namespace kube::websocket {
namespace {

// The payload of an error is its close code, in decimal.
constexpr char kPayload[] = "kube/websocket-close";

constexpr absl::string_view kPrefix = "websocket: ";

// Returns "" for codes without a name.
absl::string_view NameOf(CloseCode code) {
  switch (code) {
    case CloseCode::kNormal:
      return "normal";
    case CloseCode::kGoingAway:
      return "going away";
    case CloseCode::kProtocolError:
      return "protocol error";
    case CloseCode::kUnsupportedData:
      return "unsupported data";
    case CloseCode::kNoStatus:
      return "no status";
    case CloseCode::kAbnormal:
      return "abnormal closure";
    case CloseCode::kInvalidPayload:
      return "invalid payload data";
    case CloseCode::kPolicyViolation:
      return "policy violation";
    case CloseCode::kMessageTooBig:
      return "message too big";
    case CloseCode::kMissingExtension:
      return "mandatory extension missing";
    case CloseCode::kInternalError:
      return "internal server error";
    case CloseCode::kServiceRestart:
      return "service restart";
    case CloseCode::kTryAgainLater:
      return "try again later";
    case CloseCode::kBadGateway:
      return "bad gateway";
    case CloseCode::kTlsHandshake:
      return "TLS handshake error";
  }
  return "";
}

absl::StatusCode StatusCodeOf(CloseCode code) {
  switch (code) {
    case CloseCode::kMessageTooBig:
      return absl::StatusCode::kResourceExhausted;
    case CloseCode::kAbnormal:
      return absl::StatusCode::kUnavailable;
    default:
      return absl::StatusCode::kDataLoss;
  }
}

absl::Status MakeStatus(absl::StatusCode status_code, CloseCode code, absl::string_view message) {
  absl::Status status(status_code, absl::StrCat(kPrefix, message));
  status.SetPayload(kPayload, absl::Cord(absl::StrCat(static_cast<uint16_t>(code))));
  return status;
}

// Returns as much of the message as fits into a close frame.
std::string AsReason(absl::string_view message) {
  const absl::string_view reason = message.substr(0, kMaxReasonBytes);
  return std::string(reason.substr(0, text::ValidUtf8Prefix(reason)));
}

}  // namespace

bool IsAllowedInFrame(CloseCode code) {
  const auto number = static_cast<uint16_t>(code);
  if (number >= 3000) return number < 5000;
  return !NameOf(code).empty() && code != CloseCode::kNoStatus && code != CloseCode::kAbnormal &&
         code != CloseCode::kTlsHandshake;
}

std::string ToString(CloseCode code) {
  const absl::string_view name = NameOf(code);
  const auto number = static_cast<uint16_t>(code);
  return name.empty() ? absl::StrCat(number) : absl::StrCat(number, " (", name, ")");
}

std::ostream& operator<<(std::ostream& out, CloseCode code) { return out << ToString(code); }

std::string ToString(const Close& close) {
  return absl::StrCat("close ", ToString(close.code), close.reason.empty() ? "" : ": ",
                      close.reason);
}

std::ostream& operator<<(std::ostream& out, const Close& close) { return out << ToString(close); }

absl::Status MakeError(CloseCode code, absl::string_view reason) {
  return MakeStatus(StatusCodeOf(code), code, reason);
}

absl::Status MakeClosedError(const Close& close) {
  return MakeStatus(absl::StatusCode::kUnavailable, close.code, ToString(close));
}

std::optional<CloseCode> CloseCodeOf(const absl::Status& error) {
  const auto payload = error.GetPayload(kPayload);
  uint32_t number = 0;
  if (!payload.has_value() || !absl::SimpleAtoi(std::string(*payload), &number) ||
      number > UINT16_MAX) {
    return std::nullopt;
  }
  return static_cast<CloseCode>(number);
}

Close CloseFor(const absl::Status& error) {
  const std::optional<CloseCode> code = CloseCodeOf(error);
  if (!code.has_value() || !IsAllowedInFrame(*code)) return {.code = CloseCode::kInternalError};
  return {.code = *code, .reason = AsReason(absl::StripPrefix(error.message(), kPrefix))};
}

}  // namespace kube::websocket
