#include "apimachinery/crd_schema/embedded_metadata.h"

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/crd_schema/internal/bad_value.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/messages.h"
#include "apimachinery/validation/object_meta.h"

namespace kube::crd_schema {
namespace {

namespace field = validation::field;
using api::meta::v1::ObjectMeta;
using crd_schema::internal::BadValueOf;
using crd_schema::internal::Node;
using field::Path;
using unstructured::Value;

// Adds the unknown fields in a strict decoder's errors, as paths.
void AddUnknown(const std::vector<std::string>& strict_errors, const Path& path,
                std::vector<std::string>& unknown) {
  for (absl::string_view error : strict_errors) {
    if (!absl::ConsumePrefix(&error, "unknown field \"")) continue;
    absl::ConsumeSuffix(&error, "\"");
    unknown.push_back(absl::StrCat(path.ToString(), ".", error));
  }
}

absl::Status DecodeMetadata(const Value& value, const Path& path, const CoerceOptions& options,
                            Metadata& metadata) {
  KUBE_ASSIGN_OR_RETURN(const std::string json, unstructured::EncodeJson(value));
  if (!options.report_unknown) {
    KUBE_ASSIGN_OR_RETURN(metadata.value, codec::DecodeJson<ObjectMeta>(json));
    return absl::OkStatus();
  }
  KUBE_ASSIGN_OR_RETURN(codec::StrictlyDecoded<ObjectMeta> decoded,
                        codec::DecodeJsonAndReport<ObjectMeta>(json));
  metadata.value = std::move(decoded.object);
  AddUnknown(decoded.strict_errors, path, metadata.unknown);
  return absl::OkStatus();
}

// Returns the members that have the right type, checking each by itself.
Map<Value> DropMalformed(const Map<Value>& members) {
  Map<Value> kept = Map<Value>::Empty();
  for (const auto& [name, member] : members) {
    Map<Value> single;
    single.insert_or_assign(name, member);
    if (unstructured::FromValue<ObjectMeta>(Value(std::move(single))).ok()) {
      kept.insert_or_assign(name, member);
    }
  }
  return kept;
}

// Walks down an object as far as it has schemas.
class Coercer {
 public:
  explicit Coercer(const CoerceOptions& options) : options_(options) {}

  std::vector<std::string> unknown;

  std::optional<field::Error> Coerce(const Node& node, bool embedded, const Path& path,
                                     Value& value) {
    if (Map<Value>* object = value.object(); object != nullptr) {
      return CoerceObject(node, embedded, path, *object);
    }
    List<Value>* list = value.list();
    if (list == nullptr || node.items == nullptr) return std::nullopt;
    for (size_t i = 0; i < list->size(); ++i) {
      std::optional<field::Error> error =
          Coerce(*node.items, node.items->embedded_resource, path.Index(i), (*list)[i]);
      if (error.has_value()) return error;
    }
    return std::nullopt;
  }

  std::optional<field::Error> CoerceObject(const Node& node, bool embedded, const Path& path,
                                           Map<Value>& object) {
    if (embedded) {
      std::optional<field::Error> error = CoerceMeta(path, object);
      if (error.has_value()) return error;
    }
    for (auto& [name, member] : object) {
      std::optional<field::Error> error;
      if (const Node* property = node.FindProperty(name.view()); property != nullptr) {
        error = Coerce(*property, property->embedded_resource, path.Child(name.view()), member);
      } else if (node.additional_schema != nullptr) {
        error = Coerce(*node.additional_schema, node.additional_schema->embedded_resource,
                       path.Key(name.view()), member);
      }
      if (error.has_value()) return error;
    }
    return std::nullopt;
  }

 private:
  std::optional<field::Error> CoerceMeta(const Path& path, Map<Value>& object) {
    for (const absl::string_view name : {"apiVersion", "kind"}) {
      const Value* member = object.find(name);
      if (member == nullptr || member->is_string()) continue;
      if (!options_.drop_invalid) {
        return field::Invalid(path.Child(name), BadValueOf(*member), "must be a string");
      }
      object.erase(name);
    }
    absl::StatusOr<std::optional<Metadata>> found = GetObjectMeta(object, path, options_);
    if (!found.ok()) {
      if (options_.drop_invalid) return std::nullopt;
      return field::Invalid(path.Child("metadata"), BadValueOf(*object.find("metadata")),
                            found.status().message());
    }
    if (!found->has_value()) return std::nullopt;
    absl::c_move((*found)->unknown, std::back_inserter(unknown));
    absl::StatusOr<Value> value = unstructured::ToValue((*found)->value);
    if (!value.ok()) {
      return field::Invalid(path.Child("metadata"), BadValueOf(*object.find("metadata")),
                            value.status().message());
    }
    // Not set before the object is created.
    const Value* created = value->Find("creationTimestamp");
    if (created != nullptr && created->is_null()) value->object()->erase("creationTimestamp");
    object.insert_or_assign("metadata", *std::move(value));
    return std::nullopt;
  }

