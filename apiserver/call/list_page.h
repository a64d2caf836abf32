#ifndef APISERVER_CALL_LIST_PAGE_H_
#define APISERVER_CALL_LIST_PAGE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {

// A page of objects, with the metadata of the list.
struct Page {
  std::vector<ObjectPtr> items = {};
  api::meta::v1::ListMeta metadata = {};
};

// Returns the page of the call's resource that the options ask for. Returns 400 for invalid
// options, 410 if the revision is no longer kept, and 504 if it is in the future.
absl::StatusOr<Page> ListPage(const Core& core, const Call& call,
                              const api::meta::v1::ListOptions& options);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_LIST_PAGE_H_
