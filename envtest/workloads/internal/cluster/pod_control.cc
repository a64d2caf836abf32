#include "envtest/workloads/internal/cluster/pod_control.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/events.h"

namespace kube::envtest::internal {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

absl::Status AsServerSays(const absl::Status& error) {
  const std::optional<metav1::Status> status = errors::StatusOf(error);
  return status.has_value() ? absl::UnknownError(status->message.view()) : error;
}

absl::Status CreatePod(const Context& ctx, Cluster& cluster, const corev1::Pod& pod,
                       const ObjectEvents& told) {
  const absl::StatusOr<std::string> name = cluster.pods.CreateNamed(ctx, pod);
  if (name.ok()) {
    told.Normal(ctx, "SuccessfulCreate", absl::StrCat("Created pod: ", *name));
  } else if (!errors::HasStatusCause(name.status(), "NamespaceTerminating")) {
    told.Warning(ctx, "FailedCreate",
                 absl::StrCat("Error creating: ", AsServerSays(name.status()).message()));
  }
  return name.status();
}

absl::Status DeletePod(const Context& ctx, Cluster& cluster, const corev1::Pod& pod,
                       const ObjectEvents& told) {
  const absl::Status status = cluster.pods.Delete(ctx, pod);
  if (status.ok()) {
    told.Normal(ctx, "SuccessfulDelete", absl::StrCat("Deleted pod: ", pod.metadata.name.view()));
  } else if (!errors::IsNotFound(status)) {
    told.Warning(ctx, "FailedDelete",
                 absl::StrCat("Error deleting: ", AsServerSays(status).message()));
  }
  return status;
}

absl::Status TellOfPod(const Context& ctx, absl::string_view verb, absl::string_view set,
                       absl::string_view pod, const absl::Status& status,
                       const ObjectEvents& told) {
  const std::string what = absl::StrCat(verb, " Pod ", pod, " in StatefulSet ", set);
  if (status.ok()) {
    told.Normal(ctx, absl::StrCat("Successful", verb), absl::StrCat(what, " successful"));
  } else {
    told.Warning(ctx, absl::StrCat("Failed", verb),
                 absl::StrCat(what, " failed error: ", AsServerSays(status).message()));
  }
  return status;
}

absl::Status TellOfClaim(const Context& ctx, absl::string_view set, absl::string_view claim,
                         absl::string_view pod, const absl::Status& status,
                         const ObjectEvents& told) {
  if (status.ok()) {
    told.Normal(
        ctx, "SuccessfulCreate",
        absl::StrCat("Create Claim ", claim, " Pod ", pod, " in StatefulSet ", set, " success"));
  } else if (!errors::IsAlreadyExists(status)) {
    told.Warning(ctx, "FailedCreate",
                 absl::StrCat("Create Claim ", claim, " for Pod ", pod, " in StatefulSet ", set,
                              " failed error: ", AsServerSays(status).message()));
  }
  return status;
}

}  // namespace kube::envtest::internal
