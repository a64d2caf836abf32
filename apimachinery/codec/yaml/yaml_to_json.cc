#include "apimachinery/codec/yaml/yaml_to_json.h"

#include <algorithm>
#include <iterator>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/codec/yaml/yaml_decoder.h"
#include "apimachinery/codec/yaml/yaml_parser.h"
#include "apimachinery/codec/yaml/yaml_text.h"

namespace kube::codec {
namespace {

using internal::YamlNode;
using internal::YamlValue;

class JsonWriter {
 public:
  explicit JsonWriter(JsonFromYaml& out) : out_(out) {}

  // Recurses as deeply as the decoder allows.
  void Write(const YamlValue& value) {
    Mark(value.node);
    switch (value.kind) {
      case YamlValue::Kind::kLiteral:
        out_.json += value.text;
        break;
      case YamlValue::Kind::kString:
        WriteString(value.text);
        break;
      case YamlValue::Kind::kList:
        WriteChildren(value, '[', ']');
        break;
      case YamlValue::Kind::kMap:
        WriteChildren(value, '{', '}');
        break;
    }
  }

 private:
  void Mark(const YamlNode* node) {
    if (node == nullptr) return;
    out_.positions.Add(out_.json.size(), {node->line, node->column});
  }

  void WriteChildren(const YamlValue& value, char begin, char end) {
    out_.json.push_back(begin);
    bool first = true;
    for (const YamlValue& child : value.children) {
      if (!first) out_.json.push_back(',');
      first = false;
      if (value.kind == YamlValue::Kind::kMap) {
        Mark(child.key_node);
        WriteString(child.key);
        out_.json.push_back(':');
      }
      Write(child);
    }
    out_.json.push_back(end);
  }

  void WriteString(absl::string_view text) { text::AppendStandardJsonString(out_.json, text); }

  JsonFromYaml& out_;
};

}  // namespace

void YamlPositions::Add(size_t json_offset, YamlPosition position) {
  entries_.push_back({json_offset, position});
}

YamlPosition YamlPositions::Find(size_t json_offset) const {
  const auto next = std::upper_bound(
      entries_.begin(), entries_.end(), json_offset,
      [](size_t offset, const Entry& entry) { return offset < entry.json_offset; });
  return next == entries_.begin() ? YamlPosition() : std::prev(next)->position;
}

absl::StatusOr<JsonFromYaml> YamlToJson(absl::string_view yaml, const YamlToJsonOptions& options) {
  constexpr absl::string_view kContext = "convert YAML to JSON";
  absl::ConsumePrefix(&yaml, "\xEF\xBB\xBF");
  KUBE_RETURN_IF_ERROR(internal::CheckYamlText(yaml, options.first_line), kContext);
  KUBE_ASSIGN_OR_RETURN(const internal::YamlTree tree,
                        internal::ParseYaml(yaml, options.first_line), kContext);
  KUBE_ASSIGN_OR_RETURN(const YamlValue value, internal::DecodeYaml(tree, options.strict),
                        kContext);
  JsonFromYaml result;
  JsonWriter(result).Write(value);
  return result;
}

bool LooksLikeJson(absl::string_view text) {
  // The characters of Go's unicode.IsSpace.
  while (!text.empty()) {
    const text::Rune rune = text::DecodeRune(text);
    const char32_t c = rune.value;
    const bool is_space = (c >= '\t' && c <= '\r') || c == ' ' || c == 0x85 || c == 0xA0 ||
                          c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
                          c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
    if (!is_space) return c == '{';
    text.remove_prefix(rune.size);
  }
  return false;
}

}  // namespace kube::codec
