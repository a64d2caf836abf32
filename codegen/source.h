#ifndef CODEGEN_SOURCE_H_
#define CODEGEN_SOURCE_H_

#include <string>

#include "codegen/model.h"

namespace kube::codegen {

// The text of foo/types.kube.cc: the tables of the structs, see
// apimachinery/types/internal/message.h. Fails, saying so to `problem`, if they have more names
// than a table can refer to. Pure function: thread-safe.
bool PrintSource(const File& file, std::string& text, std::string& problem);

}  // namespace kube::codegen

#endif  // CODEGEN_SOURCE_H_
