#include "apiserver/validation/validate_request.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/certificates/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

namespace kube::apiserver::internal {
namespace {

namespace certificatesv1 = api::certificates::v1;
namespace field = validation::field;
using certificatesv1::CertificateSigningRequest;
using field::ErrorList;
using field::Path;
using Condition = certificatesv1::CertificateSigningRequestCondition;
using Conditions = List<Condition>;

constexpr absl::string_view kApproved = "Approved";
constexpr absl::string_view kDenied = "Denied";
constexpr absl::string_view kFailed = "Failed";

int64_t CountOf(const Conditions& conditions, absl::string_view type) {
  return std::count_if(conditions.begin(), conditions.end(),
                       [&](const Condition& each) { return each.type == type; });
}

// The errors that the object already has, which an update may keep (kube-apiserver:
// `getValidationOptions`).
struct Allowed {
  bool approved_and_denied = false;
  bool duplicate_types = false;
  bool empty_type = false;
};

Allowed AllowedBy(const Conditions& old) {
  std::set<std::string> types;
  for (const Condition& each : old) types.insert(std::string(each.type));
  return {.approved_and_denied = CountOf(old, kApproved) != 0 && CountOf(old, kDenied) != 0,
          .duplicate_types = types.size() != old.size(),
          .empty_type = CountOf(old, "") != 0};
}

void CheckConditionStatus(ErrorList& wrong, const Condition& condition, const Path& path) {
  const absl::string_view all[] = {"False", "True", "Unknown"};
  absl::Span<const absl::string_view> known(all);
  const absl::string_view type = condition.type.view();
  if (type == kApproved || type == kDenied || type == kFailed) known = known.subspan(1, 1);
  if (condition.status.empty()) {
    wrong.push_back(field::Required(path, ""));
  } else if (std::find(known.begin(), known.end(), condition.status) == known.end()) {
    wrong.push_back(field::NotSupported(path, field::JsonText(condition.status.view()), known));
  }
}

// kube-apiserver: `validateConditions`.
void CheckConditions(ErrorList& wrong, const Conditions& conditions, const Allowed& allowed) {
  const Path path = Path("status").Child("conditions");
  std::set<std::string> seen;
  for (size_t i = 0; i < conditions.size(); ++i) {
    const Path at = path.Index(i);
    const std::string type(conditions[i].type);
    if (type.empty() && !allowed.empty_type) wrong.push_back(field::Required(at.Child("type"), ""));
    CheckConditionStatus(wrong, conditions[i], at.Child("status"));
    const std::string other(type == kApproved ? kDenied : type == kDenied ? kApproved : "");
    if (!other.empty() && !allowed.approved_and_denied && seen.count(other) != 0) {
      wrong.push_back(field::Invalid(path, field::JsonText(type),
                                     "Approved and Denied conditions are mutually exclusive"));
    }
    if (!seen.insert(type).second && !allowed.duplicate_types) {
      wrong.push_back(field::Duplicate(at.Child("type"), field::JsonText(type)));
    }
  }
}

void ForbidChange(ErrorList& wrong, absl::string_view verb, absl::string_view type) {
  wrong.push_back(field::Forbidden(
      Path("status").Child("conditions"),
      absl::StrCat("updates may not ", verb, " a condition of type \"", type, "\"")));
}

}  // namespace

void CheckRequestStatus(ErrorList& wrong, absl::string_view subresource,
                        const CertificateSigningRequest& now,
                        const CertificateSigningRequest& old) {
  const Conditions& before = old.status.conditions;
  const Conditions& after = now.status.conditions;
  CheckConditions(wrong, after, AllowedBy(before));
  for (absl::string_view type : {kApproved, kDenied, kFailed}) {
    if (CountOf(after, type) < CountOf(before, type)) ForbidChange(wrong, "remove", type);
  }
  if (subresource == "approval") return;
  // KeepFields has already reset conditions that were changed.
  for (absl::string_view type : {kApproved, kDenied}) {
    if (CountOf(after, type) > CountOf(before, type)) ForbidChange(wrong, "add", type);
  }
  if (now.status.certificate != old.status.certificate && !old.status.certificate.empty()) {
    wrong.push_back(field::Forbidden(Path("status").Child("certificate"),
                                     "updates may not modify existing certificate content"));
  }
}

}  // namespace kube::apiserver::internal
