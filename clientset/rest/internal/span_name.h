#ifndef CLIENTSET_REST_INTERNAL_SPAN_NAME_H_
#define CLIENTSET_REST_INTERNAL_SPAN_NAME_H_

#include <string>

#include "clientset/rest/request.h"

namespace kube::rest::internal {

// Returns the name of a request's span. It has no names of objects, so the number of span names is
// bounded: "GET /api/v1/namespaces/{namespace}/pods/{name}". For an absolute path it is the method
// alone. (client-go: `Request.finalURLTemplate`)
std::string SpanName(const Request& request);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_SPAN_NAME_H_
