#ifndef NET_HTTPCLIENT_INTERNAL_GZIP_STREAM_H_
#define NET_HTTPCLIENT_INTERNAL_GZIP_STREAM_H_

#include "net/httpclient/http_message.h"

namespace kube::httpclient::internal {

// If the body is gzip, makes it one that unpacks while it is read, on the reader's thread, and
// removes the headers that no longer fit (http.Transport's way). A body that ends too early, or is
// no gzip, is a transport error of kind kProtocol.
void UnpackGzip(HttpResponse& response);

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_GZIP_STREAM_H_
