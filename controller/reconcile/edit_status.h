#ifndef CONTROLLER_RECONCILE_EDIT_STATUS_H_
#define CONTROLLER_RECONCILE_EDIT_STATUS_H_

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/meta/dynamic_conditions.h"
#include "apimachinery/types/message_type.h"
#include "clientset/typed/patch_from.h"
#include "clientset/typed/resource_traits.h"
#include "clientset/typed/typed_client.h"
#include "controller/cache/watched_core.h"
#include "controller/reconcile/internal/uid_of.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "listers/stored_object.h"

// Change the status of an object that the program has read from a cache. Controller::EditStatus and
// SetCondition do it for the object of a request; use these functions for objects of other kinds.
// (controller-runtime: `Client.Status().Patch`)
namespace kube::controller {

// Calls `change` with a copy of the status of `object`, and sends the difference as a patch of the
// status alone, so that the spec and what others write into the status meanwhile stay. If nothing
// has changed, nothing is sent.
//
//   const auto change = [](policyv1::PodDisruptionBudgetStatus& status) {
//     status.current_healthy = 3;
//   };
//   return EditStatusOf(budgets, request, watched.core(), budget, change);
//
// It needs one request, which the server refuses if the object is no longer the one of the cache;
// then the object is read from the server, and `change` is called again with its status, a few
// times if need be. So `change` must depend on nothing but its argument and on what the caller
// knows. It is called on this thread.
//
// `store` is the watch that the object is from; the request is told of the write. `field_manager`
// is that of the write; by default the server derives one from the client's user agent. Blocks.
// Returns an empty Result, so that a reconcile function can return it, or the server's errors, for
// instance NOT_FOUND if the object is gone. Another object of its name is not changed; that is an
// error, too.
//
// A kind without the subresource "status" has its status written with the object.
template <listers::StoredObject T, ApiStruct ListT>
absl::StatusOr<Result> EditStatusOf(const typed::TypedClient<T, ListT>& client, AnyRequest& request,
                                    const std::shared_ptr<WatchedCore>& store, const T& object,
                                    absl::FunctionRef<void(typed::StatusOf<T>&)> change,
                                    absl::string_view field_manager = {});

// Sets a condition in `status.conditions`, a list of metav1::Condition; kinds with conditions of
// another type use EditStatusOf. T may be unstructured::Unstructured. If observed_generation is 0,
// it becomes the generation of `object`. last_transition_time becomes now if the condition's status
// changes, and stays as it is otherwise: see meta::SetStatusCondition. Otherwise like EditStatusOf.
template <listers::StoredObject T, ApiStruct ListT>
absl::StatusOr<Result> SetConditionOf(const typed::TypedClient<T, ListT>& client,
                                      AnyRequest& request,
                                      const std::shared_ptr<WatchedCore>& store, const T& object,
                                      api::meta::v1::Condition condition,
                                      absl::string_view field_manager = {});

// ---- implementation

namespace internal {

template <listers::StoredObject T>
constexpr absl::string_view StatusSubresource() {
  if constexpr (typed::ResourceKind<T>) {
    return typed::ResourceTraits<T>::kHasStatus ? "status" : "";
  } else {
    return "status";
  }
}

// Calls `change` with the status of an object, which may be a member that can be absent.
template <typename T>
void ChangeStatus(T& object, absl::FunctionRef<void(typed::StatusOf<T>&)> change) {
  using Status = typed::StatusOf<T>;
  if constexpr (std::is_same_v<decltype(object.status), Status>) {
    change(object.status);
  } else {
    Status status = {};
    if (object.status.has_value()) status = *object.status;
    change(status);
    if (object.status.has_value() || !(status == Status{})) object.status = std::move(status);
  }
}

template <listers::StoredObject T, ApiStruct ListT>
absl::StatusOr<Result> EditStatusWith(const typed::TypedClient<T, ListT>& client,
                                      AnyRequest& request,
                                      const std::shared_ptr<WatchedCore>& store, const T& object,
                                      absl::FunctionRef<absl::Status(T&)> change,
                                      absl::string_view field_manager) {
  const std::string name(listers::NameOf(object));
  const std::string namespace_name(listers::NamespaceOf(object));
  const auto objects = client.Namespace(namespace_name);
  api::meta::v1::PatchOptions patch;
  patch.field_manager = field_manager;
  const std::string subresource(StatusSubresource<T>());

  T after = object;
  KUBE_RETURN_IF_ERROR(change(after));
  const RequestStep step =
      request.Step(absl::StrCat("edit the status of ", client.core().resource().resource, " \"",
                                namespace_name, namespace_name.empty() ? "" : "/", name, "\""));
  absl::StatusOr<T> written = typed::PatchFrom(request.context(), objects, object, after,
                                               {.patch = patch, .subresource = subresource});
  if (errors::IsConflict(written.status())) {
    const auto again = [&](T& current) -> absl::Status {
      if (UidOf(current) != UidOf(object)) {
        return errors::Conflict(client.core().resource().group_resource(), name,
                                "the object was deleted and created again");
      }
      return change(current);
    };
    written =
        objects.Edit(request.context(), name, again, {.patch = patch, .subresource = subresource});
  }
  if (!written.ok()) return written.status();
  if (listers::ResourceVersionOf(*written) != listers::ResourceVersionOf(object)) {
    request.NoteWrite(store, namespace_name, listers::ResourceVersionOf(*written));
  }
  return Result();
}

}  // namespace internal

template <listers::StoredObject T, ApiStruct ListT>
absl::StatusOr<Result> EditStatusOf(const typed::TypedClient<T, ListT>& client, AnyRequest& request,
                                    const std::shared_ptr<WatchedCore>& store, const T& object,
                                    absl::FunctionRef<void(typed::StatusOf<T>&)> change,
                                    absl::string_view field_manager) {
  const auto edit = [&](T& edited) {
    internal::ChangeStatus<T>(edited, change);
    return absl::OkStatus();
  };
  return internal::EditStatusWith<T, ListT>(client, request, store, object, edit, field_manager);
}

template <listers::StoredObject T, ApiStruct ListT>
absl::StatusOr<Result> SetConditionOf(const typed::TypedClient<T, ListT>& client,
                                      AnyRequest& request,
                                      const std::shared_ptr<WatchedCore>& store, const T& object,
                                      api::meta::v1::Condition condition,
                                      absl::string_view field_manager) {
  if constexpr (meta::Object<T>) {
    if (condition.observed_generation == 0) {
      condition.observed_generation = object.metadata.generation;
    }
    return EditStatusOf<T, ListT>(
        client, request, store, object,
        [&](typed::StatusOf<T>& status) { meta::SetStatusCondition(status.conditions, condition); },
        field_manager);
  } else {
    if (condition.observed_generation == 0) condition.observed_generation = object.generation();
    const auto edit = [&](T& edited) {
      return meta::SetStatusCondition(edited, condition).status();
    };
    return internal::EditStatusWith<T, ListT>(client, request, store, object, edit, field_manager);
  }
}

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_EDIT_STATUS_H_
