#include "apiserver/verbs/apply.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/call/call.h"
#include "apiserver/call/call_object.h"
#include "apiserver/call/core.h"
#include "apiserver/call/respond.h"
#include "apiserver/encoding/apply_body.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/tracking/field_tracker.h"
#include "apiserver/verbs/creation.h"
#include "apiserver/verbs/escalation_check.h"
#include "apiserver/verbs/object_warnings.h"
#include "apiserver/verbs/param_rights_check.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

// Applies the body to `live`, which is null if the object does not exist.
absl::StatusOr<Object> Applied(const ApplyBody& body, const StoredObject* live,
                               const metav1::PatchOptions& options, Call& call) {
  call.warnings.clear();
  KUBE_ASSIGN_OR_RETURN(Object object, ApplyConfiguration(call, live, body.configuration,
                                                          options.field_manager.view(),
                                                          options.force.value_or(false)));
  KUBE_RETURN_IF_ERROR(body.duplicates);
  if (!body.warning.empty()) call.warnings.push_back(body.warning);
  if (live == nullptr && !object.metadata().uid.empty()) {
    return errors::Conflict(
        call.resource->group_resource(), call.info.name,
        absl::StrCat("uid mismatch: the provided object specified uid ",
                     object.metadata().uid.view(), ", and no existing object was found"));
  }
  KUBE_RETURN_IF_ERROR(SetNamespace(object, call));
  KUBE_RETURN_IF_ERROR(CheckName(object.metadata(), call));
  AddWarnings(object, live == nullptr ? nullptr : &live->object(), call);
  return object;
}

// Creates the object. A user who may patch needs the right to create, too. As upstream, where that
// is a validation of the new object, errors of the configuration come first.
absl::StatusOr<Written> Create(Core& core, Call& call, const ApplyBody& body,
                               const metav1::PatchOptions& options, const WriteOptions& write) {
  KUBE_ASSIGN_OR_RETURN(Object object, Applied(body, /*live=*/nullptr, options, call));
  KUBE_RETURN_IF_ERROR(AuthorizeCreation(core, call));
  KUBE_RETURN_IF_ERROR(CheckCreation(call));
  SetRequestor(call, object);
  // As upstream, where the storage of a new object ignores it.
  object.metadata().resource_version = "";
  KUBE_ASSIGN_OR_RETURN(ObjectPtr created,
                        core.registry.Create(call.target(), std::move(object), write));
  AddNameWarning(created->metadata().name.view(), call);
  return Written{.object = std::move(created), .created = true, .changed = !write.dry_run};
}

}  // namespace

absl::StatusOr<httpserver::Response> ServeApply(Core& core, Call& call,
                                                const metav1::PatchOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const ApplyBody body,
                        ApplyBodyOf(call.request->body, options.field_validation.view()));
  const WriteOptions write = {.dry_run = !options.dry_run.empty(),
                              .patch = true,
                              .admission = call.admission,
                              .check = EscalationCheck(core, call),
                              .validate = ParamRightsCheck(core, call),
                              .warnings = &call.warnings};
  absl::StatusOr<Written> written = absl::NotFoundError("");
  do {
    written = core.registry.Update(
        call.target(),
        [&](const StoredObject& current) { return Applied(body, &current, options, call); }, write);
    if (!IsMissing(written.status(), call) || !call.info.subresource.empty()) break;
    written = Create(core, call, body, options, write);
    // Somebody else was faster: apply to what they have created.
  } while (errors::IsAlreadyExists(written.status()));
  if (!written.ok()) return written.status();
  return RespondWritten(*written, call);
}

}  // namespace kube::apiserver::internal
