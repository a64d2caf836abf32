#ifndef ENVTEST_SERVER_CALL_CALL_H_
#define ENVTEST_SERVER_CALL_CALL_H_

#include <memory>
#include <string>
#include <vector>

#include "envtest/server/encoding/output.h"
#include "envtest/server/faults/read_faults.h"
#include "envtest/server/registry/registry.h"
#include "envtest/server/request_info.h"
#include "envtest/server/resources.h"
#include "envtest/server/user.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// One request about a resource.
struct Call {
  const httpserver::Request* request = nullptr;
  RequestInfo info = {};
  User user = {};
  Output output = {};
  // As they were when it began.
  std::shared_ptr<const Resources> resources = {};
  const Resource* resource = nullptr;
  const SubresourceInfo* subresource = nullptr;  // null: the resource itself
  // It has been waited for the revision that it asked for.
  bool has_waited = false;
  // May be null.
  ReadFaults* faults = nullptr;
  // For Warning headers of the answer.
  std::vector<std::string> warnings = {};

  Target target() const {
    return {.resource = resource,
            .namespace_name = info.namespace_name,
            .name = info.name,
            .subresource = info.subresource};
  }
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_CALL_CALL_H_
