#include "cmd/objconv/read_objects.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/stream/object_documents.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/type_meta.h"
#include "apimachinery/codec/yaml/yaml_to_json.h"
#include "apimachinery/types/kind_info.h"

namespace kube::objconv {

namespace {

using codec::AnyObject;
using codec::ObjectDocument;
using codec::TypeMeta;

// Quotes a name from the input for an error message, escaped and truncated.
std::string Quoted(absl::string_view name) {
  constexpr size_t kMaxSize = 100;
  return absl::StrCat("\"", absl::CHexEscape(name.substr(0, kMaxSize)),
                      name.size() > kMaxSize ? "..." : "", "\"");
}

absl::StatusOr<const KindInfo*> FindKind(const TypeMeta& meta) {
  if (meta.kind.empty()) return absl::InvalidArgumentError("find kind: object has no kind");
  if (meta.api_version.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("find kind ", Quoted(meta.kind), ": object has no apiVersion"));
  }
  const KindInfo* kind = api::FindKind(meta.api_version, meta.kind);
  if (kind != nullptr) return kind;
  return absl::InvalidArgumentError(absl::StrCat(
      "no kind ", Quoted(meta.kind), " is registered for version ", Quoted(meta.api_version)));
}

class Reader {
 public:
  Reader(const ObjectDocument& document, bool strict) : document_(document) {
    if (strict) options_.field_validation = codec::FieldValidation::kStrict;
  }

  // Reads the object of the document. Returns nothing if there is none.
  absl::StatusOr<std::optional<AnyObject>> Read() {
    if (document_.is_protobuf) return ReadProtobuf();
    if (codec::LooksLikeJson(document_.text)) {
      absl::StatusOr<TypeMeta> meta = codec::TypeMetaOfJson(document_.text);
      if (meta.ok()) return ReadJson(*meta);
      // A YAML map may begin like a JSON object.
      if (!codec::YamlToJson(document_.text).ok()) return codec::TypeMetaOfJson(Placed()).status();
    }
    return ReadYaml();
  }

 private:
  absl::StatusOr<std::optional<AnyObject>> ReadProtobuf() {
    KUBE_ASSIGN_OR_RETURN(const TypeMeta meta, codec::TypeMetaOfProtobuf(document_.text));
    KUBE_ASSIGN_OR_RETURN(const KindInfo* kind, FindKind(meta));
    return AnyObject::DecodeProtobuf(*kind, document_.text, options_);
  }

  absl::StatusOr<std::optional<AnyObject>> ReadJson(const TypeMeta& meta) {
    const absl::StatusOr<const KindInfo*> kind = FindKind(meta);
    if (!kind.ok()) return WithLine(kind.status());
    absl::StatusOr<AnyObject> object = AnyObject::DecodeJson(**kind, document_.text, options_);
    if (object.ok()) return *std::move(object);
    return AnyObject::DecodeJson(**kind, Placed(), options_).status();
  }

  absl::StatusOr<std::optional<AnyObject>> ReadYaml() {
    KUBE_ASSIGN_OR_RETURN(const codec::JsonFromYaml converted,
                          codec::YamlToJson(document_.text, {.first_line = document_.first_line}));
    if (converted.json == "null") return std::nullopt;
    const absl::StatusOr<TypeMeta> meta = codec::TypeMetaOfJson(converted.json);
    // The error of TypeMetaOfJson would give a position in the converted JSON.
    if (!meta.ok()) {
      return WithLine(
          absl::InvalidArgumentError("decode object: expected an object with apiVersion and kind"));
    }
    const absl::StatusOr<const KindInfo*> kind = FindKind(*meta);
    if (!kind.ok()) return WithLine(kind.status());
    return AnyObject::DecodeYaml(**kind, document_.text, options_, document_.first_line);
  }

  // Returns the text, preceded by as many line feeds and spaces as in the stream, so that errors
  // give the position in the stream.
  std::string Placed() const {
    return absl::StrCat(std::string(static_cast<size_t>(document_.first_line - 1), '\n'),
                        std::string(static_cast<size_t>(document_.first_column - 1), ' '),
                        document_.text);
  }

  absl::Status WithLine(const absl::Status& status) const {
    return absl::Status(status.code(), absl::StrCat(status.message(), " (object at line ",
                                                    document_.first_line, ")"));
  }

  const ObjectDocument& document_;
  codec::DecodeOptions options_;
};

}  // namespace

void ReadObjects(const codec::PaddedBuffer& stream, bool strict, OnObject on_object,
                 OnError on_error) {
  codec::ObjectDocuments documents(stream);
  while (true) {
    const absl::StatusOr<std::optional<ObjectDocument>> document = documents.Next();
    if (!document.ok()) {
      on_error(document.status());
      continue;
    }
    if (!document->has_value()) return;
    absl::StatusOr<std::optional<AnyObject>> object = Reader(**document, strict).Read();
    if (!object.ok()) {
      on_error(object.status());
    } else if (object->has_value()) {
      on_object(*std::move(*object), (*document)->text.size());
    }
  }
}

}  // namespace kube::objconv
