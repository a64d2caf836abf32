#ifndef APIMACHINERY_CODEC_YAML_YAML_SCAN_H_
#define APIMACHINERY_CODEC_YAML_YAML_SCAN_H_

// Scalars, read again from the text as go-yaml v2's scanner (scannerc.go) reads them. yaml-cpp
// finds the structure of a document, but its scalars are not all those of go-yaml: it takes a
// quoted one that does not end, makes bytes that are no UTF-8 of "\N" and "\_", and folds
// differently. Pure functions: thread-safe.
//
// Texts are prepared (PrepareYaml). Offsets that are given lie within them; columns count from
// zero, in bytes, and come along because a document may be one long line, that of JSON is.

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

struct ScannedScalar {
  std::string value;
  // Behind the last character that belongs to it.
  size_t end = 0;
  // Why this is no scalar. Null where it is.
  const char* problem = nullptr;
};

// The scalar that starts with the quote at `at`, in `column`.
ScannedScalar ScanQuoted(absl::string_view text, size_t at, int column);

// The scalar that starts with the '|' or '>' at `at`. `parent_indent` is the column of the block
// around it, -1 without one.
ScannedScalar ScanBlock(absl::string_view text, size_t at, int column, int parent_indent);

// The scalar without quotes that starts at `at`.
ScannedScalar ScanPlain(absl::string_view text, size_t at, int column, int parent_indent,
                        bool in_flow);

// Why the directives at the start of the text are refused; null where they are not. As in go-yaml
// "%YAML 1.1" is the only version and "---" must follow; unlike there, "%TAG" is refused.
const char* CheckDirectives(absl::string_view text);

// Whether `marker`, "---" or "...", is at `at`, on its own; the column is not looked at.
bool IsMarker(absl::string_view text, size_t at, absl::string_view marker);

// Why go-yaml would not read the tag, anchor or alias at `at`, or would read more or less of it
// than yaml-cpp; null where both agree.
const char* CheckWord(absl::string_view text, size_t at);

// Why go-yaml minds a tab among the white space, comments and punctuation of a block, from the end
// of one node to the start of the next: not where it could be indentation. Null if it does not.
const char* FindMisplacedTab(absl::string_view text, size_t from, size_t to);

// Behind white space and comments.
size_t SkipSpace(absl::string_view text, size_t at);

// Behind the alias, anchor or tag that starts at `at`.
size_t SkipWord(absl::string_view text, size_t at);

// The column at `to`, given that at `from`, which is not behind it.
int ColumnAt(absl::string_view text, size_t from, int column, size_t to);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_SCAN_H_
