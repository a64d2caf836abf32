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

// What answers are made of: objects, lists and events in the form that the client asked for.
// Pure functions: thread-safe.
namespace kube::apiserver::internal {

// Instead of the objects themselves.
enum class Transform { kNone, kTable, kMetadata };

// The form of an answer.
struct Output {
  scheme::Format format = scheme::Format::kJson;
  bool pretty = false;
  Transform transform = Transform::kNone;
  // Of tables: None, Metadata or Object.
  std::string include_object = {};
  // Metadata was asked for as a list.
  bool as_list = false;
  // Of tables: the custom resource that they are of; null of others.
  std::shared_ptr<const CustomKind> custom = {};
  // Of tables: how built-in kinds are shown. Never null.
  const printers::TablePrinter* tables = &printers::PlainTables();

  // Of a body; of the stream of a watch.
  std::string ContentType() const;
  std::string StreamContentType() const;
};

// What an endpoint can answer instead of its objects. Tables only where upstream's storage makes
// some: resources, their status and their scale.
enum class Transforms { kNone, kMetadata, kAll };

// By Accept, query and User-Agent. `custom`: of a custom resource, which has no protobuf. An error
// is a 406 with its Status.
absl::StatusOr<Output> NegotiateOutput(const httpserver::Request& request, Transforms allowed,
                                       bool custom = false);

// What a client gets that asked for a form that nothing here has.
absl::Status NothingAcceptable(const httpserver::Request& request, const absl::Status& cause);

// Whether one object of a kind, or a list of them, can be transformed so.
absl::Status CheckTransform(const Output& output, const KindInfo& kind, bool is_list);

// The runtime.Unknown around a message.
std::string WrapProtobuf(absl::string_view api_version, absl::string_view kind,
                         absl::string_view message);

// Any struct whose apiVersion and kind are set.
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

// An object with its apiVersion and kind; of its metadata alone.
std::string JsonOf(const StoredObject& object);
api::meta::v1::PartialObjectMetadata MetadataOf(const StoredObject& object);

// One object, transformed; with its apiVersion and kind. An error is TableOf's.
absl::StatusOr<std::string> EncodeObject(const StoredObject& object, const Output& output);

// A list of objects of one resource. An error is TableOf's.
absl::StatusOr<std::string> EncodeList(const Resource& resource,
                                       const api::meta::v1::ListMeta& metadata,
                                       const std::vector<ObjectPtr>& items, const Output& output);

// One event of a watch, with what stands around it on the wire. `body` is EncodeObject's or
// EncodeStruct's, never pretty.
std::string EncodeEvent(absl::string_view type, absl::string_view body, const Output& output);
// The body of an object within a watch: of the tables only the first has its columns, and what has
// none is sent as it is.
std::string EncodeEventObject(const StoredObject& object, const Output& output, bool first);

// The answer of an error: the Status that it carries, or an internal error.
httpserver::Response ErrorResponse(const absl::Status& error, const Output& output);
// The Status of an error.
api::meta::v1::Status StatusFor(const absl::Status& error);

// An answer with a body.
httpserver::Response Respond(int code, std::string body, const Output& output);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_OUTPUT_H_
