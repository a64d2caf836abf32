// Makes schemas of field tables. What becomes of a type follows openapi-gen's rules: a reference to
// a struct stands alone if nothing else is said of it, and in an allOf beside what is said, because
// a $ref has no siblings in OpenAPI 3.0. A value that Go always writes has its zero value as
// default; so do structs by value, elements and values of maps, except for types with a JSON form
// of their own, such as Time.
//
// A struct is registered before its fields are visited, since JSONSchemaProps contains itself.

#include "apiserver/openapi/type_definitions.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/openapi/schema_parts.h"
#include "apiserver/openapi/struct_facts.h"

namespace kube::apiserver::internal {

namespace {

using table::Field;
using table::JsonForm;
using table::Kind;
using table::MergeRules;
using table::Message;
using table::Shape;
using unstructured::Value;

struct LeafDefinition {
  Kind kind;
  absl::string_view name;
  absl::string_view schema;
};

constexpr LeafDefinition kLeaves[] = {
    {Kind::kQuantity, "io.k8s.apimachinery.pkg.api.resource.Quantity",
     R"({"description":"A number with an optional unit, such as 100m, 1.5 or 2Gi.",)"
     R"("oneOf":[{"type":"string"},{"type":"number"}]})"},
    {Kind::kRawExtension, "io.k8s.apimachinery.pkg.runtime.RawExtension",
     R"({"description":"Any API object.","type":"object"})"},
    {Kind::kFieldsV1, "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
     R"({"description":"The set of fields that a manager owns, as a trie.","type":"object"})"},
    {Kind::kRawJson, "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON",
     R"({"description":"Any JSON value."})"},
    {Kind::kTime, "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
     R"({"description":"A time as RFC 3339 writes it, in seconds.","format":"date-time",)"
     R"("type":"string"})"},
    {Kind::kMicroTime, "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
     R"({"description":"A time as RFC 3339 writes it, in microseconds.","format":"date-time",)"
     R"("type":"string"})"},
    {Kind::kDuration, "io.k8s.apimachinery.pkg.apis.meta.v1.Duration",
     R"({"description":"A duration as Go writes it, such as 1m30s.","type":"string"})"},
    {Kind::kIntOrString, "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
     R"({"description":"An integer or a string.","format":"int-or-string",)"
     R"("oneOf":[{"type":"integer"},{"type":"string"}]})"},
};

Map<Value> Typed(absl::string_view type, absl::string_view format = "") {
  Map<Value> schema;
  schema["type"] = type;
  if (!format.empty()) schema["format"] = format;
  return schema;
}

List<Value> TextsOf(const std::vector<absl::string_view>& texts) { return List<Value>(texts); }

// The names of a strategy's bits, in the order in which Kubernetes writes them.
std::string PatchStrategyOf(const MergeRules& rules) {
  std::vector<absl::string_view> names;
  if ((rules.strategy & MergeRules::kMerge) != 0) names.push_back("merge");
  if ((rules.strategy & MergeRules::kRetainKeys) != 0) names.push_back("retainKeys");
  if ((rules.strategy & MergeRules::kReplace) != 0) names.push_back("replace");
  return absl::StrJoin(names, ",");
}

bool IsList(const Field& field) {
  return field.shape == Shape::kList ||
         (field.kind == Kind::kStringList && field.shape == Shape::kValue);
}

void AddListType(const MergeRules& rules, Map<Value>& schema) {
  if ((rules.strategy & MergeRules::kListMap) != 0) {
    schema["x-kubernetes-list-type"] = "map";
    schema["x-kubernetes-list-map-keys"] = TextsOf(absl::StrSplit(rules.list_map_keys, ','));
  } else if ((rules.strategy & MergeRules::kListSet) != 0) {
    schema["x-kubernetes-list-type"] = "set";
  } else if ((rules.strategy & MergeRules::kListAtomic) != 0) {
    schema["x-kubernetes-list-type"] = "atomic";
  }
}

void AddMergeRules(const Message& message, const Field& field, Map<Value>& schema) {
  const MergeRules rules = table::MergeRulesOf(message, field);
  if (IsList(field)) {
    AddListType(rules, schema);
  } else if ((rules.strategy & MergeRules::kListAtomic) != 0) {
    schema["x-kubernetes-map-type"] = "atomic";
  } else if ((rules.strategy & MergeRules::kMapGranular) != 0) {
    schema["x-kubernetes-map-type"] = "granular";
  }
  const std::string strategy = PatchStrategyOf(rules);
  if (!strategy.empty()) schema["x-kubernetes-patch-strategy"] = strategy;
  if (!rules.merge_key.empty()) schema["x-kubernetes-patch-merge-key"] = rules.merge_key;
}

// Describes apiVersion and kind, which the IDL does not mention.
absl::string_view TypeMetaDescription(const Field& field, absl::string_view name) {
  if (field.number != 0) return "";
  if (name == "apiVersion") return kApiVersionDescription;
  return name == "kind" ? kKindDescription : "";
}

bool IsRequired(const Field& field, const Value& facts) {
  if (const std::optional<bool> said = facts["required"].boolean()) return *said;
  return field.shape != Shape::kOpt && field.shape != Shape::kBox &&
         (field.flags & (table::kOmitEmpty | table::kOmitZero)) == 0;
}

// Returns the group, version and kind of a definition, as extensions have them.
Value ToValue(absl::string_view group, absl::string_view version, absl::string_view kind) {
  return Map<Value>{{"group", group}, {"version", version}, {"kind", kind}};
}

}  // namespace

// Writes the schema of one definition.
class TypeSchemaWriter {
 public:
  TypeSchemaWriter(TypeDefinitions& definitions, TypeDefinition& definition)
      : definitions_(definitions), definition_(definition) {}

