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

// The options of the query, as CreateOptions. 400 with its Status if they cannot be read.
template <typename Options>
absl::StatusOr<Options> QueryOptions(const Call& call) {
  absl::StatusOr<Options> options = queryparams::DecodeParameters<Options>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  return options;
}

// An error for options that are not valid: of "CreateOptions", for example.
absl::Status InvalidOptions(absl::string_view kind, const validation::field::ErrorList& wrong);

// Whether the query asks for a dry run.
absl::StatusOr<bool> IsDryRun(const Call& call);

// The DeleteOptions of the body, or of the query.
absl::StatusOr<api::meta::v1::DeleteOptions> DeleteOptionsOf(const Call& call);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_QUERY_OPTIONS_H_
