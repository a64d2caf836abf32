#ifndef APISERVER_TRACKING_KIND_VERSIONS_H_
#define APISERVER_TRACKING_KIND_VERSIONS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// The versions of one kind, for merging: what the server serves of it, and how it converts between
// them. Thread-safe (kube-apiserver: `managedfields.TypeConverter`, `runtime.ObjectConvertor`).
class KindVersions : public managedfields::VersionConverter {
 public:
  // Both must outlive this; `resource` is one of `resources`.
  KindVersions(const Resources& resources, const Resource& resource)
      : resources_(resources), resource_(resource) {}

  const managedfields::Schema* SchemaOf(absl::string_view api_version) const override;
  absl::StatusOr<unstructured::Value> Convert(const unstructured::Value& object,
                                              absl::string_view api_version) const override;

 private:
  // Returns the same objects in another version, or null.
  const Resource* Find(absl::string_view api_version) const;

  const Resources& resources_;
  const Resource& resource_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_TRACKING_KIND_VERSIONS_H_
