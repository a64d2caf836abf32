#include "apimachinery/cel/testing/evaluated.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/format.h"
#include "apimachinery/cel/program.h"

namespace kube::cel {

std::string Evaluated(absl::string_view expression) {
  const absl::StatusOr<Program> program = Program::Compile(expression, Environment());
  if (!program.ok()) return absl::StrCat("refused: ", program.status().message());
  Context context;
  const Program::Result result = program->Evaluate(context, {});
  return result.value.ok() ? FormatValue(*result.value)
                           : absl::StrCat("error: ", result.value.status().message());
}

}  // namespace kube::cel
