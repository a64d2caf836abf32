#include "apiserver/call/patch_head.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/meta_v1.h"
#include "apiserver/call/call.h"
#include "apiserver/call/query_options.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
namespace field = validation::field;

absl::Status UnsupportedMediaType(absl::string_view message, bool details = true) {
  metav1::Status status;
  status.status = "Failure";
  status.reason = "UnsupportedMediaType";
  status.message = message;
  if (details) status.details.emplace();
  status.code = 415;
  return errors::FromStatus(status);
}

constexpr absl::string_view kPatchesOfCustom =
    "the body of the request was in an unknown format - accepted media types include: "
    "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";

absl::StatusOr<patch::PatchType> PatchTypeOf(const Call& call) {
  absl::string_view type = call.request->headers.Get("content-type").value_or("");
  type = absl::StripAsciiWhitespace(type.substr(0, type.find(';')));
  const std::optional<patch::PatchType> parsed = patch::ParseMediaType(type);
  // A strategic merge needs a type that says how to merge lists.
  if (call.resource->custom != nullptr &&
      (!parsed.has_value() || *parsed == patch::PatchType::kStrategicMerge)) {
    return UnsupportedMediaType(kPatchesOfCustom, /*details=*/false);
  }
  if (!parsed.has_value()) return UnsupportedMediaType("415: Unsupported Media Type");
  return *parsed;
}

}  // namespace

absl::StatusOr<PatchHead> PatchHeadOf(const Call& call) {
  KUBE_ASSIGN_OR_RETURN(auto options, QueryOptions<metav1::PatchOptions>(call));
  KUBE_ASSIGN_OR_RETURN(const patch::PatchType type, PatchTypeOf(call));
  const bool apply = type == patch::PatchType::kApply;
  if (const field::ErrorList wrong = validation::ValidatePatchOptions(options, apply);
      !wrong.empty()) {
    return InvalidOptions("PatchOptions", wrong);
  }
  return PatchHead{.type = type, .options = std::move(options)};
}

}  // namespace kube::apiserver::internal
