#include "apimachinery/codec/yaml/yaml_parser.h"

// Builds a tree from libyaml's events. go-yaml v2 is a port of an older libyaml. Where the two
// differ, this code behaves as go-yaml or returns an error:
//
// - libyaml refuses "\'" between double quotes. The text is parsed again without the backslash
//   (DropQuoteEscapes).
// - In go-yaml, '?' within a plain scalar in brackets is an error (CheckPlainInFlow).
// - In go-yaml, a comma after a tag is part of the tag; in libyaml it ends the tag
//   (CheckTagInFlow).
// - In go-yaml, version 1.2 is an error (OnDocumentStart).
//
// libyaml does not recurse, and reads ahead at most 1,024 characters, the maximum length of a key
// without '?'. So the limit on the depth also limits its memory and time.

#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/yaml/yaml_text.h"
#include "yaml.h"

namespace kube::codec::internal {
namespace {

// Maximum amount of text that is parsed again because of "\'".
constexpr size_t kMaxRepeatedBytes = size_t{16} << 20;

// Owns the memory of an event of libyaml.
struct Event {
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&event); }

  yaml_event_t event = {};
};

absl::string_view ToView(const yaml_char_t* text) {
  return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

// Converts character indexes, which libyaml uses, to byte offsets. The indexes must ascend.
class Cursor {
 public:
  explicit Cursor(absl::string_view text) : text_(text) {}

  size_t Seek(size_t index) {
    for (; index_ < index && offset_ < text_.size(); ++index_) {
      const auto first = static_cast<unsigned char>(text_[offset_]);
      offset_ += first < 0x80 ? 1 : (first < 0xE0 ? 2 : (first < 0xF0 ? 3 : 4));
    }
    return offset_;
  }

 private:
  const absl::string_view text_;
  size_t index_ = 0;
  size_t offset_ = 0;
};

// Owns a libyaml parser for one text.
class TreeBuilder {
 public:
  TreeBuilder(absl::string_view text, int first_line)
      : text_(text), first_line_(first_line), at_(text), line_start_(text) {
    if (yaml_parser_initialize(&parser_) == 0) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    // libyaml aborts for a null pointer, which an empty view may have.
    const char* const begin = text.empty() ? "" : text.data();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(begin),
                                 text.size());
  }
  TreeBuilder(const TreeBuilder&) = delete;
  TreeBuilder& operator=(const TreeBuilder&) = delete;
  ~TreeBuilder() { yaml_parser_delete(&parser_); }

  // Builds the tree of the first document. What follows the document is not parsed.
  absl::StatusOr<YamlTree> Build() {
    while (true) {
      Event holder;
      yaml_event_t& event = holder.event;
      if (yaml_parser_parse(&parser_, &event) == 0) return ParserError();
      switch (event.type) {
        case YAML_DOCUMENT_START_EVENT:
          KUBE_RETURN_IF_ERROR(OnDocumentStart(event));
          break;
        case YAML_ALIAS_EVENT:
          KUBE_RETURN_IF_ERROR(OnAlias(event));
          break;
        case YAML_SCALAR_EVENT:
          KUBE_RETURN_IF_ERROR(OnScalar(event));
          break;
        case YAML_SEQUENCE_START_EVENT:
          KUBE_RETURN_IF_ERROR(Open(YamlNode::Kind::kList, event, event.data.sequence_start.anchor,
                                    event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE));
          break;
        case YAML_MAPPING_START_EVENT:
          KUBE_RETURN_IF_ERROR(Open(YamlNode::Kind::kMap, event, event.data.mapping_start.anchor,
                                    event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE));
          break;
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT:
          open_.pop_back();
          break;
        case YAML_DOCUMENT_END_EVENT:
          if (event.data.document_end.implicit != 0) KUBE_RETURN_IF_ERROR(CheckNothingFollows());
          return std::move(tree_);
        case YAML_STREAM_END_EVENT:
          return std::move(tree_);
        case YAML_NO_EVENT:
          return ParserError();
        case YAML_STREAM_START_EVENT:
          break;
      }
    }
  }

  // Returns the offset of the "\'" at which libyaml stopped, or nullopt if it stopped for another
  // reason.
  std::optional<size_t> RefusedQuoteEscape() const {
    if (parser_.error != YAML_SCANNER_ERROR ||
        absl::string_view(parser_.problem) != "found unknown escape character") {
      return std::nullopt;
    }
    const size_t at = Cursor(text_).Seek(parser_.problem_mark.index);
    if (!absl::StartsWith(text_.substr(at), "\\'")) return std::nullopt;
    return at;
  }

 private:
  struct Collection {
    YamlNode* node = nullptr;
    bool in_flow = false;
  };

  YamlNode& Add(YamlNode::Kind kind, const yaml_event_t& event, const yaml_char_t* anchor) {
    YamlNode& node = tree_.nodes.emplace_back();
    node.kind = kind;
    const yaml_mark_t& mark = event.start_mark;
    node.line = first_line_ + static_cast<int>(mark.line);
    node.column =
        static_cast<int>(at_.Seek(mark.index) - line_start_.Seek(mark.index - mark.column)) + 1;
    if (open_.empty()) {
      tree_.root = &node;
    } else {
      open_.back().node->children.push_back(&node);
    }
    if (anchor != nullptr) anchors_[std::string(ToView(anchor))] = &node;
    return node;
  }

  absl::Status Open(YamlNode::Kind kind, const yaml_event_t& event, const yaml_char_t* anchor,
                    bool in_flow) {
    if (open_.size() >= kMaxYamlDepth) return ErrorAt(event.start_mark, "nested too deep");
    open_.push_back({&Add(kind, event, anchor), in_flow});
    return absl::OkStatus();
  }

  absl::Status OnDocumentStart(const yaml_event_t& event) const {
    const yaml_version_directive_t* const version = event.data.document_start.version_directive;
    if (version == nullptr || version->minor == 1) return absl::OkStatus();
    return ErrorAt(event.start_mark, "found incompatible YAML document");
  }

  absl::Status OnAlias(const yaml_event_t& event) {
    const auto found = anchors_.find(std::string(ToView(event.data.alias.anchor)));
    // Go's message contains the name, but a password may begin with '*'.
    if (found == anchors_.end()) return ErrorAt(event.start_mark, "unknown anchor referenced");
    Add(YamlNode::Kind::kAlias, event, nullptr).target = found->second;
    return absl::OkStatus();
  }

  absl::Status OnScalar(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    YamlNode& node = Add(YamlNode::Kind::kScalar, event, scalar.anchor);
    node.plain = scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.tag == nullptr;
    node.tag = std::string(ToView(scalar.tag));
    node.text.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
    if (open_.empty() || !open_.back().in_flow) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(CheckPlainInFlow(event, node));
    return CheckTagInFlow(event, node);
  }

  absl::Status CheckPlainInFlow(const yaml_event_t& event, const YamlNode& node) const {
    if (event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE || !absl::StrContains(node.text, '?')) {
      return absl::OkStatus();
    }
    const bool in_list = open_.back().node->kind == YamlNode::Kind::kList;
    return ErrorAt(event.start_mark, in_list ? "did not find expected ',' or ']'"
                                             : "did not find expected ',' or '}'");
  }

  absl::Status CheckTagInFlow(const yaml_event_t& event, const YamlNode& node) {
    if (node.tag.empty() || !node.text.empty()) return absl::OkStatus();
    const size_t start = at_.Seek(event.start_mark.index);
    const size_t end = at_.Seek(event.end_mark.index);
    if (!absl::StartsWith(text_.substr(end), ",")) return absl::OkStatus();
    // These are the bytes of a tag or of the anchor after it. Of characters beyond ASCII, only line
    // breaks can precede it.
    const absl::string_view properties = text_.substr(start, end - start);
    const size_t space = properties.find_last_of(" \t\r\n\x85\xA8\xA9");
    const char first = properties[space == absl::string_view::npos ? 0 : space + 1];
    if (first != '!') return absl::OkStatus();
    return ErrorAt(event.end_mark, "a tag must not be followed by a comma");
  }

  // Go ignores text after the document, so it would be lost silently.
  absl::Status CheckNothingFollows() {
    Event next;
    if (yaml_parser_parse(&parser_, &next.event) != 0 || parser_.problem == nullptr ||
        absl::string_view(parser_.problem) != "did not find expected <document start>") {
      return absl::OkStatus();
    }
    return ErrorAt(parser_.problem_mark, "did not find expected document start");
  }

  absl::Status ParserError() const {
    if (parser_.problem == nullptr) return absl::ResourceExhaustedError("out of memory");
    const absl::string_view problem = parser_.problem;
    // The missing text could be anywhere after the context, so the error names the context's start.
    const bool is_missing =
        problem == "could not find expected ':'" || problem == "found unexpected end of stream";
    return ErrorAt(is_missing ? parser_.context_mark : parser_.problem_mark, problem);
  }

  absl::Status ErrorAt(const yaml_mark_t& mark, absl::string_view cause) const {
    const size_t start = Cursor(text_).Seek(mark.index - mark.column);
    const size_t at = Cursor(text_).Seek(mark.index);
    return YamlError(first_line_ + static_cast<int>(mark.line), static_cast<int>(at - start) + 1,
                     cause);
  }

  const absl::string_view text_;
  const int first_line_;
  yaml_parser_t parser_ = {};
  YamlTree tree_;
  std::vector<Collection> open_;
  std::map<std::string, const YamlNode*> anchors_;
  Cursor at_;
  Cursor line_start_;
};

