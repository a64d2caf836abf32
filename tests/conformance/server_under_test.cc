#include "tests/conformance/server_under_test.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/api_server.h"
#include "apiserver/user.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "envtest/crds.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"

namespace kube::conformance {
namespace {

template <typename T>
T Must(absl::StatusOr<T> result) {
  KUBE_CHECK(result.ok()) << result.status();
  return *std::move(result);
}

absl::string_view Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

apiserver::ApiServerOptions EmbeddedOptions(bool controllers) {
  apiserver::ApiServerOptions options;
  options.handler.controllers = controllers;
  // As tools/kube starts a real server.
  options.handler.authorization = apiserver::Authorization::kRbac;
  options.handler.tokens["admin-token"] = {
      .name = "admin", .uid = "", .groups = {"system:masters"}};
  options.handler.tokens["plain-token"] = {.name = "plain-user", .uid = "", .groups = {}};
  return options;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

ServerUnderTest::ServerUnderTest(bool controllers)
    : transport_(Must(httpclient::MakeHttpTransport())) {
  if (is_real()) {
    const rest::Config config = Must(clientcmd::LoadConfig(
        {.kubeconfig = std::string(Variable("KUBECONFIG")), .context = "admin-token"}));
    url_ = config.host;
    ca_ = config.tls.ca_data.empty() ? ReadFile(config.tls.ca_file) : config.tls.ca_data;
  } else {
    embedded_ = Must(apiserver::ApiServer::Start(EmbeddedOptions(controllers)));
    url_ = embedded_->url();
    ca_ = embedded_->ca_certificate();
  }
  connection_ = std::make_shared<const httpclient::ConnectionOptions>(
      httpclient::ConnectionOptions{.ca_certificates = ca_});
  if (is_real()) minor_ = AskMinor();
}

ServerUnderTest& ServerUnderTest::Get() {
  static ServerUnderTest server(/*controllers=*/false);
  return server;
}

ServerUnderTest& ServerUnderTest::WithControllers() {
  static ServerUnderTest server(/*controllers=*/true);
  return server;
}

bool ServerUnderTest::is_real() { return !Variable("KUBECONFIG").empty(); }

absl::string_view ServerUnderTest::variant() { return is_real() ? Variable("KUBE_VARIANT") : ""; }

int ServerUnderTest::AskMinor() const {
  const HttpAnswer answer =
      Send("GET", "/version", {{"authorization", "Bearer admin-token"}}, /*body=*/"");
  KUBE_CHECK(answer.status == 200) << answer.body;
  const unstructured::Value version = Must(unstructured::ParseJson(answer.body));
  const unstructured::Value* const text = version.Find("minor");
  int minor = 0;
  KUBE_CHECK(text != nullptr && absl::SimpleAtoi(text->text().value_or(""), &minor)) << answer.body;
  return minor;
}

void ServerUnderTest::InstallDefinitions() {
  if (std::exchange(has_definitions_, true)) return;
  Must(envtest::InstallCrds(Context(), Must(rest::MakeClient(Config())),
                            {.paths = {"tests/conformance/definitions.yaml"}}));
}

bool ServerUnderTest::Compact() const {
  if (!is_real()) {
    embedded_->handler().Compact();
    return true;
  }
  if (variant() != "also_without_watch_cache") return false;
  const rest::Client etcd = Must(rest::MakeClient({.host = std::string(Variable("KUBE_ETCD"))}));
  const auto post = [&](absl::string_view path, absl::string_view body) {
    return Must(etcd.Do(WithTimeout(Context(), absl::Minutes(1)),
                        {.verb = "POST",
                         .absolute_path = std::string(path),
                         .body = std::make_shared<const std::string>(body),
                         .content_type = "application/json"}))
        .body;
  };
  const unstructured::Value status =
      Must(unstructured::ParseJson(post("/v3/maintenance/status", "{}")));
  const unstructured::Value* const header = status.Find("header");
  KUBE_CHECK(header != nullptr && header->Find("revision") != nullptr);
  post("/v3/kv/compaction",
       absl::StrCat("{\"revision\":\"", header->Find("revision")->text().value_or(""),
                    "\",\"physical\":true}"));
  return true;
}

rest::Config ServerUnderTest::Config(absl::string_view token) const {
  rest::Config config{.host = url_, .bearer_token = base::Secret(std::string(token))};
  config.tls.ca_data = ca_;
  return config;
}

HttpAnswer ServerUnderTest::Send(const std::string& method, const std::string& target,
                                 const http::Headers& headers, const std::string& body,
                                 int lines) const {
  httpclient::HttpRequest request{.method = method, .url = absl::StrCat(url_, target)};
  request.headers = headers;
  if (!body.empty()) request.body = std::make_shared<const std::string>(body);
  request.connection = connection_;
  // A number of lines is that of something without an end.
  const Context ctx = WithTimeout(Context(), absl::Minutes(1));
  httpclient::HttpResponse response = Must(transport_->RoundTrip(ctx, std::move(request)));
  HttpAnswer answer{.status = response.status, .headers = response.headers, .body = {}};
  const bool to_end = lines == 0 || response.status != 200;
  while (to_end || std::count(answer.body.begin(), answer.body.end(), '\n') < lines) {
    const std::string piece = Must(response.body->Read(ctx));
    if (piece.empty()) break;
    answer.body += piece;
  }
  return answer;
}

std::string ServerUnderTest::MakeNamespace() const {
  const std::string name = absl::StrCat("conformance-", base::RandomString(8));
  const HttpAnswer answer =
      Send("POST", "/api/v1/namespaces",
           {{"authorization", "Bearer admin-token"}, {"content-type", "application/json"}},
           absl::StrCat(R"({"metadata":{"name":")", name, "\"}}"));
  KUBE_CHECK(answer.status == 201) << answer.body;
  return name;
}

}  // namespace kube::conformance
