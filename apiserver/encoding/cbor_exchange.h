#ifndef APISERVER_ENCODING_CBOR_EXCHANGE_H_
#define APISERVER_ENCODING_CBOR_EXCHANGE_H_

#include <memory>

#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Returns an exchange whose handler sees JSON where the client speaks CBOR: the bodies of requests
// (application/cbor, application/apply-patch+cbor), responses, and watches (application/cbor-seq).
// Returns `exchange` itself if the request is not one for objects, or has no CBOR in it. A body
// that is not CBOR is left as it is, so that the handler refuses it as JSON that cannot be read.
// `exchange` must not be answered otherwise.
std::shared_ptr<httpserver::Exchange> WithCbor(std::shared_ptr<httpserver::Exchange> exchange);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_CBOR_EXCHANGE_H_
