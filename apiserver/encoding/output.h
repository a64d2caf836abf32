#ifndef APISERVER_ENCODING_OUTPUT_H_
#define APISERVER_ENCODING_OUTPUT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/message_type.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/resources.h"
#include "net/httpserver/exchange.h"

// Encodes responses: objects, lists and events, in the form that the client asked for. Pure and
// thread-safe.
namespace kube::apiserver::internal {

// What is sent instead of the objects.
enum class Transform { kNone, kTable, kMetadata };

// The form of a response.
struct Output {
  scheme::Format format = scheme::Format::kJson;
  bool pretty = false;
  Transform transform = Transform::kNone;
  // For tables, the parameter includeObject: None, Metadata or Object.
  std::string include_object = {};
  // Whether PartialObjectMetadataList was asked for.
  bool as_list = false;
  // For tables: the custom resource that is shown, or null.
  std::shared_ptr<const CustomKind> custom = {};
  // For tables: shows built-in kinds. Never null.
  const printers::TablePrinter* tables = &printers::PlainTables();

  // Return the content type of a body, and of the stream of a watch.
  std::string ContentType() const;
  std::string StreamContentType() const;
};

// What an endpoint can return instead of its objects. As upstream, only resources, their status and
// their scale have tables.
enum class Transforms { kNone, kMetadata, kAll };

// Chooses the form by the Accept header, the query and the User-Agent. `custom` says that objects
// are custom resources, which have no protobuf. Returns a 406 if no form is acceptable.
absl::StatusOr<Output> NegotiateOutput(const httpserver::Request& request, Transforms allowed,
                                       bool custom = false);

// Returns the error for a client that accepts no form that the server has.
absl::Status NothingAcceptable(const httpserver::Request& request, const absl::Status& cause);

// Returns an error if one object of a kind, or a list of them, cannot be transformed as asked.
absl::Status CheckTransform(const Output& output, const KindInfo& kind, bool is_list);

// Wraps a message in a runtime.Unknown.
std::string WrapProtobuf(absl::string_view api_version, absl::string_view kind,
                         absl::string_view message);

// Encodes a struct whose apiVersion and kind are set.
template <ApiStruct T>
std::string EncodeStruct(const T& value, const Output& output) {
  absl::StatusOr<std::string> text;
  if (output.format == scheme::Format::kProtobuf) {
    text = codec::EncodeKubernetesProtobuf(
        value, {.api_version = value.api_version.view(), .kind = value.kind.view()});
  } else {
    const bool pretty = output.pretty && output.format == scheme::Format::kJson;
    text = codec::EncodeJson(value, {.indent = pretty ? "  " : "", .final_newline = !pretty});
    if (text.ok() && output.format == scheme::Format::kYaml) text = codec::JsonToYaml(*text);
  }
  return text.ok() ? *std::move(text) : std::string();
}

// Return an object as JSON with its apiVersion and kind, and its metadata alone.
std::string JsonOf(const StoredObject& object);
api::meta::v1::PartialObjectMetadata MetadataOf(const StoredObject& object);

// Encodes an object, transformed, with its apiVersion and kind. Returns the errors of TableOf.
absl::StatusOr<std::string> EncodeObject(const StoredObject& object, const Output& output);

// Encodes a list of objects of one resource. Returns the errors of TableOf.
absl::StatusOr<std::string> EncodeList(const Resource& resource,
                                       const api::meta::v1::ListMeta& metadata,
                                       const std::vector<ObjectPtr>& items, const Output& output);

// Encodes an event of a watch with its framing. `body` must come from EncodeObject or EncodeStruct,
// and must not be indented.
std::string EncodeEvent(absl::string_view type, absl::string_view body, const Output& output);
// Encodes the object of an event. Only the first table of a watch has column definitions. An object
// that has no table is sent as it is.
std::string EncodeEventObject(const StoredObject& object, const Output& output, bool first);

// Returns the response for an error: the Status that it carries, or an internal error.
httpserver::Response ErrorResponse(const absl::Status& error, const Output& output);
// Returns the Status of an error.
api::meta::v1::Status StatusFor(const absl::Status& error);

// Returns a response with a body.
httpserver::Response Respond(int code, std::string body, const Output& output);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_OUTPUT_H_
