#ifndef APIMACHINERY_MANAGEDFIELDS_SCALE_HANDLER_H_
#define APIMACHINERY_MANAGEDFIELDS_SCALE_HANDLER_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/managedfields/fields_v1_cache.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/types/list.h"

namespace kube::managedfields {

// For each version of the parent ("apps/v1"), the path of its replicas.
using ReplicasPaths = std::map<std::string, Path, std::less<>>;

// Translates managed fields between an object and its scale subresource, on which spec.replicas is
// the only field (apimachinery: `managedfields.ScaleHandler`). Immutable, thread-safe.
class ScaleHandler {
 public:
  // `entries` are those of the object before the write; `api_version` is the object's own version.
  // `cache` may be null, otherwise it must outlive this.
  ScaleHandler(List<api::meta::v1::ManagedFieldsEntry> entries, std::string api_version,
               ReplicasPaths paths, FieldsV1Cache* cache = nullptr);

  // Returns the entries that the Scale has: those that own the replicas, as `.spec.replicas` of
  // autoscaling/v1. Returns INVALID_ARGUMENT if the entries cannot be decoded.
  absl::StatusOr<List<api::meta::v1::ManagedFieldsEntry>> ToSubresource() const;
  // Returns the object's entries after a write to the Scale that left `scale_entries` on it.
  // Returns INVALID_ARGUMENT if the entries cannot be decoded.
  absl::StatusOr<List<api::meta::v1::ManagedFieldsEntry>> ToParent(
      const List<api::meta::v1::ManagedFieldsEntry>& scale_entries) const;

 private:
  const List<api::meta::v1::ManagedFieldsEntry> entries_;
  const std::string api_version_;
  const ReplicasPaths paths_;
  FieldsV1Cache* const cache_;
};

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_SCALE_HANDLER_H_
