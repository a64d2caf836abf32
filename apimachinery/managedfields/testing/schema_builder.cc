#include "apimachinery/managedfields/testing/schema_builder.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

// A schema is read in three passes, because types refer to each other in any order and in circles.
// The first makes an empty schema for each named type. The second fills them; a reference with an
// elementRelationship of its own becomes another, still empty, schema. The third fills these, as
// copies of what they refer to, and gives the keys of lists the defaults of the fields that they
// name.
namespace kube::managedfields {
namespace {

using unstructured::Value;

enum class Relationship { kUnset, kAssociative, kAtomic, kSeparable };

absl::Status Invalid(absl::string_view problem) { return absl::InvalidArgumentError(problem); }

// Checks that a value is an object with these members only, so that misspelt ones are found.
absl::Status CheckMembers(const Value& value, std::initializer_list<absl::string_view> known) {
  if (!value.is_object()) return Invalid("expected an object");
  for (const auto& [name, member] : *value.object()) {
    if (!absl::c_linear_search(known, name.view())) {
      return Invalid(absl::StrCat("unknown member \"", name.view(), "\""));
    }
  }
  return absl::OkStatus();
}

// Returns null if there is no such member, or it is null.
const Value* MemberOf(const Value& value, absl::string_view name) {
  const Value* member = value.Find(name);
  return member == nullptr || member->is_null() ? nullptr : member;
}

absl::StatusOr<absl::string_view> TextOf(const Value& value, absl::string_view what) {
  const std::optional<absl::string_view> text = value.text();
  if (!text.has_value()) return Invalid(absl::StrCat(what, " is not a string"));
  return *text;
}

absl::StatusOr<const List<Value>*> ListOf(const Value& value, absl::string_view what) {
  const List<Value>* list = value.list();
  if (list == nullptr) return Invalid(absl::StrCat(what, " is not a list"));
  return list;
}

absl::StatusOr<Relationship> RelationshipOf(const Value& value) {
  const Value* member = MemberOf(value, "elementRelationship");
  if (member == nullptr) return Relationship::kUnset;
  KUBE_ASSIGN_OR_RETURN(const absl::string_view text, TextOf(*member, "elementRelationship"));
  if (text == "associative") return Relationship::kAssociative;
  if (text == "atomic") return Relationship::kAtomic;
  if (text == "separable") return Relationship::kSeparable;
  return Invalid(absl::StrCat("unknown elementRelationship \"", text, "\""));
}

absl::StatusOr<ScalarType> ScalarOf(const Value& value) {
  KUBE_ASSIGN_OR_RETURN(const absl::string_view text, TextOf(value, "scalar"));
  if (text == "numeric") return ScalarType::kNumeric;
  if (text == "string") return ScalarType::kString;
  if (text == "boolean") return ScalarType::kBoolean;
  if (text == "untyped") return ScalarType::kUntyped;
  return Invalid(absl::StrCat("unknown scalar \"", text, "\""));
}

class SchemaReader {
 public:
  explicit SchemaReader(SchemaArena& arena) : arena_(arena) {}

  absl::Status Read(const Value& document) {
    KUBE_RETURN_IF_ERROR(CheckMembers(document, {"types"}));
    KUBE_ASSIGN_OR_RETURN(const List<Value>* types, ListOf(document["types"], "types"));
    for (const Value& type : *types) KUBE_RETURN_IF_ERROR(Declare(type));
    for (const auto& [type, schema] : definitions_) {
      KUBE_RETURN_IF_ERROR(ReadAtom(*type, *schema), "type \"", type->Find("name")->text().value(),
                           "\"");
    }
    KUBE_RETURN_IF_ERROR(FillOverrides());
    SetKeyDefaults();
    return absl::OkStatus();
  }

  absl::StatusOr<const Schema*> FindType(absl::string_view name) const {
    const auto found = types_.find(name);
    if (found == types_.end()) return Invalid(absl::StrCat("no type \"", name, "\""));
    return found->second;
  }

 private:
  // A reference that changes the relationship of what it refers to.
  struct Override {
    Schema* target;
    const Schema* source;  // null if the reference is empty
    Relationship relationship;
  };

