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
};

// Sends the difference between `before`, for example an object from a cache, and `after`, a changed
// copy of it, as one JSON merge patch. (controller-runtime: `client.Patch` with `client.MergeFrom`)
//
//   appsv1::Deployment after = cached;
//   after.spec.replicas = 5;
//   return typed::PatchFrom(ctx, deployments, cached, after).status();
//
// Blocks. Returns the object as the server has it. If there is no difference, sends nothing and
// returns `after`. It needs one request where Edit needs two: Edit reads the object first,
// PatchFrom relies on the caller's. So a cache that lags behind leads to a conflict; a controller
// returns it and is called again. Fields that T does not have are preserved, except inside lists: a
// merge patch replaces whole lists. Returns the errors of Patch, and INVALID_ARGUMENT if `before`
// has no name, or if it has no resource version and optimistic_lock is set.
//
// Works with TypedClient, generated clients and dynamic::ResourceClient, in the client's namespace.
template <typename ClientT, ApiStruct T>
absl::StatusOr<T> PatchFrom(const Context& ctx, const ClientT& client, const T& before,
                            const T& after, const PatchFromOptions& options = {});

// ---- implementation

namespace internal {

struct MergePatch {
  std::string name;
  std::string text;  // empty if there is no difference
};
absl::StatusOr<MergePatch> MakePatchFrom(const void* before, const void* after,
                                         const kube::table::Message& message, bool optimistic_lock);

}  // namespace internal

template <typename ClientT, ApiStruct T>
absl::StatusOr<T> PatchFrom(const Context& ctx, const ClientT& client, const T& before,
                            const T& after, const PatchFromOptions& options) {
  absl::StatusOr<internal::MergePatch> patch =
      internal::MakePatchFrom(&before, &after, T::kMessage, options.optimistic_lock);
  if (!patch.ok()) return std::move(patch).status();
  if (patch->text.empty()) return after;
  std::vector<std::string> path;
  if (!options.subresource.empty()) path.push_back(options.subresource);
  return client.Patch(ctx, patch->name, patch::PatchType::kMerge, patch->text, options.patch, path);
}

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_PATCH_FROM_H_
