#include "apimachinery/codec/yaml/yaml_parser.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <istream>
#include <streambuf>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/yaml/yaml_scan.h"
#include "apimachinery/codec/yaml/yaml_text.h"
#include "yaml-cpp/anchor.h"
#include "yaml-cpp/emitterstyle.h"
#include "yaml-cpp/eventhandler.h"
#include "yaml-cpp/exceptions.h"
#include "yaml-cpp/mark.h"
#include "yaml-cpp/parser.h"

namespace kube::codec::internal {
namespace {

// Reads from text that outlives it.
class TextBuffer : public std::streambuf {
 public:
  explicit TextBuffer(const std::string& text) {
    // The interface has no const; nothing writes, for putback of the character read is a step back.
    char* const begin = const_cast<char*>(text.data());
    setg(begin, begin, begin + text.size());
  }
};

constexpr char kDifference[] = "text that YAML 1.1 and 1.2 divide differently";

// Thrown once the first document is complete.
class EndOfDocument : public std::exception {};

// Builds the tree, and refuses what yaml-cpp takes and go-yaml does not. Its errors go through
// yaml-cpp as exceptions of that library's.
class TreeBuilder : public YAML::EventHandler {
 public:
  // `text` is what yaml-cpp reads, `full_text` the same with Unicode's line breaks.
  TreeBuilder(YamlTree& tree, const std::string& text, const std::string& full_text, int first_line)
      : tree_(tree),
        text_(text),
        full_text_(full_text),
        first_line_(first_line),
        has_unicode_breaks_(text != full_text) {}

