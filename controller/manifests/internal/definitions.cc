#include "controller/manifests/internal/definitions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "controller/manifests/internal/objects.h"

namespace kube::manifests::internal {
namespace {

using unstructured::Value;

absl::StatusOr<Definition> DefinitionOf(const Value& parsed) {
  if (parsed["kind"].text() != "CustomResourceDefinition" ||
      parsed["apiVersion"].text() != "apiextensions.k8s.io/v1") {
    return absl::InvalidArgumentError(
        "it is no CustomResourceDefinition of apiextensions.k8s.io/v1");
  }
  const Value& spec = parsed["spec"];
  Definition definition = {.object = *parsed.object(),
                           .group = std::string(spec["group"].text().value_or("")),
                           .plural = std::string(spec["names"]["plural"].text().value_or("")),
                           .kind = std::string(spec["names"]["kind"].text().value_or(""))};
  if (definition.group.empty() || definition.plural.empty() || definition.kind.empty()) {
    return absl::InvalidArgumentError(
        "spec.group, spec.names.plural and spec.names.kind must be set");
  }
  definition.object.erase("status");
  Value* metadata = definition.object.find("metadata");
  if (metadata == nullptr || !metadata->is_object()) {
    return absl::InvalidArgumentError("metadata must be an object");
  }
  metadata->object()->erase("creationTimestamp");
  return definition;
}

absl::Status AtLine(int line, const absl::Status& status) {
  return base::Annotate(status, absl::StrCat("read definitions, document at line ", line));
}

Value Rule(const Definition& definition, absl::string_view subresource,
           const std::vector<std::string>& verbs) {
  return Object{{"apiGroups", Array{definition.group}},
                {"resources", Array{absl::StrCat(definition.plural, subresource)}},
                {"verbs", Texts(verbs)}};
}

Placed UserRole(const Names& names, const Definition& definition, absl::string_view subject,
                absl::string_view user, const std::vector<std::string>& verbs) {
  Object object = MakeObject(names, "rbac.authorization.k8s.io/v1", "ClusterRole",
                             names.With(absl::StrCat(subject, "-", user, "-role")), "");
  object["rules"] = Array{Rule(definition, "", verbs), Rule(definition, "/status", {"get"})};
  return {.file = absl::StrCat("rbac/", subject, "_", user, "_role.yaml"),
          .object = std::move(object)};
}

// ---- samples

Value Sample(const Value& schema);

// Returns the members of an object that are required or have a default.
Object SampleMembers(const Value& schema) {
  Object members = Object::Empty();
  const Object* properties = schema["properties"].object();
  if (properties == nullptr) return members;
  std::set<std::string> required;
  if (const Array* names = schema["required"].list(); names != nullptr) {
    for (const Value& name : *names) required.emplace(name.text().value_or(""));
  }
  for (const auto& [name, property] : *properties) {
    if (required.contains(std::string(name.view())) || !property["default"].is_null()) {
      members[name] = Sample(property);
    }
  }
  return members;
}

// Returns a text that is long enough and not too long; a pattern is not followed.
std::string SampleText(const Value& schema) {
  if (schema["format"].text() == "date-time") return "2006-01-02T15:04:05Z";
  std::string text = "sample";
  const auto least =
      static_cast<size_t>(std::clamp<int64_t>(schema["minLength"].integer().value_or(0), 0, 1000));
  while (text.size() < least) text += "-sample";
  const int64_t most = schema["maxLength"].integer().value_or(1000);
  if (most >= 0 && text.size() > static_cast<size_t>(most)) text.resize(static_cast<size_t>(most));
  return text;
}

// Returns the number as an integer, if it has no fraction and is one of 64 bits. Greater ones
// become the greatest one if the schema wants an integer.
Value NumberOf(double number, bool is_integer) {
  constexpr double kEnd = 9223372036854775808.0;  // 2^63, the first number that does not fit
  if (number >= -kEnd && number < kEnd && std::floor(number) == number) {
    return Value(static_cast<int64_t>(number));
  }
  if (!is_integer) return Value(number);
  return Value(number < 0 ? std::numeric_limits<int64_t>::min()
                          : std::numeric_limits<int64_t>::max());
}

// Returns zero, or what is nearest to it between the limits.
Value SampleNumber(const Value& schema) {
  const bool is_integer = schema["type"].text() != "number";
  const bool above = schema["exclusiveMinimum"].boolean().value_or(false);
  const bool below = schema["exclusiveMaximum"].boolean().value_or(false);
  const double least =
      schema["minimum"].number().value_or(-std::numeric_limits<double>::infinity());
  double number = 0;
  if (least > 0 || (least == 0 && above)) {
    number = is_integer ? std::ceil(least) : least;
    if (above) number = std::floor(least) + 1;
  }
  const double most = schema["maximum"].number().value_or(number + 1);
  if (number > most || (below && number == most)) {
    number = is_integer ? std::floor(most) : most;
    if (below) number = std::ceil(most) - 1;
    // The limits have no integer between them.
    if (!is_integer && (number < least || (above && number == least))) number = (least + most) / 2;
  }
  return NumberOf(number, is_integer);
}

Array SampleItems(const Value& schema) {
  Array items = Array::Empty();
  if (schema["minItems"].integer().value_or(0) > 0) items.push_back(Sample(schema["items"]));
  return items;
}

Value Sample(const Value& schema) {
  for (const char* given : {"default", "example"}) {
    if (!schema[given].is_null()) return schema[given];
  }
  if (const Array* values = schema["enum"].list(); values != nullptr && !values->empty()) {
    return values->front();
  }
  const absl::string_view type = schema["type"].text().value_or("");
  if (type == "object") return SampleMembers(schema);
  if (type == "array") return SampleItems(schema);
  if (type == "string") return SampleText(schema);
  if (type == "boolean") return false;
  return SampleNumber(schema);
}

// Returns the version that is stored, or null.
const Value* StoredVersion(const Definition& definition) {
  const Value* spec = definition.object.find("spec");
  const Array* versions = spec == nullptr ? nullptr : (*spec)["versions"].list();
  if (versions == nullptr) return nullptr;
  for (const Value& version : *versions) {
    if (version["storage"].boolean().value_or(false)) return &version;
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<std::vector<Definition>> ParseDefinitions(absl::string_view yaml) {
  std::vector<Definition> definitions;
  codec::YamlDocuments documents(yaml);
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const auto document, documents.Next(), "read definitions");
    if (!document.has_value()) break;
    const absl::StatusOr<Value> parsed = unstructured::ParseYaml(document->text);
    if (!parsed.ok()) return AtLine(document->first_line, parsed.status());
    if (parsed->is_null()) continue;
    absl::StatusOr<Definition> definition = DefinitionOf(*parsed);
    if (!definition.ok()) return AtLine(document->first_line, definition.status());
    for (const Definition& other : definitions) {
      if (other.group != definition->group || other.plural != definition->plural) continue;
      return AtLine(document->first_line,
                    absl::InvalidArgumentError(
                        absl::StrCat("another one defines ", other.plural, ".", other.group)));
    }
    definitions.push_back(*std::move(definition));
  }
  std::sort(definitions.begin(), definitions.end(), [](const Definition& a, const Definition& b) {
    return std::pair(a.group, a.plural) < std::pair(b.group, b.plural);
  });
  return definitions;
}

PlacedObjects UserRoles(const Names& names, const std::vector<Definition>& definitions) {
  PlacedObjects placed;
  std::set<std::string> subjects;
  for (const Definition& definition : definitions) {
    std::string subject = absl::AsciiStrToLower(definition.kind);
    // Two groups may have a kind of this name.
    if (!subjects.insert(subject).second) absl::StrAppend(&subject, "-", definition.group);
    placed.push_back(UserRole(names, definition, subject, "admin", {"*"}));
    placed.push_back(UserRole(names, definition, subject, "editor",
                              {"create", "delete", "get", "list", "patch", "update", "watch"}));
    placed.push_back(UserRole(names, definition, subject, "viewer", {"get", "list", "watch"}));
  }
  return placed;
}

Object SampleOf(const Definition& definition) {
  const Value* version = StoredVersion(definition);
  if (version == nullptr) return {};
  const Value& schema = (*version)["schema"]["openAPIV3Schema"];
  Object sample = SampleMembers(schema);
  for (const char* written_elsewhere : {"apiVersion", "kind", "metadata", "status"}) {
    sample.erase(written_elsewhere);
  }
  if (!schema["properties"]["spec"].is_null() && sample.find("spec") == nullptr) {
    sample["spec"] = Sample(schema["properties"]["spec"]);
  }
  sample["apiVersion"] =
      absl::StrCat(definition.group, "/", (*version)["name"].text().value_or(""));
  sample["kind"] = definition.kind;
  sample["metadata"] =
      Object{{"name", absl::StrCat(absl::AsciiStrToLower(definition.kind), "-sample")}};
  return sample;
}

}  // namespace kube::manifests::internal
