#include "apiserver/verbs/patch.h"

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/patch/patch_type.h"
#include "apiserver/call/call.h"
#include "apiserver/call/call_object.h"
#include "apiserver/call/core.h"
#include "apiserver/call/patch_head.h"
#include "apiserver/call/respond.h"
#include "apiserver/call/write_record.h"
#include "apiserver/encoding/input.h"
#include "apiserver/encoding/patcher.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/tracking/field_tracker.h"
#include "apiserver/verbs/apply.h"
#include "apiserver/verbs/escalation_check.h"
#include "apiserver/verbs/object_warnings.h"
#include "apiserver/verbs/param_rights_check.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

}  // namespace

absl::StatusOr<httpserver::Response> ServePatch(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const PatchHead head, PatchHeadOf(call));
  const metav1::PatchOptions& options = head.options;
  RecordPatchVersion(call.request->body, call.record);
  if (head.type == patch::PatchType::kApply) return ServeApply(core, call, options);
  KUBE_ASSIGN_OR_RETURN(const Patcher patcher,
                        Patcher::Make(head.type, call.request->body, *call.resource->kind,
                                      FieldPolicyOf(options.field_validation.view())));
  KUBE_ASSIGN_OR_RETURN(
      const Written written,
      core.registry.Update(
          call.target(),
          [&](const StoredObject& current) -> absl::StatusOr<Object> {
            call.warnings.clear();
            KUBE_ASSIGN_OR_RETURN(Object patched,
                                  patcher.Apply(*call.resource, current, &call.warnings));
            KUBE_RETURN_IF_ERROR(SetNamespace(patched, call));
            KUBE_RETURN_IF_ERROR(CheckName(patched.metadata(), call));
            AddWarnings(patched, &current.object(), call);
            TrackWrite(core, call, &current, options.field_manager.view(), patched);
            return patched;
          },
          {.dry_run = !options.dry_run.empty(),
           .patch = true,
           .admission = call.admission,
           .check = EscalationCheck(core, call),
           .validate = ParamRightsCheck(core, call),
           .warnings = &call.warnings}));
  return RespondWritten(written, call);
}

}  // namespace kube::apiserver::internal
