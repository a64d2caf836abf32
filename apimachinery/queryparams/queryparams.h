#ifndef APIMACHINERY_QUERYPARAMS_QUERYPARAMS_H_
#define APIMACHINERY_QUERYPARAMS_QUERYPARAMS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"

// Options of requests as the query of their URL, and back. (apimachinery's
// pkg/conversion/queryparams and runtime.ParameterCodec)
//
//   metav1::ListOptions options;
//   options.label_selector = "app=web";
//   options.limit = 500;
//   EncodeQuery(EncodeParameters(options));  // "labelSelector=app%3Dweb&limit=500"
//
// Thread-safe.
namespace kube::queryparams {

namespace internal {

Values EncodeParameters(const void* options, const kube::table::Message& message);
absl::Status DecodeParameters(const Values& values, void* options,
                              const kube::table::Message& message);

}  // namespace internal

// A parameter for each member that is there, by its name in JSON: texts, numbers, bools, times, and
// a value for each element of a list of those. The members of a struct within stand beside the
// others, as a DeleteOptions' preconditions. Neither apiVersion and kind, nor maps, nor lists of
// structs. What is empty is left out as in JSON; of lists also elements that are empty, if an empty
// list would be. (queryparams.Convert)
template <ApiStruct T>
Values EncodeParameters(const T& options) {
  return internal::EncodeParameters(&options, T::kMessage);
}

// Options from the parameters of their members' names; others are not looked at. Of several values
// the first counts, but for lists. A bool is false for "0" and "false", true for all else, also for
// "". A time may be "null", which is the zero time. Numbers of a list may also stand in one value,
// with commas between them. (runtime.ParameterCodec.DecodeParameters without defaults; a server's
// conversions from url.Values)
//
// INVALID_ARGUMENT where a value is no number or no time; upstream's texts, but for times.
template <ApiStruct T>
absl::StatusOr<T> DecodeParameters(const Values& values) {
  T options;
  absl::Status status = internal::DecodeParameters(values, &options, T::kMessage);
  if (!status.ok()) return status;
  return options;
}

}  // namespace kube::queryparams

#endif  // APIMACHINERY_QUERYPARAMS_QUERYPARAMS_H_
