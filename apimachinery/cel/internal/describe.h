#ifndef APIMACHINERY_CEL_INTERNAL_DESCRIBE_H_
#define APIMACHINERY_CEL_INTERNAL_DESCRIBE_H_

#include <string>

#include "apimachinery/cel/value.h"

// Texts of values in error messages.
namespace kube::cel::internal {

// Returns strings and numbers as they are, and other values as FormatValue does. (Go: `%v`)
std::string PlainText(const Value& value);

// Returns the name of cel-go's type: "types.Int". (Go: `%T`)
std::string GoTypeName(const Value& value);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_DESCRIBE_H_
