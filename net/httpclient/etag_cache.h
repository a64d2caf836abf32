#ifndef NET_HTTPCLIENT_ETAG_CACHE_H_
#define NET_HTTPCLIENT_ETAG_CACHE_H_

#include <cstddef>
#include <memory>

#include "net/httpclient/transport.h"

namespace kube::httpclient {

struct EtagCacheOptions {
  // The greatest number of bytes of all bodies that are kept; those that were not used for the
  // longest time go first. A body that is larger by itself is not kept. Default: 64 MiB, which is
  // enough for discovery and for the OpenAPI documents of a cluster with many definitions.
  size_t max_bytes = size_t{64} << 20;
  // The greatest number of responses that are kept, however small their bodies are. Default: 1000.
  // Zero: none.
  size_t max_responses = 1000;
};

// Makes a transport that keeps the bodies of responses with an ETag and asks the server whether
// they are still current (If-None-Match), so that large documents are sent only once. API servers
// have ETags for aggregated discovery and for OpenAPI; other requests pass unchanged. (client-go:
// `httpcache`, below its discovery cache on disk; this one is in memory) rest::Wrap puts it around
// the transport of a configuration.
//
// Each request still reaches the server, which decides whether its user may have the answer; nobody
// sees a body that the server has not just confirmed. Bodies are kept by URL and Accept header.
// RoundTrip of a response with an ETag returns when its whole body has been read, and returns the
// errors of reading it. Thread-safe.
std::shared_ptr<Transport> MakeEtagCache(std::shared_ptr<Transport> next,
                                         const EtagCacheOptions& options = {});

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_ETAG_CACHE_H_
