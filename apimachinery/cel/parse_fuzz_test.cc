// Any text: nothing crashes or hangs, and the tree of what is accepted is small enough to be copied
// and printed.
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/parse.h"
#include "apimachinery/cel/source.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool escaped : {false, true}) {
    const kube::cel::ParseResult result =
        kube::cel::ParseWithIssues(text, {.escaped_identifiers = escaped});
    if (!result.issues.empty()) {
      KUBE_CHECK(!FormatIssues(result.ast.source, result.issues).empty());
      continue;
    }
    KUBE_CHECK(result.ast.root != nullptr);
    const kube::cel::ExprPtr copy = Copy(*result.ast.root);
    KUBE_CHECK_EQ(DebugString(*copy), DebugString(*result.ast.root));
  }
  return 0;
}
