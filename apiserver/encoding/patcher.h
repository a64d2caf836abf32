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

// A patch that was read, for objects of one kind. Errors carry the Status for the client.
// Immutable, and thread-safe. (handlers.patcher)
class Patcher {
 public:
  // Of every type but kApply. 400 for a body that is none.
  static absl::StatusOr<Patcher> Make(patch::PatchType type, absl::string_view body,
                                      const KindInfo& kind, FieldPolicy policy);

  // The object with the patch applied, and defaults; `warnings` gets what is unknown in it. 422
  // where it does not fit.
  absl::StatusOr<Object> Apply(const Resource& resource, const StoredObject& current,
                               std::vector<std::string>* warnings) const;
  // The same of a struct that is no object with metadata of its own, as a Scale.
  absl::StatusOr<codec::AnyObject> Apply(const codec::AnyObject& current,
                                         std::vector<std::string>* warnings) const;

 private:
  Patcher(patch::PatchType type, const KindInfo& kind, FieldPolicy policy)
      : type_(type), kind_(&kind), policy_(policy) {}

  absl::StatusOr<unstructured::Value> ApplyTo(unstructured::Value object) const;
  // The error of a result that is no object of the kind.
  absl::Status Unfit(const unstructured::Value& patched, absl::string_view cause) const;

  patch::PatchType type_;
  const KindInfo* kind_;
  FieldPolicy policy_;
  patch::JsonPatch operations_;
  unstructured::Value merge_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_PATCHER_H_
