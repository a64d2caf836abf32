#include "tests/imported_crds/random_object.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "re2/re2.h"

namespace kube::imported {
namespace {

using unstructured::Value;

// Deeper, only what is required is made.
constexpr int kMaxDepth = 8;

constexpr absl::string_view kTexts[] = {
    "a",
    "some text",
    "",
    "example",
    "example.com",
    "sub.example.com/name",
    "https://example.com/a",
    "http://example.com",
    "oci://example.com/a",
    "s3://bucket/key",
    "/healthz",
    "*",
    "10s",
    "5m",
    "1h30m0s",
    "1h",
    "10ms",
    "1Gi",
    "100m",
    "0",
    "8080",
    "50%",
    "v1",
    "1.2.3.4",
    "10.0.0.0/8",
    "::1",
    "GET",
    "A",
    "Ready",
    "2024-02-03T04:05:06Z",
    "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "0123456789abcdef0123456789abcdef",
    "a1b2c3d4",
    "urn:a:b",
    "ü",
};

absl::string_view TextAt(const Map<Value>& schema, absl::string_view name) {
  const Value* member = schema.find(name);
  return member == nullptr ? absl::string_view() : member->text().value_or(absl::string_view());
}

bool IsTrue(const Map<Value>& schema, absl::string_view name) {
  const Value* member = schema.find(name);
  return member != nullptr && member->boolean() == true;
}

std::optional<double> NumberAt(const Map<Value>& schema, absl::string_view name) {
  const Value* member = schema.find(name);
  return member == nullptr ? std::nullopt : member->number();
}

size_t SizeAt(const Map<Value>& schema, absl::string_view name, size_t otherwise) {
  const double size = NumberAt(schema, name).value_or(static_cast<double>(otherwise));
  return size < 0 ? 0 : static_cast<size_t>(std::min(size, 1e6));
}

const Map<Value>* ObjectAt(const Map<Value>& schema, absl::string_view name) {
  const Value* member = schema.find(name);
  return member == nullptr ? nullptr : member->object();
}

bool IsQuantity(const Map<Value>& schema) {
  return TextAt(schema, "pattern").substr(0, 10) == R"(^(\+|-)?(()";
}

// Returns the texts that the schema allows.
std::vector<absl::string_view> AllowedTexts(const Map<Value>& schema) {
  const size_t min_length = SizeAt(schema, "minLength", 0);
  const size_t max_length = SizeAt(schema, "maxLength", 1000);
  const absl::string_view pattern = TextAt(schema, "pattern");
  const RE2 regexp(re2::StringPiece(pattern.data(), pattern.size()), RE2::Quiet);
  std::vector<absl::string_view> texts;
  for (const absl::string_view text : kTexts) {
    // The longest is ASCII but for one, which has one character.
    const size_t length = text == "ü" ? 1 : text.size();
    if (length < min_length || length > max_length) continue;
    const bool matches =
        !regexp.ok() || RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), regexp);
    if (matches) texts.push_back(text);
  }
  return texts;
}

std::set<std::string> RequiredOf(const Map<Value>& schema) {
  std::set<std::string> names;
  const Value* required = schema.find("required");
  if (required == nullptr || !required->is_list()) return names;
  for (const Value& name : *required->list()) names.emplace(name.text().value_or(""));
  return names;
}

}  // namespace

Value RandomObjects::Text(const Map<Value>& schema) {
  const absl::string_view format = TextAt(schema, "format");
  if (format == "date-time") return absl::StrCat("20", 10 + dice_.Below(20), "-01-02T03:04:05Z");
  if (format == "byte") return Chance(4) ? "" : "YWJj";
  if (format == "date") return "2024-02-03";
  if (format == "uuid") return "01234567-89ab-cdef-0123-456789abcdef";
  if (format == "email") return "a@example.com";
  if (format == "ipv4") return "1.2.3.4";
  const std::vector<absl::string_view> texts = AllowedTexts(schema);
  if (texts.empty()) return std::string(SizeAt(schema, "minLength", 1), 'a');
  return texts[dice_.Below(texts.size())];
}

Value RandomObjects::Number(const Map<Value>& schema, bool is_integer) {
  const bool is_narrow = TextAt(schema, "format") == "int32";
  const double limit = is_narrow ? 2147483647 : 1e12;
  const double low = std::max(NumberAt(schema, "minimum").value_or(-10), -limit);
  const double high =
      std::min(NumberAt(schema, "maximum").value_or(std::max(low, 0.0) + 100), limit);
  const double span = std::max(high - low, 0.0);
  const double offset = static_cast<double>(dice_.Below(static_cast<size_t>(span) + 1));
  const double number = std::min(low + offset, std::max(low, high));
  if (is_integer) return static_cast<int64_t>(number);
  return Chance(2) ? number : std::min(number + 0.5, std::max(low, high));
}

Value RandomObjects::IntOrString(const Map<Value>& schema) {
  constexpr absl::string_view kQuantities[] = {"0", "1", "500m", "2Gi", "1500m", "100k"};
  if (IsQuantity(schema)) return kQuantities[dice_.Below(std::size(kQuantities))];
  if (Chance(2)) return static_cast<int64_t>(dice_.Below(65536));
  return Text(schema);
}

