#ifndef CODEGEN_CRD_IMPORT_INTERNAL_IDL_PRINTER_H_
#define CODEGEN_CRD_IMPORT_INTERNAL_IDL_PRINTER_H_

#include <string>

#include "absl/strings/string_view.h"
#include "codegen/crd_import/internal/idl.h"

// Prints files of the IDL as people write them: an option on one line where it fits into 100
// columns, otherwise a line for each of its members. The same file is the same text everywhere.
// Pure and thread-safe.

namespace kube::codegen::internal {

// Returns a text in quotes, as protobuf reads it. Whatever its bytes are, it cannot end the quotes.
std::string Quoted(absl::string_view text);

// Returns the text of a file.
std::string PrintIdl(const IdlFile& file);

// Returns what stands between the braces of a message: its comment, options and fields. Two
// messages are the same but for their names if these texts are equal.
std::string PrintBody(const IdlMessage& message);

}  // namespace kube::codegen::internal

#endif  // CODEGEN_CRD_IMPORT_INTERNAL_IDL_PRINTER_H_
