#ifndef ENVTEST_SERVER_CALL_PATCH_HEAD_H_
#define ENVTEST_SERVER_CALL_PATCH_HEAD_H_

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/patch/patch_type.h"
#include "envtest/server/call/call.h"

namespace kube::envtest::internal {

// What a PATCH says beside its body: its type, which is not kApply, and its options.
struct PatchHead {
  patch::PatchType type = patch::PatchType::kMerge;
  api::meta::v1::PatchOptions options = {};
};

// 415, or 422 for options that are not valid.
absl::StatusOr<PatchHead> PatchHeadOf(const Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_CALL_PATCH_HEAD_H_
