#ifndef APIMACHINERY_MANAGEDFIELDS_TYPED_EXTRACT_H_
#define APIMACHINERY_MANAGEDFIELDS_TYPED_EXTRACT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {

// A kind that can be applied: the applies header of its struct is included.
template <typename T>
concept AppliedKind = ApiStruct<T> && requires {
  ApplyConfigurationOf<T>::kApiVersion;
  ApplyConfigurationOf<T>::kKind;
};

namespace internal {

// Does what the template below does, as JSON. `object` points to a struct that `message` describes.
absl::StatusOr<unstructured::Value> ExtractOwned(const void* object,
                                                 const kube::table::Message& message,
                                                 absl::string_view api_version,
                                                 absl::string_view kind, absl::string_view manager,
                                                 absl::string_view subresource);

}  // namespace internal

// Returns the apply configuration of the part of `object` that `manager` owns by apply. It is the
// start of a read, modify and apply cycle, for a program that does not build its configuration anew
// each time:
//
//   KUBE_ASSIGN_OR_RETURN(const auto web, deployments.Get(ctx, "web"));
//   KUBE_ASSIGN_OR_RETURN(auto mine, managedfields::ExtractOwned(web, "scaler"));
//   if (!mine.spec) mine.spec.emplace();
//   mine.spec->replicas = 5;
//   return deployments.Apply(ctx, mine, {.force = true, .field_manager = "scaler"}).status();
//
// The configuration always has the kind, the apiVersion, the name and the namespace, and nothing
// else if the manager has never applied the object. It has less than the manager applied before if
// others have taken some fields from it since then. `object` must be as the server returned it,
// with its managed fields. `subresource` is "" for what was applied to the object itself, and
// "status" for what was applied to its status. Objects that are a subresource themselves, such as a
// Scale, have no managed fields of their own.
//
// Returns INVALID_ARGUMENT if the managed fields cannot be decoded or the object does not fit its
// schema. Thread-safe as long as no other thread changes `object`. (client-go:
// `ExtractDeploymentFrom` of `applyconfigurations/apps/v1`)
template <AppliedKind T>
absl::StatusOr<ApplyOf<T>> ExtractOwned(const T& object, absl::string_view manager,
                                        absl::string_view subresource = "") {
  const absl::StatusOr<unstructured::Value> owned =
      internal::ExtractOwned(&object, T::kMessage, ApplyConfigurationOf<T>::kApiVersion,
                             ApplyConfigurationOf<T>::kKind, manager, subresource);
  if (!owned.ok()) return owned.status();
  return unstructured::FromValue<ApplyOf<T>>(*owned);
}

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_TYPED_EXTRACT_H_
