#include "envtest/testing/eventually.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/schema/group_version.h"

namespace kube::envtest {
namespace {

// How long a request of a check may take after the duration of the check.
constexpr absl::Duration kLastRequest = absl::Seconds(10);

}  // namespace

namespace internal {

absl::Status Await(absl::string_view what, const EventuallyOptions& options, CheckFunction check) {
  const Context until = WithTimeout(options.context, options.timeout);
  absl::Status lacks;
  const absl::Status waited = base::PollUntil(until, options.interval, base::FirstPoll::kAtOnce,
                                              [&](const Context& poll) -> absl::StatusOr<bool> {
                                                absl::Status now = check(poll);
                                                if (now.ok()) return true;
                                                // A request that the end of the wait has
                                                // interrupted says nothing new.
                                                if (lacks.ok() || !poll.done())
                                                  lacks = std::move(now);
                                                return false;
                                              });
  if (waited.ok()) return waited;
  const bool ended = options.context.done();
  const std::string why =
      ended ? std::string(waited.message())
            : absl::StrCat("not reached within ", absl::FormatDuration(options.timeout));
  return absl::Status(ended ? waited.code() : absl::StatusCode::kDeadlineExceeded,
                      absl::StrCat("wait for ", what, ": ", why, ": ", lacks.message()));
}

absl::Status Hold(absl::string_view what, const ConsistentlyOptions& options, CheckFunction check) {
  const base::MonotonicTime begin = base::Now();
  const Context until = WithTimeout(options.context, options.duration);
  // The end of the duration interrupts no request.
  const Context requests = WithTimeout(options.context, options.duration + kLastRequest);
  absl::Status broken;
  // Its status is that of `until`, or OK if the check has failed.
  base::PollUntil(until, options.interval, base::FirstPoll::kAtOnce,
                  [&](const Context&) -> absl::StatusOr<bool> {
                    broken = check(requests);
                    return !broken.ok();
                  })
      .IgnoreError();
  if (options.context.done()) {
    return base::Annotate(options.context.status(), absl::StrCat("check ", what));
  }
  if (broken.ok()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat("check ", what, ": did not hold after ",
                                                    absl::FormatDuration(base::Now() - begin), ": ",
                                                    broken.message()));
}

absl::Status Mismatch(absl::string_view expected, absl::string_view actual, absl::string_view why) {
  return absl::FailedPreconditionError(absl::StrCat("does not match\n  expected: ", expected,
                                                    "\n  actual: ", actual,
                                                    why.empty() ? "" : "\n  because: ", why));
}

std::string Describe(const schema::GroupVersionResource& resource, absl::string_view namespace_name,
                     absl::string_view name) {
  std::string text = resource.resource;
  if (!resource.group.empty()) absl::StrAppend(&text, ".", resource.group);
  if (!name.empty()) absl::StrAppend(&text, " \"", name, "\"");
  if (!namespace_name.empty()) absl::StrAppend(&text, " in \"", namespace_name, "\"");
  return text;
}

absl::Status GoneOf(const absl::Status& got, absl::string_view plural, absl::string_view name,
                    absl::FunctionRef<std::string()> show) {
  // A client completes the details of a 404 that is not from the API itself, and notes a cause.
  if (errors::IsNotFound(got) && !errors::IsUnexpectedServerError(got)) {
    const std::optional<api::meta::v1::Status> status = errors::StatusOf(got);
    if (status.has_value() && status->details && status->details->kind == plural &&
        status->details->name == name) {
      return absl::OkStatus();
    }
  }
  if (!got.ok()) return got;
  return absl::FailedPreconditionError(absl::StrCat("it exists\n  actual: ", show()));
}

}  // namespace internal

absl::Status EventuallyOk(absl::FunctionRef<absl::Status()> check,
                          const EventuallyOptions& options) {
  return internal::Await("success", options, [check](const Context&) { return check(); });
}

absl::Status ConsistentlyOk(absl::FunctionRef<absl::Status()> check,
                            const ConsistentlyOptions& options) {
  return internal::Hold("success", options, [check](const Context&) { return check(); });
}

}  // namespace kube::envtest
