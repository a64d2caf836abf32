#ifndef CODEGEN_SOURCE_H_
#define CODEGEN_SOURCE_H_

#include <string>

#include "absl/status/statusor.h"
#include "codegen/model.h"

namespace kube::codegen {

// Returns the text of foo/types.kube.cc or foo/types.applies.kube.cc: the tables of the structs,
// see apimachinery/table/message.h. Returns RESOURCE_EXHAUSTED if they have more names than a table
// can refer to. Pure and thread-safe.
absl::StatusOr<std::string> PrintSource(const File& file);

}  // namespace kube::codegen

#endif  // CODEGEN_SOURCE_H_
