#include "apiserver/verbs/dispatch.h"

#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/core.h"
#include "apiserver/openapi/testing/sample_kind.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kGroup[] = "/apis/stable.example.com/v1";
constexpr char kInNamespace[] = "/apis/stable.example.com/v1/namespaces/n/crontabs";

// A server with CronTabs.
class DispatchTest : public testing::Test {
 protected:
  DispatchTest() : core_(StorageOptions(), printers::PlainTables()) {}

  void Define(const SampleKindOptions& options, bool terminating = false) {
    core_.resources.Set(Resources::With(
        {{.kind = SampleKind(R"({"type":"object"})", options), .terminating = terminating}}));
  }

  httpserver::Response Send(absl::string_view method, absl::string_view target,
                            std::string body = "") {
    httpserver::Request request{.method = std::string(method), .target = std::string(target)};
    request.headers.Set("content-type", "application/json");
    request.body = std::move(body);
    const RequestInfo info = ParseRequestInfo(method, target).value();
    Answer answer = Dispatch(core_, request, info, User{.name = "ann"}, /*has_waited=*/false,
                             /*faults=*/nullptr, /*admission=*/nullptr, /*may_block=*/true,
                             /*record=*/nullptr);
    auto* const response = std::get_if<httpserver::Response>(&answer);
    EXPECT_NE(response, nullptr) << target;
    return response == nullptr ? httpserver::Response() : std::move(*response);
  }

  Core core_;
};

TEST_F(DispatchTest, PathsOfCustomResources_HaveErrorsOfTheirOwn) {
  struct Row {
    const char* name;
    const char* method;
    std::string target;
    int code;
    const char* text;
  };
  Define({.version = R"(,"subresources":{"status":{}})"});
  for (const Row& row : {
           Row{"an object without its namespace", "GET", absl::StrCat(kGroup, "/crontabs/a"), 404,
               "404 page not found"},
           Row{"another resource of the group", "GET", absl::StrCat(kGroup, "/others"), 404,
               "404 page not found"},
           Row{"an unknown subresource", "GET", absl::StrCat(kInNamespace, "/a/none"), 404,
               "crontabs.stable.example.com \\\"a\\\" not found"},
           Row{"a subresource of a subresource", "GET", absl::StrCat(kInNamespace, "/a/status/b"),
               404, "crontabs.stable.example.com \\\"a\\\" not found"},
           Row{"a verb that the subresource lacks", "DELETE",
               absl::StrCat(kInNamespace, "/a/status"), 405, "delete is not supported"},
           Row{"an update without a name", "PUT", kInNamespace, 400, "name must be provided"},
       }) {
    const httpserver::Response response = Send(row.method, row.target);
    EXPECT_EQ(response.status, row.code) << row.name;
    EXPECT_THAT(response.body, HasSubstr(row.text)) << row.name;
  }
}

TEST_F(DispatchTest, AKindOfTheClusterIsInNoNamespace) {
  Define({.scope = "Cluster"});
  const httpserver::Response response = Send("GET", kInNamespace);
  EXPECT_EQ(response.status, 404);
  EXPECT_THAT(response.body, HasSubstr("404 page not found"));
  EXPECT_EQ(Send("GET", absl::StrCat(kGroup, "/crontabs")).status, 200);
}

TEST_F(DispatchTest, ADefinitionThatGoesHasItsObjectsButNoNewOnes) {
  Define({}, /*terminating=*/true);
  EXPECT_EQ(Send("GET", kInNamespace).status, 200);
  const httpserver::Response refused = Send("POST", kInNamespace, "{}");
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(refused.body, HasSubstr("create not allowed while custom resource definition is "
                                      "terminating"));
}

TEST_F(DispatchTest, ErrorsToo_WarnOfADeprecatedVersion) {
  Define({.version = R"(,"deprecated":true,"deprecationWarning":"use v2")"});
  const httpserver::Response missing = Send("GET", absl::StrCat(kInNamespace, "/a"));
  EXPECT_EQ(missing.status, 404);
  EXPECT_THAT(missing.headers.GetAll("warning"), ElementsAre(HasSubstr("use v2")));
  Define({});
  EXPECT_THAT(Send("GET", kInNamespace).headers.GetAll("warning"), IsEmpty());
}

TEST_F(DispatchTest, ABodyHasALimit) {
  constexpr size_t kLimit = 3 * 1024 * 1024;
  constexpr char kMaps[] = "/api/v1/namespaces/n/configmaps";
  const httpserver::Response refused = Send("POST", kMaps, std::string(kLimit + 1, ' '));
  EXPECT_EQ(refused.status, 413);
  EXPECT_THAT(refused.body, HasSubstr("limit is 3145728"));
  EXPECT_EQ(Send("POST", kMaps, std::string(kLimit, ' ')).status, 400) << "it is no object";
}

TEST_F(DispatchTest, NothingAnswersAHead) {
  EXPECT_EQ(Send("HEAD", "/api/v1/namespaces/n/configmaps").status, 405);
}

}  // namespace
}  // namespace kube::apiserver::internal
