#include "codegen/crd_import/testing/definition_diff.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::codegen {
namespace {

using unstructured::Value;

constexpr size_t kMaxDifferences = 100;

bool IsNothing(const Value& value) {
  return value.is_null() || value.boolean() == false || value.text() == "" ||
         (value.is_list() && value.list()->empty()) ||
         (value.is_object() && value.object()->empty());
}

std::string NormalText(absl::string_view text) {
  std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  for (absl::string_view& line : lines) line = absl::StripTrailingAsciiWhitespace(line);
  return std::string(absl::StripAsciiWhitespace(absl::StrJoin(lines, "\n")));
}

Value SortedTexts(const Value& list) {
  std::set<std::string> texts;
  for (const Value& text : *list.list()) texts.emplace(text.text().value_or(""));
  return List<Value>(std::vector<std::string>(texts.begin(), texts.end()));
}

Value NormalSchema(const Value& schema);

Value NormalMember(absl::string_view name, const Value& value) {
  if (name == "description" && value.is_string()) return NormalText(*value.text());
  if (name == "required" && value.is_list()) return SortedTexts(value);
  if (name == "properties" && value.is_object()) {
    Map<Value> properties;
    for (const auto& [property, schema] : *value.object()) {
      properties[property] = NormalSchema(schema);
    }
    return properties;
  }
  const bool is_schema = name == "items" || name == "additionalProperties" || name == "not";
  if (is_schema && value.is_object()) return NormalSchema(value);
  const bool is_list = name == "allOf" || name == "anyOf" || name == "oneOf";
  if (!is_list || !value.is_list()) return value;
  List<Value> schemas;
  for (const Value& schema : *value.list()) schemas.push_back(NormalSchema(schema));
  return schemas;
}

Value NormalSchema(const Value& schema) {
  if (!schema.is_object()) return schema;
  Map<Value> normal;
  for (const auto& [name, value] : *schema.object()) {
    Value member = NormalMember(name.view(), value);
    // A default may be false; a schema, a status or a map may have no members.
    const bool counts = name == "default" || name == "items" || name == "additionalProperties" ||
                        name == "not" || name == "enum" || name == "example";
    if (counts ? !member.is_null() : !IsNothing(member)) normal[name] = std::move(member);
  }
  return normal;
}

// The server knows these fields of every object.
Value NormalRoot(const Value& schema) {
  Value normal = NormalSchema(schema);
  if (!normal.is_object()) return normal;
  Map<Value>& root = *normal.object();
  Value& member = root["properties"];
  if (!member.is_object()) member = Map<Value>();
  Map<Value>& properties = *member.object();
  for (const char* name : {"apiVersion", "kind", "metadata"}) {
    Value& property = properties[name];
    if (!property.is_object()) property = Map<Value>();
    property.object()->erase("description");
    (*property.object())["type"] = absl::string_view(name) == "metadata" ? "object" : "string";
  }
  return normal;
}

Value NormalVersion(const Value& version) {
  Map<Value> normal;
  for (const auto& [name, value] : *version.object()) {
    if (name == "schema") {
      normal[name] = NormalRoot(value["openAPIV3Schema"]);
    } else if (name == "additionalPrinterColumns" && value.is_list()) {
      List<Value> columns;
      for (const Value& column : *value.list()) {
        Value each = NormalSchema(column);
        if (each["priority"].integer() == 0) each.object()->erase("priority");
        columns.push_back(std::move(each));
      }
      if (!columns.empty()) normal[name] = std::move(columns);
    } else if (name == "subresources" || !IsNothing(value)) {
      normal[name] = value;
    }
  }
  if (const Value* parts = normal.find("subresources"); parts != nullptr && IsNothing(*parts)) {
    normal.erase("subresources");
  }
  return normal;
}

Value NormalVersions(const Value& versions) {
  List<Value> normal;
  if (!versions.is_list()) return normal;
  for (const Value& version : *versions.list()) {
    if (version.is_object()) normal.push_back(NormalVersion(version));
  }
  std::sort(normal.begin(), normal.end(),
            [](const Value& a, const Value& b) { return a["name"].text() < b["name"].text(); });
  return normal;
}

Value NormalNames(const Value& names) {
  Map<Value> normal;
  if (names.is_object()) normal = *names.object();
  const std::string kind(names["kind"].text().value_or(""));
  if (IsNothing(names["singular"])) normal["singular"] = absl::AsciiStrToLower(kind);
  if (IsNothing(names["listKind"])) normal["listKind"] = absl::StrCat(kind, "List");
  for (const char* name : {"categories", "shortNames"}) {
    if (IsNothing(names[name])) normal.erase(name);
  }
  return normal;
}

Value NormalConversion(Value conversion) {
  if (!conversion.is_object() || !conversion["webhook"]["clientConfig"]["service"].is_object()) {
    return conversion;
  }
  Value& webhook = (*conversion.object())["webhook"];
  Value& client_config = (*webhook.object())["clientConfig"];
  Value& service = (*client_config.object())["service"];
  if (service["port"].is_null()) (*service.object())["port"] = 443;
  return conversion;
}

Value NormalMetadata(const Value& metadata) {
  Map<Value> normal;
  for (const char* name : {"annotations", "labels"}) {
    if (!metadata[name].is_object()) continue;
    Map<Value> texts;
    for (const auto& [key, value] : *metadata[name].object()) {
      const bool is_template = absl::StrContains(value.text().value_or(""), "{{");
      const bool is_kubectls = key == "kubectl.kubernetes.io/last-applied-configuration";
      if (!is_template && !is_kubectls) texts[key] = value;
    }
    if (!texts.empty()) normal[name] = std::move(texts);
  }
  normal["name"] = metadata["name"];
  return normal;
}

class Differ {
 public:
  void Compare(const Value* before, const Value* after, const std::string& path);
  std::vector<std::string> Take() { return std::move(lines_); }

