#ifndef CLIENTSET_GENERIC_CREATE_OR_PATCH_H_
#define CLIENTSET_GENERIC_CREATE_OR_PATCH_H_

#include <memory>
#include <type_traits>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "clientset/generic/client.h"
#include "clientset/typed/resource_traits.h"

namespace kube::generic {

// What CreateOrPatch has done. (controller-runtime: `controllerutil.OperationResult`)
enum class OperationResult {
  kUnchanged,
  kCreated,
  kUpdated,
  kUpdatedStatus,      // the object and its status
  kUpdatedStatusOnly,  // the status alone
};

// Returns the name that controller-runtime gives it: "unchanged", "updatedStatusOnly".
absl::string_view OperationResultName(OperationResult result);

// The object as the server has it after CreateOrPatch.
template <AnyKind K>
struct Patched {
  OperationResult result = OperationResult::kUnchanged;
  K object = {};
};

// Brings an object to the state that `change` gives it: creates it, patches it, or finds that
// nothing is to be done. (controller-runtime: `controllerutil.CreateOrPatch`)
//
//   const auto change = [&](K& marked) {
//     meta::AddFinalizer(marked, "example.com/mark");
//     return absl::OkStatus();
//   };
//   return generic::CreateOrPatch(ctx, client, object, change).status();
//
// `object` says which one: its name, namespace and kind. `change` gets what the client's Get
// returns, or `object` itself if nothing of this name exists; it sets what it wants and leaves the
// rest alone. It is called once, on this thread; its error is returned.
//
// The difference is a JSON merge patch with the resource version that was read, so that fields that
// K lacks stay. Where the status is a subresource it is sent by a request of its own, also after a
// creation; of an Unstructured it is taken for one. Blocks. Nothing is tried again: with a cache
// that is behind, or if others write at the same time, the result is a conflict
// (errors::IsConflict) or ALREADY_EXISTS, after which a controller is called again.
// typed::CreateOrEdit and controller::Writer::Ensure try again by themselves. Returns
// INVALID_ARGUMENT if `change` changes name or namespace.
//
// If the second request fails, the first one has been done. With a client of dry runs a new object
// has no second request, as the server has not stored it: the object that is returned has the
// status as `change` set it.
template <AnyKind K>
absl::StatusOr<Patched<K>> CreateOrPatch(
    const Context& ctx, const Client& client, const K& object,
    absl::FunctionRef<absl::Status(std::type_identity_t<K>&)> change);

// ---- implementation

namespace internal {

absl::Status CheckSameName(const meta::ObjectName& before, const meta::ObjectName& after);

// Whether the status of the objects is written by the subresource "status".
template <AnyKind K>
constexpr bool HasStatusSubresource() {
  if constexpr (typed::ResourceKind<K>) {
    return typed::ResourceTraits<K>::kHasStatus;
  } else {
    return std::is_same_v<K, unstructured::Unstructured>;
  }
}

// Does nothing for objects without a status.
template <AnyKind K>
void CopyStatus(const K& from, K& to) {
  if constexpr (std::is_same_v<K, unstructured::Unstructured>) {
    const unstructured::Value* status = from.object.find("status");
    if (status == nullptr) {
      to.object.erase("status");
    } else {
      to.object["status"] = *status;
    }
  } else if constexpr (HasStatusSubresource<K>()) {
    to.status = from.status;
  }
}

}  // namespace internal

template <AnyKind K>
absl::StatusOr<Patched<K>> CreateOrPatch(
    const Context& ctx, const Client& client, const K& object,
    absl::FunctionRef<absl::Status(std::type_identity_t<K>&)> change) {
  const absl::StatusOr<std::shared_ptr<const K>> live = client.Refresh(ctx, object);
  const bool is_new = errors::IsNotFound(live.status());
  if (!live.ok() && !is_new) return live.status();
  const K before = is_new ? object : **live;
  K after = before;
  KUBE_RETURN_IF_ERROR(change(after));
  KUBE_RETURN_IF_ERROR(
      internal::CheckSameName(meta::ObjectNameOf(before), meta::ObjectNameOf(after)));

  // `body` is all of the new state but the status.
  K body = after;
  internal::CopyStatus(before, body);
  const bool changes_body = !(body == before);
  const bool changes_status = !(after == body);
  Patched<K> patched = {.result = OperationResult::kUnchanged, .object = before};
  if (is_new) {
    KUBE_ASSIGN_OR_RETURN(patched.object, client.Create(ctx, body));
    patched.result = OperationResult::kCreated;
  } else if (changes_body) {
    KUBE_ASSIGN_OR_RETURN(patched.object, client.PatchFrom(ctx, before, body));
    patched.result = OperationResult::kUpdated;
  }
  if (!changes_status) return patched;
  K with_status = patched.object;
  internal::CopyStatus(after, with_status);
  if (is_new && client.is_dry_run()) {
    patched.object = std::move(with_status);
    return patched;
  }
  KUBE_ASSIGN_OR_RETURN(patched.object, client.PatchFrom(ctx, patched.object, with_status,
                                                         {.subresource = "status"}));
  if (!is_new) {
    patched.result =
        changes_body ? OperationResult::kUpdatedStatus : OperationResult::kUpdatedStatusOnly;
  }
  return patched;
}

}  // namespace kube::generic

#endif  // CLIENTSET_GENERIC_CREATE_OR_PATCH_H_
