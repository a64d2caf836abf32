#include "clientset/rest/internal/request_log.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/context_fields.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/testing/log_capture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"

namespace kube::rest::internal {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// Returns everything that is logged about an exchange at a verbosity.
std::vector<std::string> LinesAt(int verbosity) {
  const log::LogCapture capture;
  log::SetVerbosity(verbosity);
  const httpclient::HttpRequest request = {.url = "https://h/x?token=sesame",
                                           .headers = {{"authorization", "Bearer sesame"}}};
  const Context ctx = WithLogFields(Context(), {{"name", "web-0"}});
  LogRequest(ctx, request);
  LogResponse(ctx, "GET", request.url,
              httpclient::HttpResponse{.status = 404, .headers = {{"x-reply", "r"}}},
              absl::Milliseconds(20));
  LogResponse(ctx, "GET", request.url, absl::UnavailableError("lost"), absl::Milliseconds(30));
  LogBody(ctx, "response body", "text", false);
  LogBody(ctx, "response body", "sesame", true);
  log::SetVerbosity(0);
  return capture.Lines();
}

std::string LoggedAt(int verbosity) { return absl::StrJoin(LinesAt(verbosity), "\n"); }

// behaviour.md: REST-22
TEST(RequestLogTest, ShowsMoreAtEachLevel) {
  EXPECT_THAT(LoggedAt(5), IsEmpty());
  EXPECT_THAT(LoggedAt(6),
              AllOf(HasSubstr("status=\"404 Not Found\" milliseconds=20"),
                    HasSubstr("err=\"UNAVAILABLE: lost\""),
                    HasSubstr("url=\"https://h/x?token=<masked>\""), Not(HasSubstr("Bearer"))));
  EXPECT_THAT(LoggedAt(7), AllOf(HasSubstr("Bearer <masked>"), Not(HasSubstr("x-reply"))));
  EXPECT_THAT(LoggedAt(8),
              AllOf(HasSubstr("x-reply: r"), HasSubstr("body=\"text\""), HasSubstr("<6 bytes>")));
  EXPECT_THAT(LoggedAt(10), Not(HasSubstr("sesame")));
}

TEST(RequestLogTest, EachLineHasTheFieldsOfTheContext) {
  EXPECT_THAT(LinesAt(8), AllOf(SizeIs(5), Each(HasSubstr(" name=\"web-0\""))));
}

}  // namespace
}  // namespace kube::rest::internal
