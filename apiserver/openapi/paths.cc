#include "apiserver/openapi/paths.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "api/all_kinds.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/openapi/custom_schema.h"
#include "apiserver/openapi/schema_parts.h"
#include "apiserver/openapi/type_definitions.h"
#include "apiserver/resources.h"
#include "apiserver/strategy/strategy.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using unstructured::Value;
using Texts = absl::Span<const absl::string_view>;

constexpr absl::string_view kJson = "application/json";
constexpr absl::string_view kYaml = "application/yaml";
constexpr absl::string_view kProtobuf = "application/vnd.kubernetes.protobuf";
constexpr absl::string_view kJsonStream = "application/json;stream=watch";
constexpr absl::string_view kProtobufStream = "application/vnd.kubernetes.protobuf;stream=watch";

constexpr absl::string_view kFormats[] = {kJson, kYaml, kProtobuf};
constexpr absl::string_view kStreams[] = {kJson, kYaml, kProtobuf, kJsonStream, kProtobufStream};
constexpr absl::string_view kLogs[] = {kJson, kYaml, kProtobuf, "text/plain"};
constexpr absl::string_view kCustomFormats[] = {kJson, kYaml};
constexpr absl::string_view kAnyFormat[] = {"*/*"};
constexpr absl::string_view kPatches[] = {
    "application/json-patch+json", "application/merge-patch+json",
    "application/strategic-merge-patch+json", "application/apply-patch+yaml"};
constexpr absl::string_view kCustomPatches[] = {
    "application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"};

// The codes of successful responses.
constexpr absl::string_view kOk[] = {"200"};
constexpr absl::string_view kOkOrCreated[] = {"200", "201"};
constexpr absl::string_view kOkOrAccepted[] = {"200", "202"};
constexpr absl::string_view kAllSuccesses[] = {"200", "201", "202"};

absl::string_view TextOf(absl::string_view code) {
  if (code == "201") return "Created";
  return code == "202" ? "Accepted" : "OK";
}

struct Parameter {
  std::string name = {};
  absl::string_view type = "string";
  absl::string_view in = "query";
  friend bool operator==(const Parameter& a, const Parameter& b) = default;
};
using Parameters = std::vector<Parameter>;

Value ToValue(const Parameter& parameter) {
  Map<Value> value;
  value["in"] = parameter.in;
  value["name"] = parameter.name;
  if (parameter.in == "path") value["required"] = true;
  value["schema"] = Map<Value>{{"type", parameter.type}, {"uniqueItems", true}};
  return value;
}

Value ToValue(Parameters parameters) {
  absl::c_sort(parameters, [](const Parameter& a, const Parameter& b) { return a.name < b.name; });
  List<Value> values;
  for (const Parameter& each : parameters) values.push_back(ToValue(each));
  return values;
}

// Returns the JSON type of a query parameter's values, or "" for a field that is no parameter.
absl::string_view ParameterType(const table::Field& field) {
  if (field.shape == table::Shape::kMap || (field.flags & table::kNoJson) != 0) return "";
  switch (field.kind) {
    case table::Kind::kString:
    case table::Kind::kStringList:
      return "string";
    case table::Kind::kBool:
      return "boolean";
    case table::Kind::kInt32:
    case table::Kind::kInt64:
      return "integer";
    default:
      return "";
  }
}

// Returns the fields of an options kind as query parameters, without apiVersion and kind
// (kube-apiserver: `AddObjectParams`).
Parameters ParametersOf(const table::Message& options) {
  Parameters parameters;
  for (size_t i = 0; i < options.field_count; ++i) {
    const table::Field& field = options.fields[i];
    const absl::string_view name = options.field_name(field);
    const absl::string_view type = ParameterType(field);
    if (type.empty() || name == "apiVersion" || name == "kind") continue;
    parameters.push_back({.name = std::string(name), .type = type});
  }
  return parameters;
}

// What a deletion of many objects takes from its list options, and from those of a deletion.
Parameters DeleteCollectionParameters() {
  Parameters parameters = ParametersOf(metav1::ListOptions::kMessage);
  std::erase_if(parameters, [](const Parameter& each) {
    return each.name == "watch" || each.name == "allowWatchBookmarks";
  });
  for (Parameter& each : ParametersOf(metav1::DeleteOptions::kMessage)) {
    parameters.push_back(std::move(each));
  }
  return parameters;
}

