#ifndef APISERVER_WEBHOOKS_WEBHOOK_CALLER_H_
#define APISERVER_WEBHOOKS_WEBHOOK_CALLER_H_

#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/webhook.h"
#include "net/httpclient/transport.h"

namespace kube::apiserver::internal {

// Where a webhook is: at a URL, or behind a service (kube-apiserver: `webhook.ClientConfig`).
struct WebhookTarget {
  // Empty for a service.
  std::string url = {};
  std::string namespace_name = {};
  std::string service = {};
  std::string path = {};
  int port = 443;
  // PEM: who may sign the webhook's certificate. Empty: the system's authorities.
  std::string ca_bundle = {};

  // Returns the URL that errors name: "https://NAME.NAMESPACE.svc:443/path" for a service.
  std::string Url() const;
};

// Calls webhooks: functions in the process, or HTTPS servers (kube-apiserver:
// `webhook.ClientManager` and `rest.RESTClient`). Calls to servers use real sockets and clocks,
// whatever the current Runtime is. Thread-safe.
class WebhookCaller {
 public:
  // Sets the function that answers in place of the server at a URL, or behind a service at a path,
  // whatever the port is. Null removes it.
  void SetFunction(absl::string_view url, WebhookFunction function);
  void SetFunction(absl::string_view namespace_name, absl::string_view service,
                   absl::string_view path, WebhookFunction function);

  // Sets the address, such as "127.0.0.1:9443", at which a port of a service is reached. The
  // certificate there must be one for NAME.NAMESPACE.svc. An empty address removes it.
  void SetServiceAddress(absl::string_view namespace_name, absl::string_view service, int port,
                         absl::string_view address);

  // Posts `body`, which is JSON, and returns the body of the answer. Blocks until the answer is
  // complete or `ctx` is done. Tells the webhook, by the parameter `timeout`, how long `ctx` will
  // last. Errors have kube-apiserver's texts, such as `Post "https://…?timeout=10s": context
  // deadline exceeded`; an answer with an error code is one, too. Holds no lock meanwhile.
  absl::StatusOr<std::string> Call(const Context& ctx, const WebhookTarget& target,
                                   std::string body);

 private:
  // Returns null if there is no function for the target.
  std::shared_ptr<const WebhookFunction> FindFunction(const WebhookTarget& target) const;
  absl::StatusOr<std::string> Send(const Context& ctx, const WebhookTarget& target,
                                   const std::string& url, std::string body);
  // Makes the transport when it is first needed.
  absl::StatusOr<std::shared_ptr<httpclient::Transport>> GetTransport();

  mutable base::Mutex mutex_;
  // By URL, without a slash at its end.
  std::map<std::string, std::shared_ptr<const WebhookFunction>> functions_ ABSL_GUARDED_BY(mutex_);
  // By "NAMESPACE/NAME/PATH".
  std::map<std::string, std::shared_ptr<const WebhookFunction>> service_functions_
      ABSL_GUARDED_BY(mutex_);
  // By "NAMESPACE/NAME:PORT".
  std::map<std::string, std::string> addresses_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<httpclient::Transport> transport_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_WEBHOOKS_WEBHOOK_CALLER_H_
