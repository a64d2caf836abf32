#ifndef CONTROLLER_RECONCILE_OWNED_H_
#define CONTROLLER_RECONCILE_OWNED_H_

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/message_type.h"
#include "clientset/typed/resource_traits.h"
#include "controller/cache/index.h"
#include "controller/cache/view.h"
#include "controller/cache/watched.h"
#include "controller/reconcile/internal/set_owner.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/writer.h"

namespace kube::controller {

// The objects of kind K that belong to the objects that a controller reconciles: a watch of them,
// and a writer that keeps their owner. Made by Controller::Owns. (controller-runtime: `Owns`, a
// `client.Client` and `controllerutil.SetControllerReference`)
//
//   KUBE_RETURN_IF_ERROR(configs.Apply(request, settings));
//   for (const auto& child : configs.Children(request)) {
//     if (child->metadata.name == account.metadata.name) continue;
//     KUBE_RETURN_IF_ERROR(configs.Delete(request, *child));
//   }
//
// Each write makes the request's object the controller of what it writes, so that the garbage
// collector removes it after its owner, and refuses what belongs to another:
//
// * ALREADY_EXISTS (meta::IsAlreadyOwned) if another object is the controller: choose another name,
//   or tell the user. Also if the controller is an object of the same name that existed earlier;
//   then the garbage collector removes the child soon, and the retry succeeds.
// * INVALID_ARGUMENT if an owner in a namespace would get a child in another one or in none.
//
// The errors are found before anything is sent if the cache or the server's answer shows them; a
// server refuses a second controller by itself.
//
// Otherwise the methods are those of Watched and Writer. A write that is to touch objects of others
// needs Controller::Writes. Cheap to copy. Thread-safe.
template <typed::ResourceKind K>
class Owned : public Watched<K> {
 public:
  // Made by controllers. `writer` belongs to the watch.
  Owned(Watched<K> watched, Writer<K> writer)
      : Watched<K>(std::move(watched)),
        writer_(std::move(writer)),
        by_controller_(this->AddIndex("controller UID", &ControllerUidOf)) {}

  // Returns the objects whose controller is the request's object, sorted by name. They are found by
  // its UID, so that the children of an earlier object of the same name are not among them. Those
  // that are being deleted are. Never blocks.
  std::vector<std::shared_ptr<const K>> Children(const AnyRequest& request) const {
    std::vector<std::shared_ptr<const K>> children;
    if (request.uid().empty()) return children;
    children = by_controller_.Get(request, request.uid()).ToVector();
    std::sort(children.begin(), children.end(), [](const auto& a, const auto& b) {
      return meta::ObjectNameOf(*a) < meta::ObjectNameOf(*b);
    });
    return children;
  }

  // Creates a child; see Writer::Create.
  absl::StatusOr<K> Create(AnyRequest& request, K object) const {
    const meta::ObjectName name = writer_.Complete(request, meta::ObjectNameOf(object));
    object.metadata.namespace_ = name.namespace_name;
    KUBE_RETURN_IF_ERROR(internal::SetOwner(request, object.metadata));
    return writer_.Create(request, std::move(object));
  }

  // Applies a child; see Writer::Apply. The owner becomes part of the configuration. An object
  // without a controller is adopted.
  template <typename ObjectT = K, ApiStruct ConfigurationT = ApplyOf<ObjectT>>
  absl::StatusOr<K> Apply(AnyRequest& request, ConfigurationT configuration) const {
    const meta::ObjectName name = writer_.NameOf(request, configuration);
    const absl::StatusOr<std::shared_ptr<const K>> existing = this->Get(View(), name);
    KUBE_ASSIGN_OR_RETURN(
        const api::meta::v1::OwnerReference owner,
        internal::OwnerFor(request, name, existing.ok() ? &(*existing)->metadata : nullptr));
    if (!configuration.metadata.has_value()) configuration.metadata.emplace();
    auto& reference = configuration.metadata->owner_references.emplace_back();
    reference.api_version = owner.api_version;
    reference.kind = owner.kind;
    reference.name = owner.name;
    reference.uid = owner.uid;
    reference.controller = true;
    reference.block_owner_deletion = true;
    return writer_.Apply(request, configuration);
  }

  // Changes a child; see Writer::Edit. Returns FAILED_PRECONDITION if the object has no controller:
  // Ensure and Apply adopt it.
  absl::StatusOr<K> Edit(AnyRequest& request, absl::string_view name,
                         absl::FunctionRef<absl::Status(K&)> change) const {
    return Edit(request, meta::ObjectName{.namespace_name = "", .name = std::string(name)}, change);
  }
  absl::StatusOr<K> Edit(AnyRequest& request, const meta::ObjectName& name,
                         absl::FunctionRef<absl::Status(K&)> change) const {
    return writer_.Edit(request, name, [&](K& object) -> absl::Status {
      KUBE_RETURN_IF_ERROR(internal::CheckOwner(request, object.metadata));
      return change(object);
    });
  }

  // Creates or changes a child; see Writer::Ensure. An object without a controller is adopted.
  absl::StatusOr<Outcome> Ensure(AnyRequest& request, absl::string_view name,
                                 absl::FunctionRef<absl::Status(K&)> make) const {
    return Ensure(request, meta::ObjectName{.namespace_name = "", .name = std::string(name)}, make);
  }
  absl::StatusOr<Outcome> Ensure(AnyRequest& request, const meta::ObjectName& name,
                                 absl::FunctionRef<absl::Status(K&)> make) const {
    return writer_.Ensure(request, name, [&](K& object) -> absl::Status {
      KUBE_RETURN_IF_ERROR(make(object));
      return internal::SetOwner(request, object.metadata);
    });
  }

  // Deletes a child; see Writer::Delete. Returns FAILED_PRECONDITION if `object` has no controller.
  absl::Status Delete(AnyRequest& request, const K& object) const {
    KUBE_RETURN_IF_ERROR(internal::CheckOwner(request, object.metadata));
    return writer_.Delete(request, object);
  }

  // Requests that all children be deleted that the request sees and that are not being deleted yet,
  // one by one. Goes on after an error, and returns all errors joined.
  absl::Status DeleteChildren(AnyRequest& request) const {
    std::vector<absl::Status> failed;
    for (const std::shared_ptr<const K>& child : Children(request)) {
      if (meta::IsBeingDeleted(*child)) continue;
      failed.push_back(Delete(request, *child));
    }
    return base::JoinErrors(failed);
  }

 private:
  static absl::StatusOr<std::vector<std::string>> ControllerUidOf(const K& object) {
    const api::meta::v1::OwnerReference* controller = meta::GetControllerOf(object.metadata);
    if (controller == nullptr) return std::vector<std::string>();
    return std::vector<std::string>{std::string(controller->uid.view())};
  }

  Writer<K> writer_;
  Index<K> by_controller_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_OWNED_H_
