#ifndef APISERVER_SPECIAL_TOKEN_H_
#define APISERVER_SPECIAL_TOKEN_H_

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves serviceaccounts/token. The token is not signed, and the server does not accept it.
absl::StatusOr<httpserver::Response> ServeToken(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_TOKEN_H_
