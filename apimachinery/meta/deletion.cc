#include "apimachinery/meta/deletion.h"

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/string.h"

namespace kube::meta {

namespace metav1 = api::meta::v1;

bool IsBeingDeleted(const metav1::ObjectMeta& metadata) {
  return !metadata.deletion_timestamp->IsZero();
}

metav1::DeleteOptions NewDeleteOptions(absl::Duration grace_period) {
  metav1::DeleteOptions options;
  options.grace_period_seconds = absl::ToInt64Seconds(grace_period);
  return options;
}

metav1::DeleteOptions NewPreconditionDeleteOptions(absl::string_view uid) {
  metav1::DeleteOptions options;
  options.preconditions = NewUidPreconditions(uid);
  return options;
}

metav1::DeleteOptions NewResourceVersionDeleteOptions(absl::string_view resource_version) {
  metav1::DeleteOptions options;
  options.preconditions.emplace().resource_version = String(resource_version);
  return options;
}

metav1::Preconditions NewUidPreconditions(absl::string_view uid) {
  metav1::Preconditions preconditions;
  preconditions.uid = String(uid);
  return preconditions;
}

}  // namespace kube::meta
