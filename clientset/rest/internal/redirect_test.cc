#include "clientset/rest/internal/redirect.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"

namespace kube::rest::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

httpclient::HttpResponse Response(int status, const std::string& location) {
  return {.status = status, .headers = {{"location", location}}};
}

TEST(RedirectTest, Resolves) {
  struct Case {
    std::string location;
    std::string target;
  };
  for (const Case& c : {Case{"/x/../y?b=2", "https://h/y?b=2"}, Case{"z", "https://h/a/z"},
                        Case{"?b=2", "https://h/a/b?b=2"}, Case{"/y/", "https://h/y/"},
                        Case{"https://H:443/y", "https://h/y"}, Case{"//h/y", "https://h/y"}}) {
    EXPECT_THAT(RedirectTarget("GET", "https://h/a/b?q=1", Response(302, c.location)),
                IsOkAndHolds(std::optional<std::string>(c.target)))
        << c.location;
  }
}

TEST(RedirectTest, OtherResponsesAreNone) {
  for (const int status : {200, 300, 304, 404}) {
    EXPECT_THAT(RedirectTarget("GET", "https://h/", Response(status, "/x")),
                IsOkAndHolds(std::optional<std::string>()));
  }
  EXPECT_THAT(RedirectTarget("GET", "https://h/", Response(302, "")),
              IsOkAndHolds(std::optional<std::string>()));
}

TEST(RedirectTest, OtherServersAndMethodsAreRefused) {
  for (const char* location :
       {"http://h/", "https://h:444/", "https://g/", "//g/", "https://u@h/"}) {
    EXPECT_THAT(RedirectTarget("GET", "https://h/", Response(307, location)).status(),
                StatusIs(absl::StatusCode::kFailedPrecondition))
        << location;
  }
  EXPECT_THAT(RedirectTarget("PUT", "https://h/", Response(307, "/x")).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace kube::rest::internal
