#include "clientset/typed/internal/body.h"

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_protobuf.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/envelope.h"
#include "apimachinery/codec/projection.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/type_meta.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/meta/object_access.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::typed::internal {

namespace metav1 = api::meta::v1;
using kube::table::Field;
using kube::table::Message;
using unstructured::Unstructured;
using unstructured::UnstructuredList;
using unstructured::Value;

namespace {

// As apimachinery's serializer writes it.
constexpr codec::EncodeJsonOptions kJsonBody = {.final_newline = true};

// Returns the field of that name if it is a String or an Opt<String>, and null otherwise.
const Field* FindOptionalText(const Message& message, absl::string_view name) {
  for (size_t i = 0; i < message.field_count; ++i) {
    const Field& field = message.fields[i];
    if (message.field_name(field) != name) continue;
    const bool is_text =
        field.kind == kube::table::Kind::kString &&
        (field.shape == kube::table::Shape::kValue || field.shape == kube::table::Shape::kOpt);
    return is_text ? &field : nullptr;
  }
  return nullptr;
}

// Returns the field of that name if it is a String, and null otherwise.
const Field* FindText(const Message& message, absl::string_view name) {
  const Field* field = FindOptionalText(message, name);
  return field != nullptr && field->shape == kube::table::Shape::kValue ? field : nullptr;
}

// What Relabelled does with a kind and an apiVersion that the object already has.
enum class OwnKind { kReplaced, kKept };

// An object with another kind and apiVersion. It is a bitwise copy, whose other members still
// belong to the original, so that the object need not be copied for two strings.
class Relabelled {
 public:
  Relabelled(const void* object, const Message& message, const BodyKind& kind, OwnKind own)
      : bits_(std::make_unique_for_overwrite<char[]>(message.size)) {
    std::memcpy(bits_.get(), object, message.size);
    kind_ = Replace(FindOptionalText(message, "kind"), kind.kind, own);
    api_version_ = Replace(FindOptionalText(message, "apiVersion"), kind.api_version, own);
  }
  ~Relabelled() {
    if (kind_ != nullptr) std::destroy_at(kind_);
    if (api_version_ != nullptr) std::destroy_at(api_version_);
  }
  Relabelled(const Relabelled&) = delete;
  Relabelled& operator=(const Relabelled&) = delete;

  const void* data() const { return bits_.get(); }

 private:
  String* Replace(const Field* field, absl::string_view text, OwnKind own) {
    if (field == nullptr) return nullptr;
    char* const presence =
        field->shape == kube::table::Shape::kOpt ? bits_.get() + field->presence_offset() : nullptr;
    auto* const member = reinterpret_cast<String*>(bits_.get() + field->offset);
    const bool is_set = presence != nullptr ? *presence != 0 : !member->empty();
    if (is_set && own == OwnKind::kKept) return nullptr;
    if (presence != nullptr) *presence = 1;
    return std::construct_at(member, text);
  }

