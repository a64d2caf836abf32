#include "apimachinery/errors/status_error.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "api/meta/v1/types.kinds.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::errors {
namespace {

namespace metav1 = api::meta::v1;
using absl::StatusCode;
using base::StatusIs;

metav1::Status FullStatus() {
  return {
      .kind = "Status",
      .api_version = "v1",
      .metadata = {.resource_version = "7"},
      .status = "Failure",
      .message = "pods \"web-0\" not found",
      .reason = "NotFound",
      .details = {{.name = "web-0",
                   .group = "",
                   .kind = "pods",
                   .uid = "u",
                   .causes = {{.reason = "X", .message = "m", .field = "f"}},
                   .retry_after_seconds = 3}},
      .code = 404,
  };
}

TEST(FromStatus, FromStatus_ThenStatusOf_ReturnsTheWholeStatus) {
  const absl::Status error = FromStatus(FullStatus());
  EXPECT_THAT(error, StatusIs(StatusCode::kNotFound, "pods \"web-0\" not found"));
  EXPECT_EQ(StatusOf(error), FullStatus());
  const absl::Status copy = error;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(StatusOf(copy), FullStatus());
}

absl::Status Layers(const absl::Status& error) {
  KUBE_RETURN_IF_ERROR(
      [&]() -> absl::Status {
        KUBE_RETURN_IF_ERROR(error, "get pods");
        return absl::OkStatus();
      }(),
      "sync ", 7);
  return absl::OkStatus();
}

absl::Status AssignLayer(const absl::StatusOr<int>& result) {
  KUBE_ASSIGN_OR_RETURN([[maybe_unused]] const int value, result, "outermost");
  return absl::OkStatus();
}

TEST(FromStatus, FromStatus_Annotated_KeepsTheStatus) {
  const absl::Status error = AssignLayer(Layers(FromStatus(FullStatus())));
  EXPECT_THAT(error, StatusIs(StatusCode::kNotFound,
                              "outermost: sync 7: get pods: pods \"web-0\" not found"));
  EXPECT_EQ(StatusOf(error), FullStatus());
  EXPECT_TRUE(errors::IsNotFound(error));
}

// The message contains the reason; a code before it would repeat it. See base/log/log_record.cc.
TEST(FromStatus, FromStatus_Logged_HasNoCode) {
  log::LogCapture capture;
  const absl::Status error = FromStatus(FullStatus());
  log::Error(error, "m");
  log::Error(base::Annotate(error, "get pod"), "m", {{"again", error}});
  log::Error(absl::NotFoundError("no such index"), "m");
  EXPECT_THAT(
      capture.Lines(),
      testing::ElementsAre(
          R"(E "m" err="pods \"web-0\" not found")",
          R"(E "m" err="get pod: pods \"web-0\" not found" again="pods \"web-0\" not found")",
          R"(E "m" err="NOT_FOUND: no such index")"));
}

TEST(FromStatus, FromStatus_JoinedWithAnotherError_LosesTheStatus) {
  const absl::Status error = FromStatus(FullStatus());
  EXPECT_TRUE(errors::IsNotFound(base::JoinErrors({absl::OkStatus(), error})));
  const absl::Status joined = base::JoinErrors({error, absl::UnavailableError("x")});
  EXPECT_EQ(StatusOf(joined), std::nullopt);
  EXPECT_FALSE(errors::IsNotFound(joined));
}

TEST(FromStatus, FromStatus_SuccessOrEmpty_IsUnknown) {
  EXPECT_THAT(FromStatus({}), StatusIs(StatusCode::kUnknown, ""));
  EXPECT_THAT(FromStatus({.status = "Success", .code = 200}), StatusIs(StatusCode::kUnknown));
}

TEST(StatusOf, StatusOf_ErrorOfNoServer_IsNothing) {
  EXPECT_EQ(StatusOf(absl::OkStatus()), std::nullopt);
  EXPECT_EQ(StatusOf(absl::NotFoundError("no such host")), std::nullopt);
  absl::Status foreign = absl::NotFoundError("x");
  foreign.SetPayload(kStatusPayload, absl::Cord("not JSON"));
  EXPECT_EQ(StatusOf(foreign), std::nullopt);
}

// Returns the name of the object that the error is about; empty if no server sent the error.
String NameIn(const absl::Status& error) {
  const std::optional<metav1::Status> status = errors::StatusOf(error);
  if (status && status->details) return status->details->name;
  return {};
}

TEST(StatusOf, HasTheDetailsOfTheServer_AsInTheHeader) {
  EXPECT_EQ(NameIn(FromStatus(FullStatus())), "web-0");
  EXPECT_EQ(NameIn(FromStatus({.reason = "NotFound", .code = 404})), "");
  EXPECT_EQ(NameIn(absl::NotFoundError("no such host")), "");
}

