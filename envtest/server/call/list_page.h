#ifndef ENVTEST_SERVER_CALL_LIST_PAGE_H_
#define ENVTEST_SERVER_CALL_LIST_PAGE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"
#include "envtest/server/object.h"

namespace kube::envtest::internal {

// A page of objects.
struct Page {
  std::vector<ObjectPtr> items = {};
  api::meta::v1::ListMeta metadata = {};
};

// The page of the call's resource that the options ask for.
absl::StatusOr<Page> ListPage(const Core& core, const Call& call,
                              const api::meta::v1::ListOptions& options);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_CALL_LIST_PAGE_H_
