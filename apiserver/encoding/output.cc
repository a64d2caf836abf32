#include "apiserver/encoding/output.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/scheme/negotiate.h"
#include "apimachinery/types/envelope_prefix.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apiserver/encoding/tables.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
using scheme::Format;

constexpr absl::string_view kMetaApiVersion = "meta.k8s.io/v1";

// The media types that an endpoint of objects supports (kube-apiserver: the restrictions of a
// `RequestScope`).
class Restrictions : public scheme::EndpointRestrictions {
 public:
  Restrictions(bool tables, bool custom) : tables_(tables), custom_(custom) {}

  bool AllowsMediaTypeTransform(const scheme::SerializerInfo& info,
                                const schema::GroupVersionKind* target) const override {
    if (target == nullptr) return !custom_ || info.format != Format::kProtobuf;
    if (target->group != "meta.k8s.io" || target->version != "v1") return false;
    if (target->kind == "Table") return tables_ && info.format != Format::kProtobuf;
    return target->kind == "PartialObjectMetadata" || target->kind == "PartialObjectMetadataList";
  }

 private:
  const bool tables_;
  const bool custom_;
};

std::string ApiVersionOf(const KindInfo& kind) {
  return absl::StrCat(kind.group, kind.group.empty() ? "" : "/", kind.version);
}

// ---- protobuf

void AppendVarint(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

// Appends a length-delimited field.
void AppendField(std::string& out, int number, absl::string_view value) {
  AppendVarint(out, static_cast<uint64_t>(number) << 3 | 2);
  AppendVarint(out, value.size());
  out.append(value.data(), value.size());
}

template <ApiStruct T>
std::string ProtobufOf(const T& value) {
  absl::StatusOr<std::string> bytes = codec::EncodeProtobuf(value);
  return bytes.ok() ? *std::move(bytes) : std::string();
}

std::string JsonOfList(const metav1::ListMeta& metadata) {
  absl::StatusOr<std::string> json = codec::EncodeJson(metadata);
  return json.ok() ? *std::move(json) : std::string("{}");
}

// ---- JSON and YAML

std::string Indented(const StoredObject& object) {
  if (object.object().is_custom()) {
    const absl::StatusOr<std::string> indented =
        codec::EncodeJson(object.object().ToUnstructured(), {.indent = "  "});
    return indented.ok() ? *indented : object.json();
  }
  codec::AnyObject any = object.object().any().Copy();
  any.SetPath("kind", any.kind().kind).IgnoreError();
  any.SetPath("apiVersion", ApiVersionOf(any.kind())).IgnoreError();
  absl::StatusOr<std::string> json = any.EncodeJson({.indent = "  "});
  return json.ok() ? *std::move(json) : std::string("{}");
}

std::string ToYaml(absl::string_view json) {
  absl::StatusOr<std::string> yaml = codec::JsonToYaml(json);
  return yaml.ok() ? *std::move(yaml) : std::string();
}

// Encodes the object without a transformation.
std::string EncodeWhole(const StoredObject& object, const Output& output) {
  const KindInfo& kind = object.object().kind();
  if (output.format == Format::kProtobuf) {
    return WrapProtobuf(ApiVersionOf(kind), kind.kind, object.protobuf());
  }
  if (output.format == Format::kYaml) return ToYaml(JsonOf(object));
  if (output.pretty) return Indented(object);
  std::string json = JsonOf(object);
  json.push_back('\n');
  return json;
}

// Indents a list for people.
std::string IndentedList(const KindInfo& list_kind, absl::string_view json) {
  absl::StatusOr<codec::AnyObject> list = codec::AnyObject::DecodeJson(list_kind, json);
  if (!list.ok()) return std::string(json);
  absl::StatusOr<std::string> indented = list->EncodeJson({.indent = "  "});
  return indented.ok() ? *std::move(indented) : std::string(json);
}

std::string EncodeListJson(const KindInfo& list_kind, const metav1::ListMeta& metadata,
                           const std::vector<ObjectPtr>& items) {
  size_t size = 256;
  for (const ObjectPtr& item : items) size += item->json().size() + 1;
  std::string json;
  json.reserve(size);
  absl::StrAppend(&json, R"({"kind":")", list_kind.kind, R"(","apiVersion":")",
                  ApiVersionOf(list_kind), R"(","metadata":)", JsonOfList(metadata),
                  R"(,"items":[)");
  for (const ObjectPtr& item : items) {
    if (json.back() != '[') json.push_back(',');
    json += item->json();
  }
  json += "]}\n";
  return json;
}

