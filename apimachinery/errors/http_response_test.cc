#include "apimachinery/errors/http_response.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::errors {
namespace {

namespace metav1 = api::meta::v1;
using base::StatusIs;

const FailedRequest kRequest = {
    .method = "GET", .resource = {.group = "example.com", .resource = "webs"}, .name = "a"};

constexpr char kJson[] =
    R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"webs.example.com \"a\" not found","reason":"NotFound","details":{"name":"a","group":"example.com","kind":"webs"},"code":404})";

std::string Protobuf() {
  const metav1::Status status = {.status = "Failure", .message = "gone", .reason = "Expired"};
  return *codec::EncodeKubernetesProtobuf(status, {.api_version = "v1", .kind = "Status"});
}

TEST(FromHttpResponse, FromHttpResponse_StatusInAnyFormat_IsTheError) {
  const struct {
    const char* content_type;
    std::string body;
    const char* message;
  } kRows[] = {
      {"application/json", kJson, "webs.example.com \"a\" not found"},
      {"Application/JSON ; charset=utf-8", kJson, "webs.example.com \"a\" not found"},
      {"", kJson, "webs.example.com \"a\" not found"},
      {"application/vnd.kubernetes.protobuf", Protobuf(), "gone"},
      {"application/yaml", "kind: Status\nstatus: Failure\nmessage: m\n", "m"},
      {"application/json", R"({"kind":"Status","status":"Failure","message":"no version"})",
       "no version"},
      {"application/json",
       R"({"kind":"Status","apiVersion":"of/any","status":"Failure","message":"m"})", "m"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.body);
    const absl::Status error = FromHttpResponse(
        kRequest, {.code = 404, .content_type = row.content_type, .body = row.body});
    EXPECT_EQ(error.message(), row.message);
    EXPECT_FALSE(IsUnexpectedServerError(error));
    ASSERT_TRUE(StatusOf(error).has_value());
    EXPECT_EQ(StatusOf(error)->kind, "");
  }
}

// The Status decides, not the HTTP code: an admission webhook may set any.
TEST(FromHttpResponse, FromHttpResponse_StatusAndCodeDiffer_StatusDecides) {
  const absl::Status error =
      FromHttpResponse(kRequest, {.code = 500, .content_type = "application/json", .body = kJson});
  EXPECT_THAT(error, StatusIs(absl::StatusCode::kNotFound));
  EXPECT_TRUE(errors::IsNotFound(error));
}

// behaviour.md: REST-16
TEST(FromHttpResponse, FromHttpResponse_NoStatusInTheBody_CodeIsTheError) {
  const struct {
    const char* name;
    const char* content_type;
    std::string body;
    const char* said;
  } kRows[] = {
      {"empty", "application/json", "", "unknown"},
      {"text", "text/plain; charset=utf-8", " \n bad gateway\t", "bad gateway"},
      {"HTML", "TEXT/HTML", "<b>no</b>", "<b>no</b>"},
      {"no type", "", "bad gateway", "bad gateway"},
      {"white space of Unicode", "text/plain", "\xc2\xa0x\xe2\x80\x83", "x"},
      {"not JSON", "application/json", "bad gateway", "unknown"},
      {"another kind", "application/json", R"({"kind":"Pod","status":"Failure"})", "unknown"},
      {"no kind", "application/json", R"({"status":"Failure"})", "unknown"},
      {"success", "application/json", R"({"kind":"Status","status":"Success"})", "unknown"},
      {"version of no group", "application/json",
       R"({"kind":"Status","apiVersion":"a/b/c","status":"Failure"})", "unknown"},
      {"group without version", "application/json",
       R"({"kind":"Status","apiVersion":"a/","status":"Failure"})", "unknown"},
      {"broken Status", "application/json", R"({"kind":"Status","status":"Failure","code":"x"})",
       "unknown"},
      {"JSON that says it is protobuf", "application/vnd.kubernetes.protobuf", kJson, "unknown"},
      {"protobuf that says it is JSON", "application/json", Protobuf(), "unknown"},
      {"unknown type", "application/octet-stream", kJson, "unknown"},
      {"malformed type", "a b c", kJson, "unknown"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    const absl::Status error = FromHttpResponse(
        kRequest, {.code = 502, .content_type = row.content_type, .body = row.body});
    EXPECT_THAT(error, StatusIs(absl::StatusCode::kInternal,
                                absl::StrCat("an error on the server (\"", row.said,
                                             "\") has prevented the request from succeeding "
                                             "(get webs.example.com a)")));
    EXPECT_TRUE(IsUnexpectedServerError(error));
    EXPECT_EQ(StatusCause(error, metav1::kCauseTypeUnexpectedServerResponse)->message, row.said);
  }
}

// Only kMaxErrorTextBytes of a text become part of the message.
// behaviour.md: REST-12
TEST(FromHttpResponse, FromHttpResponse_LongText_TakesItsBeginning) {
  const std::string body = absl::StrCat(std::string(2047, 'a'), "bc", std::string(100'000, 'd'));
  const absl::Status error =
      FromHttpResponse(kRequest, {.code = 403, .content_type = "text/plain", .body = body});
  EXPECT_EQ(error.message(), absl::StrCat(body.substr(0, 2048), " (get webs.example.com a)"));
}

TEST(FromHttpResponse, FromHttpResponse_BodyBeyondTheLimit_IsNotDecoded) {
  const std::string body = absl::StrCat(kJson, std::string(kMaxErrorBodyBytes, ' '));
  EXPECT_TRUE(IsUnexpectedServerError(FromHttpResponse(kRequest, {.code = 404, .body = body})));
  const absl::string_view shorter = absl::string_view(body).substr(0, kMaxErrorBodyBytes);
  EXPECT_FALSE(IsUnexpectedServerError(FromHttpResponse(kRequest, {.code = 404, .body = shorter})));
}

TEST(FromHttpResponse, FromHttpResponse_RetryAfter_IsTheSuggestedDelay) {
  base::FakeClock clock(absl::FromUnixSeconds(1'792'567'680));  // 2026-10-21T07:28:00Z
  base::RuntimeScope scope(clock);
  const auto delay = [](absl::string_view header) {
    return SuggestsClientDelay(FromHttpResponse({}, {.code = 503, .retry_after = header}));
  };
  EXPECT_EQ(delay("7"), absl::Seconds(7));
  EXPECT_EQ(delay(""), std::nullopt);
  EXPECT_EQ(delay("x"), std::nullopt);
  EXPECT_EQ(delay("Wed, 21 Oct 2026 07:28:09 GMT"), absl::Seconds(9));
}

}  // namespace
}  // namespace kube::errors
