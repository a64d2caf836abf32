#include "apimachinery/remotecommand/protocol.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::remotecommand {

namespace metav1 = api::meta::v1;

namespace {

struct StreamType {
  Channel channel;
  absl::string_view name;
};

constexpr StreamType kStreamTypes[] = {
    {Channel::kStdin, "stdin"}, {Channel::kStdout, "stdout"}, {Channel::kStderr, "stderr"},
    {Channel::kError, "error"}, {Channel::kResize, "resize"},
};

// The reason of the Status of a command whose exit code is not zero, and the type of the cause
// whose message is the code.
constexpr absl::string_view kNonZeroExitCode = "NonZeroExitCode";
constexpr absl::string_view kExitCode = "ExitCode";

// The payload of MakeExitError: the code as a decimal number.
constexpr absl::string_view kExitCodePayload = "kubernetes.io/ExitCode";

// ---- Terminal sizes

// The most that waits for TerminalSizeReader::Next: some two thousand sizes.
constexpr size_t kMaxUnreadBytes = size_t{64} << 10;

constexpr absl::string_view kJsonBlanks = " \t\r\n";

// Returns the size of the JSON object at the beginning of `text`, or zero if its end is missing.
size_t SizeOfObject(absl::string_view text) {
  int depth = 0;
  bool in_string = false;
  bool escaped = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (!escaped && c == '"') in_string = false;
      escaped = !escaped && c == '\\';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return 0;
}

// Reads an object as encoding/json does: names without regard to case, numbers of 16 bits, null as
// if the member were missing, other members ignored.
std::optional<TerminalSize> ParseTerminalSize(absl::string_view json) {
  const absl::StatusOr<unstructured::Value> value = unstructured::ParseJson(json);
  if (!value.ok() || value->object() == nullptr) return std::nullopt;
  TerminalSize size;
  for (const auto& [name, member] : *value->object()) {
    const bool is_width = absl::EqualsIgnoreCase(name.view(), "Width");
    if (!is_width && !absl::EqualsIgnoreCase(name.view(), "Height")) continue;
    if (member.is_null()) continue;
    const std::optional<int64_t> number = member.integer();
    if (!number.has_value() || *number < 0 || *number > UINT16_MAX) return std::nullopt;
    (is_width ? size.width : size.height) = static_cast<uint16_t>(*number);
  }
  return size;
}

// ---- Outcomes

absl::Status ProtocolError(absl::string_view what) {
  return absl::InternalError(absl::StrCat("error stream protocol error: ", what));
}

// Reads an unsigned decimal number of 8 bits, without a sign and without blanks.
std::optional<uint8_t> ParseExitCode(absl::string_view text) {
  uint32_t code = 0;
  const auto is_digit = [](char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); };
  if (!absl::c_all_of(text, is_digit) || !absl::SimpleAtoi(text, &code) || code > UINT8_MAX) {
    return std::nullopt;
  }
  return static_cast<uint8_t>(code);
}

// Returns the outcome that a Status with the reason NonZeroExitCode tells.
absl::Status ExitErrorOf(const metav1::Status& status) {
  if (!status.details) return ProtocolError("details must be set");
  for (const metav1::StatusCause& cause : status.details->causes) {
    if (cause.reason != kExitCode) continue;
    const std::optional<uint8_t> code = ParseExitCode(cause.message.view());
    if (code.has_value()) return MakeExitError(*code);
    return ProtocolError(
        absl::StrCat("invalid exit code value ", text::Quoted(cause.message.view())));
  }
  return ProtocolError(absl::StrCat("no ", kExitCode, " cause given"));
}

metav1::Status ExitStatus(uint8_t code) {
  const std::string number = absl::StrCat(int{code});
  metav1::Status status;
  status.status = metav1::kStatusFailure;
  status.message = absl::StrCat(
      "command terminated with non-zero exit code: command terminated with exit code ", number);
  status.reason = kNonZeroExitCode;
  status.details.emplace().causes.push_back({.reason = kExitCode, .message = number});
  return status;
}

