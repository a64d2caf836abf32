// Compares with Go: what apimachinery's api/errors and client-go's Request.Do return for the same
// calls, Statuses and HTTP responses.

#include "apimachinery/errors/errors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/errors/http_response.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/validation/field_error.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::errors {
namespace {

namespace metav1 = api::meta::v1;
using oracle::Dice;
using oracle::GoCases;
using oracle::Hex;

constexpr uint64_t kSeed = 20'260'731;

template <typename T, size_t N>
const T& OneOf(Dice& dice, const T (&values)[N]) {
  return values[dice.Below(N)];
}

std::string Text(Dice& dice) {
  static constexpr absl::string_view kTexts[] = {"",
                                                 "web-0",
                                                 "unknown",
                                                 "a \"quoted\" text",
                                                 "tab\tand\nline",
                                                 "<html>&",
                                                 "Zürich 東京",
                                                 "\xff\xfe bytes",
                                                 "x\xe2\x80\xa8y",
                                                 "100% %s %d",
                                                 "a\\b\x01",
                                                 "\xf0\x9f\x98\x80",
                                                 "\xc2\xa0 padded \xe2\x80\x83"};
  std::string text(OneOf(dice, kTexts));
  if (dice.Below(3) == 0) absl::StrAppend(&text, OneOf(dice, kTexts));
  return text;
}

// Describes an error as the oracle does.
std::string Describe(const absl::Status& error) {
  const std::optional<metav1::Status> status = StatusOf(error);
  if (!status.has_value()) return "no Status";
  return absl::StrCat(Hex(error.message()), " ", *codec::EncodeJson(*status));
}

struct Call {
  schema::GroupResource resource;
  std::string name;
  std::string message;
  int code = 0;
  int seconds = 0;
  bool unexpected = false;
  std::string method;
  List<metav1::StatusCause> causes;

