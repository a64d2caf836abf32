#ifndef CLIENTSET_DYNAMIC_CBOR_TRANSPORT_H_
#define CLIENTSET_DYNAMIC_CBOR_TRANSPORT_H_

#include <memory>

#include "net/httpclient/transport.h"

namespace kube::dynamic {

struct CborTransportOptions {
  // Whether objects are also sent as CBOR (true) or only asked for (false, the default). After the
  // first response with status 415 to a body in CBOR the transport sends JSON; the call that got
  // it fails. (client-go: the feature gate `ClientsPreferCBOR`)
  bool send = false;
  // Whether typed clients that speak JSON use CBOR, too: those of custom resources, and all with
  // Config::content_type "application/json". Others speak protobuf, which is smaller, and are left
  // alone. Default: false, only dynamic clients do. (client-go: a ContentType of
  // "application/cbor")
  bool typed = false;
};

// Makes a transport with which dynamic clients, and others that speak JSON, speak CBOR to servers
// that offer it: it asks for application/cbor before application/json, and converts what comes to
// the JSON that the clients read. (client-go: the feature gate `ClientsAllowCBOR`)
//
//   rest::Wrap(config, [](std::shared_ptr<httpclient::Transport> next) {
//     return dynamic::MakeCborTransport(std::move(next), {.send = true});
//   });
//
// Only requests that ask for nothing but application/json are changed, which are those of dynamic
// clients, and, with `typed`, those that ask for it before all others. Patches other than
// server-side apply stay JSON. API servers offer CBOR only with the alpha feature gate
// CBORServingAndStorage; others answer in JSON as before. It saves bytes, not time: objects are
// converted twice. Received doubles stay doubles, also 1.0; what is sent has the numbers of JSON,
// in which 1.0 is 1.
//
// A response that is not valid CBOR gives the errors of unstructured::ParseCbor when its body is
// read, and RESOURCE_EXHAUSTED if it is larger than 512 MiB, or an event of a watch than 64 MiB.
// Thread-safe.
std::shared_ptr<httpclient::Transport> MakeCborTransport(
    std::shared_ptr<httpclient::Transport> next, const CborTransportOptions& options = {});

}  // namespace kube::dynamic

#endif  // CLIENTSET_DYNAMIC_CBOR_TRANSPORT_H_
