#include "informers/testing/test_cluster.h"

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/meta/object_name.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/typed/resource.h"
#include "envtest/in_process_transport.h"
#include "informers/testing/faulty_transport.h"
#include "listers/indexer.h"
#include "net/httpclient/transport.h"

namespace kube::informers {
namespace {

constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};

rest::Client ClientOf(apiserver::ApiHandler& server, std::shared_ptr<FaultyTransport>* transport) {
  rest::Config config = envtest::InProcessConfig(server);
  if (transport != nullptr) {
    *transport = std::make_shared<FaultyTransport>(config.transport);
    config.transport = *transport;
  }
  return *rest::MakeClient(config);
}

meta::ObjectName NameOf(absl::string_view key) {
  meta::ObjectName name = *meta::ParseObjectName(key);
  if (name.namespace_name.empty()) name.namespace_name = "default";
  return name;
}

ConfigMap MakeConfigMap(absl::string_view key, absl::string_view value) {
  const meta::ObjectName name = NameOf(key);
  ConfigMap object;
  object.metadata.name = name.name;
  object.metadata.namespace_ = name.namespace_name;
  object.metadata.annotations["example.com/note"] = "a note";
  object.metadata.labels["value"] = value;
  object.data["v"] = value;
  return object;
}

std::string ValueOf(const ConfigMap& object) {
  const String* value = object.data.find("v");
  return value == nullptr ? "none" : std::string(value->view());
}

// Informers of all namespaces find only what a test has made.
apiserver::HandlerOptions WithoutClusterObjects(apiserver::HandlerOptions options) {
  options.cluster_objects = false;
  return options;
}

}  // namespace

TestCluster::TestCluster(apiserver::HandlerOptions options)
    : server_(WithoutClusterObjects(std::move(options))),
      config_maps_(ClientOf(server_, &transport_), kConfigMaps),
      any_config_maps_(config_maps_.client(), kConfigMaps),
      metadata_(config_maps_.client(), kConfigMaps),
      direct_(ClientOf(server_, nullptr), kConfigMaps) {}

void TestCluster::Create(absl::string_view key, absl::string_view value) {
  const ConfigMaps client = direct_.Namespace(NameOf(key).namespace_name);
  KUBE_CHECK_OK(client.Create(Context(), MakeConfigMap(key, value)).status());
}

void TestCluster::Set(absl::string_view key, absl::string_view value) {
  const ConfigMaps client = direct_.Namespace(NameOf(key).namespace_name);
  KUBE_CHECK_OK(client.Update(Context(), MakeConfigMap(key, value)).status());
}

void TestCluster::Delete(absl::string_view key) {
  const meta::ObjectName name = NameOf(key);
  KUBE_CHECK_OK(direct_.Namespace(name.namespace_name).Delete(Context(), name.name));
}

std::map<std::string, std::string> TestCluster::Content() const {
  std::map<std::string, std::string> content;
  const auto list = direct_.List(Context());
  KUBE_CHECK_OK(list.status());
  for (const ConfigMap& object : list->items) {
    content[meta::MetaNamespaceKey(object)] = ValueOf(object);
  }
  return content;
}

std::map<std::string, std::string> ContentOf(const listers::Indexer<ConfigMap>& store) {
  std::map<std::string, std::string> content;
  for (const ConfigMap& object : store.List()) {
    content[meta::MetaNamespaceKey(object)] = ValueOf(object);
  }
  return content;
}

}  // namespace kube::informers
