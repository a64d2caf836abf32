#ifndef APISERVER_TESTING_WEBHOOK_WORLD_H_
#define APISERVER_TESTING_WEBHOOK_WORLD_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "apiserver/webhook.h"

namespace kube::apiserver {

// The config maps of the namespace "default", and the type of a merge patch.
inline constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";
inline constexpr char kMergePatch[] = "application/merge-patch+json";

// Returns the message of a Status, or "".
std::string MessageOf(const unstructured::Value& status);

// Return the answers of a webhook to the review in `body`: that it allows the request, that it does
// and changes the object by a JSON patch, and that it refuses it with a Status in JSON.
std::string AllowReview(absl::string_view body);
std::string PatchReview(absl::string_view body, absl::string_view patch);
std::string DenyReview(absl::string_view body, absl::string_view status);
// Returns the answer with these members of the response, after its uid: `"allowed":true`.
std::string AnswerReview(absl::string_view body, absl::string_view members);

// Returns the request in a review. An empty value if it is not one.
unstructured::Value RequestOf(absl::string_view body);

// A handler with webhooks, and a client without sockets. Works under SimRuntime.
class WebhookWorld {
 public:
  explicit WebhookWorld(HandlerOptions options = {});

  ApiHandler& handler() { return *handler_; }
  // Destroys the handler.
  void EndHandler() { handler_.reset(); }

  // Sends a request and waits until its answer is complete, at most a minute.
  std::shared_ptr<FakeExchange> Send(absl::string_view method, absl::string_view target,
                                     absl::string_view body = "",
                                     absl::string_view content_type = "application/json");
  // Sends a request and does not wait.
  std::shared_ptr<FakeExchange> Begin(absl::string_view method, absl::string_view target,
                                      absl::string_view body = "",
                                      absl::string_view content_type = "application/json");
  // Returns the object in the answer, or null if that has another code, which is a failed test.
  unstructured::Value Expect(int code, absl::string_view method, absl::string_view target,
                             absl::string_view body = "",
                             absl::string_view content_type = "application/json");

  // Creates the configuration `name` of a kind, "Mutating" or "Validating", with one webhook,
  // NAME.example.com, and sets its function. It is asked about config maps, unless `rules` says
  // otherwise; `more` has further members, such as `,"failurePolicy":"Ignore"`.
  struct Hook {
    std::string rules =
        R"({"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":["configmaps"]})";
    std::string more = {};
  };
  void Configure(absl::string_view kind, absl::string_view name, WebhookFunction function,
                 const Hook& hook);
  void Configure(absl::string_view kind, absl::string_view name, WebhookFunction function) {
    Configure(kind, name, std::move(function), Hook());
  }

 private:
  std::unique_ptr<ApiHandler> handler_;
};

}  // namespace kube::apiserver

#endif  // APISERVER_TESTING_WEBHOOK_WORLD_H_