Value RandomObjects::Anything(int depth) {
  switch (dice_.Below(depth > 3 ? 5 : 7)) {
    case 0:
      return static_cast<int64_t>(dice_.Next() >> 12);
    case 1:
      return 0.25 + static_cast<double>(dice_.Below(100));
    case 2:
      return Chance(2);
    case 3:
      return kTexts[dice_.Below(std::size(kTexts))];
    case 4:
      return Value();
    case 5: {
      kube::List<Value> list;
      for (size_t i = dice_.Below(3); i > 0; --i) list.push_back(Anything(depth + 1));
      return list;
    }
    default: {
      Map<Value> object;
      for (size_t i = dice_.Below(3); i > 0; --i) {
        object[absl::StrCat("any-", i, "\"<é")] = Anything(depth + 1);
      }
      return object;
    }
  }
}

Value RandomObjects::List(const Map<Value>& schema, int depth) {
  const size_t low = SizeAt(schema, "minItems", 0);
  // Elements of sets, and keys of maps, must differ.
  const absl::string_view type = TextAt(schema, "x-kubernetes-list-type");
  const size_t usual = type == "set" || type == "map" ? 1 : 3;
  const size_t high = std::max(low, std::min(SizeAt(schema, "maxItems", usual), usual));
  const size_t size = low + dice_.Below(high - low + 1);
  kube::List<Value> list;
  const Map<Value>* items = ObjectAt(schema, "items");
  for (size_t i = 0; i < size && items != nullptr; ++i) list.push_back(Of(*items, depth + 1));
  return list;
}

Value RandomObjects::ObjectOf(const Map<Value>& schema, int depth, bool is_root) {
  Map<Value> object;
  const std::set<std::string> required = RequiredOf(schema);
  if (const Map<Value>* properties = ObjectAt(schema, "properties"); properties != nullptr) {
    for (const auto& [name, property] : *properties) {
      const bool is_meta = name == "apiVersion" || name == "kind" || name == "metadata";
      if ((is_root && is_meta) || !property.is_object()) continue;
      const bool is_needed = required.count(std::string(name)) > 0;
      if (!is_needed && (depth > kMaxDepth || Chance(depth < 3 ? 4 : 2))) continue;
      object[name] = Of(*property.object(), depth + 1);
    }
  }
  if (const Map<Value>* values = ObjectAt(schema, "additionalProperties"); values != nullptr) {
    const size_t count = std::max(SizeAt(schema, "minProperties", 0), dice_.Below(3));
    for (size_t i = 0; i < count; ++i) object[absl::StrCat("key-", i)] = Of(*values, depth + 1);
  }
  if (IsTrue(schema, "x-kubernetes-embedded-resource")) {
    object["apiVersion"] = "v1";
    object["kind"] = "ConfigMap";
    Map<Value> metadata;
    metadata["name"] = "a";
    object["metadata"] = std::move(metadata);
  }
  if (IsTrue(schema, "x-kubernetes-preserve-unknown-fields")) {
    for (size_t i = dice_.Below(3); i > 0; --i) {
      object[absl::StrCat("unknown ", i)] = Anything(depth);
    }
  }
  return object;
}

Value RandomObjects::Of(const Map<Value>& schema, int depth) {
  if (IsTrue(schema, "nullable") && Chance(10)) return Value();
  if (const Value* values = schema.find("enum"); values != nullptr && values->is_list()) {
    const kube::List<Value>& list = *values->list();
    if (!list.empty()) return list[dice_.Below(list.size())];
  }
  if (IsTrue(schema, "x-kubernetes-int-or-string")) return IntOrString(schema);
  const absl::string_view type = TextAt(schema, "type");
  if (type == "string") return Text(schema);
  if (type == "boolean") return Chance(2);
  if (type == "integer" || type == "number") return Number(schema, type == "integer");
  if (type == "array") return List(schema, depth);
  return type == "object" ? ObjectOf(schema, depth, /*is_root=*/false) : Anything(depth);
}

Value RandomObjects::Object(const Map<Value>& schema, absl::string_view api_version,
                            absl::string_view kind) {
  Value object = ObjectOf(schema, 0, /*is_root=*/true);
  Map<Value>& members = *object.object();
  Map<Value> metadata;
  metadata["name"] = "a";
  members["apiVersion"] = api_version;
  members["kind"] = kind;
  members["metadata"] = std::move(metadata);
  return object;
}

Value WithoutNulls(const Value& value) {
  if (value.is_list()) {
    kube::List<Value> list;
    for (const Value& element : *value.list()) list.push_back(WithoutNulls(element));
    return list;
  }
  if (!value.is_object()) return value;
  Map<Value> object;
  for (const auto& [name, member] : *value.object()) {
    if (!member.is_null()) object[name] = WithoutNulls(member);
  }
  return object;
}

}  // namespace kube::imported
