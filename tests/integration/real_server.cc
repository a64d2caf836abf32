#include "tests/integration/real_server.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "clientset/typed/typed_client.h"

namespace kube::integration {
namespace {

template <typename T>
T Must(absl::StatusOr<T> result) {
  KUBE_CHECK(result.ok()) << result.status();
  return *std::move(result);
}

// Returns the response of etcd's JSON gateway.
std::string PostToEtcd(const std::string& url, absl::string_view path, absl::string_view body) {
  const rest::Client etcd = ClientOf({.host = url, .proxy_url = ""});
  return Must(etcd.Do(Soon(), {.verb = "POST",
                               .absolute_path = std::string(path),
                               .body = std::make_shared<const std::string>(body),
                               .content_type = "application/json"}))
      .body;
}

}  // namespace

rest::Config ConfigOf(absl::string_view context) {
  return Must(clientcmd::LoadConfig(
      {.kubeconfig = Variable("KUBECONFIG"), .context = std::string(context)}));
}

rest::Client ClientOf(const rest::Config& config) { return Must(rest::MakeClient(config)); }

Context Soon() { return WithTimeout(Context(), absl::Minutes(1)); }

std::string MakeNamespace(const rest::Client& client) {
  const typed::TypedClient<api::core::v1::Namespace, api::core::v1::NamespaceList> namespaces(
      client, kNamespaces);
  const std::string name = absl::StrCat("integration-", base::RandomString(8));
  Must(namespaces.Create(Soon(), {.metadata = {.name = name}}));
  return name;
}

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  KUBE_CHECK(value != nullptr || absl::string_view(name) == "KUBE_VARIANT")
      << name << " is not set: run tests/real_server/run";
  return value == nullptr ? "" : value;
}

void CompactEtcd() { CompactEtcd(Variable("KUBE_ETCD")); }

void CompactEtcd(const std::string& etcd_url) {
  const std::string status = PostToEtcd(etcd_url, "/v3/maintenance/status", "{}");
  const unstructured::Value answer = Must(unstructured::ParseJson(status));
  const std::string revision(
      Must(unstructured::NestedString(*answer.object(), {"header", "revision"})).value());
  PostToEtcd(etcd_url, "/v3/kv/compaction",
             absl::StrCat("{\"revision\":\"", revision, "\",\"physical\":true}"));
}

}  // namespace kube::integration
