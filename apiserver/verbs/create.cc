#include "apiserver/verbs/create.h"

#include <utility>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/meta_v1.h"
#include "apiserver/call/call.h"
#include "apiserver/call/call_object.h"
#include "apiserver/call/core.h"
#include "apiserver/call/query_options.h"
#include "apiserver/call/respond.h"
#include "apiserver/call/write_record.h"
#include "apiserver/object.h"
#include "apiserver/tracking/field_tracker.h"
#include "apiserver/verbs/creation.h"
#include "apiserver/verbs/escalation_check.h"
#include "apiserver/verbs/object_warnings.h"
#include "apiserver/verbs/param_rights_check.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
namespace field = validation::field;

}  // namespace

absl::StatusOr<httpserver::Response> ServeCreate(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const auto options, QueryOptions<metav1::CreateOptions>(call));
  if (const field::ErrorList wrong = validation::ValidateCreateOptions(options); !wrong.empty()) {
    return InvalidOptions("CreateOptions", wrong);
  }
  KUBE_ASSIGN_OR_RETURN(Object object, ObjectOf(call, options.field_validation.view()));
  KUBE_RETURN_IF_ERROR(SetNamespace(object, call));
  AddWarnings(object, nullptr, call);
  SetRequestor(call, object);
  TrackWrite(core, call, /*live=*/nullptr, options.field_manager.view(), object);
  const absl::StatusOr<ObjectPtr> created =
      core.registry.Create(call.target(), std::move(object),
                           {.dry_run = !options.dry_run.empty(),
                            .admission = call.admission,
                            .check = EscalationCheck(core, call),
                            .validate = ParamRightsCheck(core, call)});
  if (created.ok()) {
    AddNameWarning((*created)->metadata().name.view(), call);
    RecordWrite(**created, options.dry_run.empty(), call.record);
    return RespondObject(201, **created, call);
  }
  if (!errors::IsAlreadyExists(created.status())) return created.status();
  // The name is checked before the storage finds that the object exists.
  const auto status = errors::StatusOf(created.status());
  AddNameWarning(status->details->name.view(), call);
  RecordName(status->details->name.view(), call.record);
  return RespondError(created.status(), call);
}

}  // namespace kube::apiserver::internal
