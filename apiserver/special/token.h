#ifndef APISERVER_SPECIAL_TOKEN_H_
#define APISERVER_SPECIAL_TOKEN_H_

#include "absl/status/statusor.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves serviceaccounts/token: signs a token for the account with the core's key.
absl::StatusOr<httpserver::Response> ServeToken(Core& core, Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_TOKEN_H_