  Map<Value> OfStruct(const Message& message) {
    const Value& facts = definitions_.facts_.FactsOf(message);
    Map<Value> schema;
    if (const Value* text = facts.Find("description")) schema["description"] = *text;
    // What has several forms in JSON has no type.
    if (message.json_form != JsonForm::kObject) return schema;
    schema["type"] = "object";
    if (message.is_atomic != 0) schema["x-kubernetes-map-type"] = "atomic";
    AddKind(message, schema);
    Map<Value> properties;
    List<Value> required;
    for (size_t i = 0; i < message.field_count; ++i) {
      const Field& field = message.fields[i];
      if ((field.flags & table::kNoJson) != 0) continue;
      const absl::string_view name = message.field_name(field);
      const Value& of_field = facts["properties"][name];
      properties[name] = OfField(message, field, of_field);
      if (IsRequired(field, of_field)) required.push_back(name);
    }
    if (!properties.empty()) schema["properties"] = std::move(properties);
    if (!required.empty()) schema["required"] = std::move(required);
    return schema;
  }

 private:
  // A schema, and what it refers to.
  struct Part {
    Map<Value> schema = {};
    const TypeDefinition* reference = nullptr;
  };

  void AddKind(const Message& message, Map<Value>& schema) {
    Value kind;
    if (const KindInfo* info = definitions_.KindOf(message)) {
      kind = ToValue(info->group, info->version, info->kind);
    } else if (&message == &api::meta::v1::WatchEvent::kMessage) {
      kind = ToValue("", "v1", "WatchEvent");
    } else {
      return;
    }
    List<Value> kinds;
    kinds.push_back(std::move(kind));
    schema["x-kubernetes-group-version-kind"] = std::move(kinds);
  }

  Map<Value> OfField(const Message& message, const Field& field, const Value& facts) {
    Part part;
    if (field.shape == Shape::kList || field.shape == Shape::kMap) {
      const bool is_list = field.shape == Shape::kList;
      Part element = OfType(message, field, /*has_default=*/true);
      AddEnum(facts, element.schema);
      part.schema = Typed(is_list ? "array" : "object");
      part.schema[is_list ? "items" : "additionalProperties"] = Finish(std::move(element));
    } else {
      // A struct by value has the default {} whether it is omitted or not.
      const bool has_default =
          field.shape == Shape::kValue &&
          (field.kind == Kind::kMessage || (field.flags & table::kOmitEmpty) == 0);
      part = OfType(message, field, has_default);
      AddEnum(facts, part.schema);
    }
    const absl::string_view of_type_meta = TypeMetaDescription(field, message.field_name(field));
    if (!of_type_meta.empty()) part.schema["description"] = of_type_meta;
    if (const Value* text = facts.Find("description")) part.schema["description"] = *text;
    if (const Value* value = facts.Find("default")) part.schema["default"] = *value;
    AddMergeRules(message, field, part.schema);
    return Finish(std::move(part));
  }

