// Functions for JSON patches.
#include "absl/strings/str_replace.h"
#include "apimachinery/cel/internal/library/kubernetes_library.h"
#include "apimachinery/cel/type.h"

namespace kube::cel::internal {
namespace {

// As a part of a JSON pointer.
Value EscapeKey(const Call& call) {
  return Value::FromString(absl::StrReplaceAll(call[0].text(), {{"~", "~0"}, {"/", "~1"}}));
}

}  // namespace

void AddJsonPatchFunctions(Functions& functions) {
  functions.AddGlobal("jsonpatch.escapeKey", "string_jsonpatch_escapeKey_string", {StringType()},
                      StringType(), EscapeKey);
}

}  // namespace kube::cel::internal
