#include "apimachinery/errors/errors.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/validation/field_error.h"

namespace kube::errors {

namespace metav1 = api::meta::v1;

namespace {

using text::Quoted;

int32_t Seconds(absl::Duration delay) {
  const int64_t seconds = absl::ToInt64Seconds(delay);
  return static_cast<int32_t>(std::clamp<int64_t>(seconds, std::numeric_limits<int32_t>::min(),
                                                  std::numeric_limits<int32_t>::max()));
}

// Returns a text such as `pods "web-0"`.
std::string Named(const schema::GroupResource& resource, absl::string_view name) {
  return absl::StrCat(resource.ToString(), " ", Quoted(name));
}

metav1::Status Failure(int32_t code, absl::string_view reason, absl::string_view message) {
  metav1::Status status;
  status.status = metav1::kStatusFailure;
  status.message = message;
  status.reason = reason;
  status.code = code;
  return status;
}

metav1::Status FailureOf(const schema::GroupResource& resource, absl::string_view name,
                         int32_t code, absl::string_view reason, absl::string_view message) {
  metav1::Status status = Failure(code, reason, message);
  metav1::StatusDetails& details = status.details.emplace();
  details.group = resource.group;
  details.kind = resource.resource;
  details.name = name;
  return status;
}

// Returns "[a, b]" with each distinct text once, like an aggregate of field errors; without
// brackets if there is only one.
std::string JoinCauses(const List<metav1::StatusCause>& causes) {
  std::vector<std::string> texts;
  for (const metav1::StatusCause& cause : causes) {
    std::string text = absl::StrCat(cause.field.view(), ": ", cause.message.view());
    if (!absl::c_linear_search(texts, text)) texts.push_back(std::move(text));
  }
  return texts.size() == 1 ? texts[0] : absl::StrCat("[", absl::StrJoin(texts, ", "), "]");
}

struct Synthesis {
  absl::string_view reason;
  std::string message;
};

// Returns the reason and the message for the HTTP code of a response without a Status.
Synthesis SynthesisFor(const GenericResponse& r) {
  const std::string said(r.server_message);
  switch (r.code) {
    case 400:
      return {metav1::kStatusReasonBadRequest,
              "the server rejected our request for an unknown reason"};
    case 401:
      return {metav1::kStatusReasonUnauthorized,
              "the server has asked for the client to provide credentials"};
    case 403:  // the text tells who may not do what
      return {metav1::kStatusReasonForbidden, said};
    case 404:
      return {metav1::kStatusReasonNotFound, "the server could not find the requested resource"};
    case 405:
      return {metav1::kStatusReasonMethodNotAllowed,
              "the server does not allow this method on the requested resource"};
    case 406:  // the text lists what is acceptable
      return {metav1::kStatusReasonNotAcceptable,
              said.empty() || said == "unknown"
                  ? "the server was unable to respond with a content type that the client supports"
                  : said};
    case 409:
      return {
          r.method == "POST" ? metav1::kStatusReasonAlreadyExists : metav1::kStatusReasonConflict,
          "the server reported a conflict"};
    case 415:
      return {metav1::kStatusReasonUnsupportedMediaType, said};
    case 422:
      return {metav1::kStatusReasonInvalid,
              "the server rejected our request due to an error in our request"};
    case 429:
      return {metav1::kStatusReasonTooManyRequests,
              "the server has received too many requests and has asked us to try again later"};
    case 503:
      return {metav1::kStatusReasonServiceUnavailable,
              "the server is currently unable to handle the request"};
    case 504:
      return {metav1::kStatusReasonTimeout,
              "the server was unable to return a response in the time allotted, but may still be "
              "processing the request"};
    default:
      if (r.code >= 500) {
        return {metav1::kStatusReasonInternalError,
                absl::StrCat("an error on the server (", Quoted(said),
                             ") has prevented the request from succeeding")};
      }
      return {metav1::kStatusReasonUnknown,
              absl::StrCat("the server responded with the status code ", r.code,
                           " but did not return more information")};
  }
}

metav1::Status GenericStatus(const GenericResponse& r) {
  Synthesis synthesis = SynthesisFor(r);
  if (!r.resource.empty()) {
    absl::StrAppend(&synthesis.message, " (", absl::AsciiStrToLower(r.method), " ",
                    r.resource.ToString(), r.name.empty() ? "" : " ", r.name, ")");
  }
  metav1::Status status =
      FailureOf(r.resource, r.name, r.code, synthesis.reason, synthesis.message);
  status.details->retry_after_seconds = Seconds(r.retry_after);
  if (r.is_unexpected) {
    status.details->causes.push_back(
        {.reason = metav1::kCauseTypeUnexpectedServerResponse, .message = r.server_message});
  }
  return status;
}

}  // namespace

absl::Status NotFound(const schema::GroupResource& resource, absl::string_view name) {
  return FromStatus(FailureOf(resource, name, 404, metav1::kStatusReasonNotFound,
                              absl::StrCat(Named(resource, name), " not found")));
}

absl::Status AlreadyExists(const schema::GroupResource& resource, absl::string_view name) {
  return FromStatus(FailureOf(resource, name, 409, metav1::kStatusReasonAlreadyExists,
                              absl::StrCat(Named(resource, name), " already exists")));
}

absl::Status GenerateNameConflict(const schema::GroupResource& resource, absl::string_view name,
                                  absl::Duration retry_after) {
  metav1::Status status = FailureOf(
      resource, name, 409, metav1::kStatusReasonAlreadyExists,
      absl::StrCat(
          Named(resource, name),
          " already exists, the server was not able to generate a unique name for the object"));
  status.details->retry_after_seconds = Seconds(retry_after);
  return FromStatus(status);
}

absl::Status Unauthorized(absl::string_view reason) {
  return FromStatus(
      Failure(401, metav1::kStatusReasonUnauthorized, reason.empty() ? "not authorized" : reason));
}

absl::Status Forbidden(const schema::GroupResource& resource, absl::string_view name,
                       absl::string_view cause) {
  std::string what;
  if (!resource.empty()) {
    what = absl::StrCat(name.empty() ? resource.ToString() : Named(resource, name), " is ");
  }
  return FromStatus(FailureOf(resource, name, 403, metav1::kStatusReasonForbidden,
                              absl::StrCat(what, "forbidden: ", cause)));
}

absl::Status Conflict(const schema::GroupResource& resource, absl::string_view name,
                      absl::string_view cause) {
  return FromStatus(FailureOf(
      resource, name, 409, metav1::kStatusReasonConflict,
      absl::StrCat("Operation cannot be fulfilled on ", Named(resource, name), ": ", cause)));
}

absl::Status ApplyConflict(List<metav1::StatusCause> causes, absl::string_view message) {
  metav1::Status status = Failure(409, metav1::kStatusReasonConflict, message);
  status.details.emplace().causes = std::move(causes);
  return FromStatus(status);
}

absl::Status Gone(absl::string_view message) {
  return FromStatus(Failure(410, metav1::kStatusReasonGone, message));
}

absl::Status ResourceExpired(absl::string_view message) {
  return FromStatus(Failure(410, metav1::kStatusReasonExpired, message));
}

absl::Status Invalid(const schema::GroupKind& kind, absl::string_view name,
                     const validation::field::ErrorList& field_errors) {
  List<metav1::StatusCause> causes;
  for (const validation::field::Error& error : field_errors) {
    causes.push_back({.reason = validation::field::CauseType(error.type),
                      .message = error.Body(),
                      .field = error.field});
  }
  return Invalid(kind, name, std::move(causes));
}

absl::Status Invalid(const schema::GroupKind& kind, absl::string_view name,
                     List<metav1::StatusCause> causes) {
  const schema::GroupResource as_resource = {.group = kind.group, .resource = kind.kind};
  std::string message = absl::StrCat(Named(as_resource, name), " is invalid");
  if (!causes.empty()) absl::StrAppend(&message, ": ", JoinCauses(causes));
  metav1::Status status = FailureOf(as_resource, name, 422, metav1::kStatusReasonInvalid, message);
  status.details->causes = std::move(causes);
  return FromStatus(status);
}

absl::Status BadRequest(absl::string_view reason) {
  return FromStatus(Failure(400, metav1::kStatusReasonBadRequest, reason));
}

absl::Status TooManyRequests(absl::string_view message, absl::Duration retry_after) {
  metav1::Status status = Failure(429, metav1::kStatusReasonTooManyRequests, message);
  status.details.emplace().retry_after_seconds = Seconds(retry_after);
  return FromStatus(status);
}

absl::Status TooManyRequestsError(absl::string_view message) {
  return FromStatus(Failure(429, metav1::kStatusReasonTooManyRequests,
                            absl::StrCat("Too many requests: ", message)));
}

absl::Status ServiceUnavailable(absl::string_view reason) {
  return FromStatus(Failure(503, metav1::kStatusReasonServiceUnavailable, reason));
}

absl::Status MethodNotSupported(const schema::GroupResource& resource, absl::string_view action) {
  return FromStatus(FailureOf(resource, "", 405, metav1::kStatusReasonMethodNotAllowed,
                              absl::StrCat(action, " is not supported on resources of kind ",
                                           Quoted(resource.ToString()))));
}

absl::Status ServerTimeout(const schema::GroupResource& resource, absl::string_view operation,
                           absl::Duration retry_after) {
  metav1::Status status =
      FailureOf(resource, operation, 500, metav1::kStatusReasonServerTimeout,
                absl::StrCat("The ", operation, " operation against ", resource.ToString(),
                             " could not be completed at this time, please try again."));
  status.details->retry_after_seconds = Seconds(retry_after);
  return FromStatus(status);
}

absl::Status InternalError(absl::string_view cause) {
  metav1::Status status = Failure(500, metav1::kStatusReasonInternalError,
                                  absl::StrCat("Internal error occurred: ", cause));
  status.details.emplace().causes.push_back({.message = cause});
  return FromStatus(status);
}

absl::Status Timeout(absl::string_view message, absl::Duration retry_after) {
  metav1::Status status =
      Failure(504, metav1::kStatusReasonTimeout, absl::StrCat("Timeout: ", message));
  status.details.emplace().retry_after_seconds = Seconds(retry_after);
  return FromStatus(status);
}

absl::Status RequestEntityTooLarge(absl::string_view message) {
  return FromStatus(Failure(413, metav1::kStatusReasonRequestEntityTooLarge,
                            absl::StrCat("Request entity too large: ", message)));
}

absl::Status GenericServerResponse(const GenericResponse& response) {
  return FromStatus(GenericStatus(response));
}

absl::Status ClientError(int code, absl::string_view method, absl::string_view reason,
                         absl::string_view cause) {
  metav1::Status status = GenericStatus(
      {.code = code, .method = method, .server_message = cause, .is_unexpected = true});
  status.details->causes.push_back(
      {.reason = reason.empty() ? "ClientError" : reason, .message = cause});
  return FromStatus(status);
}

}  // namespace kube::errors
