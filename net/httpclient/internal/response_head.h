#ifndef NET_HTTPCLIENT_INTERNAL_RESPONSE_HEAD_H_
#define NET_HTTPCLIENT_INTERNAL_RESPONSE_HEAD_H_

#include "net/http/headers.h"

namespace kube::httpclient::internal {

// The header of a response.
struct ResponseHead {
  int status = 0;
  http::Headers headers = {};
  int http_version = 1;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_RESPONSE_HEAD_H_