  absl::Duration delay() const { return absl::Seconds(seconds); }
};

struct Constructor {
  const char* name;
  absl::Status (*make)(const Call& c);
};

// Derives field errors from the causes in the same way as the oracle.
validation::field::ErrorList FieldErrors(const List<metav1::StatusCause>& causes) {
  constexpr size_t kTypes = 12;
  validation::field::ErrorList errors;
  for (const metav1::StatusCause& cause : causes) {
    const std::string message(cause.message.view());
    errors.push_back({.type = static_cast<validation::field::ErrorType>(message.size() % kTypes),
                      .field = std::string(cause.field.view()),
                      .bad_value = message,
                      .detail = message});
  }
  return errors;
}

constexpr Constructor kConstructors[] = {
    {"NotFound", [](const Call& c) { return NotFound(c.resource, c.name); }},
    {"AlreadyExists", [](const Call& c) { return AlreadyExists(c.resource, c.name); }},
    {"GenerateNameConflict",
     [](const Call& c) { return GenerateNameConflict(c.resource, c.name, c.delay()); }},
    {"Unauthorized", [](const Call& c) { return Unauthorized(c.message); }},
    {"Forbidden", [](const Call& c) { return Forbidden(c.resource, c.name, c.message); }},
    {"Conflict", [](const Call& c) { return Conflict(c.resource, c.name, c.message); }},
    {"ApplyConflict", [](const Call& c) { return ApplyConflict(c.causes, c.message); }},
    {"Gone", [](const Call& c) { return Gone(c.message); }},
    {"ResourceExpired", [](const Call& c) { return ResourceExpired(c.message); }},
    {"Invalid",
     [](const Call& c) {
       return Invalid({.group = c.resource.group, .kind = c.resource.resource}, c.name,
                      FieldErrors(c.causes));
     }},
    {"BadRequest", [](const Call& c) { return BadRequest(c.message); }},
    {"TooManyRequests", [](const Call& c) { return TooManyRequests(c.message, c.delay()); }},
    {"TooManyRequestsError", [](const Call& c) { return TooManyRequestsError(c.message); }},
    {"ServiceUnavailable", [](const Call& c) { return ServiceUnavailable(c.message); }},
    {"MethodNotSupported", [](const Call& c) { return MethodNotSupported(c.resource, c.message); }},
    {"ServerTimeout",
     [](const Call& c) { return ServerTimeout(c.resource, c.message, c.delay()); }},
    {"InternalError", [](const Call& c) { return InternalError(c.message); }},
    {"Timeout", [](const Call& c) { return Timeout(c.message, c.delay()); }},
    {"RequestEntityTooLarge", [](const Call& c) { return RequestEntityTooLarge(c.message); }},
    {"GenericServerResponse",
     [](const Call& c) {
       return GenericServerResponse({.code = c.code,
                                     .method = c.method,
                                     .resource = c.resource,
                                     .name = c.name,
                                     .server_message = c.message,
                                     .retry_after = c.delay(),
                                     .is_unexpected = c.unexpected});
     }},
    {"ClientError", [](const Call& c) { return ClientError(c.code, c.method, c.name, c.message); }},
};

constexpr int kCodes[] = {0,   100, 207, 226, 300, 304, 400, 401, 402, 403, 404, 405, 406,
                          407, 408, 409, 410, 411, 412, 413, 415, 418, 422, 423, 425, 428,
                          429, 431, 451, 499, 500, 501, 502, 503, 504, 507, 511, 599, 999};
constexpr absl::string_view kMethods[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};

Call RandomCall(Dice& dice) {
  Call c;
  c.resource.group = dice.Below(3) == 0 ? "" : Text(dice);
  c.resource.resource = dice.Below(3) == 0 ? "pods" : Text(dice);
  c.name = Text(dice);
  c.message = Text(dice);
  c.code = OneOf(dice, kCodes);
  c.seconds = static_cast<int>(dice.Below(5)) - 1;
  c.unexpected = dice.Below(2) == 0;
  c.method = std::string(OneOf(dice, kMethods));
  for (size_t n = dice.Below(4); n > 0; --n) {
    c.causes.push_back({.reason = Text(dice), .message = Text(dice), .field = Text(dice)});
  }
  return c;
}

std::string ToJson(const char* function, const Call& c) {
  std::string causes;
  for (const metav1::StatusCause& cause : c.causes) {
    absl::StrAppend(&causes, causes.empty() ? "" : ",", "{\"type\":\"", Hex(cause.reason.view()),
                    "\",\"field\":\"", Hex(cause.field.view()), "\",\"message\":\"",
                    Hex(cause.message.view()), "\"}");
  }
  return absl::StrCat("{\"function\":\"", function, "\",\"group\":\"", Hex(c.resource.group),
                      "\",\"resource\":\"", Hex(c.resource.resource), "\",\"name\":\"", Hex(c.name),
                      "\",\"message\":\"", Hex(c.message), "\",\"code\":", c.code,
                      ",\"seconds\":", c.seconds,
                      ",\"unexpected\":", c.unexpected ? "true" : "false", ",\"method\":\"",
                      c.method, "\",\"causes\":[", causes, "]}");
}

TEST(ErrorsDifferential, Constructors_RandomArguments_MakeTheStatusOfGo) {
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed);
  GoCases cases("errors_oracle");
  for (const Constructor& constructor : kConstructors) {
    for (int i = 0; i < 150; ++i) {
      const Call c = RandomCall(dice);
      cases.Add("make", ToJson(constructor.name, c), Describe(constructor.make(c)));
    }
  }
  cases.Check();
}

struct Predicate {
  const char* name;
  bool (*holds)(const absl::Status&);
};

