#ifndef APIMACHINERY_CODEC_YAML_YAML_EMITTER_H_
#define APIMACHINERY_CODEC_YAML_YAML_EMITTER_H_

// Writes block YAML to the letter as go-yaml v2's emitter (emitterc.go) with its defaults does:
// indentation by two, lists not indented within a map, lines folded beyond 80 columns
// unless told otherwise.

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// Takes the calls of a walk over one document, in its order:
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

  // A map or a list that has something in it.
  void BeginMap();
  void EndMap() { RestoreIndent(); }
  void BeginList();
  void BeginItem();
  void EndList() { RestoreIndent(); }

  void EmptyMap();
  void EmptyList();

  // Writes a key of a map, and what goes before and behind it. The value follows.
  void Key(absl::string_view key);

  // A string, with quotes where it would otherwise be read as something else.
  void String(absl::string_view text);

  // Something that is no string, in the form in which it stands in YAML.
  void Plain(absl::string_view text);

  // The document; the emitter is used up.
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

  // Whether a value may go on in the next line, at a space.
  bool IsLineFull() const;

  const bool fold_lines_;
  std::string out_;
  std::vector<int> enclosing_indents_;
  int indent_ = -1;
  // In characters, not in bytes.
  int column_ = 0;
  // Whether the last character was a space, and whether the line holds nothing but indentation, to
  // which "- ", "? " and ": " belong.
  bool after_space_ = true;
  bool in_indent_ = true;
  // Whether the next node is the value of a key.
  bool in_map_ = false;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_YAML_YAML_EMITTER_H_
