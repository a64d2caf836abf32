#include "apimachinery/codec/yaml/json_to_yaml.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/yaml/yaml_emitter.h"
#include "apimachinery/codec/yaml/yaml_json_reader.h"
#include "apimachinery/codec/yaml/yaml_key_order.h"
#include "apimachinery/codec/yaml/yaml_resolve.h"

namespace kube::codec {
namespace {

using internal::JsonValue;
using internal::YamlEmitter;
using internal::YamlScalar;

// Returns the members in the order in which they are written. Of equal keys only the last is kept.
std::vector<const JsonValue*> SortedMembers(const JsonValue& object) {
  std::vector<const JsonValue*> members;
  members.reserve(object.children.size());
  for (const JsonValue& member : object.children) members.push_back(&member);
  // Sorts by bytes first: this finds duplicates, and makes the result independent of the original
  // order.
  std::stable_sort(members.begin(), members.end(),
                   [](const JsonValue* a, const JsonValue* b) { return a->key < b->key; });
  size_t kept = 0;
  for (size_t i = 0; i < members.size(); ++i) {
    if (i + 1 < members.size() && members[i]->key == members[i + 1]->key) continue;
    members[kept++] = members[i];
  }
  members.resize(kept);
  std::stable_sort(members.begin(), members.end(), [](const JsonValue* a, const JsonValue* b) {
    return internal::YamlKeyLess(a->key, b->key);
  });
  return members;
}

void WriteNumber(YamlEmitter& emitter, const std::string& text) {
  const YamlScalar scalar = internal::ResolveYamlScalar(text);
  switch (scalar.kind) {
    case YamlScalar::Kind::kInt:
      return emitter.Plain(absl::StrCat(scalar.integer));
    case YamlScalar::Kind::kUint:
      return emitter.Plain(absl::StrCat(scalar.unsigned_integer));
    case YamlScalar::Kind::kFloat:
      return emitter.Plain(internal::FormatYamlFloat(scalar.real));
    default:
      return emitter.String(text);
  }
}

// Recurses as deeply as the reader allows.
void Write(YamlEmitter& emitter, const JsonValue& node) {
  switch (node.kind) {
    case JsonValue::Kind::kNull:
      return emitter.Plain("null");
    case JsonValue::Kind::kTrue:
      return emitter.Plain("true");
    case JsonValue::Kind::kFalse:
      return emitter.Plain("false");
    case JsonValue::Kind::kNumber:
      return WriteNumber(emitter, node.text);
    case JsonValue::Kind::kString:
      return emitter.String(node.text);
    case JsonValue::Kind::kArray:
      if (node.children.empty()) return emitter.EmptyList();
      emitter.BeginList();
      for (const JsonValue& item : node.children) {
        emitter.BeginItem();
        Write(emitter, item);
      }
      return emitter.EndList();
    case JsonValue::Kind::kObject:
      if (node.children.empty()) return emitter.EmptyMap();
      emitter.BeginMap();
      for (const JsonValue* member : SortedMembers(node)) {
        emitter.Key(member->key);
        Write(emitter, *member);
      }
      return emitter.EndMap();
  }
}

}  // namespace

absl::StatusOr<std::string> JsonToYaml(absl::string_view json, const JsonToYamlOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const JsonValue root, internal::ReadJson(json), "convert JSON to YAML");
  YamlEmitter emitter(options.fold_lines);
  Write(emitter, root);
  return std::move(emitter).Finish();
}

}  // namespace kube::codec
