#ifndef CLIENTSET_REST_INTERNAL_RETRY_H_
#define CLIENTSET_REST_INTERNAL_RETRY_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "clientset/rest/request.h"

namespace kube::rest::internal {

// How a try ended: with an error of the transport, or with a response.
struct TryOutcome {
  absl::Status error = {};
  // Of the response.
  int status = 0;
  std::optional<absl::Duration> retry_after = {};
};

// What comes next.
struct RetryStep {
  enum class Kind {
    kFinish,               // the outcome is what the caller gets
    kRetry,                // after `wait`
    kAskForNewCredential,  // again if there is one, at once; else as kFinish
    kEmptyWatch,           // a watch without events
  };
  Kind kind = Kind::kFinish;
  absl::Duration wait = absl::ZeroDuration();
  // For logs: "retries: 1, retry-after: 1s - retry-reason: 503".
  std::string reason = {};
};

// Decides after each try of one request what to do. A state machine without
// clock, network and log: Next is its one step. (rest.WithRetry)
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
  int asked_ = 0;  // retries that were wanted
  bool renewed_credential_ = false;
};

// `status` with `suffix` behind its message.
absl::Status WithSuffix(const absl::Status& status, absl::string_view suffix);

// Remembers errors of tries, so that the last one can tell of the one before.
// (withRetry.trackPreviousError, WrapPreviousError) Thread-compatible.
class PreviousErrors {
 public:
  void Add(const TryOutcome& outcome);

  // "current - error from a previous attempt: previous", with the code and payloads of `current`.
  // A response that came before is worth telling of only if `current` is no response itself.
  absl::Status Wrap(const absl::Status& current, bool is_response) const;

 private:
  std::string text_;
  bool is_response_ = false;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_RETRY_H_
