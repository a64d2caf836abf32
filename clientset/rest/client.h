#ifndef CLIENTSET_REST_CLIENT_H_
#define CLIENTSET_REST_CLIENT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "net/http/headers.h"

namespace kube::rest {

namespace internal {
class ClientCore;
}

// A response of success, whole. (rest.Result)
struct Result {
  int status = 0;
  http::Headers headers = {};
  // The media type, without parameters, in lower case: "application/json". What the client speaks
  // where the server does not say.
  std::string content_type = {};
  std::string body = {};
};

// A response of success whose body is read while it arrives.
struct StreamedResult {
  int status = 0;
  http::Headers headers = {};
  // As in Result.
  std::string content_type = {};
  // Never null. Destroying it ends the request.
  std::unique_ptr<watch::ByteStream> body = {};
};

// Sends requests to one cluster: with credentials, again where that is right, within limits.
// (rest.RESTClient, but for all groups and versions)
//
//   KUBE_ASSIGN_OR_RETURN(rest::Client client, rest::MakeClient(config));
//   KUBE_ASSIGN_OR_RETURN(rest::Result version, client.Do(ctx, {.absolute_path = "/version"}));
//
// Typed clients stand on it. What is sent again: what was answered with 429 or a 5xx *and*
// Retry-After, a GET whose connection was lost, and once what was answered with
// 401 if the credential has changed since. No other write: the server may have done it.
//
// Errors: of a server, with its metav1::Status (errors/predicates.h); of the transport
// (transport_error.h); ctx.status(); INVALID_ARGUMENT for a request that cannot be. Their messages
// begin with what was asked: `get pods "web-0" in "prod": …`; the last try's error ends with that
// of the try before.
//
// A handle: cheap to copy, copies share everything. Thread-safe. The last copy closes the transport
// if it was the client's own.
class Client {
 public:
  // Blocks until all of the body is there.
  absl::StatusOr<Result> Do(const Context& ctx, const Request& request) const;

  // Blocks until the response has begun. `ctx` does not matter to the body.
  absl::StatusOr<StreamedResult> Stream(const Context& ctx, const Request& request) const;

  // "https://10.0.0.1:6443"
  const std::string& base_url() const;
  // Whether objects of kinds that have protobuf go in it: Config::content_type.
  bool prefers_protobuf() const;
  const std::shared_ptr<httpclient::Transport>& transport() const;

  // Resources that the server has no protobuf of, as it once answered. For typed clients, which are
  // made anew for each call: what one has learned, the next need not.
  bool IsJsonOnly(const schema::GroupVersionResource& resource) const;
  void SetJsonOnly(const schema::GroupVersionResource& resource) const;

 private:
  friend absl::StatusOr<Client> MakeClient(const Config& config,
                                           std::shared_ptr<Authenticator> authenticator);
  explicit Client(std::shared_ptr<const internal::ClientCore> core);

  std::shared_ptr<const internal::ClientCore> core_;
};

// INVALID_ARGUMENT for a configuration that contradicts itself or has files that are not there:
// says which field. Nothing is sent. (rest.RESTClientFor, HTTPClientFor)
absl::StatusOr<Client> MakeClient(const Config& config);

// The same with credentials of another kind: those of the configuration, its certificates and its
// proxy are not looked at.
absl::StatusOr<Client> MakeClient(const Config& config,
                                  std::shared_ptr<Authenticator> authenticator);

}  // namespace kube::rest

#endif  // CLIENTSET_REST_CLIENT_H_
