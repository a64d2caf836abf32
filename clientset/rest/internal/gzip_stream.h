#ifndef CLIENTSET_REST_INTERNAL_GZIP_STREAM_H_
#define CLIENTSET_REST_INTERNAL_GZIP_STREAM_H_

#include "clientset/rest/http_message.h"

namespace kube::rest::internal {

// If the body is gzip, makes it one that unpacks while it is read, on the reader's thread, and
// removes the headers that no longer fit (http.Transport's way). A body that ends too early, or is
// no gzip, is a transport error of kind kProtocol.
void UnpackGzip(HttpResponse& response);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_GZIP_STREAM_H_
