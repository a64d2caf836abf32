#include "clientset/recording/internal/lines.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value_json.h"
#include "net/http/headers.h"
#include "net/httpclient/transport_error.h"

namespace kube::recording::internal {
namespace {

using httpclient::TransportError;
using httpclient::TransportErrorKind;
using unstructured::Value;

constexpr TransportErrorKind kKinds[] = {
    TransportErrorKind::kResolve, TransportErrorKind::kConnect, TransportErrorKind::kProxy,
    TransportErrorKind::kTls,     TransportErrorKind::kReset,   TransportErrorKind::kEof,
    TransportErrorKind::kLost,    TransportErrorKind::kTimeout, TransportErrorKind::kProtocol,
    TransportErrorKind::kClosed};

struct EndName {
  ExchangeEnd end;
  absl::string_view name;
};
constexpr EndName kEnds[] = {{ExchangeEnd::kComplete, "complete"},
                             {ExchangeEnd::kFailed, "failed"},
                             {ExchangeEnd::kAbandoned, "abandoned"},
                             {ExchangeEnd::kTruncated, "truncated"}};

// A hundred years, beyond which a time is a mistake.
constexpr int64_t kMaxMicros = int64_t{100} * 366 * 86'400 * 1'000'000;

std::string LineOf(Map<Value> members) {
  // Fails only for doubles that are not numbers, and there are no doubles.
  return absl::StrCat(*unstructured::EncodeJson(Value(std::move(members))), "\n");
}

void SetBytes(absl::string_view bytes, Map<Value>& members) {
  if (text::IsValidUtf8(bytes)) {
    members["text"] = Value(bytes);
  } else {
    members["base64"] = Value(absl::Base64Escape(bytes));
  }
}

Value ListOf(const http::Headers& headers) {
  List<Value> list;
  for (const http::Header& header : headers) {
    Map<Value> line;
    line["name"] = Value(header.name);
    SetBytes(header.value, line);
    list.push_back(Value(std::move(line)));
  }
  return Value(std::move(list));
}

absl::Status Missing(absl::string_view member) {
  return absl::InvalidArgumentError(absl::StrCat("\"", member, "\" is missing or malformed"));
}

absl::StatusOr<std::string> TextIn(const Value& line, absl::string_view member) {
  const std::optional<absl::string_view> found = line[member].text();
  if (!found) return Missing(member);
  return std::string(*found);
}

absl::StatusOr<int64_t> IntegerIn(const Value& line, absl::string_view member, int64_t min,
                                  int64_t max) {
  const std::optional<int64_t> found = line[member].integer();
  if (!found || *found < min || *found > max) return Missing(member);
  return *found;
}

absl::StatusOr<absl::Duration> TimeIn(const Value& line, absl::string_view member) {
  KUBE_ASSIGN_OR_RETURN(const int64_t micros, IntegerIn(line, member, 0, kMaxMicros));
  return absl::Microseconds(micros);
}

absl::StatusOr<std::string> BytesIn(const Value& line) {
  if (const std::optional<absl::string_view> plain = line["text"].text()) {
    return std::string(*plain);
  }
  const std::optional<absl::string_view> encoded = line["base64"].text();
  std::string bytes;
  if (!encoded || !absl::Base64Unescape(*encoded, &bytes)) return Missing("text");
  return bytes;
}

absl::StatusOr<http::Headers> HeadersIn(const Value& line) {
  const List<Value>* list = line["headers"].list();
  if (list == nullptr) return Missing("headers");
  http::Headers headers;
  for (const Value& each : *list) {
    KUBE_ASSIGN_OR_RETURN(const std::string name, TextIn(each, "name"), "header");
    KUBE_ASSIGN_OR_RETURN(const std::string value, BytesIn(each), "header \"", name, "\"");
    headers.Add(name, value);
  }
  return headers;
}

Value ErrorValue(const absl::Status& error) {
  Map<Value> members = {{"code", static_cast<int64_t>(error.code())},
                        {"message", text::ReplaceInvalidUtf8(error.message())}};
  if (const std::optional<TransportError> cause = httpclient::TransportErrorOf(error)) {
    members["kind"] = Value(httpclient::ToString(cause->kind));
    members["maybeSent"] = Value(cause->maybe_sent);
  }
  return Value(std::move(members));
}

absl::Status ReadError(const Value& error, Exchange& exchange) {
  KUBE_ASSIGN_OR_RETURN(const int64_t code, IntegerIn(error, "code", 1, 16));
  KUBE_ASSIGN_OR_RETURN(const std::string message, TextIn(error, "message"));
  if (error.Find("kind") == nullptr) {
    exchange.error = absl::Status(static_cast<absl::StatusCode>(code), message);
    return absl::OkStatus();
  }
  KUBE_ASSIGN_OR_RETURN(const std::string name, TextIn(error, "kind"));
  for (const TransportErrorKind kind : kKinds) {
    if (httpclient::ToString(kind) != name) continue;
    const bool maybe_sent = error["maybeSent"].boolean().value_or(true);
    exchange.error =
        httpclient::MakeTransportError({.kind = kind, .maybe_sent = maybe_sent}, message);
    return absl::OkStatus();
  }
  return Missing("kind");
}

absl::Status ReadEnd(const Value& line, Exchange& exchange) {
  KUBE_ASSIGN_OR_RETURN(const std::string name, TextIn(line, "how"));
  KUBE_ASSIGN_OR_RETURN(exchange.duration, TimeIn(line, "at"));
  for (const EndName& each : kEnds) {
    if (each.name == name) exchange.end = each.end;
  }
  if (exchange.end == ExchangeEnd::kOpen) return Missing("how");
  if (exchange.end == ExchangeEnd::kComplete && !exchange.response) {
    return absl::InvalidArgumentError("the exchange is complete without a response");
  }
  if (exchange.end != ExchangeEnd::kFailed) return absl::OkStatus();
  KUBE_RETURN_IF_ERROR(ReadError(line["error"], exchange), "error");
  return absl::OkStatus();
}

absl::Status ReadResponse(const Value& line, Exchange& exchange) {
  if (exchange.response) return absl::InvalidArgumentError("the exchange has a response already");
  ResponseHead response;
  KUBE_ASSIGN_OR_RETURN(response.at, TimeIn(line, "at"));
  KUBE_ASSIGN_OR_RETURN(const int64_t code, IntegerIn(line, "status", 200, 999));
  KUBE_ASSIGN_OR_RETURN(const int64_t version, IntegerIn(line, "httpVersion", 1, 2));
  KUBE_ASSIGN_OR_RETURN(response.headers, HeadersIn(line));
  response.status = static_cast<int>(code);
  response.http_version = static_cast<int>(version);
  exchange.response = std::move(response);
  return absl::OkStatus();
}

absl::Status ReadBody(const Value& line, Exchange& exchange) {
  if (!exchange.response) return absl::InvalidArgumentError("the exchange has no response yet");
  BodyPart part;
  KUBE_ASSIGN_OR_RETURN(part.at, TimeIn(line, "at"));
  KUBE_ASSIGN_OR_RETURN(part.bytes, BytesIn(line));
  // An empty part would be the end of the body.
  if (part.bytes.empty()) return Missing("text");
  exchange.parts.push_back(std::move(part));
  return absl::OkStatus();
}

}  // namespace

std::string RecordingLine(bool redacted) {
  return LineOf({{"type", "recording"}, {"version", kVersion}, {"redacted", redacted}});
}

std::string RequestLine(const Exchange& exchange) {
  Map<Value> members = {{"type", "request"},
                        {"n", exchange.number},
                        {"at", absl::ToInt64Microseconds(exchange.start)},
                        {"time", absl::ToUnixMicros(exchange.time)},
                        {"method", text::ReplaceInvalidUtf8(exchange.method)},
                        {"url", text::ReplaceInvalidUtf8(exchange.url)},
                        {"headers", ListOf(exchange.headers)}};
  if (exchange.body) SetBytes(*exchange.body, members);
  return LineOf(std::move(members));
}

std::string ResponseLine(int64_t number, const ResponseHead& response) {
  return LineOf({{"type", "response"},
                 {"n", number},
                 {"at", absl::ToInt64Microseconds(response.at)},
                 {"status", response.status},
                 {"httpVersion", response.http_version},
                 {"headers", ListOf(response.headers)}});
}

std::string BodyLine(int64_t number, const BodyPart& part) {
  Map<Value> members = {
      {"type", "body"}, {"n", number}, {"at", absl::ToInt64Microseconds(part.at)}};
  SetBytes(part.bytes, members);
  return LineOf(std::move(members));
}

std::string EndLine(int64_t number, ExchangeEnd end, absl::Duration duration,
                    const absl::Status& error) {
  Map<Value> members = {
      {"type", "end"}, {"n", number}, {"at", absl::ToInt64Microseconds(duration)}};
  for (const EndName& each : kEnds) {
    if (each.end == end) members["how"] = Value(each.name);
  }
  if (!error.ok()) members["error"] = ErrorValue(error);
  return LineOf(std::move(members));
}

absl::Status LineReader::Add(absl::string_view line) {
  KUBE_ASSIGN_OR_RETURN(const Value value, unstructured::ParseJson(line));
  KUBE_ASSIGN_OR_RETURN(const std::string type, TextIn(value, "type"));
  if (type == "recording") return AddRecording(value);
  if (!begun_) {
    return absl::InvalidArgumentError("a recording begins with a line of type \"recording\"");
  }
  if (ended_) {
    return absl::InvalidArgumentError(
        "a line of type \"full\" is the last one of its recording, and another one follows");
  }
  if (type == "full") {
    ended_ = true;
    recording_.full = true;
    return absl::OkStatus();
  }
  if (type == "request") return AddRequest(value);
  return AddToExchange(type, value);
}

absl::Status LineReader::AddRecording(const Value& line) {
  KUBE_ASSIGN_OR_RETURN(const int64_t version, IntegerIn(line, "version", 1, INT64_MAX));
  if (version != kVersion) {
    return absl::InvalidArgumentError(absl::StrCat(
        "version ", version, " of the format is not known; this program reads ", kVersion));
  }
  begun_ = true;
  ended_ = false;
  first_ = recording_.exchanges.size();
  if (line["redacted"].boolean() != true) recording_.redacted = false;
  return absl::OkStatus();
}

absl::Status LineReader::AddRequest(const Value& line) {
  Exchange exchange;
  KUBE_ASSIGN_OR_RETURN(exchange.number, IntegerIn(line, "n", 1, INT64_MAX));
  KUBE_ASSIGN_OR_RETURN(exchange.start, TimeIn(line, "at"));
  KUBE_ASSIGN_OR_RETURN(const int64_t time, IntegerIn(line, "time", -kMaxMicros, kMaxMicros));
  exchange.time = absl::FromUnixMicros(time);
  KUBE_ASSIGN_OR_RETURN(exchange.method, TextIn(line, "method"));
  KUBE_ASSIGN_OR_RETURN(exchange.url, TextIn(line, "url"));
  KUBE_ASSIGN_OR_RETURN(exchange.headers, HeadersIn(line));
  if (line.Find("text") != nullptr || line.Find("base64") != nullptr) {
    KUBE_ASSIGN_OR_RETURN(exchange.body, BytesIn(line));
  }
  // Requests of several threads may be written out of order by a few lines.
  auto place = recording_.exchanges.end();
  const auto first = recording_.exchanges.begin() + static_cast<std::ptrdiff_t>(first_);
  while (place != first && (place - 1)->number >= exchange.number) {
    --place;
    if (place->number == exchange.number) {
      return absl::InvalidArgumentError(absl::StrCat("exchange ", exchange.number, " is repeated"));
    }
  }
  recording_.exchanges.insert(place, std::move(exchange));
  return absl::OkStatus();
}

absl::Status LineReader::AddToExchange(absl::string_view type, const Value& line) {
  KUBE_ASSIGN_OR_RETURN(const int64_t number, IntegerIn(line, "n", 1, INT64_MAX));
  const auto first = recording_.exchanges.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto found =
      std::lower_bound(first, recording_.exchanges.end(), number,
                       [](const Exchange& each, int64_t n) { return each.number < n; });
  if (found == recording_.exchanges.end() || found->number != number) {
    return absl::InvalidArgumentError(absl::StrCat("exchange ", number, " has no request"));
  }
  if (found->end != ExchangeEnd::kOpen) {
    return absl::InvalidArgumentError(absl::StrCat("exchange ", number, " has ended already"));
  }
  if (type == "response") return ReadResponse(line, *found);
  if (type == "body") return ReadBody(line, *found);
  if (type == "end") return ReadEnd(line, *found);
  return absl::InvalidArgumentError(absl::StrCat("type \"", type, "\" is not known"));
}

Recording LineReader::Take() {
  begun_ = false;
  ended_ = false;
  first_ = 0;
  return std::exchange(recording_, {});
}

}  // namespace kube::recording::internal
