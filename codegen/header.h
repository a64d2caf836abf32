#ifndef CODEGEN_HEADER_H_
#define CODEGEN_HEADER_H_

#include <string>

#include "codegen/model.h"

namespace kube::codegen {

// Returns the text of foo/types.kube.h, the structs, or of foo/types.applies.kube.h, which also
// says whose apply configurations its structs are. Pure and thread-safe.
std::string PrintHeader(const File& file);

}  // namespace kube::codegen

#endif  // CODEGEN_HEADER_H_