  const std::unique_ptr<char[]> bits_;
  String* kind_;
  String* api_version_;
};

bool HasKind(const Unstructured& object) {
  return !object.kind().empty() && !object.api_version().empty();
}

void FillKind(Unstructured& object, const BodyKind& kind) {
  // Setting an empty text would add the field.
  if (object.api_version().empty() && !kind.api_version.empty()) {
    object.set_api_version(kind.api_version);
  }
  if (object.kind().empty() && !kind.kind.empty()) object.set_kind(kind.kind);
}

absl::StatusOr<std::string> EncodeUnstructured(const Unstructured& object, const BodyKind& kind) {
  if (HasKind(object)) return codec::EncodeJson(object, kJsonBody);
  Unstructured copy = object;
  FillKind(copy, kind);
  return codec::EncodeJson(copy, kJsonBody);
}

void SetIfMissing(Value& object, absl::string_view key, absl::string_view text) {
  if (object.is_null()) object = Map<Value>::Empty();
  if (!object.is_object()) return;
  Value& member = (*object.object())[key];
  if (member.is_null()) member = text;
}

std::optional<codec::ValueView> ViewMetadata(const void* object, const Message& message) {
  const codec::ValueView view(
      object, {.kind = kube::table::Kind::kMessage, .size = message.size, .message = &message},
      kube::table::Shape::kValue);
  return view.Member("metadata");
}

// Returns null if the object has no metadata.
const metav1::ObjectMeta* MetadataOf(const void* object, const Message& message) {
  const std::optional<codec::ValueView> metadata = ViewMetadata(object, message);
  return metadata.has_value() ? metadata->As<metav1::ObjectMeta>() : nullptr;
}

// The error for a body that is not of the expected kind.
absl::Status WrongKind(const codec::TypeMeta& is, const BodyKind& kind) {
  return absl::InvalidArgumentError(absl::StrCat("decode response: unexpected kind \"", is.kind,
                                                 "\", expected \"", kind.kind, "\""));
}

// A server may answer 200 with a Status, which may also report success.
absl::Status ErrorOfStatus(scheme::Format format, const codec::PaddedBuffer& body) {
  KUBE_ASSIGN_OR_RETURN(const metav1::Status status,
                        format == scheme::Format::kProtobuf
                            ? codec::DecodeKubernetesProtobuf<metav1::Status>(body)
                            : codec::DecodeJson<metav1::Status>(body));
  if (status.status == metav1::kStatusSuccess) return absl::OkStatus();
  return errors::FromStatus(status);
}

// Returns OK if the body is of the expected kind, or does not say its kind.
absl::Status CheckKind(scheme::Format format, const codec::PaddedBuffer& body,
                       const codec::TypeMeta& is, const BodyKind& kind) {
  if (is.kind.empty() || is.kind == kind.kind) return absl::OkStatus();
  if (is.kind == "Status" && is.api_version == "v1") {
    KUBE_RETURN_IF_ERROR(ErrorOfStatus(format, body));
    return WrongKind(is, kind);
  }
  return kind.kind.empty() ? absl::OkStatus() : WrongKind(is, kind);
}

void ClearText(void* object, const Message& message, absl::string_view name) {
  if (const Field* field = FindText(message, name)) {
    *reinterpret_cast<String*>(static_cast<char*>(object) + field->offset) = String();
  }
}

absl::StatusOr<scheme::Format> FormatOf(absl::string_view content_type) {
  KUBE_ASSIGN_OR_RETURN(const scheme::Format format, scheme::FormatOf(content_type),
                        "decode response");
  if (format != scheme::Format::kYaml) return format;
  return absl::InvalidArgumentError(
      absl::StrCat("decode response: unexpected content type \"", content_type, "\""));
}

}  // namespace

bool IsUnstructured(const Message& message) { return &message == &Unstructured::kMessage; }

absl::StatusOr<std::string> EncodeBody(const void* object, const Message& message,
                                       const BodyKind& kind, codec::ContentType content_type) {
  if (IsUnstructured(message)) {
    return EncodeUnstructured(*static_cast<const Unstructured*>(object), kind);
  }
  std::string body;
  absl::Status status;
  if (content_type == codec::ContentType::kProtobuf) {
    status = codec::AppendKubernetesProtobuf(body, object, message,
                                             {.api_version = kind.api_version, .kind = kind.kind});
  } else {
    const Relabelled relabelled(object, message, kind, OwnKind::kReplaced);
    status = codec::AppendJson(body, relabelled.data(), message, kJsonBody);
  }
  KUBE_RETURN_IF_ERROR(status, "encode request");
  return body;
}

absl::StatusOr<std::string> EncodeConfiguration(const void* configuration, const Message& message,
                                                const BodyKind& kind) {
  if (FindOptionalText(message, "kind") != nullptr &&
      FindOptionalText(message, "apiVersion") != nullptr) {
    const Relabelled relabelled(configuration, message, kind, OwnKind::kKept);
    std::string body;
    KUBE_RETURN_IF_ERROR(codec::AppendJson(body, relabelled.data(), message));
    return body;
  }
  KUBE_ASSIGN_OR_RETURN(Value value, unstructured::ToValue(configuration, message));
  SetIfMissing(value, "apiVersion", kind.api_version);
  SetIfMissing(value, "kind", kind.kind);
  return unstructured::EncodeJson(value);
}

absl::Status DecodeBody(absl::string_view content_type, absl::string_view body,
                        const BodyKind& kind, void* object, const Message& message) {
  if (body.empty()) return absl::InvalidArgumentError("decode response: 0-length response");
  KUBE_ASSIGN_OR_RETURN(const scheme::Format format, FormatOf(content_type));
  const codec::PaddedBuffer padded(body);
  char* const to = static_cast<char*>(object);
  codec::TypeMeta is;
  if (format == scheme::Format::kProtobuf) {
    KUBE_ASSIGN_OR_RETURN(is, codec::TypeMetaOfProtobuf(padded), "decode response");
    KUBE_RETURN_IF_ERROR(CheckKind(format, padded, is, kind));
    KUBE_RETURN_IF_ERROR(
        codec::DecodeEnvelopeInto(to, message, padded.view(), codec::DecodeOptions()));
  } else {
    // Read the kind first: it costs a tenth of decoding, and another kind may not decode as a T.
    KUBE_ASSIGN_OR_RETURN(is, codec::TypeMetaOfJson(padded), "decode response");
    KUBE_RETURN_IF_ERROR(CheckKind(format, padded, is, kind));
    KUBE_RETURN_IF_ERROR(codec::DecodeInto(to, message, codec::Encoding::kJson, padded.view(),
                                           codec::DecodeOptions()));
  }
  if (IsUnstructured(message)) FillKind(*static_cast<Unstructured*>(object), kind);
  ClearKind(object, message);
  return absl::OkStatus();
}