std::string EncodeListProtobuf(const KindInfo& list_kind, const metav1::ListMeta& metadata,
                               const std::vector<ObjectPtr>& items) {
  size_t size = 256;
  for (const ObjectPtr& item : items) size += item->protobuf().size() + 8;
  std::string list;
  list.reserve(size);
  AppendField(list, 1, ProtobufOf(metadata));
  for (const ObjectPtr& item : items) AppendField(list, 2, item->protobuf());
  return WrapProtobuf(ApiVersionOf(list_kind), list_kind.kind, list);
}

// Returns whether the Accept header names a media type of the server, ignoring its parameters.
bool NamesKnownType(absl::string_view accept) {
  for (absl::string_view clause : absl::StrSplit(accept, ',')) {
    const absl::string_view type = absl::StripAsciiWhitespace(clause.substr(0, clause.find(';')));
    if (type == "*/*") return true;
    for (const Format format : {Format::kJson, Format::kYaml, Format::kProtobuf}) {
      if (type == scheme::MediaTypeOf(format)) return true;
    }
  }
  return false;
}

absl::Status NotAcceptable(absl::string_view message) {
  metav1::Status status;
  status.status = "Failure";
  status.reason = "NotAcceptable";
  status.code = 406;
  status.message = message;
  return errors::FromStatus(status);
}

}  // namespace

std::string Output::ContentType() const { return std::string(scheme::MediaTypeOf(format)); }

std::string Output::StreamContentType() const {
  return format == Format::kProtobuf ? absl::StrCat(ContentType(), ";stream=watch") : ContentType();
}

// A real server checks this before it knows the resource, against all types that it supports.
absl::Status NothingAcceptable(const httpserver::Request& request, const absl::Status& cause) {
  if (NamesKnownType(request.headers.Get("accept").value_or(""))) return cause;
  metav1::Status status = *errors::StatusOf(NotAcceptable(
      "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, "
      "application/vnd.kubernetes.protobuf, application/json;stream=watch, "
      "application/vnd.kubernetes.protobuf;stream=watch"));
  status.details.emplace();
  return errors::FromStatus(status);
}

absl::Status CheckTransform(const Output& output, const KindInfo& kind, bool is_list) {
  if (output.transform == Transform::kTable) {
    const absl::string_view include = output.include_object;
    for (absl::string_view each : {"", "None", "Metadata", "Object"}) {
      if (include == each) return absl::OkStatus();
    }
    return errors::BadRequest(
        absl::StrCat("Unable to convert to Table as requested: includeObject: Invalid value: \"",
                     include, "\": must be 'Metadata', 'Object', 'None', or empty"));
  }
  if (output.transform != Transform::kMetadata || output.as_list == is_list) {
    return absl::OkStatus();
  }
  const absl::string_view group = kind.group.substr(0, kind.group.find('.'));
  return NotAcceptable(
      absl::StrCat("you requested PartialObjectMetadata", output.as_list ? "List" : "",
                   ", but the requested object is ", is_list ? "a list" : "not a list", " (*",
                   group.empty() ? "core" : group, ".", kind.kind, is_list ? "List" : "", ")"));
}

absl::StatusOr<Output> NegotiateOutput(const httpserver::Request& request, Transforms allowed,
                                       bool custom) {
  const scheme::OutputRequest wanted = {
      .accept = request.headers.Get("accept").value_or(""),
      .query = request.query(),
      .user_agent = request.headers.Get("user-agent").value_or("")};
  const absl::StatusOr<scheme::NegotiatedOutput> negotiated =
      allowed == Transforms::kNone
          ? scheme::NegotiateOutputMediaType(wanted, scheme::SupportedMediaTypes())
          : scheme::NegotiateOutputMediaType(wanted, scheme::SupportedMediaTypes(),
                                             Restrictions(allowed == Transforms::kAll, custom));
  if (!negotiated.ok()) return NotAcceptable(negotiated.status().message());
  Output output{.format = negotiated->accepted.format, .pretty = negotiated->pretty};
  if (negotiated->convert.has_value()) {
    output.transform =
        negotiated->convert->kind == "Table" ? Transform::kTable : Transform::kMetadata;
    output.as_list = negotiated->convert->kind == "PartialObjectMetadataList";
  }
  const queryparams::Values query = queryparams::ParseQuery(request.query());
  if (auto it = query.find("includeObject"); it != query.end() && !it->second.empty()) {
    output.include_object = it->second.front();
  }
  return output;
}

std::string WrapProtobuf(absl::string_view api_version, absl::string_view kind,
                         absl::string_view message) {
  std::string type;
  AppendField(type, 1, api_version);
  AppendField(type, 2, kind);
  std::string body(kEnvelopePrefix);
  body.reserve(message.size() + type.size() + 32);
  AppendField(body, 1, type);
  AppendField(body, 2, message);
  AppendField(body, 3, "");
  AppendField(body, 4, "");
  return body;
}

