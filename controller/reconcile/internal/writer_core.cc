#include "controller/reconcile/internal/writer_core.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/object_name.h"
#include "controller/cache/cache_options.h"
#include "controller/reconcile/cause.h"
#include "controller/reconcile/internal/apply_memory.h"
#include "controller/reconcile/request.h"

namespace kube::controller::internal {

namespace metav1 = api::meta::v1;

namespace {

// A resync is the occasion to repair what nobody has noticed.
bool IsResync(const AnyRequest& request) {
  for (const Cause& cause : request.causes()) {
    if (cause.type == Cause::Type::kResync) return true;
  }
  return false;
}

}  // namespace

meta::ObjectName WriterCore::Complete(const AnyRequest& request, meta::ObjectName name) const {
  if (!namespaced_) {
    name.namespace_name.clear();
  } else if (name.namespace_name.empty()) {
    name.namespace_name = request.namespace_name();
  }
  return name;
}

metav1::CreateOptions WriterCore::create_options() const {
  metav1::CreateOptions options;
  if (options_.dry_run) options.dry_run.push_back(metav1::kDryRunAll);
  options.field_manager = field_manager_;
  options.field_validation = options_.field_validation;
  return options;
}

metav1::PatchOptions WriterCore::patch_options() const {
  metav1::PatchOptions options;
  if (options_.dry_run) options.dry_run.push_back(metav1::kDryRunAll);
  options.field_manager = field_manager_;
  options.field_validation = options_.field_validation;
  return options;
}

metav1::ApplyOptions WriterCore::apply_options() const {
  metav1::ApplyOptions options;
  if (options_.dry_run) options.dry_run.push_back(metav1::kDryRunAll);
  options.force = true;
  options.field_manager = field_manager_;
  return options;
}

metav1::DeleteOptions WriterCore::delete_options(const metav1::ObjectMeta& object) const {
  metav1::DeleteOptions options = delete_all_options();
  if (object.uid.empty() && object.resource_version.empty()) return options;
  metav1::Preconditions preconditions;
  if (!object.uid.empty()) preconditions.uid = object.uid;
  if (!object.resource_version.empty()) preconditions.resource_version = object.resource_version;
  options.preconditions = std::move(preconditions);
  return options;
}

metav1::DeleteOptions WriterCore::delete_all_options() const {
  metav1::DeleteOptions options;
  if (options_.dry_run) options.dry_run.push_back(metav1::kDryRunAll);
  if (!options_.propagation_policy.empty()) {
    options.propagation_policy = options_.propagation_policy;
  }
  return options;
}

absl::Status WriterCore::Explain(absl::string_view verb, const absl::Status& answer) const {
  const std::vector<std::string>& verbs = options_.access.verbs;
  const bool is_declared = std::any_of(
      verbs.begin(), verbs.end(),
      [verb](const std::string& declared) { return declared == verb || declared == "*"; });
  if (is_declared || !errors::IsForbidden(answer)) return answer;
  return base::Annotate(
      answer, absl::StrCat(verb, " ", resource_, ", which WriteAccess::verbs of the writer lacks"));
}

RequestStep WriterCore::Step(const AnyRequest& request, absl::string_view verb,
                             const meta::ObjectName& name) const {
  return request.Step(absl::StrCat(verb, " ", resource_, " \"", name.ToString(), "\""));
}

void WriterCore::Note(AnyRequest& request, const metav1::ObjectMeta& answer) const {
  if (options_.dry_run) return;
  request.NoteWrite(store_, answer.namespace_.view(), answer.resource_version.view());
}

bool WriterCore::IsApplied(const AnyRequest& request, const meta::ObjectName& name,
                           const ApplyFingerprint& configuration,
                           absl::string_view stored_version) {
  return !options_.dry_run && !IsResync(request) &&
         applied_.Has(name, configuration, stored_version);
}

void WriterCore::NoteApply(const meta::ObjectName& name, const ApplyFingerprint& configuration,
                           absl::string_view resource_version) {
  // Without a store nobody can tell whether the object has changed since.
  if (options_.dry_run || store_ == nullptr) return;
  applied_.Note(name, configuration, resource_version);
}

absl::Status WriterCore::CheckSameObject(const meta::ObjectName& name,
                                         const metav1::ObjectMeta& object) const {
  if (object.name == name.name && object.namespace_ == name.namespace_name) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("ensure ", resource_, " \"", name.ToString(),
                   "\": the function must not change the name or the namespace, but it set \"",
                   meta::ObjectNameOf(object).ToString(), "\""));
}

absl::StatusOr<WriterCore::Selection> WriterCore::Select(const AnyRequest& request,
                                                         const ListScope& scope) const {
  Selection selection;
  if (namespaced_) {
    selection.namespace_name = scope.namespace_name.value_or(request.namespace_name());
    if (selection.namespace_name.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("delete ", resource_, ": a namespace is required"));
    }
  }
  selection.list.label_selector = scope.label_selector.ToString();
  return selection;
}

}  // namespace kube::controller::internal
