#ifndef CMD_IMPORT_CRD_RUN_H_
#define CMD_IMPORT_CRD_RUN_H_

#include <iosfwd>
#include <string>

#include "absl/types/span.h"

namespace kube::import_crd {

// Runs the program as kUsage describes and returns the exit code. `arguments` excludes the
// program's name.
int Run(absl::Span<const std::string> arguments, std::ostream& out, std::ostream& err);

}  // namespace kube::import_crd

#endif  // CMD_IMPORT_CRD_RUN_H_
