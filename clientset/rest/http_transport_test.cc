#include "clientset/rest/http_transport.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status_matchers.h"
#include "clientset/rest/http_message.h"
#include "clientset/rest/internal/transport_testing.h"
#include "clientset/rest/transport_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"

namespace kube::rest {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::kube::httpserver::Exchange;
using ::kube::rest::internal::Get;
using ::kube::rest::internal::MakeTransport;
using ::kube::rest::internal::ReadAll;
using ::kube::rest::internal::Soon;
using ::kube::rest::internal::TestServer;
using ::testing::HasSubstr;

// What was asked for, as text.
void Echo(const std::shared_ptr<Exchange>& exchange) {
  const httpserver::Request& request = exchange->request();
  std::string text = absl::StrCat(request.method, " ", request.target, "\n");
  for (const http::Header& header : request.headers) {
    absl::StrAppend(&text, header.name, ": ", header.value, "\n");
  }
  absl::StrAppend(&text, "\n", request.body);
  exchange->Respond({.headers = {{"x-version", absl::StrCat(request.http_version)}},
                     .body = std::move(text)});
}

struct Protocol {
  std::string name;
  bool tls;
  HttpVersion version;
  int expected;
};

class ProtocolTest : public ::testing::TestWithParam<Protocol> {
 protected:
  explicit ProtocolTest() = default;
  std::shared_ptr<const ConnectionOptions> Connection(const TestServer& server) const {
    ConnectionOptions options = server.connection();
    options.http_version = GetParam().version;
    return std::make_shared<ConnectionOptions>(options);
  }
};

INSTANTIATE_TEST_SUITE_P(
    Protocols, ProtocolTest,
    ::testing::Values(Protocol{"TlsAny", true, HttpVersion::kAny, 2},
                      Protocol{"TlsHttp1", true, HttpVersion::kHttp1, 1},
                      Protocol{"TlsHttp2", true, HttpVersion::kHttp2Only, 2},
                      Protocol{"PlainAny", false, HttpVersion::kAny, 1},
                      Protocol{"PlainHttp2", false, HttpVersion::kHttp2Only, 2}),
    [](const auto& test) { return test.param.name; });

TEST_P(ProtocolTest, Methods) {
  TestServer server(Echo, {}, GetParam().tls);
  const auto transport = MakeTransport();
  const auto connection = Connection(server);
  for (const std::string method : {"GET", "DELETE", "POST", "PUT", "PATCH", "HEAD", "OPTIONS"}) {
    for (const bool with_body : {false, true}) {
      if (with_body && method == "HEAD") continue;
      SCOPED_TRACE(absl::StrCat(method, " ", with_body));
      HttpRequest request = {.method = method,
                             .url = server.url("/a/../b%2Fc?d=e%20f"),
                             .headers = {{"x-empty", ""}, {"x-one", "1"}},
                             .connection = connection};
      if (with_body) request.body = std::make_shared<std::string>("some body");
      const Context ctx = Soon();
      absl::StatusOr<HttpResponse> result = transport->RoundTrip(ctx, request);
      ASSERT_THAT(result, IsOk());
      HttpResponse& response = *result;
      EXPECT_EQ(response.status, 200);
      EXPECT_EQ(response.http_version, GetParam().expected);
      EXPECT_EQ(response.headers.Get("x-version"), absl::StrCat(GetParam().expected));
      const absl::StatusOr<std::string> body = ReadAll(ctx, response);
      ASSERT_THAT(body, IsOk());
      const std::string& text = *body;
      if (method == "HEAD") {
        EXPECT_EQ(text, "");
        continue;
      }
      EXPECT_THAT(text, HasSubstr(absl::StrCat(method, " /a/../b%2Fc?d=e%20f\n")));
      EXPECT_THAT(text, HasSubstr("x-empty: \n"));
      EXPECT_THAT(text, HasSubstr("x-one: 1\n"));
      EXPECT_THAT(text, HasSubstr("accept-encoding: gzip\n"));
      for (const char* absent : {"expect:", "content-type:", "accept:", "user-agent:"}) {
        EXPECT_THAT(text, Not(HasSubstr(absent)));
      }
      EXPECT_EQ(text.substr(text.size() - 9) == "some body", with_body) << text;
    }
  }
  EXPECT_EQ(transport->statistics().opened_connections, 1);
  EXPECT_EQ(transport->statistics().requests, 0);
  EXPECT_THAT(transport->Shutdown(Soon()), IsOk());
}

}  // namespace
}  // namespace kube::rest
