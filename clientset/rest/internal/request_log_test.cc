#include "clientset/rest/internal/request_log.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/testing/log_capture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"

namespace kube::rest::internal {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Returns everything that is logged about an exchange at a verbosity.
std::string LoggedAt(int verbosity) {
  const log::LogCapture capture;
  log::SetVerbosity(verbosity);
  const httpclient::HttpRequest request = {.url = "https://h/x?token=sesame",
                                           .headers = {{"authorization", "Bearer sesame"}}};
  LogRequest(request);
  LogResponse("GET", request.url,
              httpclient::HttpResponse{.status = 404, .headers = {{"x-reply", "r"}}},
              absl::Milliseconds(20));
  LogResponse("GET", request.url, absl::UnavailableError("lost"), absl::Milliseconds(30));
  LogBody("response body", "text", false);
  LogBody("response body", "sesame", true);
  log::SetVerbosity(0);
  return absl::StrJoin(capture.Lines(), "\n");
}

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

}  // namespace
}  // namespace kube::rest::internal
