#include "apimachinery/codec/type_meta.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/envelope.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/table.h"

namespace kube::codec {

namespace {

namespace tables = kube::table;

// A type with only the two fields, so that the JSON decoder skips all others.
struct Header {
  String kind;
  String api_version;
};

constexpr char kNames[] = "object\0kind\0apiVersion\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
constexpr tables::Field kFields[] = {
    tables::FieldOf<String>({7, 4, 0, offsetof(Header, kind), 0, 0}),
    tables::FieldOf<String>({12, 10, 0, offsetof(Header, api_version), 0, 0}),
};
constinit const tables::Message kMessage = {
    .fields = kFields,
    .names = kNames,
    .size = sizeof(Header),
    .field_count = 2,
    .wire_count = 0,
    .name = 0,
    .name_size = 6,
    .json_form = tables::JsonForm::kObject,
    .all_optional = 0,
    .wire_start = 0,
    .is_atomic = 0,
    .reserved = {},
};

}  // namespace

absl::StatusOr<TypeMeta> TypeMetaOfJson(const PaddedBuffer& json) {
  Header header;
  KUBE_RETURN_IF_ERROR(codec::DecodeInto(reinterpret_cast<char*>(&header), kMessage,
                                         codec::Encoding::kJson, json.view(), {}));
  return TypeMeta{std::string(header.api_version.view()), std::string(header.kind.view())};
}

absl::StatusOr<TypeMeta> TypeMetaOfJson(absl::string_view json) {
  return TypeMetaOfJson(PaddedBuffer(json));
}

absl::StatusOr<TypeMeta> TypeMetaOfProtobuf(const PaddedBuffer& body) {
  KUBE_ASSIGN_OR_RETURN(const codec::Envelope envelope, codec::ParseEnvelope(body.view()));
  return TypeMeta{std::string(envelope.api_version), std::string(envelope.kind)};
}

absl::StatusOr<TypeMeta> TypeMetaOfProtobuf(absl::string_view body) {
  return TypeMetaOfProtobuf(PaddedBuffer(body));
}

}  // namespace kube::codec
