#ifndef CODEGEN_TEMPLATE_H_
#define CODEGEN_TEMPLATE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::codegen {

// What a template is filled with: texts, and lists of further values. Thread-compatible.
struct Values {
  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<Values>> lists;

  // Adds to a list, which is there afterwards.
  Values& Add(const std::string& list) { return lists[list].emplace_back(); }
};

// Fills a template, which looks like its output:
//
//   struct $name$ {            a text, of the innermost values that have it
//   $each fields$              the lines up to its $end$, for every one of a list's values
//     $type$ $name${};
//   $end$
//   };
//   $if fields$                the lines up to its $end$, if the text or the list is not empty
//   $end$
//
// A directive has a line to itself, whatever stands before it but spaces, and the line is not in
// the output. A dollar sign of the output is a text's. A template that names what is not there, or
// lacks an $end$, is a bug of ours: the program stops. Pure function: thread-safe.
std::string Expand(absl::string_view text, const Values& values);

}  // namespace kube::codegen

#endif  // CODEGEN_TEMPLATE_H_
