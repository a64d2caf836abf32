#ifndef NET_HTTPCLIENT_INTERNAL_GZIP_STREAM_H_
#define NET_HTTPCLIENT_INTERNAL_GZIP_STREAM_H_

#include "net/httpclient/http_message.h"

namespace kube::httpclient::internal {

// If the body is gzip, wraps it so that it is decompressed on the reader's thread, and removes the
// headers that no longer apply, as Go's `http.Transport` does. Read then returns a transport error
// (kProtocol) if the body ends too early or is not gzip.
void UnpackGzip(HttpResponse& response);

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_GZIP_STREAM_H_
