#ifndef INFORMERS_TESTING_TEST_CLUSTER_H_
#define INFORMERS_TESTING_TEST_CLUSTER_H_

#include <map>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apiserver/handler.h"
#include "clientset/typed/typed_client.h"
#include "informers/testing/faulty_transport.h"
#include "listers/indexer.h"

namespace kube::informers {

using ConfigMap = api::core::v1::ConfigMap;
using ConfigMaps = typed::TypedClient<ConfigMap, api::core::v1::ConfigMapList>;
using AnyConfigMaps =
    typed::TypedClient<unstructured::Unstructured, unstructured::UnstructuredList>;
using ConfigMapMetadata = typed::TypedClient<api::meta::v1::PartialObjectMetadata,
                                             api::meta::v1::PartialObjectMetadataList>;

// An API server with config maps, and clients whose requests can be made to fail. `direct` reaches
// the server without faults. For one simulation; thread-safe.
class TestCluster {
 public:
  explicit TestCluster(apiserver::HandlerOptions options = {});

  apiserver::ApiHandler& server() { return server_; }
  FaultyTransport& transport() { return *transport_; }
  // Return clients for all namespaces.
  const ConfigMaps& config_maps() const { return config_maps_; }
  const AnyConfigMaps& any_config_maps() const { return any_config_maps_; }
  const ConfigMapMetadata& metadata() const { return metadata_; }
  const ConfigMaps& direct() const { return direct_; }

  // Write an object in the namespace "default" unless `key` names one: "default/a" or "a".
  void Create(absl::string_view key, absl::string_view value = "1");
  void Set(absl::string_view key, absl::string_view value);
  void Delete(absl::string_view key);

  // Returns the objects of the server, such as "default/a" -> "1".
  std::map<std::string, std::string> Content() const;

 private:
  apiserver::ApiHandler server_;
  std::shared_ptr<FaultyTransport> transport_;
  ConfigMaps config_maps_;
  AnyConfigMaps any_config_maps_;
  ConfigMapMetadata metadata_;
  ConfigMaps direct_;
};

// Returns the objects of a store in the same form.
std::map<std::string, std::string> ContentOf(const listers::Indexer<ConfigMap>& store);

}  // namespace kube::informers

#endif  // INFORMERS_TESTING_TEST_CLUSTER_H_
