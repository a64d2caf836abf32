#include "net/httpserver/exchange.h"

#include "gtest/gtest.h"

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

}  // namespace
}  // namespace kube::httpserver
