#include "controller/workqueue/verdict.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"

namespace kube::workqueue {

namespace {

constexpr absl::string_view kTerminal = "kube.dev/workqueue.TerminalError";
constexpr absl::string_view kRetryAfter = "kube.dev/workqueue.RetryAfter";
constexpr absl::string_view kRetryPriority = "kube.dev/workqueue.RetryWithPriority";

}  // namespace

absl::Status TerminalError(absl::Status status) {
  if (!status.ok()) status.SetPayload(kTerminal, absl::Cord());
  return status;
}

bool IsTerminalError(const absl::Status& status) {
  return status.GetPayload(kTerminal).has_value();
}

absl::Status RetryAfter(absl::Status status, absl::Duration delay) {
  if (!status.ok()) status.SetPayload(kRetryAfter, absl::Cord(absl::FormatDuration(delay)));
  return status;
}

std::optional<absl::Duration> RetryDelayOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kRetryAfter);  // absl's optional
  absl::Duration delay;
  if (!payload.has_value() || !absl::ParseDuration(std::string(*payload), &delay)) {
    return std::nullopt;
  }
  return delay;
}

absl::Status RetryWithPriority(absl::Status status, int16_t priority) {
  if (!status.ok()) status.SetPayload(kRetryPriority, absl::Cord(absl::StrCat(priority)));
  return status;
}

std::optional<int16_t> RetryPriorityOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kRetryPriority);  // absl's optional
  int32_t priority = 0;
  if (!payload.has_value() || !absl::SimpleAtoi(std::string(*payload), &priority)) {
    return std::nullopt;
  }
  return static_cast<int16_t>(priority);
}

Verdict Judge(const Context& work, const absl::StatusOr<Result>& result, const WorkedKey& key) {
  if (result.ok()) {
    return {.forget = true,
            .add = result->requeue_after > absl::ZeroDuration(),
            .how = {.after = result->requeue_after,
                    .priority = result->priority.value_or(key.priority)}};
  }
  if (work.done()) return {};
  const std::optional<absl::Duration> delay = RetryDelayOf(result.status());
  const bool is_counted = !delay.has_value();
  Verdict verdict;
  verdict.failures = key.failures + (is_counted ? 1 : 0);
  verdict.given_up = IsTerminalError(result.status()) ||
                     (is_counted && key.max_retries >= 0 && key.failures >= key.max_retries);
  verdict.forget = verdict.given_up;
  verdict.add = !verdict.given_up;
  verdict.how.after = delay.value_or(absl::ZeroDuration());
  verdict.how.rate_limited = is_counted;
  verdict.how.priority = RetryPriorityOf(result.status()).value_or(key.priority);
  return verdict;
}

}  // namespace kube::workqueue
