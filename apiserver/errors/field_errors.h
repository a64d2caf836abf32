#ifndef APISERVER_ERRORS_FIELD_ERRORS_H_
#define APISERVER_ERRORS_FIELD_ERRORS_H_

#include <initializer_list>

#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/messages.h"

// Errors that fields of many kinds have. Pure functions: thread-safe.
namespace kube::apiserver::internal {

// An Invalid for each message about a value.
void AppendInvalid(validation::field::ErrorList& wrong, const validation::field::Path& path,
                   absl::string_view value, const validation::Messages& messages);

// Unsupported unless it is one of them, or empty.
void CheckOneOf(validation::field::ErrorList& wrong, const validation::field::Path& path,
                absl::string_view value, std::initializer_list<absl::string_view> values);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ERRORS_FIELD_ERRORS_H_
