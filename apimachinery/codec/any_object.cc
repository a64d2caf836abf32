#include "apimachinery/codec/any_object.h"

#include <cstring>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/deep_size.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/envelope.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/types/kind_info.h"

namespace kube::codec {

namespace {

kube::table::Type TypeOf(const kube::table::Message& message) {
  return {kube::table::Kind::kMessage, message.size, &message};
}

}  // namespace

// All-zero bits are the default value of every struct, and no struct needs a larger alignment than
// operator new[] provides.
AnyObject::AnyObject(const KindInfo& kind)
    : kind_(&kind), memory_(std::make_unique<char[]>(kind.message->size)) {}

AnyObject::~AnyObject() {
  if (memory_ == nullptr) return;
  kube::table::DestroyValue(memory_.get(), TypeOf(message()));
}

absl::StatusOr<AnyObject> AnyObject::DecodeJson(const KindInfo& kind, const PaddedBuffer& json,
                                                const DecodeOptions& options) {
  AnyObject object(kind);
  KUBE_RETURN_IF_ERROR(codec::DecodeInto(object.memory_.get(), object.message(),
                                         codec::Encoding::kJson, json.view(), options));
  return object;
}

absl::StatusOr<AnyObject> AnyObject::DecodeJson(const KindInfo& kind, absl::string_view json,
                                                const DecodeOptions& options) {
  return DecodeJson(kind, PaddedBuffer(json), options);
}

absl::StatusOr<StrictlyDecoded<AnyObject>> AnyObject::DecodeJsonAndReport(
    const KindInfo& kind, absl::string_view json, const DecodeOptions& options) {
  StrictlyDecoded<AnyObject> decoded{.object = AnyObject(kind), .strict_errors = {}};
  const PaddedBuffer buffer(json);
  KUBE_RETURN_IF_ERROR(codec::DecodeInto(decoded.object.memory_.get(), decoded.object.message(),
                                         codec::Encoding::kJson, buffer.view(), options,
                                         &decoded.strict_errors));
  return decoded;
}

absl::StatusOr<AnyObject> AnyObject::DecodeYaml(const KindInfo& kind, absl::string_view yaml,
                                                const DecodeOptions& options, int first_line) {
  AnyObject object(kind);
  KUBE_RETURN_IF_ERROR(
      DecodeYamlInto(object.memory_.get(), object.message(), yaml, options, first_line));
  return object;
}

absl::StatusOr<AnyObject> AnyObject::DecodeProtobuf(const KindInfo& kind, const PaddedBuffer& body,
                                                    const DecodeOptions& options) {
  AnyObject object(kind);
  KUBE_RETURN_IF_ERROR(
      codec::DecodeEnvelopeInto(object.memory_.get(), object.message(), body.view(), options));
  return object;
}

absl::StatusOr<AnyObject> AnyObject::DecodeProtobuf(const KindInfo& kind, absl::string_view body,
                                                    const DecodeOptions& options) {
  return DecodeProtobuf(kind, PaddedBuffer(body), options);
}

absl::StatusOr<std::string> AnyObject::EncodeJson(const EncodeJsonOptions& options) const {
  std::string json;
  KUBE_RETURN_IF_ERROR(AppendJson(json, memory_.get(), message(), options));
  return json;
}

absl::StatusOr<std::string> AnyObject::EncodeYaml() const {
  KUBE_ASSIGN_OR_RETURN(const std::string json, EncodeJson());
  return JsonToYaml(json);
}

absl::StatusOr<std::string> AnyObject::EncodeProtobuf() const {
  if (message().wire_count == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("encode ", kind_->kind, ": kind has no protobuf encoding"));
  }
  const std::string api_version =
      absl::StrCat(kind_->group, kind_->group.empty() ? "" : "/", kind_->version);
  std::string body;
  KUBE_RETURN_IF_ERROR(AppendKubernetesProtobuf(body, memory_.get(), message(),
                                                {.api_version = api_version, .kind = kind_->kind}));
  return body;
}

AnyObject AnyObject::Copy() const {
  AnyObject copy(*kind_);
  std::memcpy(copy.memory_.get(), memory_.get(), message().size);
  kube::table::CopyValue(copy.memory_.get(), memory_.get(), TypeOf(message()));
  return copy;
}

absl::Status AnyObject::CopyMember(absl::string_view name, const AnyObject& from) {
  KUBE_CHECK(from.kind_->message == kind_->message);
  for (int i = 0; i < message().field_count; ++i) {
    const kube::table::Field& field = message().fields[i];
    if (message().field_name(field) != name || field.shape != kube::table::Shape::kValue ||
        field.kind != kube::table::Kind::kMessage) {
      continue;
    }
    const kube::table::Type type = TypeOf(message().sub_message(field));
    char* to = memory_.get() + field.offset;
    // Copies before it destroys, because `from` may be this object.
    const auto copy = std::make_unique<char[]>(type.size);
    std::memcpy(copy.get(), from.memory_.get() + field.offset, type.size);
    kube::table::CopyValue(copy.get(), from.memory_.get() + field.offset, type);
    kube::table::DestroyValue(to, type);
    std::memcpy(to, copy.get(), type.size);
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("copy member of ", kind_->kind, ": no struct field \"", name, "\""));
}

ValueView AnyObject::View() const {
  return ValueView(memory_.get(), TypeOf(message()), kube::table::Shape::kValue);
}

absl::Status AnyObject::SetPath(absl::string_view path, absl::string_view text) {
  return codec::SetPath(memory_.get(), message(), path, text);
}

ObjectSize AnyObject::DeepSize() const { return internal::DeepSize(memory_.get(), message()); }

bool operator==(const AnyObject& a, const AnyObject& b) {
  return &a.message() == &b.message() &&
         kube::table::EqualMessages(a.memory_.get(), b.memory_.get(), a.message());
}

}  // namespace kube::codec