std::string JsonOf(const StoredObject& object) {
  if (object.object().is_custom()) return object.json();
  const KindInfo& kind = object.object().kind();
  return absl::StrCat(R"({"kind":")", kind.kind, R"(","apiVersion":")", ApiVersionOf(kind), "\",",
                      absl::string_view(object.json()).substr(1));
}

metav1::PartialObjectMetadata MetadataOf(const StoredObject& object) {
  metav1::PartialObjectMetadata metadata = meta::AsPartialObjectMetadata(object.metadata());
  metadata.api_version = kMetaApiVersion;
  metadata.kind = "PartialObjectMetadata";
  return metadata;
}

absl::StatusOr<std::string> EncodeObject(const StoredObject& object, const Output& output) {
  if (output.transform == Transform::kTable) {
    KUBE_ASSIGN_OR_RETURN(const metav1::Table table, TableOf(object, output));
    return EncodeStruct(table, output);
  }
  if (output.transform == Transform::kMetadata) return EncodeStruct(MetadataOf(object), output);
  return EncodeWhole(object, output);
}

std::string EncodeEventObject(const StoredObject& object, const Output& output, bool first) {
  if (output.transform != Transform::kTable) {
    absl::StatusOr<std::string> body = EncodeObject(object, output);
    return body.ok() ? *std::move(body) : std::string();
  }
  absl::StatusOr<metav1::Table> table = TableOf(object, output);
  // As upstream, which continues with the next event.
  if (!table.ok()) return EncodeWhole(object, output);
  if (!first) table->column_definitions = {};
  return EncodeStruct(*table, output);
}

absl::StatusOr<std::string> EncodeList(const Resource& resource, const metav1::ListMeta& metadata,
                                       const std::vector<ObjectPtr>& items, const Output& output) {
  if (output.transform == Transform::kTable) {
    KUBE_ASSIGN_OR_RETURN(const metav1::Table table,
                          TableOf(*resource.kind, metadata, items, output));
    return EncodeStruct(table, output);
  }
  if (output.transform == Transform::kMetadata) {
    metav1::PartialObjectMetadataList list;
    list.kind = "PartialObjectMetadataList";
    list.api_version = kMetaApiVersion;
    list.metadata = metadata;
    list.items = List<metav1::PartialObjectMetadata>::Empty();
    for (const ObjectPtr& item : items) list.items.push_back(MetadataOf(*item));
    return EncodeStruct(list, output);
  }
  const KindInfo& list_kind = *resource.list_kind;
  if (output.format == Format::kProtobuf) return EncodeListProtobuf(list_kind, metadata, items);
  std::string json = EncodeListJson(list_kind, metadata, items);
  if (output.format == Format::kYaml) return ToYaml(json);
  return output.pretty ? IndentedList(list_kind, json) : json;
}

std::string EncodeEvent(absl::string_view type, absl::string_view body, const Output& output) {
  if (output.format == Format::kProtobuf) {
    std::string raw;
    AppendField(raw, 1, body);
    std::string event(4, '\0');
    AppendField(event, 1, type);
    AppendField(event, 2, raw);
    const size_t size = event.size() - 4;
    for (int i = 0; i < 4; ++i) event[i] = static_cast<char>(size >> (24 - 8 * i));
    return event;
  }
  if (!body.empty() && body.back() == '\n') body.remove_suffix(1);
  return absl::StrCat(R"({"type":")", type, R"(","object":)", body, "}\n");
}

metav1::Status StatusFor(const absl::Status& error) {
  metav1::Status status;
  if (std::optional<metav1::Status> carried = errors::StatusOf(error)) {
    status = *std::move(carried);
  } else {
    status.status = "Failure";
    status.reason = "InternalError";
    status.code = 500;
    status.message = absl::StrCat("Internal error occurred: ", error.message());
  }
  status.kind = "Status";
  status.api_version = "v1";
  return status;
}

httpserver::Response ErrorResponse(const absl::Status& error, const Output& output) {
  Output plain = output;
  plain.transform = Transform::kNone;
  const metav1::Status status = StatusFor(error);
  httpserver::Response response = Respond(status.code, EncodeStruct(status, plain), plain);
  if (status.details && status.details->retry_after_seconds > 0) {
    response.headers.Set("retry-after", absl::StrCat(status.details->retry_after_seconds));
  }
  return response;
}

httpserver::Response Respond(int code, std::string body, const Output& output) {
  httpserver::Response response{.status = code == 0 ? 500 : code, .headers = {}, .body = {}};
  response.headers.Set("content-type", output.ContentType());
  response.headers.Set("cache-control", "no-cache, private");
  response.body = std::move(body);
  return response;
}

}  // namespace kube::apiserver::internal
