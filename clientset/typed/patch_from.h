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
  // Dry run, field manager, field validation. `force` has no meaning here.
  api::meta::v1::PatchOptions patch = {};
  // What to send the change to, as "status". Default: the object itself.
  std::string subresource = {};
  // Whether the server refuses the patch (errors::IsConflict) unless the object still has the
  // resource version of `before`. Default: yes. Without it the patch also changes an object that
  // others have written since, and replaces lists that they have changed: for members that nobody
  // else writes. Another object of the same name is refused in any case (errors::IsInvalid).
  bool optimistic_lock = true;
};

// Sends the difference between `before`, an object of a cache for example, and `after`, a changed
// copy of it, as one JSON merge patch. (client.Patch with client.MergeFrom)
//
//   v1::Mirror after = *cached;
//   after.status.copies = copies;
//   KUBE_RETURN_IF_ERROR(PatchFrom(ctx, mirrors, *cached, after, {.subresource = "status"}));
//
// Returns the object as the server has it; sends nothing, and returns `after`, if there is no
// difference. One request, where Edit takes two: Edit reads the object first, PatchFrom relies on
// what the caller has. So a cache that lags behind leads to a conflict; a worker that returns it is
// called again. Fields that T does not have stay as they are, but within lists: a merge patch
// replaces lists whole. Errors: those of Patch; INVALID_ARGUMENT if `before` has no name,
// or no resource version while optimistic_lock is set.
//
// Works with TypedClient and with generated clients, in the namespace that the client is for.
template <typename ClientT, ApiStruct T>
absl::StatusOr<T> PatchFrom(const Context& ctx, const ClientT& client, const T& before,
                            const T& after, const PatchFromOptions& options = {});

// ---- implementation

namespace internal {

struct MergePatch {
  std::string name;
  std::string text;  // empty: there is no difference
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
