#ifndef APISERVER_OPENAPI_DEFINITIONS_TEXT_H_
#define APISERVER_OPENAPI_DEFINITIONS_TEXT_H_

#include "absl/strings/string_view.h"

namespace kube::apiserver::internal {

// Returns the content of definitions.txt, which the plugin writes of the IDL of the stable versions
// (codegen/definitions/definitions.h), and from which the build generates the source file.
absl::string_view DefinitionsText();

}  // namespace kube::apiserver::internal

#endif  // APISERVER_OPENAPI_DEFINITIONS_TEXT_H_
