#ifndef ENVTEST_SERVER_VERBS_WATCH_H_
#define ENVTEST_SERVER_VERBS_WATCH_H_

#include "absl/status/statusor.h"
#include "envtest/server/call/answer.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"

namespace kube::envtest::internal {

// Answers a watch. Errors carry the Status for the client.
absl::StatusOr<Answer> ServeWatch(Core& core, Call& call);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_VERBS_WATCH_H_
