#ifndef APIMACHINERY_QUERYPARAMS_QUERYPARAMS_H_
#define APIMACHINERY_QUERYPARAMS_QUERYPARAMS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"

// Converts options of requests to the query of a URL and back. (client-go: apimachinery's
// `pkg/conversion/queryparams` and `runtime.ParameterCodec`)
//
//   const metav1::ListOptions options = {.label_selector = "app=web", .limit = 500};
//   const std::string query = EncodeQuery(EncodeParameters(options));
//   // labelSelector=app%3Dweb&limit=500
//
// Thread-safe.
namespace kube::queryparams {

namespace internal {

Values EncodeParameters(const void* options, const kube::table::Message& message);
absl::Status DecodeParameters(const Values& values, void* options,
                              const kube::table::Message& message);

}  // namespace internal

// Converts the fields of `options` to parameters, which have their JSON names. Strings, numbers,
// bools and times give one value, a list of them one value for each element. The fields of a nested
// struct, such as the preconditions of DeleteOptions, become parameters of their own. apiVersion,
// kind, maps and lists of structs are skipped. Empty fields are omitted where JSON omits them; from
// a list that JSON would omit if empty, empty elements are omitted, too.
// (client-go: `queryparams.Convert`)
template <ApiStruct T>
Values EncodeParameters(const T& options) {
  return internal::EncodeParameters(&options, T::kMessage);
}

// Makes a T from parameters with the JSON names of its fields; other parameters are ignored. Of
// several values for one parameter the first counts, unless the field is a list. A bool is false
// for "0" and "false", and true for any other value, including "". A time may be "null", which is
// the zero time. Elements of a list of numbers may also be in one value, separated by commas.
// (client-go: `runtime.ParameterCodec.DecodeParameters` without defaults, and a server's
// conversions from `url.Values`)
//
// Returns INVALID_ARGUMENT if a value is not a number or a time. The texts are upstream's, except
// for times.
template <ApiStruct T>
absl::StatusOr<T> DecodeParameters(const Values& values) {
  T options;
  absl::Status status = internal::DecodeParameters(values, &options, T::kMessage);
  if (!status.ok()) return status;
  return options;
}

}  // namespace kube::queryparams

#endif  // APIMACHINERY_QUERYPARAMS_QUERYPARAMS_H_
