#ifndef APISERVER_WEBHOOKS_WEBHOOK_ADMISSION_H_
#define APISERVER_WEBHOOKS_WEBHOOK_ADMISSION_H_

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admission/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/object.h"
#include "apiserver/registry/write_admission.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "apiserver/webhook.h"
#include "apiserver/webhooks/admission_question.h"
#include "apiserver/webhooks/admitted_object.h"
#include "apiserver/webhooks/webhook_caller.h"
#include "apiserver/webhooks/webhook_set.h"

namespace kube::apiserver::internal {

// Asks the webhooks about one request: those that may change objects one after the other, and once
// more if they ask for it and another one has changed the object after them; then, about the object
// as it will be stored, those that only say yes or no (kube-apiserver: `mutatingDispatcher`,
// `validatingDispatcher`, `reinvoker`).
//
// Unlike upstream it calls also those that only say yes or no one after the other. All of them are
// called, and the first refusal in the order of the configurations is the answer; upstream's is the
// first that arrives.
//
// All methods block while webhooks are called, and return errors with a Status for the client.
// Thread-compatible.
class WebhookAdmission final : public WriteAdmission {
 public:
  struct Parts {
    // Ends the calls.
    Context ctx = {};
    std::shared_ptr<const WebhookSet> webhooks = {};
    // Both must outlive this.
    WebhookCaller* caller = nullptr;
    const Storage* storage = nullptr;
    // Is asked before the webhooks that may change objects. May be null.
    std::shared_ptr<MutationStep> mutating_policies = {};
    // Is asked before the webhooks that only say yes or no. May be null.
    std::shared_ptr<ValidationStep> policies = {};
  };

  explicit WebhookAdmission(Parts parts) : parts_(std::move(parts)) {}

  // Says what the request is about. Call it before the methods below. `resource` must be one of
  // `resources`.
  void Begin(const RequestInfo& info, const User& user, std::shared_ptr<const Resources> resources,
             const Resource& resource);
  // Says how a deletion is done; other options are taken from the query.
  void SetDeleteOptions(const api::meta::v1::DeleteOptions& options);

  // ---- WriteAdmission
  absl::StatusOr<bool> Mutate(const Object* old, Object& object) override;
  absl::Status MutateAgain(const Object* old, Object& object) override;
  absl::Status Validate(const Object* old, const Object& object) override;
  absl::Status Delete(const Object& old) override;

  // Do the same for objects of other kinds than the resource's: a Scale, a Binding, a TokenReview.
  // `old` is null for a creation.
  absl::Status MutateOther(const codec::AnyObject* old, codec::AnyObject& object);
  absl::Status ValidateOther(const codec::AnyObject* old, const codec::AnyObject& object);
  // Asks about a connection with these options, which may change.
  absl::Status Connect(codec::AnyObject& options);

  // What the webhooks tell the client, each text once and no more than fits into a response, and
  // the calls so far.
  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::vector<CalledWebhook>& calls() const { return calls_; }

 private:
  using Question = AdmissionQuestion;
  // A webhook that is to be called, with the objects in the version that it gets.
  struct Invocation {
    const Webhook* webhook = nullptr;
    const Resource* resource = nullptr;
    std::optional<AdmittedObject> now = {};
    unstructured::Value now_value = {};
    unstructured::Value old_value = {};
    api::admission::v1::AdmissionRequest request = {};
  };
  // What came of a call.
  struct Outcome {
    // Why the webhook could not be asked; its failurePolicy decides what follows.
    std::string failure = {};
    // A refusal, or what else ends the request.
    absl::Status error = {};
    bool changed = false;
  };

  Question About(absl::string_view operation, const AdmittedObject* old, AdmittedObject* now) const;
  // Runs a round of the policies and the webhooks that may change the object. Returns whether there
  // has to be a second one.
  absl::StatusOr<bool> RunMutating(const Question& question, bool again);
  absl::StatusOr<bool> RunMutatingWebhooks(const Question& question, bool again);
  absl::Status RunValidating(const Question& question);
  // Mutates, and does so again if something has changed.
  absl::Status RunBothRounds(const Question& question);
  absl::StatusOr<bool> MutateObject(const Object* old, Object& object, bool again);

  absl::StatusOr<std::optional<Invocation>> Prepare(const Webhook& webhook,
                                                    const Question& question) const;
  absl::StatusOr<bool> ConditionsHold(const Invocation& invocation) const;
  absl::StatusOr<Invocation> MakeInvocation(const Webhook& webhook, const Question& question,
                                            const Resource& as) const;

  // Returns false, and says why in `outcome`, if a dry run could have effects.
  static bool MayAsk(const Invocation& invocation, Outcome& outcome);
  // Calls the webhook and returns what it allows; nullopt if `outcome` says that it does not.
  std::optional<api::admission::v1::AdmissionResponse> Ask(Invocation& invocation, bool mutating,
                                                           Outcome& outcome);
  static absl::StatusOr<std::string> EncodeQuestion(absl::string_view version,
                                                    Invocation& invocation);
  Outcome CallMutating(Invocation& invocation, const Question& question);
  void ApplyPatch(Invocation& invocation, const api::admission::v1::AdmissionResponse& response,
                  const Question& question, Outcome& outcome);
  Outcome CallValidating(Invocation& invocation);
  // Returns the error that ends the request after a call, or OK.
  absl::Status ErrorOf(const Webhook& webhook, const Outcome& outcome) const;
  void AddWarning(absl::string_view text);
  void AddCall(const Webhook& webhook, WebhookOutcome outcome);
  void RequireReinvocation();

  const Parts parts_;
  RequestInfo info_;
  User user_;
  std::shared_ptr<const Resources> resources_;
  const Resource* resource_ = nullptr;
  std::optional<api::meta::v1::DeleteOptions> delete_options_;
  std::vector<std::string> warnings_;
  std::vector<CalledWebhook> calls_;

  // What a second round needs of the first: which webhooks wish to be called again, which of them
  // have to be, and what the object was at the end (kube-apiserver: `webhookReinvokeContext`).
  std::set<std::string> reinvocable_;
  std::set<std::string> required_;
  unstructured::Value last_output_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_WEBHOOKS_WEBHOOK_ADMISSION_H_
