#ifndef CLIENTSET_REST_AUTHENTICATOR_H_
#define CLIENTSET_REST_AUTHENTICATOR_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "clientset/rest/config.h"
#include "net/httpclient/http_message.h"

namespace kube::rest {

// The credentials and connection settings of one request, as they were at one point in time.
struct Authentication {
  // The client certificate, if any, and the certificate authorities to trust. Never null. It stays
  // the same object until one of its values changes.
  std::shared_ptr<const httpclient::ConnectionOptions> connection = {};
  // The value of the Authorization header, such as "Bearer …" or "Basic …". Empty if there is no
  // such header.
  base::Secret authorization = {};
};

// Provides credentials that may change while a client lives: files that are rewritten, exec
// plug-ins, or logins. Implement it for credentials of another kind. (client-go:
// `transport.HTTPWrappersForConfig`, `oauth2.TokenSource`, `exec.Authenticator`)
//
// It has no background thread: credentials are refreshed when a request needs them. An
// Authentication stays usable after a rotation, so requests in flight are not interrupted.
//
// Thread-safe.
class Authenticator {
 public:
  virtual ~Authenticator() = default;

  // Returns the current credentials. Blocks only while a file is read, a plug-in runs or a login is
  // renewed; `ctx` limits the wait for these two, but not the reading of files. An error names the
  // credential and the cause, and never contains a part of the secret.
  virtual absl::StatusOr<std::shared_ptr<const Authentication>> Get(const Context& ctx) = 0;

  // Returns what a request with an Authorization header of its own needs: the connection. The
  // result's `authorization` is not used, and Rejected is not called with it. Override it if your
  // Get fetches a token, which is not needed here. Otherwise as Get, which it calls unless it is
  // overridden.
  virtual absl::StatusOr<std::shared_ptr<const Authentication>> GetWithoutAuthorization(
      const Context& ctx) {
    return Get(ctx);
  }

  // Reports that the server answered 401 to `used`, which must be the object that Get returned and
  // not a copy, because it is identified by its address. Refreshes the credentials if necessary,
  // and blocks as Get does.
  //
  // Returns true if Get now returns, or may return, other credentials, so that the request is worth
  // repeating; false if they would be the same. An error means that they could not be refreshed,
  // and that the 401 is final.
  virtual absl::StatusOr<bool> Rejected(const Context& ctx, const Authentication& used) = 0;
};

// Returns the Authenticator that `config` describes. It reads all files now, so that errors in them
// are found at once; a plug-in is first run by the first request. Returns INVALID_ARGUMENT if the
// configuration contradicts itself, for example if it has both a password and a token, or if a file
// is missing or malformed.
//
// It uses the clock of the calling threads. Plug-ins are processes: they run on the real clock on a
// thread of their own, and so do not work in SimRuntime. A login is renewed on a thread of the
// calling thread's runtime. The destructor stops either if no other client needs it.
//
// `default_proxy`, usually the environment's proxy, is used if Config::proxy_url is not set.
absl::StatusOr<std::shared_ptr<Authenticator>> MakeAuthenticator(
    const Config& config, const std::string& default_proxy = {});

}  // namespace kube::rest

#endif  // CLIENTSET_REST_AUTHENTICATOR_H_
