#ifndef APISERVER_CALL_PATCH_HEAD_H_
#define APISERVER_CALL_PATCH_HEAD_H_

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/patch/patch_type.h"
#include "apiserver/call/call.h"

namespace kube::apiserver::internal {

// What a PATCH says outside its body: its type and its options.
struct PatchHead {
  patch::PatchType type = patch::PatchType::kMerge;
  api::meta::v1::PatchOptions options = {};
};

// Returns 415 for an unsupported media type, 400 or 422 for invalid options.
absl::StatusOr<PatchHead> PatchHeadOf(const Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_PATCH_HEAD_H_
