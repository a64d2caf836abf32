#ifndef CLIENTSET_REST_TESTING_SCRIPTED_CLIENT_H_
#define CLIENTSET_REST_TESTING_SCRIPTED_CLIENT_H_

#include <memory>

#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "net/httpclient/transport.h"

namespace kube::rest {

// A client for tests, of "http://localhost" if the configuration names no host, with the transport
// and without credentials: those of the configuration are not looked at. A wrong configuration
// ends the test's process.
//
//   auto transport = std::make_shared<ScriptedTransport>();
//   const Client client = MakeScriptedClient(transport);
Client MakeScriptedClient(std::shared_ptr<httpclient::Transport> transport, Config config = {});

}  // namespace kube::rest

#endif  // CLIENTSET_REST_TESTING_SCRIPTED_CLIENT_H_
