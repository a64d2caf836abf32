#ifndef CLIENTSET_REST_OIDC_CONFIG_H_
#define CLIENTSET_REST_OIDC_CONFIG_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
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

  // Stores new tokens, because an issuer may accept a refresh token only once. It is called by the
  // request that has got them, without locks, before they are used, and may block. `ctx` ends after
  // 30 seconds, and not with the request. An error is logged, and the tokens are used nevertheless.
  // (client-go fails the request.) Default: null, and the tokens are lost with the client.
  std::function<absl::Status(const Context& ctx, const OidcTokens& tokens)> persist = {};
  // Sends the requests to the issuer. Default: null, which means a transport of its own for each
  // refresh.
  std::shared_ptr<httpclient::Transport> transport = {};
};

}  // namespace kube::rest

#endif  // CLIENTSET_REST_OIDC_CONFIG_H_