metav1::Status StatusFor(const absl::Status& outcome) {
  metav1::Status success;
  success.status = metav1::kStatusSuccess;
  if (outcome.ok()) return success;
  if (const std::optional<uint8_t> code = ExitCodeOf(outcome)) return ExitStatus(*code);
  std::optional<metav1::Status> status = errors::StatusOf(outcome);
  if (!status.has_value()) status = errors::StatusOf(errors::InternalError(outcome.message()));
  KUBE_CHECK(status.has_value()) << "errors of apimachinery/errors have a Status";
  status->status = metav1::kStatusFailure;
  return *std::move(status);
}

}  // namespace

absl::string_view StreamTypeOf(Channel channel) {
  for (const StreamType& type : kStreamTypes) {
    if (type.channel == channel) return type.name;
  }
  return "";
}

std::optional<Channel> ChannelOf(absl::string_view stream_type) {
  for (const StreamType& type : kStreamTypes) {
    if (type.name == stream_type) return type.channel;
  }
  return std::nullopt;
}

std::string EncodeTerminalSize(TerminalSize size) {
  return absl::StrCat("{\"Width\":", int{size.width}, ",\"Height\":", int{size.height}, "}\n");
}

void TerminalSizeReader::Receive(absl::string_view bytes) {
  if (failed_) return;
  absl::StrAppend(&unread_, bytes);
  // Sizes that nobody takes must not fill the memory.
  failed_ = unread_.size() > kMaxUnreadBytes;
}

std::optional<TerminalSize> TerminalSizeReader::Next() {
  unread_.erase(0, std::min(unread_.find_first_not_of(kJsonBlanks.data(), 0, kJsonBlanks.size()),
                            unread_.size()));
  if (unread_.empty()) return std::nullopt;
  std::optional<TerminalSize> size;
  size_t end = 0;
  if (unread_.front() == '{') {
    end = SizeOfObject(unread_);
    if (end == 0) return std::nullopt;
    size = ParseTerminalSize(absl::string_view(unread_).substr(0, end));
  }
  if (size.has_value()) {
    unread_.erase(0, end);
  } else {
    failed_ = true;
    unread_.clear();
  }
  return size;
}

absl::Status MakeExitError(uint8_t code) {
  absl::Status status =
      absl::UnknownError(absl::StrCat("command terminated with exit code ", int{code}));
  status.SetPayload(kExitCodePayload, absl::Cord(absl::StrCat(int{code})));
  return status;
}

std::optional<uint8_t> ExitCodeOf(const absl::Status& status) {
  if (status.ok()) return uint8_t{0};
  const auto payload = status.GetPayload(kExitCodePayload);
  if (!payload.has_value()) return std::nullopt;
  return ParseExitCode(std::string(*payload));
}

absl::Status ParseOutcome(absl::string_view data) {
  if (data.empty()) return absl::OkStatus();
  const absl::StatusOr<metav1::Status> status = codec::DecodeJson<metav1::Status>(data);
  if (!status.ok()) {
    return ProtocolError(absl::StrCat(status.status().message(), " in ", text::Quoted(data)));
  }
  if (status->status == metav1::kStatusSuccess) return absl::OkStatus();
  if (status->status != metav1::kStatusFailure) return ProtocolError("unknown error");
  if (status->reason == kNonZeroExitCode) return ExitErrorOf(*status);
  return errors::FromStatus(*status);
}

absl::Status ParseTextOutcome(absl::string_view data) {
  if (data.empty()) return absl::OkStatus();
  return absl::UnknownError(absl::StrCat("error executing remote command: ", data));
}

std::string EncodeOutcome(const absl::Status& outcome) {
  const absl::StatusOr<std::string> json = codec::EncodeJson(StatusFor(outcome));
  KUBE_CHECK_OK(json);  // a Status has a JSON, whatever its members are
  return *json;
}

}  // namespace kube::remotecommand
