#include "clientset/rest/internal/retry.h"

#include <algorithm>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/text/go_text.h"
#include "clientset/rest/request.h"
#include "net/http/headers.h"
#include "net/httpclient/transport_error.h"

// The decision after a try, in this order. The first 401 asks for another credential. WaitFor says
// how long to wait before a retry, or that the outcome is final: a response is retried after 429 or
// 5xx with Retry-After; an error is retried if the request was surely not sent, or if the rule
// allows it (MayRepeat). A retry beyond the limit ends the request with its outcome, except that a
// watch without a response becomes an empty watch, so that its caller starts another one.
namespace kube::rest::internal {

namespace {

// client-go treats a lost connection like a response with "Retry-After: 1".
constexpr absl::Duration kWaitAfterLostConnection = absl::Seconds(1);

// Returns whether the connection died before the request was sent, so that the server cannot have
// executed it. Go's `http.Transport` repeats such a request by itself.
bool SurelyNotSent(const absl::Status& error) {
  const std::optional<httpclient::TransportError> details = httpclient::TransportErrorOf(error);
  return details.has_value() && !details->maybe_sent && httpclient::IsConnectionLost(error);
}

bool IsHeaderTimeout(const absl::Status& error) {
  const std::optional<httpclient::TransportError> details = httpclient::TransportErrorOf(error);
  return details.has_value() && details->kind == httpclient::TransportErrorKind::kTimeout;
}

std::string Reason(int retries, absl::Duration wait, const TryOutcome& outcome) {
  const std::string text = absl::StrCat(
      "retries: ", retries, ", retry-after: ", text::GoDuration(wait), " - retry-reason: ");
  if (!outcome.error.ok()) {
    return absl::StrCat(text, "due to retryable error, error: ", outcome.error.message());
  }
  if (outcome.status == 429) {
    return absl::StrCat(text, "due to server-side throttling, FlowSchema UID: ",
                        text::Quoted(outcome.flow_schema_uid));
  }
  return absl::StrCat(text, outcome.status);
}

}  // namespace

RetryState::RetryState(absl::string_view verb, RetryRule rule, int max_retries)
    : is_get_(verb == "GET"), rule_(rule), max_retries_(std::max(max_retries, 0)) {}

bool RetryState::MayRepeat(const absl::Status& error) const {
  if (SurelyNotSent(error)) return true;
  switch (rule_) {
    case RetryRule::kDefault:
      return is_get_ && httpclient::IsConnectionLost(error);
    case RetryRule::kStream:
      return false;
    case RetryRule::kWatch:
      return httpclient::IsConnectionLost(error) || IsHeaderTimeout(error);
  }
  return false;
}

std::optional<absl::Duration> RetryState::WaitFor(const TryOutcome& outcome) const {
  if (outcome.error.ok()) {
    if (outcome.status != 429 && outcome.status < 500) return std::nullopt;
    return outcome.retry_after;
  }
  if (!MayRepeat(outcome.error)) return std::nullopt;
  const bool at_once = SurelyNotSent(outcome.error) && asked_ == 0;
  return at_once ? absl::ZeroDuration() : kWaitAfterLostConnection;
}

RetryStep RetryState::Next(const TryOutcome& outcome) {
  if (outcome.error.ok() && outcome.status == 401 && !renewed_credential_) {
    renewed_credential_ = true;
    return {.kind = RetryStep::Kind::kAskForNewCredential};
  }
  const std::optional<absl::Duration> wait = WaitFor(outcome);
  if (!wait.has_value()) return {.kind = RetryStep::Kind::kFinish};
  ++asked_;
  if (asked_ > max_retries_) {
    const bool lost = rule_ == RetryRule::kWatch && !outcome.error.ok();
    return {.kind = lost ? RetryStep::Kind::kEmptyWatch : RetryStep::Kind::kFinish};
  }
  return {.kind = RetryStep::Kind::kRetry, .wait = *wait, .reason = Reason(asked_, *wait, outcome)};
}

absl::Status WithSuffix(const absl::Status& status, absl::string_view suffix) {
  absl::Status result(status.code(), absl::StrCat(status.message(), suffix));
  status.ForEachPayload([&result](absl::string_view type, const absl::Cord& payload) {
    result.SetPayload(type, payload);
  });
  return result;
}

void PreviousErrors::Add(const TryOutcome& outcome) {
  is_response_ = outcome.error.ok();
  if (!is_response_) {
    text_ = std::string(outcome.error.message());
  } else {
    text_ = absl::StrCat("the server responded with the status code ", outcome.status, " ",
                         http::StatusText(outcome.status));
  }
}

absl::Status PreviousErrors::Wrap(const absl::Status& current, bool is_response) const {
  if (text_.empty() || (is_response && is_response_) || text_ == current.message()) return current;
  return WithSuffix(current, absl::StrCat(" - error from a previous attempt: ", text_));
}

}  // namespace kube::rest::internal
