#include "apiserver/call/list_options.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/call/call.h"
#include "apiserver/call/query_options.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
namespace field = validation::field;

field::ErrorList CheckList(const metav1::ListOptions& options) {
  field::ErrorList wrong;
  const field::Path path("resourceVersionMatch");
  const absl::string_view match = options.resource_version_match.view();
  if (!match.empty()) {
    if (options.resource_version.empty()) {
      wrong.push_back(field::Forbidden(
          path, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
    }
    if (!options.continue_.empty()) {
      wrong.push_back(
          field::Forbidden(path, "resourceVersionMatch is forbidden when continue is provided"));
    }
    if (match != "Exact" && match != "NotOlderThan") {
      wrong.push_back(
          field::NotSupported(path, field::JsonText(match), {"Exact", "NotOlderThan", ""}));
    }
    if (match == "Exact" && options.resource_version == "0") {
      wrong.push_back(field::Forbidden(
          path, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
    }
  }
  if (options.send_initial_events.has_value()) {
    wrong.push_back(field::Forbidden(field::Path("sendInitialEvents"),
                                     "sendInitialEvents is forbidden for list"));
  }
  return wrong;
}

field::ErrorList CheckWatch(const metav1::ListOptions& options) {
  field::ErrorList wrong;
  const field::Path path("resourceVersionMatch");
  const absl::string_view match = options.resource_version_match.view();
  if (options.send_initial_events.has_value() && match != "NotOlderThan") {
    wrong.push_back(field::Forbidden(
        path, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (match.empty()) return wrong;
  if (!options.send_initial_events.has_value()) {
    wrong.push_back(field::Forbidden(
        path, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  }
  if (match != "NotOlderThan") {
    wrong.push_back(field::NotSupported(path, field::JsonText(match), {"NotOlderThan"}));
  }
  if (!options.continue_.empty()) {
    wrong.push_back(
        field::Forbidden(path, "resourceVersionMatch is forbidden when continue is provided"));
  }
  return wrong;
}

}  // namespace

absl::StatusOr<metav1::ListOptions> ListOptionsOf(const Call& call, bool watch) {
  absl::StatusOr<metav1::ListOptions> options =
      queryparams::DecodeParameters<metav1::ListOptions>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  const field::ErrorList wrong = watch ? CheckWatch(*options) : CheckList(*options);
  if (!wrong.empty()) return InvalidOptions("ListOptions", wrong);
  return options;
}

absl::StatusOr<int64_t> ParseRevision(absl::string_view text) {
  int64_t revision = 0;
  if (text.empty()) return revision;
  if (!absl::SimpleAtoi(text, &revision) || revision < 0 || text[0] == '+') {
    return absl::InvalidArgumentError(absl::StrCat("resourceVersion: Invalid value: \"", text,
                                                   "\": strconv.ParseUint: parsing \"", text,
                                                   "\": invalid syntax"));
  }
  return revision;
}

absl::StatusOr<int64_t> RevisionFor(const metav1::ListOptions& options) {
  const absl::StatusOr<int64_t> revision = ParseRevision(options.resource_version.view());
  if (revision.ok()) return revision;
  return errors::BadRequest(
      absl::StrCat("invalid resource version: ", revision.status().message()));
}

bool IsExact(const metav1::ListOptions& options) {
  if (options.resource_version.empty() || options.resource_version == "0") return false;
  return options.resource_version_match == "Exact" ||
         (options.resource_version_match.empty() && options.limit > 0);
}

absl::Status TooLargeRevision(int64_t wanted, int64_t current) {
  metav1::Status status = *errors::StatusOf(
      errors::Timeout(absl::StrCat("Too large resource version: ", wanted, ", current: ", current),
                      absl::Seconds(1)));
  status.details->causes.push_back(metav1::StatusCause{.reason = "ResourceVersionTooLarge",
                                                       .message = "Too large resource version"});
  return errors::FromStatus(status);
}

}  // namespace kube::apiserver::internal