// Returns the text as part of an identifier: without the characters that cannot be in one, after
// each of which a capital letter follows (kube-apiserver: `ToValidOperationID`).
std::string ToIdentifier(absl::string_view text, bool capital) {
  std::string identifier;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (!absl::ascii_isalpha(c) && c != '_' && (i == 0 || !absl::ascii_isdigit(c))) {
      capital = true;
      continue;
    }
    identifier += static_cast<char>(capital ? absl::ascii_toupper(c) : c);
    capital = false;
  }
  return identifier;
}

absl::string_view ShortGroup(absl::string_view group) {
  return group.empty() ? "core" : absl::StripSuffix(group, ".k8s.io");
}

// Returns an identifier such as "listAppsV1NamespacedDeployment".
std::string OperationId(absl::string_view verb, absl::string_view group, absl::string_view version,
                        absl::string_view name) {
  return absl::StrCat(verb, ToIdentifier(ShortGroup(group), true), ToIdentifier(version, true),
                      ToIdentifier(name, true));
}

List<Value> TagsOf(absl::string_view group, absl::string_view version) {
  List<Value> tags;
  tags.push_back(
      absl::StrCat(ToIdentifier(ShortGroup(group), false), "_", ToIdentifier(version, false)));
  return tags;
}

// Returns the content of a body in each of the formats.
Value ContentOf(Texts formats, const Value& schema) {
  Map<Value> content;
  for (const absl::string_view format : formats) {
    content[format] = Map<Value>{{"schema", schema}};
  }
  return content;
}

Value ResponsesOf(Texts codes, Texts formats, const Value& schema) {
  Map<Value> responses;
  for (const absl::string_view code : codes) {
    responses[code] =
        Map<Value>{{"content", ContentOf(formats, schema)}, {"description", TextOf(code)}};
  }
  responses["401"] = Map<Value>{{"description", "Unauthorized"}};
  return responses;
}

// An operation of a path item.
struct Operation {
  absl::string_view method = {};  // "get"
  absl::string_view action = {};  // x-kubernetes-action
  absl::string_view verb = {};    // of the identifier
  std::string name = {};          // of the identifier, after group and version
  // The kind that is sent and returned. Null: that of the resource.
  const KindInfo* kind = nullptr;
  Value result = {};
  Texts codes = kOk;
  Texts formats = {};
  Parameters parameters = {};
  Value body = {};  // null if there is none
  bool is_body_required = true;
  Texts body_formats = {};
};

// Writes the paths of one resource.
class ResourcePaths {
 public:
  ResourcePaths(const Resource& resource, DocumentParts& parts)
      : resource_(resource),
        kind_(*resource.kind),
        parts_(parts),
        root_(absl::StrCat("/", PathOf({.group = std::string(kind_.group),
                                        .version = std::string(kind_.version)}))),
        scope_(resource.namespaced() ? "Namespaced" : ""),
        collection_(
            absl::StrCat(resource.namespaced() ? "/namespaces/{namespace}/" : "/", kind_.plural)) {}

  void Add() {
    AddCollection();
    AddItem();
    for (const SubresourceInfo& each : kind_.subresources) AddSubresource(each);
    if (!is_custom() && resource_.HasVerb("watch")) AddWatches();
  }

 private:
  bool is_custom() const { return resource_.custom != nullptr; }
  Texts formats() const { return is_custom() ? Texts(kCustomFormats) : Texts(kFormats); }
  // Custom resources name the formats of their bodies.
  Texts body_formats() const { return is_custom() ? Texts(kCustomFormats) : Texts(kAnyFormat); }

  // Returns the reference to the definition of a kind, and adds the definition if it is built in.
  Value TypeOf(const KindInfo& kind) {
    if (kind.message == &unstructured::Unstructured::kMessage) {
      return ReferenceTo(CustomDefinitionName(kind));
    }
    return TypeOf(*kind.message);
  }
  Value TypeOf(const table::Message& message) {
    return TypeOf(TypeDefinitions::BuiltIn().Of(message));
  }
  Value TypeOf(const TypeDefinition& definition) {
    AddDefinition(definition, parts_);
    return ReferenceTo(definition.name);
  }

  Operation MakeList(std::string name) {
    return {.method = "get",
            .action = "list",
            .verb = "list",
            .name = std::move(name),
            .result = TypeOf(*resource_.list_kind),
            .formats = is_custom() ? Texts(kCustomFormats) : Texts(kStreams),
            .parameters = ParametersOf(metav1::ListOptions::kMessage)};
  }

