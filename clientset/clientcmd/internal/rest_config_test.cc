#include "clientset/clientcmd/internal/rest_config.h"

#include "clientset/rest/config.h"
#include "gtest/gtest.h"

namespace kube::clientcmd::internal {
namespace {

TEST(RestConfig, EscapeCodes) {
  EXPECT_EQ(CleanEscapeCodes("a\x1b[1m\tb\n\xC2\xA0\xE2\x80\x8B\x80\xC3\xA9"),
            "aU+001B[1m\tb\n\xC2\xA0U+200B\xEF\xBF\xBD\xC3\xA9");
}

TEST(RestConfig, Same) {
  EXPECT_TRUE(SameConfig({}, {}));
  EXPECT_FALSE(SameConfig({.host = "a"}, {}));
  EXPECT_FALSE(SameConfig({.proxy_url = "http://p"}, {.proxy_url = "http://p"}));
  EXPECT_FALSE(SameConfig({.tls = {.insecure = true}}, {}));
}

}  // namespace
}  // namespace kube::clientcmd::internal
