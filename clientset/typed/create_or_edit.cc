#include "clientset/typed/create_or_edit.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/retry/retry.h"
#include "clientset/typed/options.h"

namespace kube::typed::internal {

// Other clients may act between the two requests. NOT_FOUND from `edit` means that the object does
// not exist, or was deleted between the GET and the PATCH: then it is created. ALREADY_EXISTS from
// `create` means that another client has created it first: then it is edited. How often this
// repeats depends on the other clients, so the number of tries is limited.
absl::Status EditElseCreate(const Context& ctx, const EditOptions& options,
                            const bool& change_failed, absl::FunctionRef<absl::Status()> edit,
                            absl::FunctionRef<absl::Status()> create) {
  if (!options.subresource.empty()) {
    return absl::InvalidArgumentError(
        "create or edit: an object cannot be created through a subresource");
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
