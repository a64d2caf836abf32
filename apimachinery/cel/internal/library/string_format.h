#ifndef APIMACHINERY_CEL_INTERNAL_LIBRARY_STRING_FORMAT_H_
#define APIMACHINERY_CEL_INTERNAL_LIBRARY_STRING_FORMAT_H_

#include <cstddef>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/value.h"

// "%d items".format([3]). Doubles are written as golang.org/x/text does for en-US: with commas
// between thousands, and "×10³" for exponents. (cel-go: `format` of `ext.Strings`, version 2)
namespace kube::cel::internal {

// A clause such as "%.3f". For %e the precision is the smallest width.
struct FormatClause {
  int precision = 6;
  char verb = 0;
};

// Returns the text of the argument with this index.
using FormatArgument =
    absl::FunctionRef<absl::StatusOr<std::string>(const FormatClause& clause, size_t index)>;

// Replaces the clauses of `format`. `count` is the number of arguments.
absl::StatusOr<std::string> Interpolate(absl::string_view format, size_t count,
                                        FormatArgument argument);

// Returns the error for a clause and an argument whose type it does not accept.
absl::Status WrongArgument(char verb, absl::string_view type_name);

// Returns format.format(arguments), where `arguments` is a list, or an error.
Value FormatText(absl::string_view format, const Value& arguments);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_LIBRARY_STRING_FORMAT_H_
