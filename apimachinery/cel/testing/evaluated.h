#ifndef APIMACHINERY_CEL_TESTING_EVALUATED_H_
#define APIMACHINERY_CEL_TESTING_EVALUATED_H_

#include <string>

#include "absl/strings/string_view.h"

namespace kube::cel {

// Returns the value of an expression without variables as a text, or why it has no value.
std::string Evaluated(absl::string_view expression);

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_TESTING_EVALUATED_H_