// The order is that of the oracle.
constexpr Predicate kPredicates[] = {
    {"NotFound", errors::IsNotFound},
    {"AlreadyExists", errors::IsAlreadyExists},
    {"Conflict", IsConflict},
    {"Invalid", IsInvalid},
    {"Gone", IsGone},
    {"ResourceExpired", IsResourceExpired},
    {"NotAcceptable", IsNotAcceptable},
    {"UnsupportedMediaType", IsUnsupportedMediaType},
    {"MethodNotSupported", IsMethodNotSupported},
    {"ServiceUnavailable", IsServiceUnavailable},
    {"BadRequest", IsBadRequest},
    {"Unauthorized", IsUnauthorized},
    {"Forbidden", IsForbidden},
    {"Timeout", IsTimeout},
    {"ServerTimeout", IsServerTimeout},
    {"InternalError", IsInternalError},
    {"TooManyRequests", IsTooManyRequests},
    {"RequestEntityTooLarge", IsRequestEntityTooLarge},
    {"StoreReadError", IsStoreReadError},
    {"UnexpectedServerError", IsUnexpectedServerError},
    {"UnexpectedObjectError", IsUnexpectedObjectError},
    {"cause X", [](const absl::Status& error) { return HasStatusCause(error, "X"); }},
};

// Lists the predicates that hold for a Status, except for the difference for a 410: see
// docs/apimachinery.md.
std::string DescribePredicates(const metav1::Status& status) {
  const absl::Status error = base::Annotate(FromStatus(status), "context");
  std::string out;
  for (const Predicate& predicate : kPredicates) {
    if (!predicate.holds(error)) continue;
    if (predicate.holds == IsResourceExpired && status.reason != "Expired") continue;
    absl::StrAppend(&out, predicate.name, ", ");
  }
  const std::optional<absl::Duration> delay = SuggestsClientDelay(error);
  absl::StrAppend(&out, "reason ", ReasonForError(error), ", delay ",
                  delay.has_value() ? "true " : "false ",
                  absl::ToInt64Seconds(delay.value_or(absl::ZeroDuration())));
  return out;
}

// behaviour.md: COD-8
TEST(ErrorsDifferential, PredicatesOfEveryReasonAndCode) {
  constexpr absl::string_view kReasons[] = {"",
                                            "Unauthorized",
                                            "Forbidden",
                                            "NotFound",
                                            "AlreadyExists",
                                            "Conflict",
                                            "Gone",
                                            "Invalid",
                                            "ServerTimeout",
                                            "Timeout",
                                            "StorageReadError",
                                            "TooManyRequests",
                                            "BadRequest",
                                            "NotAcceptable",
                                            "MethodNotAllowed",
                                            "RequestEntityTooLarge",
                                            "InternalError",
                                            "Expired",
                                            "ServiceUnavailable",
                                            "UnsupportedMediaType",
                                            "SomethingNewer"};
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed);
  GoCases cases("errors_oracle");
  for (const absl::string_view reason : kReasons) {
    for (const int code : kCodes) {
      metav1::Status status = {.status = "Failure", .reason = reason, .code = code};
      if (dice.Below(3) != 0) {
        metav1::StatusDetails& details = status.details.emplace();
        details.retry_after_seconds = static_cast<int>(dice.Below(4)) - 1;
        if (dice.Below(2) == 0) details.causes.push_back({.reason = "UnexpectedServerResponse"});
        if (dice.Below(2) == 0) details.causes.push_back({.reason = "X"});
      }
      cases.Add("predicates", *codec::EncodeJson(status), DescribePredicates(status));
    }
  }
  cases.Check();
}

struct Exchange {
  FailedRequest request;
  ErrorResponse response;
  std::string body;
};

std::string ToJson(const Exchange& e) {
  return absl::StrCat("{\"method\":\"", e.request.method, "\",\"group\":\"",
                      e.request.resource.group, "\",\"resource\":\"", e.request.resource.resource,
                      "\",\"name\":\"", e.request.name, "\",\"requestType\":\"",
                      e.request.content_type, "\",\"code\":", e.response.code,
                      ",\"contentType\":\"", e.response.content_type, "\",\"retryAfter\":\"",
                      e.response.retry_after, "\",\"body\":\"", Hex(e.body), "\"}");
}

