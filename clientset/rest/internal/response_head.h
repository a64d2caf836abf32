#ifndef CLIENTSET_REST_INTERNAL_RESPONSE_HEAD_H_
#define CLIENTSET_REST_INTERNAL_RESPONSE_HEAD_H_

#include "net/http/headers.h"

namespace kube::rest::internal {

// The header of a response.
struct ResponseHead {
  int status = 0;
  http::Headers headers = {};
  int http_version = 1;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_RESPONSE_HEAD_H_
