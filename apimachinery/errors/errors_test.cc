#include "apimachinery/errors/errors.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::errors {
namespace {

namespace metav1 = api::meta::v1;
using base::IsOkAndHolds;

const schema::GroupResource kPods = {.group = "", .resource = "pods"};
const schema::GroupResource kWebs = {.group = "apps", .resource = "webs"};

absl::StatusOr<std::string> Json(const absl::Status& error) {
  const std::optional<metav1::Status> status = StatusOf(error);
  if (!status.has_value()) return absl::NotFoundError("no Status");
  EXPECT_EQ(status->message, error.message());
  EXPECT_EQ(CodeFor(*status), error.code());
  return codec::EncodeJson(*status);
}

struct Row {
  const char* name;
  absl::Status error;
  const char* message;  // in JSON
  const char* rest;     // what follows the message
};

TEST(Errors, Constructors_EachError_HasTheMessageAndDetailsOfUpstream) {
  const absl::Duration four = absl::Seconds(4);
  const Row kRows[] = {
      {"not found", NotFound(kPods, "web-0"), R"(pods \"web-0\" not found)",
       R"("NotFound","details":{"name":"web-0","kind":"pods"},"code":404)"},
      {"names are quoted", NotFound(kWebs, "a\"\n"), R"(webs.apps \"a\\\"\\n\" not found)",
       R"("NotFound","details":{"name":"a\"\n","group":"apps","kind":"webs"},"code":404)"},
      {"already exists", AlreadyExists(kWebs, "a"), R"(webs.apps \"a\" already exists)",
       R"("AlreadyExists","details":{"name":"a","group":"apps","kind":"webs"},"code":409)"},
      {"generate name", GenerateNameConflict(kPods, "a", four),
       R"(pods \"a\" already exists, the server was not able to generate a unique name for the object)",
       R"("AlreadyExists","details":{"name":"a","kind":"pods","retryAfterSeconds":4},"code":409)"},
      {"unauthorized", Unauthorized(""), "not authorized", R"("Unauthorized","code":401)"},
      {"unauthorized, why", Unauthorized("bad"), "bad", R"("Unauthorized","code":401)"},
      {"forbidden", Forbidden({}, "", "no"), "forbidden: no",
       R"("Forbidden","details":{},"code":403)"},
      {"forbidden resource", Forbidden(kPods, "", "no"), "pods is forbidden: no",
       R"("Forbidden","details":{"kind":"pods"},"code":403)"},
      {"forbidden object", Forbidden(kPods, "a", "no"), R"(pods \"a\" is forbidden: no)",
       R"("Forbidden","details":{"name":"a","kind":"pods"},"code":403)"},
      {"conflict", Conflict(kPods, "a", "old"),
       R"(Operation cannot be fulfilled on pods \"a\": old)",
       R"("Conflict","details":{"name":"a","kind":"pods"},"code":409)"},
      {"apply conflict", ApplyConflict({{.reason = "T", .field = ".spec"}}, "m"), "m",
       R"("Conflict","details":{"causes":[{"reason":"T","field":".spec"}]},"code":409)"},
      {"gone", Gone("m"), "m", R"("Gone","code":410)"},
      {"expired", ResourceExpired("m"), "m", R"("Expired","code":410)"},
      {"bad request", BadRequest("m"), "m", R"("BadRequest","code":400)"},
      {"too many", TooManyRequests("m", four), "m",
       R"("TooManyRequests","details":{"retryAfterSeconds":4},"code":429)"},
      {"too many, no delay", TooManyRequestsError("m"), "Too many requests: m",
       R"("TooManyRequests","code":429)"},
      {"unavailable", ServiceUnavailable("m"), "m", R"("ServiceUnavailable","code":503)"},
      {"method", MethodNotSupported(kWebs, "patch"),
       R"(patch is not supported on resources of kind \"webs.apps\")",
       R"("MethodNotAllowed","details":{"group":"apps","kind":"webs"},"code":405)"},
      {"server timeout", ServerTimeout(kWebs, "list", absl::Milliseconds(2900)),
       "The list operation against webs.apps could not be completed at this time, please try "
       "again.",
       R"("ServerTimeout","details":{"name":"list","group":"apps","kind":"webs","retryAfterSeconds":2},"code":500)"},
      {"internal", InternalError("m"), "Internal error occurred: m",
       R"("InternalError","details":{"causes":[{"message":"m"}]},"code":500)"},
      {"timeout", Timeout("m", absl::ZeroDuration()), "Timeout: m",
       R"("Timeout","details":{},"code":504)"},
      {"too large", RequestEntityTooLarge("m"), "Request entity too large: m",
       R"("RequestEntityTooLarge","code":413)"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(Json(row.error),
                IsOkAndHolds(std::string(R"({"metadata":{},"status":"Failure","message":")") +
                             row.message + R"(","reason":)" + row.rest + "}"));
  }
}

absl::Status Lookup(const std::set<std::string>& cache, const std::string& name) {
  if (cache.count(name) != 0) return absl::OkStatus();
  return errors::NotFound({.resource = "pods"}, name);  // pods "web-0" not found
}

TEST(Errors, NotFoundIsWhatAServerReturns_AsInTheHeader) {
  EXPECT_EQ(Lookup({"web-0"}, "web-0"), absl::OkStatus());
  const absl::Status error = Lookup({}, "web-0");
  EXPECT_EQ(error.message(), "pods \"web-0\" not found");
  EXPECT_TRUE(errors::IsNotFound(error));
}

struct Web {
  std::string name = {};
  int64_t replicas = 0;
};

validation::field::ErrorList Validate(const Web& web) {
  if (web.replicas >= 0) return {};
  return {validation::field::Invalid(validation::field::Path("spec").Child("replicas"),
                                     web.replicas, "must not be negative")};
}

absl::Status Check(const Web& web) {
  const validation::field::ErrorList wrong = Validate(web);
  if (!wrong.empty()) return errors::Invalid({.group = "e.com", .kind = "Web"}, web.name, wrong);
  return absl::OkStatus();
}

TEST(Invalid, HasTheErrorsOfTheFields_AsInTheHeader) {
  EXPECT_EQ(Check({.name = "shop", .replicas = 1}), absl::OkStatus());
  const absl::Status error = Check({.name = "shop", .replicas = -1});
  EXPECT_EQ(
      error.message(),
      R"(Web.e.com "shop" is invalid: spec.replicas: Invalid value: -1: must not be negative)");
  EXPECT_TRUE(errors::IsInvalid(error));
}

TEST(Invalid, Invalid_RepeatedCause_IsOnceInTheMessage) {
  const schema::GroupKind kind = {.group = "apps", .kind = "Web"};
  EXPECT_EQ(Invalid(kind, "a", List<metav1::StatusCause>()).message(),
            R"(Web.apps "a" is invalid)");
  const metav1::StatusCause one = {
      .reason = "FieldValueRequired", .message = "Required value", .field = "spec.a"};
  const metav1::StatusCause two = {.message = "bad", .field = "spec.b"};
  EXPECT_EQ(Invalid(kind, "a", {one}).message(),
            R"(Web.apps "a" is invalid: spec.a: Required value)");
  const absl::Status error = Invalid(kind, "a", {one, two, one});
  EXPECT_EQ(error.message(), R"(Web.apps "a" is invalid: [spec.a: Required value, spec.b: bad])");
  EXPECT_EQ(StatusOf(error)->details->causes.size(), 3u);
  EXPECT_TRUE(IsInvalid(error));
}

TEST(Invalid, Invalid_FieldErrors_BecomeMessageAndCauses) {
  namespace field = validation::field;
  const field::ErrorList wrong = {
      field::Required(field::Path("spec").Child("a"), "name it"),
      field::Invalid(field::Path("spec").Child("b"), int64_t{-1}, "must be positive")};
  const absl::Status error = Invalid({.group = "apps", .kind = "Web"}, "x", wrong);
  EXPECT_EQ(error.message(),
            "Web.apps \"x\" is invalid: [spec.a: Required value: name it, "
            "spec.b: Invalid value: -1: must be positive]");
  EXPECT_TRUE(IsInvalid(error));
  const metav1::StatusDetails details = *StatusOf(error)->details;
  EXPECT_EQ(details.group, "apps");
  EXPECT_EQ(details.kind, "Web");
  EXPECT_EQ(details.name, "x");
  EXPECT_THAT(
      details.causes,
      testing::ElementsAre(metav1::StatusCause{.reason = metav1::kCauseTypeFieldValueRequired,
                                               .message = "Required value: name it",
                                               .field = "spec.a"},
                           metav1::StatusCause{.reason = metav1::kCauseTypeFieldValueInvalid,
                                               .message = "Invalid value: -1: must be positive",
                                               .field = "spec.b"}));
  EXPECT_EQ(Invalid({.kind = "Web"}, "x", field::ErrorList()).message(), "Web \"x\" is invalid");
}

TEST(Errors, TooManyRequests_DelayBeyondInt32_IsClamped) {
  const auto seconds = [](absl::Duration delay) {
    return StatusOf(TooManyRequests("m", delay))->details->retry_after_seconds;
  };
  EXPECT_EQ(seconds(absl::InfiniteDuration()), 2147483647);
  EXPECT_EQ(seconds(-absl::InfiniteDuration()), -2147483647 - 1);
  EXPECT_EQ(seconds(absl::Seconds(-2.5)), -2);
}

// The reason and message follow from the HTTP code.
// behaviour.md: REST-16
TEST(GenericServerResponse, GenericServerResponse_EachCode_HasItsReasonAndMessage) {
  const struct {
    int code;
    const char* method;
    const char* said;
    const char* reason;
    const char* message;
  } kRows[] = {
      {400, "GET", "x", "BadRequest", "the server rejected our request for an unknown reason"},
      {401, "GET", "x", "Unauthorized",
       "the server has asked for the client to provide credentials"},
      {403, "GET", "who may what", "Forbidden", "who may what"},
      {404, "GET", "x", "NotFound", "the server could not find the requested resource"},
      {405, "GET", "x", "MethodNotAllowed",
       "the server does not allow this method on the requested resource"},
      {406, "GET", "unknown", "NotAcceptable",
       "the server was unable to respond with a content type that the client supports"},
      {406, "GET", "only JSON", "NotAcceptable", "only JSON"},
      {409, "POST", "x", "AlreadyExists", "the server reported a conflict"},
      {409, "PUT", "x", "Conflict", "the server reported a conflict"},
      {410, "GET", "x", "",
       "the server responded with the status code 410 but did not return more information"},
      {415, "GET", "only JSON", "UnsupportedMediaType", "only JSON"},
      {422, "GET", "x", "Invalid",
       "the server rejected our request due to an error in our request"},
      {429, "GET", "x", "TooManyRequests",
       "the server has received too many requests and has asked us to try again later"},
      {500, "GET", "a\"b", "InternalError",
       "an error on the server (\"a\\\"b\") has prevented the request from succeeding"},
      {503, "GET", "x", "ServiceUnavailable",
       "the server is currently unable to handle the request"},
      {504, "GET", "x", "Timeout",
       "the server was unable to return a response in the time allotted, but may still be "
       "processing the request"},
      {511, "GET", "", "InternalError",
       "an error on the server (\"\") has prevented the request from succeeding"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(std::to_string(row.code) + " " + row.method);
    const absl::Status error =
        GenericServerResponse({.code = row.code, .method = row.method, .server_message = row.said});
    EXPECT_EQ(error.message(), row.message);
    EXPECT_EQ(ReasonForError(error), row.reason);
    EXPECT_FALSE(IsUnexpectedServerError(error));
  }
}

// behaviour.md: REST-16
TEST(GenericServerResponse, GenericServerResponse_ResourceAndName_AreInTheMessage) {
  GenericResponse response = {.code = 404, .method = "GET", .resource = kWebs};
  EXPECT_EQ(GenericServerResponse(response).message(),
            "the server could not find the requested resource (get webs.apps)");
  response.name = "a";
  response.retry_after = absl::Seconds(3);
  response.is_unexpected = true;
  response.server_message = "<html>";
  const absl::Status error = GenericServerResponse(response);
  EXPECT_EQ(error.message(), "the server could not find the requested resource (get webs.apps a)");
  EXPECT_TRUE(IsUnexpectedServerError(error));
  EXPECT_EQ(StatusCause(error, metav1::kCauseTypeUnexpectedServerResponse)->message, "<html>");
  EXPECT_EQ(SuggestsClientDelay(error), absl::Seconds(3));
}

// behaviour.md: COD-4
TEST(ClientError, ClientError_HasTheCauseOfTheServerAndItsOwn) {
  const absl::Status error = ClientError(500, "GET", "ClientWatchDecoding", "broken");
  EXPECT_THAT(
      Json(error),
      IsOkAndHolds(
          R"({"metadata":{},"status":"Failure","message":"an error on the server (\"broken\") has prevented the request from succeeding","reason":"InternalError","details":{"causes":[{"reason":"UnexpectedServerResponse","message":"broken"},{"reason":"ClientWatchDecoding","message":"broken"}]},"code":500})"));
  EXPECT_TRUE(HasStatusCause(ClientError(500, "GET", "", "x"), "ClientError"));
}

}  // namespace
}  // namespace kube::errors
