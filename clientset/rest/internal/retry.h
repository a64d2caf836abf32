#ifndef CLIENTSET_REST_INTERNAL_RETRY_H_
#define CLIENTSET_REST_INTERNAL_RETRY_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "clientset/rest/request.h"

namespace kube::rest::internal {

// The outcome of a try: an error of the transport, or a response.
struct TryOutcome {
  absl::Status error = {};
  // The response's HTTP status; 0 if there was none.
  int status = 0;
  std::optional<absl::Duration> retry_after = {};
  // The response's X-Kubernetes-PF-FlowSchema-UID: the flow schema that the server put the request
  // into.
  std::string flow_schema_uid = {};
};

// What to do after a try.
struct RetryStep {
  enum class Kind {
    kFinish,               // the caller gets the outcome
    kRetry,                // repeat after `wait`
    kAskForNewCredential,  // repeat at once if there is one, otherwise kFinish
    kEmptyWatch,           // return a watch without events
  };
  Kind kind = Kind::kFinish;
  absl::Duration wait = absl::ZeroDuration();
  // For logs: "retries: 1, retry-after: 1s - retry-reason: 503".
  std::string reason = {};
};

// Decides after each try of a request what to do next. It is a state machine without clock, network
// and log; Next is its only step. (client-go: `rest.WithRetry`)
//
// Thread-compatible.
class RetryState {
 public:
  RetryState(absl::string_view verb, RetryRule rule, int max_retries);

  RetryStep Next(const TryOutcome& outcome);

 private:
  std::optional<absl::Duration> WaitFor(const TryOutcome& outcome) const;
  bool MayRepeat(const absl::Status& error) const;

  const bool is_get_;
  const RetryRule rule_;
  const int max_retries_;
  int asked_ = 0;  // retries requested so far
  bool renewed_credential_ = false;
};

// Returns `status` with `suffix` appended to its message; the payloads are kept.
absl::Status WithSuffix(const absl::Status& status, absl::string_view suffix);

// Remembers the outcome of the previous try, so that the final error can mention it. (client-go:
// `withRetry.trackPreviousError`, `withRetry.WrapPreviousError`) Thread-compatible.
class PreviousErrors {
 public:
  void Add(const TryOutcome& outcome);

  // Returns "current - error from a previous attempt: previous", with the code and the payloads of
  // `current`. If both the previous outcome and `current` are responses, `current` is returned
  // unchanged.
  absl::Status Wrap(const absl::Status& current, bool is_response) const;

 private:
  std::string text_;
  bool is_response_ = false;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_RETRY_H_