void ClearKind(void* object, const Message& message) {
  if (&message == &UnstructuredList::kMessage) return;
  ClearText(object, message, "kind");
  ClearText(object, message, "apiVersion");
}

const codec::Projection* WithoutKind(const Message& message) {
  struct Made {
    base::Mutex mutex;
    std::map<const Message*, std::unique_ptr<const codec::Projection>> of ABSL_GUARDED_BY(mutex);
  };
  static base::NoDestructor<Made> made;  // one for each kind that is watched
  if (FindText(message, "kind") == nullptr || FindText(message, "apiVersion") == nullptr) {
    return nullptr;
  }
  base::MutexLock lock(made->mutex);
  std::unique_ptr<const codec::Projection>& projection = made->of[&message];
  if (projection == nullptr) {
    projection = std::make_unique<const codec::Projection>(
        *codec::Projection::Make(message, {.drop = {"kind", "apiVersion"}}));
  }
  return projection.get();
}

absl::StatusOr<codec::ContentType> StreamedContentType(absl::string_view media_type) {
  KUBE_ASSIGN_OR_RETURN(const scheme::Format format, FormatOf(media_type));
  return format == scheme::Format::kProtobuf ? codec::ContentType::kProtobuf
                                             : codec::ContentType::kJson;
}

namespace {

// `object` is null if the object has no metadata.
struct Access {
  const meta::ObjectAccess& access;
  const void* object;
};
Access AccessTo(const void* object, const Message& message) {
  if (IsUnstructured(message)) return {meta::kObjectAccess<Unstructured>, object};
  return {meta::kMetadataAccess, MetadataOf(object, message)};
}

}  // namespace

ObjectId IdOf(const void* object, const Message& message) {
  const auto [access, in] = AccessTo(object, message);
  if (in == nullptr) return {};
  const meta::ObjectKey key = access.key(in);
  return {.namespace_name = std::string(key.namespace_name),
          .name = std::string(key.name),
          .uid = std::string(access.uid(in)),
          .resource_version = std::string(access.resource_version(in))};
}

std::string NameOfConfiguration(const void* configuration, const Message& message) {
  if (IsUnstructured(message)) return IdOf(configuration, message).name;
  const std::optional<codec::ValueView> metadata = ViewMetadata(configuration, message);
  if (!metadata.has_value()) return "";
  const std::optional<codec::ValueView> name = metadata->Member("name");
  return name.has_value() ? std::string(name->text().value_or("")) : "";
}

bool HasAnnotation(const void* object, const Message& message, absl::string_view key,
                   absl::string_view value) {
  const auto [access, in] = AccessTo(object, message);
  return in != nullptr && access.has_annotation(in, key, value);
}

bool LacksKind(const void* item, const Message& message) {
  if (!IsUnstructured(message)) return false;
  const Unstructured& object = *static_cast<const Unstructured*>(item);
  return object.kind().empty() && object.api_version().empty();
}

BodyKind KindOfItems(const void* list, const Message& message, const BodyKind& known) {
  if (!known.kind.empty() || &message != &UnstructuredList::kMessage) return known;
  const UnstructuredList& any = *static_cast<const UnstructuredList*>(list);
  return {.api_version = any.api_version.view(),
          .kind = absl::StripSuffix(any.kind.view(), "List")};
}

std::shared_ptr<const void> WithKind(std::shared_ptr<const void> item, const Message& message,
                                     const BodyKind& kind) {
  if (!LacksKind(item.get(), message)) return item;
  auto copy = std::make_shared<Unstructured>(*static_cast<const Unstructured*>(item.get()));
  FillKind(*copy, kind);
  return copy;
}

void SetKindOfItems(void* list, const Message& message, const BodyKind& known) {
  if (&message == &metav1::PartialObjectMetadataList::kMessage) {
    for (auto& item : static_cast<metav1::PartialObjectMetadataList*>(list)->items) {
      item.kind = item.api_version = String();
    }
    return;
  }
  if (&message != &UnstructuredList::kMessage) return;
  const BodyKind kind = KindOfItems(list, message, known);
  for (Unstructured& item : static_cast<UnstructuredList*>(list)->items) {
    if (LacksKind(&item, Unstructured::kMessage)) FillKind(item, kind);
  }
}

}  // namespace kube::typed::internal
