#ifndef APISERVER_WEBHOOK_H_
#define APISERVER_WEBHOOK_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"

namespace kube::apiserver {

// A webhook in the process of the server: gets the body of a call, which is the JSON of an
// AdmissionReview or a ConversionReview, and returns the body of the answer, which is another one.
// An error is a call that fails, as when the webhook cannot be reached: of an admission webhook the
// failurePolicy then decides; a conversion fails.
//
// Called on a thread that does nothing else meanwhile, without locks held, so it may block and may
// call the server. Several calls may run at the same time. `ctx` is done when the webhook's
// timeoutSeconds have passed (a conversion has 30 seconds), when the client of an admission has
// gone, and when the server ends or restarts; an answer that comes later is ignored, and the
// function must return soon. (Go: the `http.Handler` of a webhook server)
using WebhookFunction =
    std::function<absl::StatusOr<std::string>(const Context& ctx, absl::string_view body)>;

// What came of a call of a webhook.
enum class WebhookOutcome {
  kAllowed,  // it allowed the request, and left the object as it was
  kChanged,  // it allowed the request, and changed the object
  kRefused,  // it refused the request
  kFailed,   // it could not be called, or its answer could not be used
};

// A call of a webhook in the log of requests.
struct CalledWebhook {
  std::string configuration = {};  // the name of its configuration
  std::string webhook = {};        // its name in the configuration: "pods.example.com"
  WebhookOutcome outcome = WebhookOutcome::kAllowed;

  friend bool operator==(const CalledWebhook&, const CalledWebhook&) = default;
};

}  // namespace kube::apiserver

#endif  // APISERVER_WEBHOOK_H_
