#ifndef CMD_OBJCONV_RUN_H_
#define CMD_OBJCONV_RUN_H_

#include <iosfwd>
#include <string>

#include "absl/types/span.h"

namespace kube::objconv {

// Runs the program as kUsage describes and returns the exit code. `arguments` excludes the
// program's name.
int Run(absl::Span<const std::string> arguments, std::istream& in, std::ostream& out,
        std::ostream& err);

}  // namespace kube::objconv

#endif  // CMD_OBJCONV_RUN_H_