metav1::Status RandomStatus(Dice& dice) {
  metav1::Status status = {.status = dice.Below(6) == 0 ? "Success" : "Failure",
                           .message = Text(dice),
                           .reason = dice.Below(2) == 0 ? "Expired" : Text(dice),
                           .code = OneOf(dice, kCodes)};
  if (dice.Below(5) != 0) status.kind = "Status";
  if (dice.Below(10) == 0) status.kind = "Pod";
  constexpr absl::string_view kVersions[] = {"",       "v1",    "v1", "meta.k8s.io/v1",
                                             "any/v9", "a/b/c", "a/", "/"};
  status.api_version = OneOf(dice, kVersions);
  if (dice.Below(2) == 0) {
    status.details = {{.name = Text(dice), .causes = {{.message = Text(dice)}}}};
  }
  return status;
}

std::string RandomBody(Dice& dice) {
  const metav1::Status status = RandomStatus(dice);
  switch (dice.Below(7)) {
    case 0:
    case 1:
      return *codec::EncodeJson(status);
    case 2:
    case 3:
      return *codec::EncodeKubernetesProtobuf(
          status, {.api_version = status.api_version.view(), .kind = status.kind.view()});
    case 4: {
      std::string broken = *codec::EncodeJson(status);
      return broken.erase(dice.Below(broken.size()), 1 + dice.Below(5));
    }
    case 5:
      return std::string(2040 + dice.Below(20), dice.Below(2) == 0 ? 'x' : ' ') + Text(dice);
    default:
      return Text(dice);
  }
}

Exchange RandomExchange(Dice& dice) {
  constexpr absl::string_view kTypes[] = {"",
                                          "application/json",
                                          "application/json",
                                          "Application/JSON;charset=utf-8",
                                          "application/vnd.kubernetes.protobuf",
                                          "application/vnd.kubernetes.protobuf",
                                          "application/yaml",
                                          "text/plain",
                                          "text/html; charset=utf-8",
                                          "application/octet-stream",
                                          "application/problem+json"};
  constexpr absl::string_view kDelays[] = {"", "", "7", "0", "-3", "+4", "1.5", "x", " 5"};
  Exchange e;
  e.request.method = OneOf(dice, kMethods);
  e.request.content_type =
      dice.Below(2) == 0 ? "application/json" : "application/vnd.kubernetes.protobuf";
  if (dice.Below(2) == 0) e.request.resource.group = "example.com";
  if (dice.Below(5) != 0) e.request.resource.resource = "webs";
  if (e.request.resource.resource.empty()) e.request.resource.group.clear();
  if (dice.Below(2) == 0) e.request.name = "web-0";
  do {
    e.response.code = OneOf(dice, kCodes);
  } while (e.response.code < 200);  // below, Go's client knows better
  e.response.content_type = OneOf(dice, kTypes);
  e.response.retry_after = OneOf(dice, kDelays);
  e.body = RandomBody(dice);
  // JSON within YAML that go-yaml refuses for its bytes is JSON to our decoder: decode_yaml.h.
  const bool plain =
      std::all_of(e.body.begin(), e.body.end(), [](char c) { return c >= 0 && c < 0x7f; });
  if (!plain && e.response.content_type == "application/yaml") e.response.content_type = "";
  return e;
}

// behaviour.md: REST-16
TEST(ErrorsDifferential, FromHttpResponse_RandomResponses_AgreesWithGo) {
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed);
  GoCases cases("errors_oracle");
  for (int i = 0; i < 4000; ++i) {
    Exchange e = RandomExchange(dice);
    e.response.body = e.body;
    cases.Add("http", ToJson(e), Describe(FromHttpResponse(e.request, e.response)));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::errors
