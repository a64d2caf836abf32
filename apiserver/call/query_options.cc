#include "apiserver/call/query_options.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/meta_v1.h"
#include "apiserver/call/call.h"
#include "apiserver/encoding/input.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
namespace field = validation::field;

}  // namespace

absl::Status InvalidOptions(absl::string_view kind, const field::ErrorList& wrong) {
  return errors::Invalid({.group = "meta.k8s.io", .kind = std::string(kind)}, "", wrong);
}

absl::StatusOr<bool> IsDryRun(const Call& call) {
  const absl::StatusOr<metav1::UpdateOptions> options =
      queryparams::DecodeParameters<metav1::UpdateOptions>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  return !options->dry_run.empty();
}

absl::StatusOr<metav1::DeleteOptions> DeleteOptionsOf(const Call& call) {
  metav1::DeleteOptions options;
  if (call.request->body.empty()) {
    absl::StatusOr<metav1::DeleteOptions> decoded =
        queryparams::DecodeParameters<metav1::DeleteOptions>(call.info.query);
    if (!decoded.ok()) return errors::BadRequest(decoded.status().message());
    options = *std::move(decoded);
  } else {
    KUBE_ASSIGN_OR_RETURN(
        Body body,
        DecodeBody(*call.request, *api::FindKind("v1", "DeleteOptions"), FieldPolicy::kIgnore));
    options = std::move(*body.object.As<metav1::DeleteOptions>());
  }
  // A `preconditions` without members is the same as none.
  if (options.preconditions && !options.preconditions->uid.has_value() &&
      !options.preconditions->resource_version.has_value()) {
    options.preconditions.reset();
  }
  const field::ErrorList wrong = validation::ValidateDeleteOptions(options);
  if (!wrong.empty()) return InvalidOptions("DeleteOptions", wrong);
  return options;
}

}  // namespace kube::apiserver::internal
