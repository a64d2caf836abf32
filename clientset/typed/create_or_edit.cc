#include "clientset/typed/create_or_edit.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/retry/retry.h"
#include "clientset/typed/options.h"

namespace kube::typed::internal {

// Two requests decide together, and others come in between. NOT_FOUND of the edit: the object does
// not exist, or was deleted between the edit's GET and PATCH. ALREADY_EXISTS of the creation:
// somebody was faster, and the object is there to be edited. Each leads to the other request;
// whether one of them succeeds first depends on the others, so the tries are counted.
absl::Status EditElseCreate(const Context& ctx, const EditOptions& options,
                            const bool& change_failed, absl::FunctionRef<absl::Status()> edit,
                            absl::FunctionRef<absl::Status()> create) {
  if (!options.subresource.empty()) {
    return absl::InvalidArgumentError(
        "create or edit: an object cannot be created by its subresource");
  }
  const auto retriable = [&](const absl::Status& error) {
    return !change_failed && errors::IsAlreadyExists(error);
  };
  return retry::OnError(ctx, options.backoff, retriable, [&]() -> absl::Status {
    const absl::Status edited = edit();
    if (change_failed || !errors::IsNotFound(edited)) return edited;
    return create();
  });
}

api::meta::v1::CreateOptions CreateOptionsOf(const api::meta::v1::PatchOptions& options) {
  api::meta::v1::CreateOptions create;
  create.dry_run = options.dry_run;
  create.field_manager = options.field_manager;
  create.field_validation = options.field_validation;
  return create;
}

}  // namespace kube::typed::internal