  Operation MakeGet(std::string name, const KindInfo& kind) {
    return {.method = "get",
            .action = "get",
            .verb = "read",
            .name = std::move(name),
            .kind = &kind,
            .result = TypeOf(kind),
            .formats = formats(),
            .parameters = is_custom() ? ParametersOf(metav1::GetOptions::kMessage) : Parameters()};
  }

  Operation MakeCreate(std::string name, const KindInfo& sent, const KindInfo& returned) {
    return {.method = "post",
            .action = "post",
            .verb = "create",
            .name = std::move(name),
            .kind = &returned,
            .result = TypeOf(returned),
            .codes = kAllSuccesses,
            .formats = formats(),
            .parameters = ParametersOf(metav1::CreateOptions::kMessage),
            .body = TypeOf(sent),
            .body_formats = body_formats()};
  }

  Operation MakeReplace(std::string name, const KindInfo& kind) {
    return {.method = "put",
            .action = "put",
            .verb = "replace",
            .name = std::move(name),
            .kind = &kind,
            .result = TypeOf(kind),
            .codes = kOkOrCreated,
            .formats = formats(),
            .parameters = ParametersOf(metav1::UpdateOptions::kMessage),
            .body = TypeOf(kind),
            .body_formats = body_formats()};
  }

  Operation MakePatch(std::string name, const KindInfo& kind) {
    return {.method = "patch",
            .action = "patch",
            .verb = "patch",
            .name = std::move(name),
            .kind = &kind,
            .result = TypeOf(kind),
            .codes = is_custom() ? Texts(kOk) : Texts(kOkOrCreated),
            .formats = formats(),
            .parameters = ParametersOf(metav1::PatchOptions::kMessage),
            .body = TypeOf(TypeDefinitions::BuiltIn().patch()),
            .body_formats = is_custom() ? Texts(kCustomPatches) : Texts(kPatches)};
  }

  // Returns whether a deletion is said to answer with the object. That of a namespace does so
  // too, but upstream's document has a Status, since its storage does not say what it returns
  // (kube-apiserver: `rest.MayReturnFullObjectDeleter`).
  bool is_deleted_object_documented() const {
    const bool is_namespace = kind_.group.empty() && kind_.kind == "Namespace";
    return !is_custom() && !is_namespace && StrategyOf(kind_).returns_deleted;
  }

  Operation MakeDelete() {
    return {
        .method = "delete",
        .action = "delete",
        .verb = "delete",
        .name = absl::StrCat(scope_, kind_.kind),
        .result = is_deleted_object_documented() ? TypeOf(kind_) : TypeOf(metav1::Status::kMessage),
        .codes = kOkOrAccepted,
        .formats = formats(),
        .parameters = ParametersOf(metav1::DeleteOptions::kMessage),
        .body = TypeOf(metav1::DeleteOptions::kMessage),
        .is_body_required = false,
        .body_formats = body_formats()};
  }

  Operation MakeDeleteCollection() {
    Operation operation = {.method = "delete",
                           .action = "deletecollection",
                           .verb = "delete",
                           .name = absl::StrCat("Collection", scope_, kind_.kind),
                           .result = TypeOf(metav1::Status::kMessage),
                           .formats = formats()};
    // Documents of custom resources do not mention the options of the deletion.
    if (is_custom()) {
      operation.parameters = ParametersOf(metav1::ListOptions::kMessage);
      return operation;
    }
    operation.parameters = DeleteCollectionParameters();
    operation.body = TypeOf(metav1::DeleteOptions::kMessage);
    operation.is_body_required = false;
    operation.body_formats = body_formats();
    return operation;
  }

  Operation MakeWatch(absl::string_view action, std::string name) {
    return {.method = "get",
            .action = action,
            .verb = "watch",
            .name = std::move(name),
            .result = TypeOf(metav1::WatchEvent::kMessage),
            .formats = kStreams,
            .parameters = ParametersOf(metav1::ListOptions::kMessage)};
  }