 private:
  void Report(const Value* before, const Value* after, const std::string& path) {
    const auto text = [](const Value* value) {
      if (value == nullptr) return std::string("absent");
      return unstructured::EncodeJson(*value).value_or("?").substr(0, 300);
    };
    lines_.push_back(
        absl::StrCat(path.empty() ? "." : path, ": ", text(before), " -> ", text(after)));
  }

  std::vector<std::string> lines_;
};

void Differ::Compare(const Value* before, const Value* after, const std::string& path) {
  if (lines_.size() >= kMaxDifferences) return;
  if (before == nullptr || after == nullptr) return Report(before, after, path);
  if (before->is_object() && after->is_object()) {
    std::set<std::string> names;
    for (const auto& [name, value] : *before->object()) names.emplace(name.view());
    for (const auto& [name, value] : *after->object()) names.emplace(name.view());
    for (const std::string& name : names) {
      Compare(before->Find(name), after->Find(name), absl::StrCat(path, ".", name));
    }
    return;
  }
  if (before->is_list() && after->is_list()) {
    const List<Value>& a = *before->list();
    const List<Value>& b = *after->list();
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      Compare(i < a.size() ? &a[i] : nullptr, i < b.size() ? &b[i] : nullptr,
              absl::StrCat(path, "[", i, "]"));
    }
    return;
  }
  const bool are_numbers = before->is_number() && after->is_number();
  if (are_numbers ? before->number() != after->number() : *before != *after) {
    Report(before, after, path);
  }
}

}  // namespace

Value NormalDefinition(const Value& definition) {
  const Value& spec = definition["spec"];
  Map<Value> normal;
  for (const char* name : {"group", "scope"}) normal[name] = spec[name];
  normal["names"] = NormalNames(spec["names"]);
  normal["versions"] = NormalVersions(spec["versions"]);
  const Value& conversion = spec["conversion"];
  if (!IsNothing(conversion) && conversion["strategy"].text() != "None") {
    normal["conversion"] = NormalConversion(conversion);
  }
  Map<Value> all;
  all["metadata"] = NormalMetadata(definition["metadata"]);
  all["spec"] = std::move(normal);
  return all;
}

std::vector<std::string> DiffValues(const Value& before, const Value& after) {
  Differ differ;
  differ.Compare(&before, &after, "");
  return differ.Take();
}

std::vector<std::string> DiffDefinitions(const Value& before, const Value& after) {
  return DiffValues(NormalDefinition(before), NormalDefinition(after));
}

}  // namespace kube::codegen