  // Only the first document is wanted. The second shows that the first one was all that came before
  // it: yaml-cpp takes anything for the end of a document.
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (!in_document_) {
      in_document_ = true;
      if (IsMarker(text_, static_cast<size_t>(mark.pos), "...")) {
        Check(mark, "did not find expected node content");
      }
      return;
    }
    const size_t at = static_cast<size_t>(mark.pos);
    CheckGap(mark, at);
    const absl::string_view gap = absl::string_view(text_).substr(end_, at - end_);
    if (!IsMarker(text_, at, "---") && !absl::StrContains(gap, "...")) {
      Check(mark, "did not find expected document start");
    }
    throw EndOfDocument();
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const size_t at = static_cast<size_t>(mark.pos);
    if (!open_.empty()) {
      CheckEmptyNode(mark, CharAt(at));
    } else if (CharAt(at) == '!' || CharAt(at) == '%') {
      // yaml-cpp forgets the tag, and takes the directive for that of an empty document.
      Check(mark, "did not find expected node content");
    }
    if (anchor != YAML::NullAnchor) CheckProperties(mark);
    Add(YamlNode::Kind::kScalar, mark, anchor).plain = true;
    has_nulls_ = true;
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const size_t at = static_cast<size_t>(mark.pos);
    CheckGap(mark, at);
    Check(mark, CheckWord(text_, at));
    if (!IsInPlace(mark, at)) Check(mark, "could not find expected ':'");
    Add(YamlNode::Kind::kAlias, mark, YAML::NullAnchor).target = anchors_[anchor];
    SetEnd(SkipWord(text_, at));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const size_t at = static_cast<size_t>(mark.pos);
    CheckGap(mark, at);
    const size_t start = CheckProperties(mark);
    const bool in_place = IsInPlace(mark, at) && IsInPlace(mark, start);
    YamlNode& node = Add(YamlNode::Kind::kScalar, mark, anchor);
    node.plain = tag == "?";
    if (!node.plain) node.tag = tag;
    // What follows a tag may be the next node.
    ScannedScalar scalar;
    if (!value.empty() || absl::StrContains("\"'|>", CharAt(start))) scalar = Scan(mark, start);
    if (value.empty() && !scalar.value.empty() && start != at) scalar = {};
    Check(mark, scalar.problem);
    if (!value.empty() && !in_place) Check(mark, "could not find expected ':'");
    if (node.plain && scalar.value != value && !has_unicode_breaks_) Check(mark, kDifference);
    SetEnd(std::max(scalar.end, start));
    node.text = std::move(scalar.value);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    Open(YamlNode::Kind::kList, mark, anchor, style);
  }
  void OnSequenceEnd() override { open_.pop_back(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    Open(YamlNode::Kind::kMap, mark, anchor, style);
  }
  void OnMapEnd() override { open_.pop_back(); }

  // Where no second document follows.
  void CheckEnd() const {
    YAML::Mark mark;
    mark.line = static_cast<int>(std::count(text_.begin(), text_.end(), '\n'));
    mark.column = ColumnAt(text_, 0, 0, text_.size());
    CheckGap(mark, text_.size());
  }

 private:
  struct Collection {
    YamlNode* node = nullptr;
    bool in_flow = false;
    // Of a block: its column, from zero.
    int indent = -1;
    // Where the last child starts.
    int last_child = -1;
  };

  YamlNode& Add(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    YamlNode& node = tree_.nodes.emplace_back();
    node.kind = kind;
    node.line = mark.line + first_line_;
    node.column = mark.column + 1;
    if (open_.empty()) {
      tree_.root = &node;
    } else {
      open_.back().node->children.push_back(&node);
      open_.back().last_child = mark.pos;
    }
    if (anchor != YAML::NullAnchor) {
      if (anchors_.size() <= anchor) anchors_.resize(anchor + 1);
      anchors_[anchor] = &node;
    }
    return node;
  }

  void Open(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    if (open_.size() >= kMaxYamlDepth) Check(mark, "nested too deep");
    const size_t at = static_cast<size_t>(mark.pos);
    CheckGap(mark, at);
    Collection collection;
    collection.in_flow = InFlow() || style == YAML::EmitterStyle::Flow;
    const size_t start = CheckProperties(mark);
    // A list in a map may stand in the map's own column.
    const bool is_block_list = kind == YamlNode::Kind::kList && !collection.in_flow;
    const bool in_place = IsInPlace(mark, at) && (is_block_list || IsInPlace(mark, start));
    if ((collection.in_flow || start != at) && !in_place) {
      Check(mark, "could not find expected ':'");
    }
    // On the line of a block's first key they are the key's.
    const bool own_properties =
        collection.in_flow ||
        absl::StrContains(absl::string_view(text_).substr(at, start - at), '\n');
    collection.indent = collection.in_flow ? Indent() : ColumnOf(mark, own_properties ? start : at);
    SetEnd(own_properties ? start : at);
    collection.node = &Add(kind, mark, anchor);
    open_.push_back(collection);
  }

  // Nothing but an exception stops yaml-cpp.
  static void Check(const YAML::Mark& mark, const char* problem) {
    if (problem != nullptr) throw YAML::ParserException(mark, problem);
  }

  // Where what they belong to begins.
  size_t CheckProperties(const YAML::Mark& mark) const {
    size_t at = static_cast<size_t>(mark.pos);
    while (CharAt(at) == '!' || CharAt(at) == '&') {
      Check(mark, CheckWord(text_, at));
      at = SkipSpace(text_, SkipWord(text_, at));
    }
    return at;
  }

  // Within a block, text at the block's own column must be a key, and no '?' before it.
  bool IsInPlace(const YAML::Mark& mark, size_t start) const {
    if (open_.empty() || InFlow() || absl::StrContains("|>", CharAt(start))) return true;
    const YamlNode& around = *open_.back().node;
    const bool is_key = around.kind == YamlNode::Kind::kMap && around.children.size() % 2 == 0;
    const size_t from = std::min(end_, start);
    const bool is_simple_key =
        is_key && !absl::StrContains(absl::string_view(text_).substr(from, start - from), '?');
    return is_simple_key || ColumnOf(mark, start) > open_.back().indent;
  }

  // What stands for nothing: not every place lets it.
  void CheckEmptyNode(const YAML::Mark& mark, char c) const {
    const Collection& around = open_.back();
    const bool is_map = around.node->kind == YamlNode::Kind::kMap;
    if (is_map && !around.in_flow && around.last_child == mark.pos &&
        around.node->children.size() % 2 == 1) {
      Check(mark, "could not find expected ':'");
    }
    if (!is_map && around.in_flow && c == ',') {
      Check(mark, "did not find expected node content");
    }
  }

  // Between the nodes there may be nothing but white space, comments and punctuation. Anything else
  // means that yaml-cpp saw a scalar end where go-yaml does not.
  void CheckGap(const YAML::Mark& mark, size_t to) const {
    if (end_ == 0) {
      // Directives may precede the first node.
      Check(mark, FindMisplacedTab(text_, 0, to));
      return;
    }
    size_t at = SkipSpace(text_, end_);
    for (size_t size = 1; at < to && size > 0; at = SkipSpace(text_, at + size)) {
      size = PunctuationAt(at);
    }
    if (end_ > to || at < to) Check(mark, kDifference);
    if (!InFlow()) Check(mark, FindMisplacedTab(text_, end_, to));
  }

  // The size of what may stand between nodes. Nulls are nodes that yaml-cpp tells without saying
  // whether they are written; an anchor may belong to one.
  size_t PunctuationAt(size_t at) const {
    if (absl::StrContains(",:[]{}?-.", text_[at])) return 1;
    if (!has_nulls_) return 0;
    if (text_[at] == '&') return SkipWord(text_, at) - at;
    for (const absl::string_view word : {"~", "null", "Null", "NULL"}) {
      if (absl::StartsWith(absl::string_view(text_).substr(at), word)) return word.size();
    }
    return 0;
  }

  ScannedScalar Scan(const YAML::Mark& mark, size_t at) const {
    const char c = CharAt(at);
    const int column = ColumnOf(mark, at);
    if (c == '"' || c == '\'') return ScanQuoted(full_text_, at, column);
    if ((c == '|' || c == '>') && !InFlow()) return ScanBlock(full_text_, at, column, Indent());
    return ScanPlain(full_text_, at, column, Indent(), InFlow());
  }

  void SetEnd(size_t end) {
    end_ = end;
    has_nulls_ = false;
  }

  int ColumnOf(const YAML::Mark& mark, size_t at) const {
    return ColumnAt(text_, static_cast<size_t>(mark.pos), mark.column, at);
  }
  char CharAt(size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  bool InFlow() const { return !open_.empty() && open_.back().in_flow; }
  int Indent() const { return open_.empty() ? -1 : open_.back().indent; }

  YamlTree& tree_;
  const std::string& text_;
  const std::string& full_text_;
  const int first_line_;
  const bool has_unicode_breaks_;
  bool in_document_ = false;
  // Behind the last node whose text has been seen, and whether nulls came since.
  size_t end_ = 0;
  bool has_nulls_ = false;
  std::vector<Collection> open_;
  // By yaml-cpp's numbers, which count from one.
  std::vector<const YamlNode*> anchors_;
};

// LS and PS, which break lines for go-yaml and not for yaml-cpp, as two spaces and LF: offsets stay
// what they are.
std::string ReplaceUnicodeBreaks(const std::string& text) {
  return absl::StrReplaceAll(text, {{"\xE2\x80\xA8", "  \n"}, {"\xE2\x80\xA9", "  \n"}});
}

}  // namespace

absl::StatusOr<YamlTree> ParseYaml(const std::string& full_text, int first_line) {
  const std::string text = ReplaceUnicodeBreaks(full_text);
  if (const char* problem = CheckDirectives(text); problem != nullptr) {
    return YamlError(first_line, 1, problem);
  }
  YamlTree tree;
  TreeBuilder builder(tree, text, full_text, first_line);
  TextBuffer buffer(text);
  std::istream stream(&buffer);
  try {
    YAML::Parser parser(stream);
    if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(builder);
    builder.CheckEnd();
  } catch (const EndOfDocument&) {
    return tree;
  } catch (const YAML::Exception& e) {
    if (e.mark.is_null()) return absl::InvalidArgumentError(e.msg);
    return YamlError(e.mark.line + first_line, e.mark.column + 1, e.msg);
  } catch (const std::exception& e) {
    return absl::InvalidArgumentError(e.what());
  }
  return tree;
}

}  // namespace kube::codec::internal