  void AddCollection() {
    const std::string name = absl::StrCat(scope_, kind_.kind);
    std::vector<Operation> operations;
    if (resource_.HasVerb("list")) operations.push_back(MakeList(name));
    if (resource_.HasVerb("create")) operations.push_back(MakeCreate(name, kind_, kind_));
    if (resource_.HasVerb("deletecollection")) operations.push_back(MakeDeleteCollection());
    AddPathItem(collection_, ScopeParameters(), std::move(operations));
    if (!resource_.namespaced() || !resource_.HasVerb("list")) return;
    operations.clear();
    operations.push_back(MakeList(absl::StrCat(kind_.kind, "ForAllNamespaces")));
    AddPathItem(absl::StrCat("/", kind_.plural), {}, std::move(operations));
  }

  void AddItem() {
    const std::string name = absl::StrCat(scope_, kind_.kind);
    std::vector<Operation> operations;
    if (resource_.HasVerb("get")) operations.push_back(MakeGet(name, kind_));
    if (resource_.HasVerb("update")) operations.push_back(MakeReplace(name, kind_));
    if (resource_.HasVerb("patch")) operations.push_back(MakePatch(name, kind_));
    if (resource_.HasVerb("delete")) operations.push_back(MakeDelete());
    AddPathItem(absl::StrCat(collection_, "/{name}"), NameParameters(), std::move(operations));
  }

  void AddSubresource(const SubresourceInfo& subresource) {
    // A connection takes options.
    if (absl::EndsWith(subresource.input, "Options")) return;
    const KindInfo& sent = KindNamed(subresource.input);
    const KindInfo& returned = subresource.result.empty() ? sent : KindNamed(subresource.result);
    std::string title(subresource.name);
    if (!title.empty()) title[0] = absl::ascii_toupper(static_cast<unsigned char>(title[0]));
    const std::string name = absl::StrCat(scope_, kind_.kind, title);
    const auto has = [&](absl::string_view verb) {
      return absl::c_linear_search(subresource.verbs, verb);
    };
    std::vector<Operation> operations;
    if (has("get")) operations.push_back(MakeGet(name, returned));
    if (has("create")) operations.push_back(MakeCreate(name, sent, returned));
    if (has("update")) operations.push_back(MakeReplace(name, returned));
    if (has("patch")) operations.push_back(MakePatch(name, returned));
    if (subresource.name == "log") {
      for (Operation& each : operations) MakeLog(each);
    }
    // As upstream, those of a custom resource are said to be of its kind, whatever they return.
    if (is_custom()) {
      for (Operation& each : operations) each.kind = &kind_;
    }
    AddPathItem(absl::StrCat(collection_, "/{name}/", subresource.name), NameParameters(),
                std::move(operations));
  }

  static void MakeLog(Operation& operation) {
    operation.result = Map<Value>{{"type", "string"}};
    operation.formats = kLogs;
    operation.parameters = ParametersOf(corev1::PodLogOptions::kMessage);
  }

  // Adds the paths of the old form of watches.
  void AddWatches() {
    const std::string name = absl::StrCat(scope_, kind_.kind);
    const std::string path = absl::StrCat("/watch", collection_);
    AddPathItem(path, ScopeParameters(), Only(MakeWatch("watchlist", absl::StrCat(name, "List"))));
    AddPathItem(absl::StrCat(path, "/{name}"), NameParameters(), Only(MakeWatch("watch", name)));
    if (!resource_.namespaced()) return;
    AddPathItem(absl::StrCat("/watch/", kind_.plural), {},
                Only(MakeWatch("watchlist", absl::StrCat(kind_.kind, "ListForAllNamespaces"))));
  }

  static std::vector<Operation> Only(Operation operation) {
    std::vector<Operation> operations;
    operations.push_back(std::move(operation));
    return operations;
  }

  Parameters ScopeParameters() const {
    Parameters parameters;
    if (resource_.namespaced()) parameters.push_back({.name = "namespace", .in = "path"});
    return parameters;
  }
  Parameters NameParameters() const {
    Parameters parameters = ScopeParameters();
    parameters.push_back({.name = "name", .in = "path"});
    return parameters;
  }

  // Returns the kind that a subresource names, such as "policy/v1 Eviction"; that of the resource
  // if it names none.
  const KindInfo& KindNamed(absl::string_view text) const {
    if (text.empty()) return kind_;
    const std::vector<absl::string_view> parts = absl::StrSplit(text, ' ');
    const KindInfo* named = api::FindKind(parts.front(), parts.back());
    KUBE_CHECK(named != nullptr) << text;
    return *named;
  }