  const CoerceOptions options_;
};

void ValidateApiVersion(const Value& value, const Path& path, field::ErrorList& errors) {
  const std::optional<absl::string_view> text = value.text();
  if (!text.has_value()) {
    errors.push_back(field::Invalid(path, BadValueOf(value), "must be a string"));
  } else if (text->empty()) {
    errors.push_back(field::Invalid(path, std::string(), "must not be empty"));
  } else if (const auto parsed = kube::schema::ParseGroupVersion(*text); !parsed.ok()) {
    errors.push_back(field::Invalid(path, std::string(*text), parsed.status().message()));
  }
}

void ValidateKind(const Value& value, const Path& path, field::ErrorList& errors) {
  const std::optional<absl::string_view> text = value.text();
  if (!text.has_value()) {
    errors.push_back(field::Invalid(path, BadValueOf(value), "must be a string"));
    return;
  }
  if (text->empty()) {
    errors.push_back(field::Invalid(path, std::string(), "must not be empty"));
    return;
  }
  const validation::Messages wrong = validation::IsDns1035Label(absl::AsciiStrToLower(*text));
  if (wrong.empty()) return;
  errors.push_back(field::Invalid(path, std::string(*text),
                                  absl::StrCat("may have mixed case, but should otherwise match: ",
                                               absl::StrJoin(wrong, ","))));
}

class EmbeddedValidator {
 public:
  field::ErrorList errors;

  void Validate(const Node& node, bool embedded, const Path& path, const Value& value) {
    if (const Map<Value>* object = value.object(); object != nullptr) {
      ValidateObject(node, embedded, path, *object);
    } else if (const List<Value>* list = value.list(); list != nullptr && node.items != nullptr) {
      for (size_t i = 0; i < list->size(); ++i) {
        Validate(*node.items, node.items->embedded_resource, path.Index(i), (*list)[i]);
      }
    }
  }

  void ValidateObject(const Node& node, bool embedded, const Path& path, const Map<Value>& object) {
    if (embedded) ValidateResource(path, object);
    for (const auto& [name, member] : object) {
      if (const Node* property = node.FindProperty(name.view()); property != nullptr) {
        Validate(*property, property->embedded_resource, path.Child(name.view()), member);
      } else if (node.additional_schema != nullptr) {
        Validate(*node.additional_schema, node.additional_schema->embedded_resource,
                 path.Key(name.view()), member);
      }
    }
  }

 private:
  void ValidateResource(const Path& path, const Map<Value>& object) {
    const Value* api_version = object.find("apiVersion");
    const Value* kind = object.find("kind");
    if (api_version == nullptr) errors.push_back(field::Required(path.Child("apiVersion"), ""));
    if (kind == nullptr) errors.push_back(field::Required(path.Child("kind"), ""));
    if (api_version != nullptr) ValidateApiVersion(*api_version, path.Child("apiVersion"), errors);
    if (kind != nullptr) ValidateKind(*kind, path.Child("kind"), errors);
    absl::StatusOr<std::optional<Metadata>> found = GetObjectMeta(object, path);
    if (!found.ok()) {
      errors.push_back(field::Invalid(path.Child("metadata"), BadValueOf(*object.find("metadata")),
                                      found.status().message()));
      return;
    }
    if (!found->has_value()) return;
    ObjectMeta& metadata = (*found)->value;
    // An embedded resource needs no name, but the validation requires one.
    if (metadata.name.empty()) metadata.name = "fakename";
    field::Append(errors, validation::ValidateObjectMeta(metadata, !metadata.namespace_.empty(),
                                                         validation::NameIsPathSegment,
                                                         path.Child("metadata")));
  }
};

}  // namespace

absl::StatusOr<std::optional<Metadata>> GetObjectMeta(const Map<Value>& object, const Path& path,
                                                      const CoerceOptions& options) {
  const Value* member = object.find("metadata");
  if (member == nullptr) return std::nullopt;
  const Path place = path.Child("metadata");
  Metadata metadata;
  absl::Status status = DecodeMetadata(*member, place, options, metadata);
  if (!status.ok() && options.drop_invalid && member->is_object()) {
    status = DecodeMetadata(Value(DropMalformed(*member->object())), place, options, metadata);
  }
  KUBE_RETURN_IF_ERROR(status);
  absl::c_sort(metadata.unknown);
  return metadata;
}

Coerced CoerceEmbedded(const Structural& schema, Map<Value>& object, const CoerceOptions& options) {
  Coercer coercer(options);
  Coerced result;
  result.error =
      coercer.CoerceObject(schema.root(), schema.root().embedded_resource, Path(), object);
  absl::c_sort(coercer.unknown);
  result.unknown = std::move(coercer.unknown);
  return result;
}

field::ErrorList ValidateEmbedded(const Structural& schema, const Map<Value>& object) {
  EmbeddedValidator validator;
  validator.ValidateObject(schema.root(), schema.root().embedded_resource, Path(), object);
  return std::move(validator.errors);
}

namespace internal {

std::optional<field::Error> CoerceValue(const Node& node, bool is_resource_root, const Path& path,
                                        Value& value) {
  return Coercer({}).Coerce(node, is_resource_root || node.embedded_resource, path, value);
}

field::ErrorList ValidateMetadataOf(const Node& node, bool is_resource_root, const Path& path,
                                    const Value& value) {
  EmbeddedValidator validator;
  validator.Validate(node, is_resource_root || node.embedded_resource, path, value);
  return std::move(validator.errors);
}

}  // namespace internal
}  // namespace kube::crd_schema
