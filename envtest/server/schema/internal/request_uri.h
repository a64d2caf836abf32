#ifndef ENVTEST_SERVER_SCHEMA_INTERNAL_REQUEST_URI_H_
#define ENVTEST_SERVER_SCHEMA_INTERNAL_REQUEST_URI_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::envtest::crd_schema::internal {

struct RequestUri {
  // As they were written; both empty of a path alone.
  std::string scheme;
  std::string host;
};

// What Go's url.ParseRequestURI takes: an absolute URI, or an absolute path. Pure: thread-safe.
std::optional<RequestUri> ParseRequestUri(absl::string_view text);

}  // namespace kube::envtest::crd_schema::internal

#endif  // ENVTEST_SERVER_SCHEMA_INTERNAL_REQUEST_URI_H_