// Removes the backslashes of "\'" from the one at `at` to the end of the scalar, and adds as many
// spaces after the scalar, so that the text after it keeps its column.
std::string DropQuoteEscapes(absl::string_view text, size_t at) {
  std::string result(text.substr(0, at));
  size_t dropped = 0;
  while (at < text.size() && text[at] != '"') {
    if (absl::StartsWith(text.substr(at), "\\'")) {
      ++dropped;
      ++at;
    } else if (text[at] == '\\') {
      result.push_back(text[at++]);
    }
    if (at < text.size()) result.push_back(text[at++]);
  }
  if (at < text.size()) {
    result.push_back(text[at++]);
    result.append(dropped, ' ');
  }
  absl::StrAppend(&result, text.substr(at));
  return result;
}

}  // namespace

absl::StatusOr<YamlTree> ParseYaml(absl::string_view text, int first_line) {
  std::string without_escapes;
  size_t repeated = 0;
  while (true) {
    TreeBuilder builder(text, first_line);
    absl::StatusOr<YamlTree> tree = builder.Build();
    const std::optional<size_t> escape = builder.RefusedQuoteEscape();
    repeated += text.size();
    if (tree.ok() || !escape.has_value() || repeated > kMaxRepeatedBytes) return tree;
    without_escapes = DropQuoteEscapes(text, *escape);
    text = without_escapes;
  }
}

}  // namespace kube::codec::internal
