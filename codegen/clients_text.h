#ifndef CODEGEN_CLIENTS_TEXT_H_
#define CODEGEN_CLIENTS_TEXT_H_

#include <string>

#include "codegen/clients.h"

namespace kube::codegen {

// Returns the header with the clients of a file's kinds and groups; there is no source file. Pure
// and thread-safe.
std::string PrintClients(const ClientFile& file);

}  // namespace kube::codegen

#endif  // CODEGEN_CLIENTS_TEXT_H_
