#ifndef APISERVER_STREAMING_CONNECT_ADMISSION_H_
#define APISERVER_STREAMING_CONNECT_ADMISSION_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/streaming/pod_target.h"
#include "apiserver/webhooks/webhook_admission.h"

namespace kube::apiserver::internal {

// Asks the webhooks about a connection to a pod, if any are configured for it. `options` are of the
// core kind `kind`, and may be changed. Returns a 403 if the user may not connect at all, or the
// refusal of a webhook (kube-apiserver: `ConnectResource`).
template <typename Options>
absl::Status AdmitConnection(const Core& core, const Call& call, absl::string_view kind,
                             Options& options) {
  if (call.admission == nullptr) return absl::OkStatus();
  KUBE_RETURN_IF_ERROR(CheckMayCreate(core, call));
  codec::AnyObject any(*api::FindKind("v1", kind));
  *any.As<Options>() = options;
  KUBE_RETURN_IF_ERROR(call.admission->Connect(any));
  options = *any.As<Options>();
  return absl::OkStatus();
}

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STREAMING_CONNECT_ADMISSION_H_
