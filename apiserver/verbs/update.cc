#include "apiserver/verbs/update.h"

#include <cstddef>
#include <utility>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/meta_v1.h"
#include "apiserver/call/call.h"
#include "apiserver/call/call_object.h"
#include "apiserver/call/core.h"
#include "apiserver/call/query_options.h"
#include "apiserver/call/respond.h"
#include "apiserver/call/write_record.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/strategy/strategy.h"
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

absl::StatusOr<httpserver::Response> ServeUpdate(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const auto options, QueryOptions<metav1::UpdateOptions>(call));
  if (const field::ErrorList wrong = validation::ValidateUpdateOptions(options); !wrong.empty()) {
    return InvalidOptions("UpdateOptions", wrong);
  }
  KUBE_ASSIGN_OR_RETURN(Object object, ObjectOf(call, options.field_validation.view()));
  KUBE_RETURN_IF_ERROR(SetNamespace(object, call));
  KUBE_RETURN_IF_ERROR(CheckName(object.metadata(), call));
  RecordSentVersion(object.metadata().resource_version.view(), call.record);
  const WriteOptions write = {.dry_run = !options.dry_run.empty(),
                              .admission = call.admission,
                              .check = EscalationCheck(core, call),
                              .validate = ParamRightsCheck(core, call),
                              .warnings = &call.warnings};
  const size_t warnings = call.warnings.size();
  absl::StatusOr<Written> written = core.registry.Update(
      call.target(),
      [&](const StoredObject& current) -> absl::StatusOr<Object> {
        call.warnings.resize(warnings);
        AddWarnings(object, &current.object(), call);
        Object wanted = object.Copy();
        TrackWrite(core, call, &current, options.field_manager.view(), wanted);
        return wanted;
      },
      write);
  const bool creates =
      call.info.subresource.empty() && StrategyOf(*call.resource->kind).create_on_update;
  if (creates && IsMissing(written.status(), call)) {
    // A client that sends a UID expects an existing object.
    if (!object.metadata().uid.empty()) {
      return UidConflict(call.target(), object.metadata().uid.view(), "");
    }
    KUBE_RETURN_IF_ERROR(AuthorizeCreation(core, call));
    object.metadata().resource_version = "";
    TrackWrite(core, call, /*live=*/nullptr, options.field_manager.view(), object);
    KUBE_ASSIGN_OR_RETURN(ObjectPtr created,
                          core.registry.Create(call.target(), std::move(object), write));
    written = Written{.object = std::move(created), .created = true, .changed = !write.dry_run};
  }
  if (!written.ok()) return written.status();
  return RespondWritten(*written, call);
}

}  // namespace kube::apiserver::internal
