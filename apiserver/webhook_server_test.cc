// Webhooks on real sockets: an HTTPS server, which calls the API server while this waits
// for it. The API server has one I/O thread, so that it would stand still if it waited there.

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/api_server.h"
#include "apiserver/testing/webhook_world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpclient/transport.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/thread_pool_handler.h"

namespace kube::apiserver {
namespace {

using base::IsOk;
using testing::HasSubstr;

// Sends requests to an API server as its administrator.
class Client {
 public:
  explicit Client(const ApiServer& server)
      : url_(server.url()),
        token_(server.admin_token()),
        transport_(httpclient::MakeTransport()),
        connection_(std::make_shared<const httpclient::ConnectionOptions>(
            httpclient::ConnectionOptions{.ca_certificates = server.ca_certificate()})) {}

  // Returns the code and the body.
  std::pair<int, std::string> Send(absl::string_view method, absl::string_view path,
                                   absl::string_view body = "") {
    httpclient::HttpRequest request;
    request.method = std::string(method);
    request.url = absl::StrCat(url_, path);
    request.headers = {{"authorization", absl::StrCat("Bearer ", token_)},
                       {"content-type", "application/json"}};
    if (!body.empty()) request.body = std::make_shared<const std::string>(body);
    request.connection = connection_;
    absl::StatusOr<httpclient::HttpResponse> response =
        transport_->RoundTrip(httpclient::Soon(), std::move(request));
    if (!response.ok()) return {0, std::string(response.status().message())};
    const absl::StatusOr<std::string> text = httpclient::ReadAll(httpclient::Soon(), *response);
    return {response->status, text.ok() ? *text : std::string(text.status().message())};
  }

 private:
  const std::string url_;
  const std::string token_;
  const std::shared_ptr<httpclient::Transport> transport_;
  const std::shared_ptr<const httpclient::ConnectionOptions> connection_;
};

std::string Configuration(absl::string_view client_config) {
  return absl::StrCat(
      R"({"metadata":{"name":"a"},"webhooks":[{"name":"a.example.com","sideEffects":"None",)",
      R"("admissionReviewVersions":["v1"],"clientConfig":)", client_config,
      R"(,"rules":[{"operations":["CREATE"],"apiGroups":[""],"apiVersions":["v1"],)",
      R"("resources":["configmaps"]}]}]})");
}

constexpr char kConfigurations[] =
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";

TEST(WebhookServer, CallsTheApiServer) {
  const auto api = ApiServer::Start();
  ASSERT_THAT(api, IsOk());
  Client client(**api);
  const auto authority = certificates::CertificateAuthority::Make("hooks-ca");
  ASSERT_THAT(authority, IsOk());
  auto certificate = authority->Issue(
      {.common_name = "hooks", .dns_names = {"hooks.default.svc"}, .ip_addresses = {"127.0.0.1"}});
  ASSERT_THAT(certificate, IsOk());
  std::atomic<int> secrets = 0;
  httpserver::ThreadPoolHandler handler(
      [&](httpserver::Exchange& exchange) {
        // It writes and reads, and only then answers.
        const auto [created, text] =
            client.Send("POST", "/api/v1/namespaces/default/secrets",
                        absl::StrCat(R"({"metadata":{"name":"s)", ++secrets, "\"}}"));
        const auto [found, list] = client.Send("GET", kMaps);
        EXPECT_EQ(created, 201) << text;
        EXPECT_EQ(found, 200) << list;
        constexpr char kPatch[] = R"([{"op":"add","path":"/data","value":{"by":"hook"}}])";
        exchange.Respond({.headers = {{"content-type", "application/json"}},
                          .body = PatchReview(exchange.request().body, kPatch)});
      },
      {.threads = 1});
  ASSERT_THAT(handler.Start(Context()), IsOk());
  const auto hooks = httpserver::Server::Start(
      {.tls = httpserver::TlsOptions{.certificate_chain = certificate->certificate,
                                     .private_key = std::move(certificate->key)}},
      handler);
  ASSERT_THAT(hooks, IsOk());
  const std::string bundle = absl::Base64Escape(authority->certificate());

  // At a URL.
  const auto [code, answer] =
      client.Send("POST", kConfigurations,
                  Configuration(absl::StrCat(R"({"url":")", (*hooks)->url(),
                                             R"(/check","caBundle":")", bundle, "\"}")));
  ASSERT_EQ(code, 201) << answer;
  const auto [first_code, first] = client.Send("POST", kMaps, R"({"metadata":{"name":"m"}})");
  EXPECT_EQ(first_code, 201) << first;
  EXPECT_THAT(first, HasSubstr(R"("by":"hook")"));