  absl::Status Declare(const Value& type) {
    KUBE_RETURN_IF_ERROR(CheckMembers(type, {"name", "scalar", "list", "map"}));
    KUBE_ASSIGN_OR_RETURN(const absl::string_view name, TextOf(type["name"], "name of a type"));
    // Upstream knows these two by their names, too.
    if (name == kUntypedAtomic || name == kUntypedDeduced) return absl::OkStatus();
    Schema& schema = arena_.AddSchema();
    if (!types_.emplace(std::string(name), &schema).second) {
      return Invalid(absl::StrCat("type \"", name, "\" is defined twice"));
    }
    definitions_.emplace_back(&type, &schema);
    return absl::OkStatus();
  }

  absl::Status ReadAtom(const Value& value, Schema& schema) {
    if (const Value* scalar = MemberOf(value, "scalar"); scalar != nullptr) {
      KUBE_ASSIGN_OR_RETURN(schema.scalar, ScalarOf(*scalar));
    }
    if (const Value* list = MemberOf(value, "list"); list != nullptr) {
      KUBE_ASSIGN_OR_RETURN(schema.list, ReadList(*list));
    }
    if (const Value* map = MemberOf(value, "map"); map != nullptr) {
      KUBE_ASSIGN_OR_RETURN(schema.map, ReadMap(*map));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<const ListSchema*> ReadList(const Value& value) {
    KUBE_RETURN_IF_ERROR(CheckMembers(value, {"elementType", "elementRelationship", "keys"}));
    KUBE_ASSIGN_OR_RETURN(const Relationship relationship, RelationshipOf(value));
    ListSchema& list = arena_.AddList();
    list.associative = relationship == Relationship::kAssociative;
    KUBE_ASSIGN_OR_RETURN(list.element, ReadType(value["elementType"]));
    if (const Value* member = MemberOf(value, "keys"); member != nullptr) {
      KUBE_ASSIGN_OR_RETURN(const List<Value>* keys, ListOf(*member, "keys"));
      for (const Value& key : *keys) {
        KUBE_ASSIGN_OR_RETURN(const absl::string_view name, TextOf(key, "key"));
        list.keys.push_back({.name = std::string(name)});
      }
    }
    lists_.push_back(&list);
    return &list;
  }

  absl::StatusOr<const MapSchema*> ReadMap(const Value& value) {
    KUBE_RETURN_IF_ERROR(
        CheckMembers(value, {"fields", "elementType", "elementRelationship", "unions"}));
    KUBE_ASSIGN_OR_RETURN(const Relationship relationship, RelationshipOf(value));
    MapSchema& map = arena_.AddMap();
    map.atomic = relationship == Relationship::kAtomic;
    KUBE_ASSIGN_OR_RETURN(map.element, ReadReference(value["elementType"]));
    if (const Value* member = MemberOf(value, "fields"); member != nullptr) {
      KUBE_ASSIGN_OR_RETURN(const List<Value>* fields, ListOf(*member, "fields"));
      for (const Value& field : *fields) KUBE_RETURN_IF_ERROR(ReadField(field, map));
    }
    const auto less = [](const FieldSchema& a, const FieldSchema& b) { return a.name < b.name; };
    const auto equal = [](const FieldSchema& a, const FieldSchema& b) { return a.name == b.name; };
    std::sort(map.fields.begin(), map.fields.end(), less);
    const auto twice = std::adjacent_find(map.fields.begin(), map.fields.end(), equal);
    if (twice == map.fields.end()) return &map;
    return Invalid(absl::StrCat("field \"", twice->name, "\" is defined twice"));
  }

  absl::Status ReadField(const Value& value, MapSchema& map) {
    KUBE_RETURN_IF_ERROR(CheckMembers(value, {"name", "type", "default"}));
    KUBE_ASSIGN_OR_RETURN(const absl::string_view name, TextOf(value["name"], "name of a field"));
    KUBE_ASSIGN_OR_RETURN(const Schema* schema, ReadType(value["type"]), "field \"", name, "\"");
    map.fields.push_back({.name = std::string(name), .schema = schema});
    if (const Value* standard = MemberOf(value, "default"); standard != nullptr) {
      defaults_[&map].insert_or_assign(name, *standard);
    }
    return absl::OkStatus();
  }

  // Returns an empty schema, which accepts nothing, for an empty reference.
  absl::StatusOr<const Schema*> ReadType(const Value& value) {
    KUBE_ASSIGN_OR_RETURN(const Schema* schema, ReadReference(value));
    return schema != nullptr ? schema : &arena_.AddSchema();
  }

  // Returns null for an empty reference.
  absl::StatusOr<const Schema*> ReadReference(const Value& value) {
    const Schema* referred = nullptr;
    if (value.is_null()) return referred;
    KUBE_RETURN_IF_ERROR(
        CheckMembers(value, {"namedType", "elementRelationship", "scalar", "list", "map"}));
    KUBE_ASSIGN_OR_RETURN(const Relationship relationship, RelationshipOf(value));
    if (const Value* member = MemberOf(value, "namedType"); member != nullptr) {
      KUBE_ASSIGN_OR_RETURN(const absl::string_view name, TextOf(*member, "namedType"));
      KUBE_ASSIGN_OR_RETURN(referred, FindType(name));
    } else {
      Schema& inlined = arena_.AddSchema();
      KUBE_RETURN_IF_ERROR(ReadAtom(value, inlined));
      const bool is_empty =
          inlined.scalar == ScalarType::kNone && inlined.list == nullptr && inlined.map == nullptr;
      if (!is_empty) referred = &inlined;
    }
    if (relationship == Relationship::kUnset) return referred;
    Schema& target = arena_.AddSchema();
    overrides_.push_back({.target = &target, .source = referred, .relationship = relationship});
    return &target;
  }

  // As upstream, the relationship of a type that is both a map and a list is that of the map.
  absl::Status FillOverrides() {
    for (const Override& each : overrides_) {
      if (each.source == nullptr || (each.source->map == nullptr && each.source->list == nullptr)) {
        return Invalid("elementRelationship of a type that is neither a map nor a list");
      }
      *each.target = *each.source;
      if (const MapSchema* original = each.source->map; original != nullptr) {
        MapSchema& map = arena_.AddMap();
        map = *original;
        map.atomic = each.relationship == Relationship::kAtomic;
        each.target->map = &map;
        const auto defaults = defaults_.find(original);
        if (defaults != defaults_.end()) defaults_.emplace(&map, defaults->second);
      } else {
        ListSchema& list = arena_.AddList();
        list = *each.source->list;
        list.associative = each.relationship == Relationship::kAssociative;
        each.target->list = &list;
        lists_.push_back(&list);
      }
    }
    return absl::OkStatus();
  }

  void SetKeyDefaults() {
    for (ListSchema* list : lists_) {
      const auto defaults = defaults_.find(list->element->map);
      if (defaults == defaults_.end()) continue;
      for (ListKey& key : list->keys) {
        const Value* standard = defaults->second.find(key.name);
        if (standard != nullptr) key.default_value = *standard;
      }
    }
  }

  static constexpr absl::string_view kUntypedAtomic = "__untyped_atomic_";
  static constexpr absl::string_view kUntypedDeduced = "__untyped_deduced_";

  SchemaArena& arena_;
  std::map<std::string, const Schema*, std::less<>> types_ = {
      {std::string(kUntypedAtomic), &UntypedAtomicSchema()},
      {std::string(kUntypedDeduced), &DeducedSchema()}};
  std::vector<std::pair<const Value*, Schema*>> definitions_;
  // The defaults of the fields of each map, by name.
  std::map<const MapSchema*, Map<Value>> defaults_;
  std::vector<ListSchema*> lists_;
  std::vector<Override> overrides_;
};

}  // namespace

absl::StatusOr<BuiltSchema> ParseSchema(absl::string_view yaml, absl::string_view root) {
  KUBE_ASSIGN_OR_RETURN(const Value document, unstructured::ParseYaml(yaml), "parse schema");
  const auto arena = std::make_shared<SchemaArena>();
  SchemaReader reader(*arena);
  KUBE_RETURN_IF_ERROR(reader.Read(document), "parse schema");
  KUBE_ASSIGN_OR_RETURN(const Schema* schema, reader.FindType(root), "parse schema");
  return BuiltSchema{.arena = arena, .schema = schema};
}

}  // namespace kube::managedfields
