#ifndef CLIENTSET_TYPED_PATCH_FROM_H_
#define CLIENTSET_TYPED_PATCH_FROM_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"

namespace kube::typed {

struct PatchFromOptions {
  // Dry run, field manager and field validation. `force` has no meaning here.
  api::meta::v1::PatchOptions patch = {};
  // The subresource to which the change is sent, such as "status". Default: the object itself.
  std::string subresource = {};
  // Makes the server refuse the patch (errors::IsConflict) unless the object still has the resource
  // version of `before`. Without it, the patch also changes an object that others have written
  // since, and replaces lists that they have changed: use that only for fields that nobody else
  // writes. A patch for another object of the same name is refused in any case (errors::IsInvalid),
  // if `before` has a uid.
  bool optimistic_lock = true;
  // The format of the patch. Default: a JSON merge patch, for any resource; it replaces lists as a
  // whole. kStrategicMerge merges lists by their keys, so that additions of others stay; servers
  // accept it for built-in kinds alone, and T must be the struct of such a kind. kJson says each
  // change by its path, and elements of lists by their index: use it with optimistic_lock.
  kube::patch::PatchType type = kube::patch::PatchType::kMerge;
};

// A patch that turns one state of an object into another one.
struct ObjectPatch {
  std::string name = {};  // of the object
  patch::PatchType type = patch::PatchType::kMerge;
  std::string text = {};  // empty if there is no difference
};

// Returns the difference between `before` and `after`, a changed copy of it, as a patch: for calls
// of Patch, and to show or store it. Sends nothing. Of `options` it uses type and optimistic_lock.
// The patch has the uid of `before`, and with optimistic_lock its resource version, as changes of
// metadata: a server compares these with its object.
//
// Returns INVALID_ARGUMENT if `before` has no name, or has no resource version and optimistic_lock
// is set; if `options.type` is kApply; or if it is kStrategicMerge and T is
// unstructured::Unstructured. (controller-runtime: `client.MergeFrom`, `client.StrategicMergeFrom`,
// `client.MergeFromWithOptions`, where an unchanged object gives the patch "{}")
template <ApiStruct T>
absl::StatusOr<ObjectPatch> MakePatchFrom(const T& before, const T& after,
                                          const PatchFromOptions& options = {});

// Sends the difference between `before`, for example an object from a cache, and `after`, a changed
// copy of it, as one patch; see MakePatchFrom. (controller-runtime: `client.Patch` with
// `client.MergeFrom`)
//
//   appsv1::Deployment after = cached;
//   after.spec.replicas = 5;
//   return typed::PatchFrom(ctx, deployments, cached, after).status();
//
// Blocks. Returns the object as the server has it. If there is no difference, sends nothing and
// returns `after`. It needs one request where Edit needs two: Edit reads the object first,
// PatchFrom relies on the caller's. So a cache that lags behind leads to a conflict; a controller
// returns it and is called again. Fields that T does not have are preserved, except inside lists: a
// merge patch replaces whole lists. Returns the errors of Patch, and INVALID_ARGUMENT as
// MakePatchFrom does.
//
// Works with TypedClient, generated clients and dynamic::ResourceClient, in the client's namespace.
template <typename ClientT, ApiStruct T>
absl::StatusOr<T> PatchFrom(const Context& ctx, const ClientT& client, const T& before,
                            const T& after, const PatchFromOptions& options = {});

// ---- implementation

namespace internal {

absl::StatusOr<ObjectPatch> MakePatchFrom(const void* before, const void* after,
                                          const kube::table::Message& message,
                                          const PatchFromOptions& options);

}  // namespace internal

template <ApiStruct T>
absl::StatusOr<ObjectPatch> MakePatchFrom(const T& before, const T& after,
                                          const PatchFromOptions& options) {
  return internal::MakePatchFrom(&before, &after, T::kMessage, options);
}

template <typename ClientT, ApiStruct T>
absl::StatusOr<T> PatchFrom(const Context& ctx, const ClientT& client, const T& before,
                            const T& after, const PatchFromOptions& options) {
  absl::StatusOr<ObjectPatch> patch = MakePatchFrom(before, after, options);
  if (!patch.ok()) return std::move(patch).status();
  if (patch->text.empty()) return after;
  std::vector<std::string> path;
  if (!options.subresource.empty()) path.push_back(options.subresource);
  return client.Patch(ctx, patch->name, patch->type, patch->text, options.patch, path);
}

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_PATCH_FROM_H_
