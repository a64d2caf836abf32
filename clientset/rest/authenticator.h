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

// What a request is sent with, at one point in time.
struct Authentication {
  // With the client's certificate, if there is one, and the authorities to trust. Never null; the
  // same object as long as nothing in it has changed.
  std::shared_ptr<const httpclient::ConnectionOptions> connection = {};
  // Of the header Authorization: "Bearer …", "Basic …". Empty: none.
  base::Secret authorization = {};
};

// Where credentials come from that may change while a client lives: files that somebody rewrites,
// plug-ins that log in. (transport.HTTPWrappersForConfig, oauth2.TokenSource, exec.Authenticator)
//
// Nothing runs in the background: what is due is done by the request that needs it. What requests
// hold stays good, so that a rotation drops none in flight. Implement it for credentials of another
// kind. Thread-safe.
class Authenticator {
 public:
  virtual ~Authenticator() = default;

  // Blocks only if something has to be read or run; for a plug-in at most until `ctx` is done,
  // files take as long as they take. An error says whose credential could not be had and why, and
  // never a part of it.
  virtual absl::StatusOr<std::shared_ptr<const Authentication>> Get(const Context& ctx) = 0;

  // The server answered 401 to `used`: the object that Get returned, not a copy, by whose address
  // it is known which of two equal ones it was. True: Get has, or may now have, another one, so
  // that trying once more is worth it. False: it would be the same. An error: another one could not
  // be had, and the 401 stands. Does what it has to do as Get does.
  virtual absl::StatusOr<bool> Rejected(const Context& ctx, const Authentication& used) = 0;
};

// The one that a configuration describes, for one server. It reads
// what files there are, so that wrong ones are found at once; plug-ins are run by the first
// request. INVALID_ARGUMENT where the configuration contradicts itself, as with a password and a
// token, and for files that are not there or not what they should be.
//
// Its time is that of the threads that call it. Plug-ins are programs and run in real time, on a
// thread of their own: they do not work in SimRuntime. The destructor ends one that is running.
//
// `default_proxy` is the proxy where Config::proxy_url does not say: what the environment has.
absl::StatusOr<std::shared_ptr<Authenticator>> MakeAuthenticator(
    const Config& config, const std::string& default_proxy = {});

}  // namespace kube::rest

#endif  // CLIENTSET_REST_AUTHENTICATOR_H_
