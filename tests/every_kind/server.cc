#include "tests/every_kind/server.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/kubernetes/testing/kind_case.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "envtest/in_process_transport.h"

namespace kube::every_kind {
namespace {

using unstructured::Value;

template <typename T>
T Must(absl::StatusOr<T> result) {
  KUBE_CHECK(result.ok()) << result.status();
  return *std::move(result);
}

kubernetes::Clientset ClientWithNamespace(const rest::Config& config) {
  kubernetes::Clientset client = Must(kubernetes::Clientset::Make(config));
  const absl::Status created =
      client.CoreV1()
          .Namespaces()
          .Create(Context(), {.metadata = {.name = kubernetes::kNamespace}})
          .status();
  KUBE_CHECK(created.ok() || errors::IsAlreadyExists(created)) << created;
  return client;
}

std::string TextOf(const Value& object, absl::string_view member) {
  const Value* value = object.Find(member);
  return value == nullptr ? "" : std::string(value->text().value_or(""));
}

// Reads the first manifest for each key "apps/v1 Deployment" and "apps Deployment".
void Read(const std::string& path, bool with_metadata,
          std::map<std::string, std::string>& manifests) {
  std::ifstream file(path);
  KUBE_CHECK(file.good()) << path;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  codec::YamlDocuments documents(text);
  while (true) {
    const std::optional<codec::YamlDocument> document = Must(documents.Next());
    if (!document.has_value()) return;
    Value object = Must(unstructured::ParseYaml(document->text));
    if (!with_metadata) object.object()->erase("metadata");
    const std::string api_version = TextOf(object, "apiVersion");
    const std::string group = api_version.substr(0, api_version.find('/'));
    const std::string kind = TextOf(object, "kind");
    const std::string json = Must(unstructured::EncodeJson(object));
    manifests.emplace(absl::StrCat(api_version, " ", kind), json);
    manifests.emplace(absl::StrCat(group, " ", kind), json);
  }
}

}  // namespace

bool IsReal() { return std::getenv("KUBECONFIG") != nullptr; }

const kubernetes::Clientset& Client() {
  static const kubernetes::Clientset client =
      IsReal() ? ClientWithNamespace(
                     Must(clientcmd::LoadConfig({.kubeconfig = std::getenv("KUBECONFIG")})))
               : EmbeddedClient();
  return client;
}

const kubernetes::Clientset& EmbeddedClient() {
  static apiserver::ApiHandler server;
  static const kubernetes::Clientset client = ClientWithNamespace(envtest::InProcessConfig(server));
  return client;
}

Context Soon() { return WithTimeout(Context(), absl::Seconds(30)); }

std::string ApiVersionOf(const kubernetes::KindCase& kind) {
  const absl::string_view group = kind.resource.group;
  return absl::StrCat(group, group.empty() ? "" : "/", kind.resource.version);
}

Served Discover(const std::set<std::string>& group_versions) {
  Served served;
  for (const std::string& group_version : group_versions) {
    const bool core = !absl::StrContains(group_version, "/");
    const absl::StatusOr<rest::Result> result = Client().client().Do(
        Context(), {.absolute_path = absl::StrCat(core ? "/api/" : "/apis/", group_version),
                    .accept = "application/json"});
    if (errors::IsNotFound(result.status())) continue;
    const Value list = Must(unstructured::ParseJson(Must(result).body));
    for (const Value& resource : *list.Find("resources")->list()) {
      std::set<std::string>& verbs = served[group_version][TextOf(resource, "name")];
      for (const Value& verb : *resource.Find("verbs")->list()) {
        verbs.emplace(verb.text().value_or(""));
      }
    }
  }
  return served;
}

absl::StatusOr<std::string> ManifestOf(absl::string_view api_version, absl::string_view kind) {
  static const std::map<std::string, std::string> manifests = [] {
    std::map<std::string, std::string> read;
    Read("tests/every_kind/testdata/objects.yaml", true, read);
    // Another test on the same server uses their names.
    Read("tests/integration/testdata/table_objects.yaml", false, read);
    return read;
  }();
  auto found = manifests.find(absl::StrCat(api_version, " ", kind));
  if (found == manifests.end()) {
    found = manifests.find(absl::StrCat(api_version.substr(0, api_version.find('/')), " ", kind));
  }
  if (found != manifests.end()) return found->second;
  return absl::NotFoundError(absl::StrCat("there is no manifest of ", api_version, " ", kind));
}

}  // namespace kube::every_kind