  // Adds a path item, unless it has no operations. Parameters of all operations are those of the
  // path, as upstream.
  void AddPathItem(absl::string_view path, Parameters parameters,
                   std::vector<Operation> operations) {
    if (operations.empty()) return;
    parameters.push_back({.name = "pretty"});
    const Parameters first = operations.front().parameters;
    for (const Parameter& candidate : first) {
      const bool is_common = absl::c_all_of(operations, [&](const Operation& each) {
        return absl::c_linear_search(each.parameters, candidate);
      });
      if (!is_common) continue;
      for (Operation& each : operations) std::erase(each.parameters, candidate);
      parameters.push_back(candidate);
    }
    Map<Value> item;
    for (Operation& each : operations) item[each.method] = ToValue(std::move(each));
    item["parameters"] = internal::ToValue(std::move(parameters));
    parts_.paths[absl::StrCat(root_, path)] = std::move(item);
  }

  Value ToValue(Operation operation) const {
    const KindInfo& kind = operation.kind == nullptr ? kind_ : *operation.kind;
    Map<Value> value;
    value["operationId"] = OperationId(operation.verb, kind_.group, kind_.version, operation.name);
    if (!operation.parameters.empty()) {
      value["parameters"] = internal::ToValue(std::move(operation.parameters));
    }
    if (!operation.body.is_null()) {
      Map<Value> body;
      body["content"] = ContentOf(operation.body_formats, operation.body);
      if (operation.is_body_required) body["required"] = true;
      value["requestBody"] = std::move(body);
    }
    value["responses"] = ResponsesOf(operation.codes, operation.formats, operation.result);
    value["tags"] = TagsOf(kind_.group, kind_.version);
    value["x-kubernetes-action"] = operation.action;
    value["x-kubernetes-group-version-kind"] =
        Map<Value>{{"group", kind.group}, {"version", kind.version}, {"kind", kind.kind}};
    return value;
  }

  const Resource& resource_;
  const KindInfo& kind_;
  DocumentParts& parts_;
  const std::string root_;         // "/apis/apps/v1"
  const absl::string_view scope_;  // of identifiers
  const std::string collection_;   // "/namespaces/{namespace}/deployments"
};

// Adds a path at which discovery answers with a kind.
void AddDiscovery(absl::string_view path, std::string id, List<Value> tags,
                  const table::Message& message, DocumentParts& parts) {
  const TypeDefinition& definition = TypeDefinitions::BuiltIn().Of(message);
  AddDefinition(definition, parts);
  Map<Value> operation;
  operation["operationId"] = std::move(id);
  operation["responses"] = ResponsesOf(kOk, kFormats, ReferenceTo(definition.name));
  operation["tags"] = std::move(tags);
  Map<Value> item;
  item["get"] = std::move(operation);
  parts.paths[path] = std::move(item);
}

}  // namespace

void AddDefinition(const TypeDefinition& definition, DocumentParts& parts) {
  const auto [place, is_new] = parts.schemas.try_emplace(definition.name, definition.schema);
  if (!is_new) return;
  for (const TypeDefinition* each : definition.references) AddDefinition(*each, parts);
}

void AddPaths(const Resource& resource, DocumentParts& parts) {
  ResourcePaths(resource, parts).Add();
}

void AddDiscoveryPath(const schema::GroupVersion& version, DocumentParts& parts) {
  AddDiscovery(absl::StrCat("/", PathOf(version), "/"),
               OperationId("get", version.group, version.version, "APIResources"),
               TagsOf(version.group, version.version), metav1::APIResourceList::kMessage, parts);
}

void AddRootDiscoveryPaths(const std::vector<schema::GroupVersion>& versions,
                           DocumentParts& parts) {
  AddDiscovery("/api/", "getCoreAPIVersions", List<Value>{"core"}, metav1::APIVersions::kMessage,
               parts);
  AddDiscovery("/apis/", "getAPIVersions", List<Value>{"apis"}, metav1::APIGroupList::kMessage,
               parts);
  for (const schema::GroupVersion& version : versions) {
    if (version.group.empty()) continue;
    AddDiscovery(absl::StrCat("/apis/", version.group, "/"),
                 OperationId("get", version.group, "", "APIGroup"),
                 List<Value>{ToIdentifier(ShortGroup(version.group), false)},
                 metav1::APIGroup::kMessage, parts);
  }
}

std::string PathOf(const schema::GroupVersion& version) {
  return version.group.empty() ? absl::StrCat("api/", version.version)
                               : absl::StrCat("apis/", version.group, "/", version.version);
}

}  // namespace kube::apiserver::internal
