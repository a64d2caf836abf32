#ifndef CLIENTSET_REST_CLIENT_H_
#define CLIENTSET_REST_CLIENT_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "net/http/headers.h"
#include "net/httpclient/transport.h"
#include "net/io/duplex_stream.h"

namespace kube::rest {

namespace internal {
class ClientCore;
}

// A successful response with its whole body. (client-go: `rest.Result`)
struct Result {
  int status = 0;
  http::Headers headers = {};
  // The media type in lower case and without parameters, such as "application/json". If the server
  // sends none, the client's own content type.
  std::string content_type = {};
  std::string body = {};
};

// A successful response whose body is read while it arrives.
struct StreamedResult {
  int status = 0;
  http::Headers headers = {};
  // As in Result.
  std::string content_type = {};
  // Never null. Destroying it ends the request.
  std::unique_ptr<watch::ByteStream> body = {};
};

// A connection on which the server has switched to another protocol.
struct UpgradedResult {
  // Those of the response, which say what the server has chosen.
  http::Headers headers = {};
  // Never null.
  std::unique_ptr<io::DuplexStream> connection = {};
};

// Sends requests to one cluster. It adds credentials, retries where that is safe, and obeys the
// client-side rate limit. Typed clients are built on it. (client-go: `rest.RESTClient`, but for all
// groups and versions)
//
//   KUBE_ASSIGN_OR_RETURN(rest::Client client, rest::MakeClient(config));
//   KUBE_ASSIGN_OR_RETURN(rest::Result result, client.Do(ctx, {.absolute_path = "/version"}));
//
// A request is repeated if the server answers 429 or 5xx with a Retry-After header; if its
// connection was lost before the request was sent; if it is a GET and its connection was lost
// later; and once after a 401 if the credentials have changed since. Other writes are not repeated,
// because the server may have executed them. See RetryRule for streams and watches.
//
// Errors are those of the server, with its metav1::Status (errors/predicates.h); those of the
// transport (transport_error.h); ctx.status(); and INVALID_ARGUMENT if the request is malformed, in
// which case nothing is sent. Messages begin with a description of the request: `get pods "web-0"
// in "prod": …`. After a retry, they end with the error of the previous attempt.
//
// A handle: cheap to copy. Copies share the transport, the credentials and the limits. If the
// client made its own transport, the last copy closes it. Thread-safe.
class Client {
 public:
  // Sends the request and blocks until the whole body has been read.
  absl::StatusOr<Result> Do(const Context& ctx, const Request& request) const;

  // Sends the request and blocks until the header of the response has arrived. After that, `ctx` no
  // longer matters: reading the body takes a context of its own.
  absl::StatusOr<StreamedResult> Stream(const Context& ctx, const Request& request) const;

  // Sends a request that asks for another protocol than HTTP: its `headers` have "connection:
  // Upgrade" and "upgrade". Blocks until the server has answered 101; `ctx` does not apply to the
  // connection, which is this request's own, over HTTP/1.1. Retries as Stream does. An answer
  // other than 101 is the server's error (errors/predicates.h), also one below 400, with a message
  // that contains "unable to upgrade connection"; IsUpgradeRefused tells it from other errors.
  // Redirects are such answers and are not followed: with the client's credentials they could lead
  // to another pod. Timeouts do not apply, neither Config::timeout nor Request::timeout.
  //
  // Returns UNIMPLEMENTED if the client's transport cannot switch protocols. (client-go:
  // `spdy.Negotiate`, `websocket.Negotiate`)
  absl::StatusOr<UpgradedResult> Upgrade(const Context& ctx, const Request& request) const;

  // For example "https://10.0.0.1:6443".
  const std::string& base_url() const;
  // Returns whether built-in kinds are sent and requested as protobuf; see Config::content_type.
  bool prefers_protobuf() const;
  const std::shared_ptr<httpclient::Transport>& transport() const;

  // Remember which resources the server does not offer as protobuf. Typed clients use this, since
  // they are created for each call and cannot remember it themselves.
  bool IsJsonOnly(const schema::GroupVersionResource& resource) const;
  void SetJsonOnly(const schema::GroupVersionResource& resource) const;

 private:
  friend absl::StatusOr<Client> MakeClient(const Config& config,
                                           std::shared_ptr<Authenticator> authenticator);
  explicit Client(std::shared_ptr<const internal::ClientCore> core);

  std::shared_ptr<const internal::ClientCore> core_;
};

// Returns whether an error of Client::Upgrade means that this way to the server cannot carry the
// protocol, so that another protocol is worth trying: the server answered, but not with 101, or the
// proxy refused the connection. False for all other errors, such as a context that is done, a lost
// connection, or a failure of TLS. Errors to which context was added are recognized, too.
// (client-go: `httpstream.IsUpgradeFailure`)
bool IsUpgradeRefused(const absl::Status& error);

// Returns a client for `config`. Sends nothing. Returns INVALID_ARGUMENT, naming the field, if the
// configuration contradicts itself or one of its files cannot be read. (client-go:
// `rest.RESTClientFor`, `rest.HTTPClientFor`)
absl::StatusOr<Client> MakeClient(const Config& config);

// Returns a client that takes its credentials, certificates and proxy from `authenticator`. Those
// of `config` are not used, except that `config.tls` still decides the default scheme of
// `config.host`.
absl::StatusOr<Client> MakeClient(const Config& config,
                                  std::shared_ptr<Authenticator> authenticator);

}  // namespace kube::rest

#endif  // CLIENTSET_REST_CLIENT_H_
