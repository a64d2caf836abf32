#include "net/httpserver/exchange.h"

#include <memory>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/in_process_exchange.h"

namespace kube::httpserver {
namespace {

TEST(RequestTest, PathAndQuery_SplitTheTargetAtTheFirstQuestionMark) {
  const Request with = {.target = "/api/v1/pods?limit=5&continue=a?b"};
  EXPECT_EQ(with.path(), "/api/v1/pods");
  EXPECT_EQ(with.query(), "limit=5&continue=a?b");
  const Request without = {.target = "/healthz"};
  EXPECT_EQ(without.path(), "/healthz");
  EXPECT_EQ(without.query(), "");
}

// The example of the header.
class OkHandler final : public Handler {
 public:
  void Handle(std::shared_ptr<Exchange> exchange) override {
    exchange->Respond({.headers = {{"content-type", "text/plain"}}, .body = "ok\n"});
  }
};

TEST(HandlerTest, AnswersARequestAtOnce_AsInTheHeader) {
  InProcessExchange exchange({.method = "GET", .target = "/healthz"}, 1 << 20);
  OkHandler handler;
  handler.Handle(exchange.ForHandler());
  const absl::StatusOr<InProcessExchange::Head> head =
      exchange.WaitForHead(Context(), base::MonotonicTime::Infinite());
  ASSERT_THAT(head.status(), base::IsOk());
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->headers.Get("content-type"), "text/plain");
  EXPECT_THAT(exchange.Read(Context()), base::IsOkAndHolds("ok\n"));
}

}  // namespace
}  // namespace kube::httpserver
