#ifndef TESTS_INTEGRATION_CROWD_H_
#define TESTS_INTEGRATION_CROWD_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/thread_group.h"
#include "clientset/rest/client.h"
#include "clientset/typed/typed_client.h"

namespace kube::integration {

// Returns a text such as "20000-1f3c0a": the number of objects, and FNV-1a of the sorted lines
// "NAMESPACE/NAME RESOURCEVERSION\n". Equal texts mean the same objects in the same versions.
std::string Fingerprint(std::vector<std::string> lines);

// The objects at one moment: all, those in Crowd::kNamespace, and those that match
// Crowd::kSelector.
struct Fingerprints {
  std::string all;
  std::string of_namespace;
  std::string selected;
};

// Many config maps in ten namespaces, and writers that change, delete and create them at random.
// Thread-compatible.
class Crowd {
 public:
  static constexpr char kNamespace[] = "crowd-3";
  // Matches a quarter of the objects; writers change which.
  static constexpr char kSelector[] = "color=red";

  Crowd(const rest::Client& client, int size);

  // Creates the objects, with eight threads.
  absl::Status Create(const Context& ctx);

  // Starts writers, which write until Stop. Writes that fail are not retried.
  void Start();
  void Stop();
  // Blocks until `count` more writes have succeeded.
  absl::Status AwaitWrites(const Context& ctx, int64_t count) const;
  int64_t writes() const { return writes_; }

  // Lists the metadata from etcd.
  absl::StatusOr<Fingerprints> List(const Context& ctx) const;

 private:
  using ConfigMaps = typed::TypedClient<api::core::v1::ConfigMap, api::core::v1::ConfigMapList>;
  using Metadata = typed::TypedClient<api::meta::v1::PartialObjectMetadata,
                                      api::meta::v1::PartialObjectMetadataList>;

  absl::Status WriteAtRandom(const Context& ctx);
  absl::Status WriteOne(const Context& ctx);

  const ConfigMaps config_maps_;
  const Metadata metadata_;
  const int size_;
  std::atomic<int64_t> writes_ = 0;
  std::unique_ptr<base::ThreadGroup> writers_;
};

}  // namespace kube::integration

#endif  // TESTS_INTEGRATION_CROWD_H_