  // Behind a service.
  EXPECT_EQ(client.Send("DELETE", absl::StrCat(kConfigurations, "/a")).first, 200);
  (*api)->handler().SetServiceAddress("default", "hooks", 443,
                                      absl::StrCat("127.0.0.1:", (*hooks)->port()));
  EXPECT_EQ(client
                .Send("POST", kConfigurations,
                      Configuration(absl::StrCat(
                          R"({"service":{"namespace":"default","name":"hooks"},"caBundle":")",
                          bundle, "\"}")))
                .first,
            201);
  const auto [second_code, second] = client.Send("POST", kMaps, R"({"metadata":{"name":"n"}})");
  EXPECT_EQ(second_code, 201) << second;
  EXPECT_THAT(second, HasSubstr(R"("by":"hook")"));
  EXPECT_EQ(secrets.load(), 2);

  // Nobody is there.
  (*api)->handler().SetServiceAddress("default", "hooks", 443, "127.0.0.1:1");
  const auto [third_code, third] = client.Send("POST", kMaps, R"({"metadata":{"name":"o"}})");
  EXPECT_EQ(third_code, 500);
  EXPECT_THAT(third,
              HasSubstr("Internal error occurred: failed calling webhook \\\"a.example.com\\\": "
                        "failed to call webhook: Post "
                        "\\\"https://hooks.default.svc:443/?timeout=10s\\\": "));
}

// Answers a ConversionReview: the objects differ in their apiVersion only.
std::string ConvertReview(absl::string_view body) {
  const unstructured::Value request = RequestOf(body);
  List<unstructured::Value> converted;
  for (unstructured::Value each : *request["objects"].list()) {
    (*each.object())["apiVersion"] = request["desiredAPIVersion"];
    converted.push_back(std::move(each));
  }
  return unstructured::EncodeJson(
             unstructured::Value(Map<unstructured::Value>{
                 {"kind", "ConversionReview"},
                 {"apiVersion", "apiextensions.k8s.io/v1"},
                 {"response",
                  Map<unstructured::Value>{
                      {"uid", request["uid"]},
                      {"convertedObjects", std::move(converted)},
                      {"result", Map<unstructured::Value>{{"status", "Success"}}}}}}))
      .value_or("");
}

TEST(WebhookServer, ConvertsCustomResources) {
  const auto api = ApiServer::Start();
  ASSERT_THAT(api, IsOk());
  Client client(**api);
  const auto authority = certificates::CertificateAuthority::Make("hooks-ca");
  ASSERT_THAT(authority, IsOk());
  auto certificate = authority->Issue({.common_name = "hooks", .ip_addresses = {"127.0.0.1"}});
  ASSERT_THAT(certificate, IsOk());
  httpserver::ThreadPoolHandler handler(
      [&](httpserver::Exchange& exchange) {
        // The API server answers it meanwhile.
        EXPECT_EQ(client.Send("GET", kMaps).first, 200);
        exchange.Respond({.headers = {{"content-type", "application/json"}},
                          .body = ConvertReview(exchange.request().body)});
      },
      {.threads = 1});
  ASSERT_THAT(handler.Start(Context()), IsOk());
  const auto hooks = httpserver::Server::Start(
      {.tls = httpserver::TlsOptions{.certificate_chain = certificate->certificate,
                                     .private_key = std::move(certificate->key)}},
      handler);
  ASSERT_THAT(hooks, IsOk());
  const auto version = [](absl::string_view name, absl::string_view stored) {
    return absl::StrCat(R"({"name":")", name, R"(","served":true,"storage":)", stored,
                        R"(,"schema":{"openAPIV3Schema":{"type":"object"}}})");
  };
  const auto [code, answer] = client.Send(
      "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      absl::StrCat(R"({"metadata":{"name":"dogs.example.com"},"spec":{"group":"example.com",)",
                   R"("scope":"Namespaced","names":{"plural":"dogs","kind":"Dog"},"versions":[)",
                   version("v1", "true"), ",", version("v2", "false"),
                   R"(],"conversion":{"strategy":"Webhook","webhook":{)",
                   R"("conversionReviewVersions":["v1"],"clientConfig":{"url":")", (*hooks)->url(),
                   R"(/convert","caBundle":")", absl::Base64Escape(authority->certificate()),
                   R"("}}}}})"));
  ASSERT_EQ(code, 201) << answer;
  constexpr char kDog[] =
      R"({"apiVersion":"example.com/v2","kind":"Dog","metadata":{"name":"rex"}})";
  const auto [created, text] =
      client.Send("POST", "/apis/example.com/v2/namespaces/default/dogs", kDog);
  EXPECT_EQ(created, 201) << text;
  EXPECT_THAT(text, HasSubstr(R"("apiVersion":"example.com/v2")"));
  const auto [found, list] = client.Send("GET", "/apis/example.com/v2/dogs");
  EXPECT_EQ(found, 200) << list;
  EXPECT_THAT(list, HasSubstr(R"("name":"rex")"));
}

}  // namespace
}  // namespace kube::apiserver
