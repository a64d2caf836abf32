#ifndef CODEGEN_HEADER_H_
#define CODEGEN_HEADER_H_

#include <string>

#include "codegen/model.h"

namespace kube::codegen {

// Returns the text of foo/types.kube.h: the structs. Pure and thread-safe.
std::string PrintHeader(const File& file);

}  // namespace kube::codegen

#endif  // CODEGEN_HEADER_H_
