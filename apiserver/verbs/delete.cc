#include "apiserver/verbs/delete.h"

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/call/list_options.h"
#include "apiserver/call/list_page.h"
#include "apiserver/call/query_options.h"
#include "apiserver/call/respond.h"
#include "apiserver/call/write_record.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/webhooks/webhook_admission.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

WriteOptions OptionsFor(const metav1::DeleteOptions& options, const Call& call) {
  if (call.admission != nullptr) call.admission->SetDeleteOptions(options);
  return {.dry_run = !options.dry_run.empty(), .admission = call.admission};
}

}  // namespace

absl::StatusOr<httpserver::Response> ServeDelete(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const metav1::DeleteOptions options, DeleteOptionsOf(call));
  const bool silent =
      !options.propagation_policy.has_value() && !options.orphan_dependents.has_value();
  if (silent && call.resource->kind->kind == "Job") {
    call.warnings.push_back(
        "child pods are preserved by default when jobs are deleted; set "
        "propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress "
        "this warning");
  }
  KUBE_ASSIGN_OR_RETURN(const Deleted deleted,
                        core.registry.Delete(call.target(), options, OptionsFor(options, call)));
  return RespondDeleted(deleted, call);
}

absl::StatusOr<httpserver::Response> ServeDeleteCollection(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const metav1::ListOptions list, ListOptionsOf(call, /*watch=*/false));
  KUBE_ASSIGN_OR_RETURN(const metav1::DeleteOptions options, DeleteOptionsOf(call));
  KUBE_ASSIGN_OR_RETURN(const Page page, ListPage(core, call, list));
  for (const ObjectPtr& object : page.items) {
    Target target = call.target();
    target.namespace_name = object->metadata().namespace_;
    target.name = object->metadata().name;
    const absl::StatusOr<Deleted> deleted =
        core.registry.Delete(target, options, OptionsFor(options, call));
    if (deleted.ok() && deleted->changed) RecordChange(call.record);
    if (!deleted.ok() && !errors::IsNotFound(deleted.status())) return deleted.status();
  }
  return RespondPage(page, call);
}

}  // namespace kube::apiserver::internal
