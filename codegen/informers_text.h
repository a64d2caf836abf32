#ifndef CODEGEN_INFORMERS_TEXT_H_
#define CODEGEN_INFORMERS_TEXT_H_

#include <string>

#include "codegen/informers.h"

namespace kube::codegen {

// The header with the informers of a file's kinds, which has all there is of them. Pure function:
// thread-safe.
std::string PrintInformers(const InformerFile& file);

}  // namespace kube::codegen

#endif  // CODEGEN_INFORMERS_TEXT_H_
