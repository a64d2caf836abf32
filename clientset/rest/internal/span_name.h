#ifndef CLIENTSET_REST_INTERNAL_SPAN_NAME_H_
#define CLIENTSET_REST_INTERNAL_SPAN_NAME_H_

#include <string>

#include "clientset/rest/request.h"

namespace kube::rest::internal {

// A request without names of objects, of which there are only so many: "GET
// /api/v1/namespaces/{namespace}/pods/{name}"; of a path that is no resource's its method alone.
// (Request.finalURLTemplate)
std::string SpanName(const Request& request);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_SPAN_NAME_H_
