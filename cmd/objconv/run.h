#ifndef CMD_OBJCONV_RUN_H_
#define CMD_OBJCONV_RUN_H_

#include <iosfwd>
#include <string>

#include "absl/types/span.h"

namespace kube::objconv {

// The program: does what kUsage says and returns the exit code. `arguments` are those after the
// program's name.
int Run(absl::Span<const std::string> arguments, std::istream& in, std::ostream& out,
        std::ostream& err);

}  // namespace kube::objconv

#endif  // CMD_OBJCONV_RUN_H_