TEST(CodeFor, CodeFor_KnownReason_DecidesBeforeTheHttpCode) {
  const struct {
    const char* reason;
    int code;
    StatusCode want;
  } kRows[] = {
      {"BadRequest", 0, StatusCode::kInvalidArgument},
      {"Unauthorized", 0, StatusCode::kUnauthenticated},
      {"Forbidden", 0, StatusCode::kPermissionDenied},
      {"NotFound", 0, StatusCode::kNotFound},
      {"MethodNotAllowed", 0, StatusCode::kUnimplemented},
      {"NotAcceptable", 0, StatusCode::kUnimplemented},
      {"AlreadyExists", 0, StatusCode::kAlreadyExists},
      {"AlreadyExists", 409, StatusCode::kAlreadyExists},
      {"Conflict", 0, StatusCode::kAborted},
      {"Gone", 0, StatusCode::kOutOfRange},
      {"Expired", 0, StatusCode::kOutOfRange},
      {"RequestEntityTooLarge", 0, StatusCode::kInvalidArgument},
      {"UnsupportedMediaType", 0, StatusCode::kUnimplemented},
      {"Invalid", 0, StatusCode::kInvalidArgument},
      {"TooManyRequests", 0, StatusCode::kResourceExhausted},
      {"InternalError", 0, StatusCode::kInternal},
      {"ServerTimeout", 500, StatusCode::kUnavailable},
      {"StorageReadError", 500, StatusCode::kDataLoss},
      {"ServiceUnavailable", 0, StatusCode::kUnavailable},
      {"Timeout", 0, StatusCode::kDeadlineExceeded},
      {"NotFound", 500, StatusCode::kNotFound},
      {"", 400, StatusCode::kInvalidArgument},
      {"", 401, StatusCode::kUnauthenticated},
      {"", 403, StatusCode::kPermissionDenied},
      {"", 404, StatusCode::kNotFound},
      {"", 405, StatusCode::kUnimplemented},
      {"", 406, StatusCode::kUnimplemented},
      {"", 409, StatusCode::kAborted},
      {"", 410, StatusCode::kOutOfRange},
      {"", 413, StatusCode::kInvalidArgument},
      {"", 415, StatusCode::kUnimplemented},
      {"", 422, StatusCode::kInvalidArgument},
      {"", 429, StatusCode::kResourceExhausted},
      {"", 500, StatusCode::kInternal},
      {"", 501, StatusCode::kUnimplemented},
      {"", 502, StatusCode::kUnavailable},
      {"", 503, StatusCode::kUnavailable},
      {"", 504, StatusCode::kDeadlineExceeded},
      {"", 599, StatusCode::kInternal},
      {"", 418, StatusCode::kUnknown},
      {"", 0, StatusCode::kUnknown},
      {"NewerReason", 404, StatusCode::kNotFound},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(std::string(row.reason) + " " + std::to_string(row.code));
    EXPECT_EQ(CodeFor({.reason = row.reason, .code = row.code}), row.want);
  }
}

const KindInfo& Kind(absl::string_view name) {
  for (const KindInfo& kind : metav1::Kinds()) {
    if (kind.kind == name) return kind;
  }
  ADD_FAILURE() << "no kind " << name;
  return metav1::Kinds()[0];
}

TEST(FromObject, FromObject_Status_IsItsError) {
  const absl::StatusOr<codec::AnyObject> object = codec::AnyObject::DecodeJson(
      Kind("Status"), R"({"kind":"Status","apiVersion":"v1","status":"Failure",
                          "reason":"Expired","code":410,"message":"too old"})");
  ASSERT_THAT(object, base::IsOk());
  const absl::Status error = FromObject(*object);
  EXPECT_THAT(error, StatusIs(StatusCode::kOutOfRange, "too old"));
  EXPECT_TRUE(IsResourceExpired(error));
  EXPECT_FALSE(IsUnexpectedObjectError(error));
}

TEST(FromObject, FromObject_AnotherKind_IsUnexpectedObject) {
  const absl::Status error = FromObject(codec::AnyObject(Kind("PartialObjectMetadata")));
  EXPECT_THAT(error, StatusIs(StatusCode::kUnknown,
                              "unexpected object: meta.k8s.io/v1, Kind=PartialObjectMetadata"));
  EXPECT_TRUE(IsUnexpectedObjectError(error));
  EXPECT_TRUE(IsUnexpectedObjectError(base::Annotate(error, "watch pods")));
  EXPECT_EQ(StatusOf(error), std::nullopt);
}

TEST(FromObject, FromObject_Unstructured_IsAnErrorByItsKindAndVersion) {
  const struct {
    const char* name;
    const char* json;
    StatusCode code;
    const char* message;
    bool is_status = false;
    bool is_unexpected = false;
  } kRows[] = {
      {"a Status", R"({"kind":"Status","apiVersion":"v1","reason":"Expired","message":"old"})",
       StatusCode::kOutOfRange, "old", true},
      {"of meta.k8s.io", R"({"kind":"Status","apiVersion":"meta.k8s.io/v1","code":404})",
       StatusCode::kNotFound, "", true},
      {"of another group", R"({"kind":"Status","apiVersion":"e.com/v1","code":404})",
       StatusCode::kUnknown, "unexpected object: e.com/v1, Kind=Status", false, true},
      {"without a version", R"({"kind":"Status","code":404})", StatusCode::kUnknown,
       "unexpected object: , Kind=Status", false, true},
      {"another kind", R"({"kind":"Secret","apiVersion":"v1","data":{"a":"c2VjcmV0"}})",
       StatusCode::kUnknown, "unexpected object: v1, Kind=Secret", false, true},
      {"of other types", R"({"kind":"Status","apiVersion":"v1","code":"404"})",
       StatusCode::kInvalidArgument,
       "decode Status: code: expected an integer (line 1, column 27)"},
  };
  for (const auto& row : kRows) {
    const auto object = unstructured::DecodeUnstructured(row.json);
    ASSERT_TRUE(object.ok()) << row.name;
    const absl::Status error = FromObject(*object);
    EXPECT_EQ(error.code(), row.code) << row.name << ": " << error;
    EXPECT_EQ(error.message(), row.message) << row.name;
    EXPECT_EQ(IsUnexpectedObjectError(error), row.is_unexpected) << row.name;
    EXPECT_EQ(StatusOf(error).has_value(), row.is_status) << row.name;
  }
}

}  // namespace
}  // namespace kube::errors
