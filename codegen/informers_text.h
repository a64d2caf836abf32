#ifndef CODEGEN_INFORMERS_TEXT_H_
#define CODEGEN_INFORMERS_TEXT_H_

#include <string>

#include "codegen/informers.h"

namespace kube::codegen {

// Returns the header with the informers of a file's kinds; there is no source file. Pure and
// thread-safe.
std::string PrintInformers(const InformerFile& file);

}  // namespace kube::codegen

#endif  // CODEGEN_INFORMERS_TEXT_H_
