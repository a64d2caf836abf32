#ifndef APISERVER_DISCOVERY_OPEN_ID_H_
#define APISERVER_DISCOVERY_OPEN_ID_H_

#include <optional>

#include "apiserver/request_info.h"
#include "apiserver/server_address.h"
#include "apiserver/tokens/account_tokens.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves /.well-known/openid-configuration and /openid/v1/jwks, with which others check the tokens
// of service accounts (kube-apiserver: `routes.OpenIDMetadataServer`). Returns nullopt for other
// paths. Thread-safe.
std::optional<httpserver::Response> ServeOpenId(AccountTokens& tokens, const ServerAddress& address,
                                                const httpserver::Request& request,
                                                const RequestInfo& info);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DISCOVERY_OPEN_ID_H_
