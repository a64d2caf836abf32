#ifndef CLIENTSET_REST_OIDC_CONFIG_H_
#define CLIENTSET_REST_OIDC_CONFIG_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "net/httpclient/transport.h"

namespace kube::rest {

// The tokens of an OpenID Connect login.
struct OidcTokens {
  // The JSON web token that the API server is shown.
  base::Secret id_token = {};
  // What the issuer exchanges for a new ID token.
  base::Secret refresh_token = {};
};

// A login at an OpenID Connect issuer. Requests carry the ID token, and shortly before it expires
// the issuer is asked for a new one with the refresh token. There is no login in a browser: the
// first tokens come from a program such as kubelogin, or from a kubeconfig file with the
// auth-provider "oidc". (client-go: `plugin/pkg/client/auth/oidc`)
//
// A refresh takes 30 seconds at most. It runs on a thread of its own, once for all requests that
// need the token, and goes on if they end; it is given up only when the last client is destroyed.
//
// An issuer may accept a refresh token only once. So the clients of a process share one login, and
// one refresh, if their configurations have the same issuer, client, certificate authority,
// transport and refresh token; this is the case for clients that are made of one configuration. The
// first of them decides about `load` and `persist`. The login is kept as long as one of its clients
// lives: for clients that do not overlap, set `load` and `persist`, as kubeconfig files do, or use
// the tokens that `persist` has got in the next configuration. (client-go keeps a login for ever)
//
//   config.oidc = OidcConfig{.issuer_url = "https://login.example.com",
//                            .client_id = "kubernetes",
//                            .tokens = {.refresh_token = base::Secret(ReadToken())}};
struct OidcConfig {
  // The issuer, with scheme https; http is accepted for loopback addresses only. Required.
  std::string issuer_url = {};
  // The program's name at the issuer. Required.
  std::string client_id = {};
  // The program's password at the issuer. Empty for a public client.
  base::Secret client_secret = {};
  // The certificate authorities of the issuer, in PEM: as data, which take precedence, or a file,
  // which is read when the client is made. If both are empty, those of the system.
  std::string ca_file = {};
  std::string ca_data = {};
  // The tokens to begin with. Without an ID token, the first request asks for one. Without a
  // refresh token, requests fail once the ID token has expired.
  OidcTokens tokens = {};

  // Returns the tokens that are stored now, which another program may have renewed. It is called
  // before each refresh, on its thread, without locks, and may block; `ctx` ends with the last
  // client. Tokens other than those that `tokens` had or `persist` got take the place of the
  // present ones; if their ID token is still good, the issuer is not asked. An error is logged, and
  // the present tokens are used. Default: null, and nothing is read. (client-go reads them once)
  std::function<absl::StatusOr<OidcTokens>(const Context& ctx)> load = {};
  // Stores new tokens. It is called on the thread of the refresh, without locks, before they are
  // used, and may block, also the destructor of the last client; it must not destroy that client.
  // `ctx` ends after 30 seconds, and not with a request or a client. An error is logged, and the
  // tokens are used nevertheless. (client-go fails the request.) Default: null, and the tokens are
  // lost with the last client.
  std::function<absl::Status(const Context& ctx, const OidcTokens& tokens)> persist = {};
  // Sends the requests to the issuer. Default: null, which means a transport of its own for each
  // refresh.
  std::shared_ptr<httpclient::Transport> transport = {};
};

}  // namespace kube::rest

#endif  // CLIENTSET_REST_OIDC_CONFIG_H_
