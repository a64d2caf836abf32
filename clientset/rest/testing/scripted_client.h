#ifndef CLIENTSET_REST_TESTING_SCRIPTED_CLIENT_H_
#define CLIENTSET_REST_TESTING_SCRIPTED_CLIENT_H_

#include <memory>

#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "net/httpclient/transport.h"

namespace kube::rest {

// Returns a client for tests that uses `transport` and sends no credentials; those of `config` are
// ignored. If `config` has no host, it is "http://localhost". An invalid configuration ends the
// process.
//
//   auto transport = std::make_shared<ScriptedTransport>();
//   const Client client = MakeScriptedClient(transport);
Client MakeScriptedClient(std::shared_ptr<httpclient::Transport> transport, Config config = {});

}  // namespace kube::rest

#endif  // CLIENTSET_REST_TESTING_SCRIPTED_CLIENT_H_
