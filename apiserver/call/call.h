#ifndef APISERVER_CALL_CALL_H_
#define APISERVER_CALL_CALL_H_

#include <memory>
#include <string>
#include <vector>

#include "apimachinery/managedfields/fields_v1_cache.h"
#include "apiserver/call/write_record.h"
#include "apiserver/encoding/output.h"
#include "apiserver/faults/read_faults.h"
#include "apiserver/registry/registry.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/user.h"
#include "apiserver/webhooks/webhook_admission.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// A request about a resource.
struct Call {
  const httpserver::Request* request = nullptr;
  RequestInfo info = {};
  User user = {};
  Output output = {};
  // The resources at the time when the request arrived.
  std::shared_ptr<const Resources> resources = {};
  const Resource* resource = nullptr;
  const SubresourceInfo* subresource = nullptr;  // null for the resource itself
  // Whether the request has already waited for its revision.
  bool has_waited = false;
  // May be null.
  ReadFaults* faults = nullptr;
  // What the server knows of texts in metadata.managedFields. May be null.
  managedfields::FieldsV1Cache* fields_cache = nullptr;
  // Asks webhooks and policies. Null if none is configured for such requests.
  WebhookAdmission* admission = nullptr;
  // Warnings for the client. Each becomes a Warning header of the response.
  std::vector<std::string> warnings = {};
  // What the log is told about a write. May be null.
  WriteRecord* record = nullptr;

  Target target() const {
    return {.resource = resource,
            .namespace_name = info.namespace_name,
            .name = info.name,
            .subresource = info.subresource};
  }
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_CALL_H_
