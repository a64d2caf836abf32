#ifndef CONTROLLER_MANAGER_INTERNAL_PROCESS_MEMORY_H_
#define CONTROLLER_MANAGER_INTERNAL_PROCESS_MEMORY_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "controller/manager/manager_status.h"

namespace kube::controller::internal {

// Returns the memory of this process; nothing if the system does not tell. Reads
// /proc/self/status.
std::vector<MemoryStatus> ReadProcessMemory();

// Returns what a text such as that of /proc/self/status says.
std::vector<MemoryStatus> ParseProcessMemory(absl::string_view status);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_MANAGER_INTERNAL_PROCESS_MEMORY_H_
