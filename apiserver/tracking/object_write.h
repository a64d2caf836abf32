#ifndef APISERVER_TRACKING_OBJECT_WRITE_H_
#define APISERVER_TRACKING_OBJECT_WRITE_H_

#include <optional>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/field_manager.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// The two objects of an ordinary write, as they are: nothing is copied to compare them.
// Thread-compatible.
class ObjectWrite : public managedfields::TrackedWrite {
 public:
  // `live` is null for a create: then `object` replaces an empty object of its kind, which for
  // built-in kinds has what a Go struct always has when it is encoded. All must outlive this.
  ObjectWrite(const Resource& resource, const Object* live, const Object& object);
  ObjectWrite(const ObjectWrite&) = delete;
  ObjectWrite& operator=(const ObjectWrite&) = delete;

  const api::meta::v1::ObjectMeta* metadata_before() const override;
  const api::meta::v1::ObjectMeta& metadata() const override { return object_.metadata(); }
  absl::StatusOr<managedfields::Comparison> Compare() const override;
  absl::StatusOr<unstructured::Value> Before() const override;
  absl::StatusOr<unstructured::Value> After() const override;

 private:
  const Resource& resource_;
  const Object* const live_;
  const std::optional<Object> empty_;  // of a create
  const Object& before_;               // `live_` or `empty_`
  const Object& object_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_TRACKING_OBJECT_WRITE_H_
