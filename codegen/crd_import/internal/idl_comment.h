#ifndef CODEGEN_CRD_IMPORT_INTERNAL_IDL_COMMENT_H_
#define CODEGEN_CRD_IMPORT_INTERNAL_IDL_COMMENT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

// Descriptions of a schema as comments of the IDL. Pure and thread-safe.

namespace kube::codegen::internal {

// The lines of a comment, without "//".
struct Comment {
  std::vector<std::string> lines = {};
  // Whether the lines, read as codegen/crds/description.h reads comments, are the description but
  // for white space at the ends of lines. If not, it must be written elsewhere, too.
  bool is_exact = true;
};

// Returns a description as a comment. No text can end the comment or hide what follows it: control
// characters become spaces, and characters that change the direction of text are dropped. A line
// "---", after which a comment is not for users, is written with spaces.
Comment CommentOf(absl::string_view description);

}  // namespace kube::codegen::internal

#endif  // CODEGEN_CRD_IMPORT_INTERNAL_IDL_COMMENT_H_