  // Returns the schema of one value of a field. `has_default` says that the zero value is its
  // default, if its type can have one.
  Part OfType(const Message& message, const Field& field, bool has_default) {
    switch (field.kind) {
      case Kind::kString:
        return WithDefault(Typed("string"), "", has_default);
      case Kind::kBytes:
        return {.schema = Typed("string", "byte")};
      case Kind::kBool:
        return WithDefault(Typed("boolean"), false, has_default);
      case Kind::kInt32:
        return WithDefault(Typed("integer", "int32"), 0, has_default);
      case Kind::kInt64:
        return WithDefault(Typed("integer", "int64"), 0, has_default);
      case Kind::kDouble:
        return WithDefault(Typed("number", "double"), 0, has_default);
      case Kind::kStringList: {
        Part part = {.schema = Typed("array")};
        part.schema["items"] = Map<Value>{{"type", "string"}, {"default", ""}};
        return part;
      }
      case Kind::kMessage:
        return OfSubStruct(message.sub_message(field), has_default);
      case Kind::kValue:
        return {};
      default:
        return {.reference = definitions_.LeafOf(field.kind)};
    }
  }

  static Part WithDefault(Map<Value> schema, Value value, bool has_default) {
    if (has_default) schema["default"] = std::move(value);
    return {.schema = std::move(schema)};
  }

  Part OfSubStruct(const Message& message, bool has_default) {
    Part part = {.reference = &definitions_.Add(message)};
    if (has_default && message.json_form == JsonForm::kObject) {
      part.schema["default"] = Map<Value>::Empty();
    }
    return part;
  }

  static void AddEnum(const Value& facts, Map<Value>& schema) {
    if (const Value* values = facts.Find("enum")) schema["enum"] = *values;
  }

  Map<Value> Finish(Part part) {
    if (part.reference == nullptr) return std::move(part.schema);
    if (part.reference != &definition_ &&
        !absl::c_linear_search(definition_.references, part.reference)) {
      definition_.references.push_back(part.reference);
    }
    return WithReference(std::move(part.schema), part.reference->name);
  }

  TypeDefinitions& definitions_;
  TypeDefinition& definition_;
};

TypeDefinitions::TypeDefinitions(const StructFacts& facts) : facts_(facts) {
  for (const LeafDefinition& leaf : kLeaves) {
    leaves_[leaf.kind] = {.name = std::string(leaf.name), .schema = std::string(leaf.schema)};
  }
  patch_ = std::make_unique<TypeDefinition>(
      TypeDefinition{.name = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
                     .schema = R"({"description":"A patch.","type":"object"})"});
  const std::vector<const KindInfo*> kinds = api::AllKinds();
  for (const KindInfo* kind : kinds) kinds_.try_emplace(kind->message, kind);
  for (const KindInfo* kind : kinds) {
    if (facts_.Knows(*kind->message)) Add(*kind->message);
  }
  // No kind holds it: a watch sends it.
  Add(api::meta::v1::WatchEvent::kMessage);
}

const TypeDefinitions& TypeDefinitions::BuiltIn() {
  static base::NoDestructor<TypeDefinitions> definitions(StructFacts::BuiltIn());
  return *definitions;
}

const TypeDefinition& TypeDefinitions::Of(const Message& message) const {
  const auto found = structs_.find(&message);
  KUBE_CHECK(found != structs_.end()) << message.type_name();
  return *found->second;
}

const KindInfo* TypeDefinitions::KindOf(const Message& message) const {
  const auto found = kinds_.find(&message);
  return found == kinds_.end() ? nullptr : found->second;
}

const TypeDefinition& TypeDefinitions::Add(const Message& message) {
  const auto [place, is_new] = structs_.try_emplace(&message, nullptr);
  if (!is_new) return *place->second;
  place->second = std::make_unique<TypeDefinition>();
  // The map may grow while the fields are visited, but the definition stays where it is.
  TypeDefinition& definition = *place->second;
  definition.name = facts_.NameOf(message);
  definition.schema =
      unstructured::EncodeJson(TypeSchemaWriter(*this, definition).OfStruct(message)).value();
  return definition;
}

const TypeDefinition* TypeDefinitions::LeafOf(table::Kind kind) const {
  const auto found = leaves_.find(kind);
  return found == leaves_.end() ? nullptr : &found->second;
}

}  // namespace kube::apiserver::internal
