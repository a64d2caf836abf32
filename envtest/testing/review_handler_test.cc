#include "envtest/testing/review_handler.h"

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"

namespace kube::envtest {
namespace {

using base::IsOk;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Returns the code and the beginning of the body.
std::string Post(ReviewHandler& handler, const std::string& path, absl::string_view body) {
  InProcessTransport transport(handler);
  httpclient::HttpRequest request;
  request.method = "POST";
  request.url = "https://localhost" + path;
  request.body = std::make_shared<const std::string>(body);
  const Context ctx = WithTimeout(Context(), absl::Minutes(1));
  absl::StatusOr<httpclient::HttpResponse> response = transport.RoundTrip(ctx, request);
  EXPECT_THAT(response, IsOk());
  const absl::StatusOr<std::string> text = response->body->Read(ctx);
  EXPECT_THAT(text, IsOk());
  return std::to_string(response->status) + " " + *text;
}

TEST(ReviewHandler, AnswersReviews) {
  ReviewHandler handler;
  const char* const bad = R"({"request":{"uid":"u","name":"bad","object":{"metadata":{}}}})";
  EXPECT_THAT(Post(handler, "/validate", bad),
              AllOf(HasSubstr("200 "), HasSubstr(R"("allowed":false)"), HasSubstr(R"("uid":"u")")));
  EXPECT_THAT(Post(handler, "/mutate", bad), HasSubstr(R"("patchType":"JSONPatch")"));
  EXPECT_THAT(
      Post(
          handler, "/convert",
          R"({"request":{"uid":"u","desiredAPIVersion":"a/v2","objects":[{"apiVersion":"a/v1"}]}})"),
      HasSubstr(R"("convertedObjects":[{"apiVersion":"a/v2"}])"));
  EXPECT_THAT(Post(handler, "/else", bad), HasSubstr("404 "));
  EXPECT_THAT(Post(handler, "/validate", "no JSON"), HasSubstr("400 "));
  EXPECT_THAT(handler.Paths(),
              ElementsAre("/validate", "/mutate", "/convert", "/else", "/validate"));
  EXPECT_TRUE(handler.WasAsked("/else"));
  EXPECT_FALSE(handler.WasAsked("/hang"));
}

}  // namespace
}  // namespace kube::envtest
