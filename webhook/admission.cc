#include "webhook/admission.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "webhook/admission_types.h"
#include "webhook/internal/object_patch.h"

namespace kube::webhook::internal {

NeededObjects NeededFor(Operation operation) {
  switch (operation) {
    case Operation::kCreate:
      return {.object = true};
    case Operation::kUpdate:
      return {.object = true, .old_object = true};
    case Operation::kDelete:
      return {.old_object = true};
    case Operation::kConnect:
      return {};
  }
  return {};
}

AdmissionResponse UnknownOperation(const RawAdmissionRequest& request) {
  return Errored(kBadRequest,
                 absl::StrCat("unknown operation ", text::Quoted(request.operation.view())));
}

AdmissionResponse AnswerChanged(absl::string_view raw,
                                const absl::StatusOr<unstructured::Value>& before,
                                const absl::StatusOr<unstructured::Value>& after) {
  if (!before.ok()) return Errored(kInternalError, before.status().message());
  if (!after.ok()) return Errored(kInternalError, after.status().message());
  absl::StatusOr<std::string> patch = ObjectPatch(raw, *before, *after);
  if (!patch.ok()) return Errored(kInternalError, patch.status().message());
  return Patched(*std::move(patch));
}

AdmissionResponse AnswerValidated(const RawAdmissionRequest& request,
                                  const validation::field::ErrorList& field_errors) {
  if (field_errors.empty()) return Allowed();
  return ValidationFailed({.group = std::string(request.kind.group.view()),
                           .kind = std::string(request.kind.kind.view())},
                          request.name.view(), field_errors);
}

absl::Status CheckKind(const schema::GroupVersionKind& wanted, absl::string_view api_version,
                       absl::string_view kind) {
  KUBE_ASSIGN_OR_RETURN(const schema::GroupVersion version, schema::ParseGroupVersion(api_version));
  const schema::GroupVersion wanted_version = {.group = wanted.group, .version = wanted.version};
  const bool is_version = api_version.empty() || version == wanted_version;
  if (is_version && (kind.empty() || kind == wanted.kind)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("decode object: it is a ", text::Quoted(kind), " of ", text::Quoted(api_version),
                   ", and the webhook is for a ", text::Quoted(wanted.kind), " of ",
                   text::Quoted(wanted_version.ToString())));
}

}  // namespace kube::webhook::internal
