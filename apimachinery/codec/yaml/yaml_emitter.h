#ifndef APIMACHINERY_CODEC_YAML_YAML_EMITTER_H_
#define APIMACHINERY_CODEC_YAML_YAML_EMITTER_H_

// Writes block YAML exactly as go-yaml v2's emitter (emitterc.go) does with its defaults: two
// spaces of indentation, lists in a map not indented, and lines longer than 80 columns folded
// unless this is switched off.

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// Writes one document from the calls of a walk over it, in order:
//
//   emitter.BeginMap();
//   emitter.Key("name");
//   emitter.String("web");
//   emitter.EndMap();
//   std::string yaml = std::move(emitter).Finish();
//
// Thread-compatible.
class YamlEmitter {
 public:
  explicit YamlEmitter(bool fold_lines = true) : fold_lines_(fold_lines) {}

  // Begin and end a map or list that is not empty.
  void BeginMap();
  void EndMap() { RestoreIndent(); }
  void BeginList();
  void BeginItem();
  void EndList() { RestoreIndent(); }

  void EmptyMap();
  void EmptyList();

  // Writes a key of a map and the punctuation around it. The value must follow.
  void Key(absl::string_view key);

  // Writes a string, with quotes if it would otherwise be read as something else.
  void String(absl::string_view text);

  // Writes a value that is not a string, in its YAML form.
  void Plain(absl::string_view text);

  // Returns the document. The emitter may not be used afterwards.
  std::string Finish() &&;

 private:
  enum class Style { kPlain, kSingleQuoted, kDoubleQuoted, kLiteral };

  void WriteScalar(absl::string_view text, Style style, bool simple_key);
  void WriteString(absl::string_view text, bool simple_key);
  void WritePlain(absl::string_view text, bool may_fold);
  void WriteSingleQuoted(absl::string_view text, bool may_fold);
  void WriteDoubleQuoted(absl::string_view text, bool may_fold);
  void WriteLiteral(absl::string_view text);

  void IncreaseIndent(bool flow, bool indentless);
  void RestoreIndent();
  void WriteIndent();
  void WriteIndicator(absl::string_view indicator, bool needs_space, bool is_space, bool is_indent);
  void WriteLineBreak(absl::string_view text, size_t& at);
  void WriteChar(absl::string_view text, size_t& at);
  void WriteEscaped(absl::string_view text, size_t& at);
  void Put(char c) { out_.push_back(c), ++column_; }
  void PutLineBreak() { out_.push_back('\n'), column_ = 0; }

  // Returns whether a value may be continued on the next line, at a space.
  bool IsLineFull() const;

  const bool fold_lines_;
  std::string out_;
  std::vector<int> enclosing_indents_;
  int indent_ = -1;
  // In characters, not bytes.
  int column_ = 0;
  // Whether the last character was a space; and whether the line has only indentation so far, which
  // includes "- ", "? " and ": ".
  bool after_space_ = true;
  bool in_indent_ = true;
  // Whether the next node is the value of a key.
  bool in_map_ = false;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_EMITTER_H_
