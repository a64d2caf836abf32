#ifndef APISERVER_CALL_QUERY_OPTIONS_H_
#define APISERVER_CALL_QUERY_OPTIONS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/call/call.h"

namespace kube::apiserver::internal {

// Returns the options in the query, such as CreateOptions, or 400 if they cannot be read.
template <typename Options>
absl::StatusOr<Options> QueryOptions(const Call& call) {
  absl::StatusOr<Options> options = queryparams::DecodeParameters<Options>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  return options;
}

// Returns the 422 for invalid options of a kind such as "CreateOptions".
absl::Status InvalidOptions(absl::string_view kind, const validation::field::ErrorList& wrong);

// Returns whether the query asks for a dry run.
absl::StatusOr<bool> IsDryRun(const Call& call);

// Returns the DeleteOptions of the body, or of the query if there is no body.
absl::StatusOr<api::meta::v1::DeleteOptions> DeleteOptionsOf(const Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_QUERY_OPTIONS_H_
