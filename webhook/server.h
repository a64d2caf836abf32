#ifndef WEBHOOK_SERVER_H_
#define WEBHOOK_SERVER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/validation/field_error.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "net/httpserver/exchange.h"
#include "webhook/admission.h"
#include "webhook/admission_options.h"
#include "webhook/admission_types.h"
#include "webhook/conversion.h"
#include "webhook/registration.h"
#include "webhook/server_options.h"

namespace kube::webhook {

// Serves the webhooks of a program: those that admit objects, and those that convert them.
// (controller-runtime: `webhook.Server`, `builder.WebhookManagedBy`)
//
//   Server server(ServerOptions{.certificate_folder = "/certificates"});
//   server.Defaults<Widget>(Complete);
//   return server.Run(ctx);
//
// A Manager has such a server: Manager::webhooks. Each replica of a program serves its webhooks,
// whether it leads or not.
//
// A path that is registered twice, two webhooks of one name, an invalid path or option and a null
// function are bugs of the program: they are logged, and Run returns the first of them. Webhooks
// may be registered while the server runs. A function must not throw: there is no metric of panics,
// because an exception ends the program, as everywhere in this library.
//
// Metrics, by path: controller_runtime_webhook_requests_total, with the HTTP code,
// controller_runtime_webhook_latency_seconds and controller_runtime_webhook_requests_in_flight.
//
// Listens on real sockets, whatever the Runtime is; what handler() does works under SimRuntime.
// Thread-safe, except for the destructor. Functions are called without locks held, by several
// threads at the same time.
class Server {
 public:
  // Does nothing but remember the options.
  explicit Server(ServerOptions options = {});
  // Call it after Run has returned.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Registers a function that sets defaults in objects that are written: see Defaulter.
  // (controller-runtime: `admission.Defaulter`)
  template <typed::ResourceKind T>
  void Defaults(std::function<absl::Status(const AdmissionRequest<T>&, T&)> function,
                AdmissionOptions options = {}) {
    if (function == nullptr) return AddAdmission(Kind::kMutating, Of<T>(), options, nullptr);
    AddAdmission(Kind::kMutating, Of<T>(), std::move(options), Defaulter<T>(std::move(function)));
  }

  // Registers a function that finds errors in objects that are written: see Validator.
  // (controller-runtime: `admission.Validator`)
  template <typed::ResourceKind T>
  void Validates(std::function<validation::field::ErrorList(const AdmissionRequest<T>&)> function,
                 AdmissionOptions options = {}) {
    if (function == nullptr) return AddAdmission(Kind::kValidating, Of<T>(), options, nullptr);
    AddAdmission(Kind::kValidating, Of<T>(), std::move(options), Validator<T>(std::move(function)));
  }

  // Registers a function that admits objects or refuses them for any other reason: see Admitter. If
  // the kind has a validator, too, one of the two needs another path and another name.
  template <typed::ResourceKind T>
  void Admits(std::function<absl::Status(const AdmissionRequest<T>&)> function,
              AdmissionOptions options = {}) {
    if (function == nullptr) return AddAdmission(Kind::kValidating, Of<T>(), options, nullptr);
    AddAdmission(Kind::kValidating, Of<T>(), std::move(options), Admitter<T>(std::move(function)));
  }

  // Registers the functions that convert a version of a kind to its hub and back: see Conversions.
  // Call it for each version except the hub. They are served at /convert.
  template <ConvertibleKind Hub, ConvertibleKind Spoke>
  void Converts(std::function<absl::Status(const Spoke&, Hub&)> to,
                std::function<absl::Status(const Hub&, Spoke&)> from) {
    AddConversion(Of<Hub>(), [&](Conversions& conversions) {
      return conversions.Add<Hub, Spoke>(std::move(to), std::move(from));
    });
  }

  // Registers a handler of admission reviews at a path, for kinds that are not known when the
  // program is compiled, or for several at once. Completes `options.name` if it is empty.
  // (controller-runtime: `Register` with an `admission.Webhook`)
  void Handle(const Registration& registration, AdmissionHandler handler);
  // Does the same without a word about it in registrations().
  void Handle(const std::string& path, AdmissionHandler handler);

  // Returns what has been registered, in the order of the calls: what the configurations of the API
  // server must say.
  std::vector<Registration> registrations() const;
  // Returns whether there is any path to serve.
  bool has_webhooks() const;
  // Returns the first error of a registration: ALREADY_EXISTS for a path or a name that is in use,
  // and INVALID_ARGUMENT for options that cannot be. Default names are equal for two webhooks of a
  // kind, and for kinds of one name in two groups: set AdmissionOptions::name.
  absl::Status CheckRegistrations() const;

  // Makes admission webhooks answer 503 until `ready` has returned OK once, so that no function
  // decides by a cache that has not been filled. Conversions are always answered, because caches
  // may wait for them. `ready` is called for each request until then, and must not block. Default:
  // requests are answered at once. Call it before Run.
  void SetReadiness(std::function<absl::Status()> ready);

  // Listens, and blocks until `ctx` is done and the requests in work have ended, at most for
  // `shutdown_timeout`. Waits for the files of the certificate if they are not there. Call it once.
  // Returns OK when `ctx` is done; before that the error of CheckRegistrations, INVALID_ARGUMENT
  // for options that do not fit together, and the errors of httpserver::Server::Start, such as
  // FAILED_PRECONDITION if the port is taken. (controller-runtime: `Start`)
  absl::Status Run(const Context& ctx);

  // Returns OK if the server listens, or is not to; otherwise UNAVAILABLE and what it waits for.
  // For readiness checks. (controller-runtime: `StartedChecker`, which connects to the port)
  absl::Status CheckStarted() const;
  // Blocks until the server listens or has ended; returns OK, or the status of `ctx` if that is
  // done before.
  absl::Status WaitUntilStarted(const Context& ctx) const;

  // Return the port and the base URL, such as "https://0.0.0.0:9443"; zero and "" while the server
  // does not listen.
  uint16_t port() const;
  std::string url() const;

  // Returns the certificate of the authority that has signed the server's, in PEM, for `caBundle`:
  // see AddCaBundle. Makes the authority if need be. Returns FAILED_PRECONDITION without
  // `self_signed`, and the errors of SelfSignedCertificates::Make.
  absl::StatusOr<std::string> CaCertificate();

  // Answers one request on the calling thread, and blocks as long as the webhook does. `ctx` ends
  // the context of the webhook's function, as does the parameter `timeout` of the request.
  httpserver::Response Answer(const Context& ctx, const httpserver::Request& request) const;
  // Returns a handler that does so, for tests in the process and for servers of one's own. It
  // blocks the thread that calls it, so on sockets it needs a httpserver::ThreadPoolHandler. It
  // lives as long as the server. (controller-runtime: `WebhookMux`, `admission.StandaloneWebhook`)
  httpserver::Handler& handler();

  const ServerOptions& options() const;

 private:
  using Kind = WebhookKind;
  struct Impl;

  template <typed::ResourceKind T>
  static const typed::Resource& Of() {
    return typed::ResourceTraits<T>::kResource;
  }

  void AddAdmission(WebhookKind kind, const typed::Resource& resource, AdmissionOptions options,
                    AdmissionHandler handler);
  void AddConversion(const typed::Resource& hub, absl::FunctionRef<absl::Status(Conversions&)> add);

  const std::unique_ptr<Impl> impl_;
};

}  // namespace kube::webhook

#endif  // WEBHOOK_SERVER_H_
