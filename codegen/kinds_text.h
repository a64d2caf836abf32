#ifndef CODEGEN_KINDS_TEXT_H_
#define CODEGEN_KINDS_TEXT_H_

#include <string>

#include "codegen/model.h"

namespace kube::codegen {

// Returns the text of foo/types.kinds.kube.h: the declaration of Kinds(), if the file has kinds.
// Pure and thread-safe.
std::string PrintKindsHeader(const File& file);

// Returns the text of foo/types.kinds.kube.cc. Pure and thread-safe.
std::string PrintKindsSource(const File& file);

}  // namespace kube::codegen

#endif  // CODEGEN_KINDS_TEXT_H_
