#include "envtest/server/verbs/patch.h"

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/call_object.h"
#include "envtest/server/call/core.h"
#include "envtest/server/call/patch_head.h"
#include "envtest/server/call/respond.h"
#include "envtest/server/encoding/input.h"
#include "envtest/server/encoding/patcher.h"
#include "envtest/server/object.h"
#include "envtest/server/registry/registry.h"
#include "envtest/server/verbs/object_warnings.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {
namespace {

namespace metav1 = api::meta::v1;

}  // namespace

absl::StatusOr<httpserver::Response> ServePatch(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const PatchHead head, PatchHeadOf(call));
  const metav1::PatchOptions& options = head.options;
  KUBE_ASSIGN_OR_RETURN(const Patcher patcher,
                        Patcher::Make(head.type, call.request->body, *call.resource->kind,
                                      FieldPolicyOf(options.field_validation.view())));
  KUBE_ASSIGN_OR_RETURN(
      const Written written,
      core.registry.Update(call.target(),
                           [&](const StoredObject& current) -> absl::StatusOr<Object> {
                             call.warnings.clear();
                             KUBE_ASSIGN_OR_RETURN(
                                 Object patched,
                                 patcher.Apply(*call.resource, current, &call.warnings));
                             KUBE_RETURN_IF_ERROR(SetNamespace(patched, call));
                             KUBE_RETURN_IF_ERROR(CheckName(patched.metadata(), call));
                             AddWarnings(patched, &current.object(), call);
                             return patched;
                           },
                           {.dry_run = !options.dry_run.empty(), .patch = true}));
  return RespondWritten(written, call);
}

}  // namespace kube::envtest::internal
