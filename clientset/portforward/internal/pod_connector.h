#ifndef CLIENTSET_PORTFORWARD_INTERNAL_POD_CONNECTOR_H_
#define CLIENTSET_PORTFORWARD_INTERNAL_POD_CONNECTOR_H_

#include "apimachinery/meta/object_name.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/rest/client.h"

namespace kube::portforward::internal {

// Returns a function that connects to the kubelet of a pod by way of the API server: by a WebSocket
// that carries SPDY, if `try_websocket` is set, and by SPDY alone if the server refuses that. It
// remembers a refusal. (client-go: `portforward.NewFallbackDialer`)
Connector MakePodConnector(rest::Client client, meta::ObjectName pod, bool try_websocket);

}  // namespace kube::portforward::internal

#endif  // CLIENTSET_PORTFORWARD_INTERNAL_POD_CONNECTOR_H_
