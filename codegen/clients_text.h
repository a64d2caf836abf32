#ifndef CODEGEN_CLIENTS_TEXT_H_
#define CODEGEN_CLIENTS_TEXT_H_

#include <string>

#include "codegen/clients.h"

namespace kube::codegen {

// The header with the clients of a file's kinds and groups, which has all there is of them. Pure
// function: thread-safe.
std::string PrintClients(const ClientFile& file);

}  // namespace kube::codegen

#endif  // CODEGEN_CLIENTS_TEXT_H_
