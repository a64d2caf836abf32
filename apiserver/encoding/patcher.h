#ifndef APISERVER_ENCODING_PATCHER_H_
#define APISERVER_ENCODING_PATCHER_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/encoding/input.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// A parsed patch for objects of one kind (kube-apiserver: `handlers.patcher`). Errors carry a
// Status for the client. Immutable and thread-safe.
class Patcher {
 public:
  // Parses a patch of any type except kApply. Returns 400 if the body is not valid.
  static absl::StatusOr<Patcher> Make(patch::PatchType type, absl::string_view body,
                                      const KindInfo& kind, FieldPolicy policy);

  // Returns the object with the patch and defaults applied. Unknown fields in the result are added
  // to `warnings`. Returns 422 if the patch does not fit the object.
  absl::StatusOr<Object> Apply(const Resource& resource, const StoredObject& current,
                               std::vector<std::string>* warnings) const;
  // Does the same for a struct without metadata in the storage, such as a Scale.
  absl::StatusOr<codec::AnyObject> Apply(const codec::AnyObject& current,
                                         std::vector<std::string>* warnings) const;

 private:
  Patcher(patch::PatchType type, const KindInfo& kind, FieldPolicy policy)
      : type_(type), kind_(&kind), policy_(policy) {}

  absl::StatusOr<unstructured::Value> ApplyTo(unstructured::Value object) const;
  // Returns the error for a result that is not an object of the kind.
  absl::Status Unfit(const unstructured::Value& patched, absl::string_view cause) const;

  patch::PatchType type_;
  const KindInfo* kind_;
  FieldPolicy policy_;
  patch::JsonPatch operations_;
  unstructured::Value merge_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_PATCHER_H_
