#ifndef APISERVER_ERRORS_FIELD_ERRORS_H_
#define APISERVER_ERRORS_FIELD_ERRORS_H_

#include <initializer_list>

#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/messages.h"

// Errors of fields that many kinds have. Pure and thread-safe.
namespace kube::apiserver::internal {

// Appends an Invalid error for each message about a value.
void AppendInvalid(validation::field::ErrorList& wrong, const validation::field::Path& path,
                   absl::string_view value, const validation::Messages& messages);

// Appends a NotSupported error unless the value is empty or one of `values`.
void CheckOneOf(validation::field::ErrorList& wrong, const validation::field::Path& path,
                absl::string_view value, std::initializer_list<absl::string_view> values);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ERRORS_FIELD_ERRORS_H_
