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

// "20000-1f3c0a": how many objects there are, and FNV-1a of the lines "NAMESPACE/NAME
// RESOURCEVERSION\n" of all, sorted. Equal: they are the same in the same versions.
std::string Fingerprint(std::vector<std::string> lines);

// What there is at one moment: all, of Crowd::kNamespace, and with Crowd::kSelector.
struct Fingerprints {
  std::string all;
  std::string of_namespace;
  std::string selected;
};

// Many config maps in ten namespaces, and writers that change, delete and create them at random.
// For one thread.
class Crowd {
 public:
  static constexpr char kNamespace[] = "crowd-3";
  // Of one object of four; writers change who they are.
  static constexpr char kSelector[] = "color=red";

  Crowd(const rest::Client& client, int size);

  // By eight threads.
  absl::Status Create(const Context& ctx);

  // Writers write until Stop. What the server does not take is given up.
  void Start();
  void Stop();
  // Blocks until so many more writes have succeeded.
  absl::Status AwaitWrites(const Context& ctx, int64_t count) const;
  int64_t writes() const { return writes_; }

  // By a list of metadata from etcd.
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
