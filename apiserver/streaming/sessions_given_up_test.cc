#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/streaming/sessions.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using testing::Contains;
using testing::HasSubstr;

TEST(SessionsGivenUp, AreThoseThatDoNotEnd) {
  const log::LogCapture capture;
  // They outlive the test, as the thread does.
  static base::Event started, end;
  {
    Sessions sessions(/*max_sessions=*/10, /*grace=*/absl::Milliseconds(10));
    EXPECT_THAT(sessions.Start(Context(), "exec default/web",
                               [](const Context&) {
                                 started.Set();
                                 end.Wait(Context()).IgnoreError();
                               }),
                IsOk());
    EXPECT_THAT(started.Wait(Context()), IsOk());
  }
  EXPECT_THAT(capture.Lines(), Contains(HasSubstr("session=\"exec default/web\"")));
  end.Set();
}

}  // namespace
}  // namespace kube::apiserver::internal
