#ifndef CLIENTSET_TYPED_CREATE_OR_EDIT_H_
#define CLIENTSET_TYPED_CREATE_OR_EDIT_H_

#include <type_traits>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/meta/accessor.h"
#include "clientset/typed/options.h"

namespace kube::typed {

// The type of the objects that a client reads and writes: Deployment for a DeploymentClient.
template <typename ClientT>
using ObjectOf = std::decay_t<decltype(*std::declval<const ClientT&>().Get(
    std::declval<const Context&>(), absl::string_view()))>;

// Brings an object to the state that `change` gives it: edits the object if it exists, and creates
// it otherwise. (controller-runtime: `controllerutil.CreateOrPatch`)
//
//   const auto change = [&](appsv1::Deployment& web) {
//     if (web.metadata.uid.empty()) web.spec = spec;  // it does not exist yet
//     web.spec.replicas = 5;
//     return absl::OkStatus();
//   };
//   return typed::CreateOrEdit(ctx, deployments, "web", change).status();
//
// Works with TypedClient and with generated clients, in the client's namespace. `change` gets the
// object as it is on the server, or an object with nothing but its name if it does not exist (its
// metadata.uid is empty). It sets what the caller wants and leaves the rest alone. It is called on
// this thread, perhaps several times. If it returns an error, the call ends with that error,
// whatever its code.
//
// Blocks. Returns the object as the server has it. If `change` changes nothing, only a GET is sent.
// If other clients create, change or delete the object meanwhile, the call starts again, up to
// options.backoff.steps times; it never overwrites a change that it has not seen. Other errors are
// those of Edit and Create. After a lost connection (UNAVAILABLE) the object may have been written;
// it is safe to call again.
//
// options.patch applies to the creation, too. Returns INVALID_ARGUMENT if options.subresource is
// set, because an object cannot be created through its subresource. If the status is a subresource,
// the server ignores the status of the objects that are sent here: write it with Edit or PatchFrom.
template <typename ClientT>
absl::StatusOr<ObjectOf<ClientT>> CreateOrEdit(
    const Context& ctx, const ClientT& client, absl::string_view name,
    absl::FunctionRef<absl::Status(ObjectOf<ClientT>&)> change, const EditOptions& options = {});

// ---- implementation

namespace internal {

// Calls `edit`, and `create` if the object does not exist, until one of them decides.
// `change_failed` is set when an error of `edit` or `create` is that of the caller's function.
absl::Status EditElseCreate(const Context& ctx, const EditOptions& options,
                            const bool& change_failed, absl::FunctionRef<absl::Status()> edit,
                            absl::FunctionRef<absl::Status()> create);

api::meta::v1::CreateOptions CreateOptionsOf(const api::meta::v1::PatchOptions& options);

}  // namespace internal

template <typename ClientT>
absl::StatusOr<ObjectOf<ClientT>> CreateOrEdit(
    const Context& ctx, const ClientT& client, absl::string_view name,
    absl::FunctionRef<absl::Status(ObjectOf<ClientT>&)> change, const EditOptions& options) {
  using T = ObjectOf<ClientT>;
  bool change_failed = false;
  const auto tracked = [&](T& object) {
    absl::Status status = change(object);
    change_failed = !status.ok();
    return status;
  };
  absl::StatusOr<T> written = T();
  const auto edit = [&] {
    written = client.Edit(ctx, name, tracked, options);
    return written.status();
  };
  const auto create = [&]() -> absl::Status {
    T object = {};
    if constexpr (meta::Object<T>) {
      object.metadata.name = name;
    } else {
      object.set_name(name);
    }
    if (absl::Status status = tracked(object); !status.ok()) return status;
    written = client.Create(ctx, object, internal::CreateOptionsOf(options.patch));
    return written.status();
  };
  const absl::Status status = internal::EditElseCreate(ctx, options, change_failed, edit, create);
  if (!status.ok()) return status;
  return written;
}

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_CREATE_OR_EDIT_H_
