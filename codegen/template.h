#ifndef CODEGEN_TEMPLATE_H_
#define CODEGEN_TEMPLATE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::codegen {

// The values that fill a template: texts, and lists of further values. Thread-compatible.
struct Values {
  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<Values>> lists;

  // Appends to a list, which is created if needed.
  Values& Add(const std::string& list) { return lists[list].emplace_back(); }
};

// Fills a template, which looks like its output:
//
//   struct $name$ {
//   $each fields$
//     $type$ $name${};
//   $end$
//   };
//
// `$name$` is a text of the innermost values that have it. The lines between `$each fields$` and
// its `$end$` are written for each element of the list. The lines between `$if fields$` and its
// `$end$` are written if the text or the list is not empty.
//
// A directive must be alone on its line, which is not part of the output; spaces around it are
// allowed. A dollar sign in the output must come from a text. A template that names a missing
// value, or lacks an $end$, is a bug: it aborts the program. Pure and thread-safe.
std::string Expand(absl::string_view text, const Values& values);

}  // namespace kube::codegen

#endif  // CODEGEN_TEMPLATE_H_
