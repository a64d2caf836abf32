#include "apimachinery/scheme/decoder.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/envelope.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/type_meta.h"
#include "apimachinery/codec/yaml/yaml_to_json.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/errors.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/scheme/scheme.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/unstructured.h"

namespace kube::scheme {

namespace {

namespace metav1 = ::kube::api::meta::v1;

using schema::GroupVersionKind;

// The format of a body and the kind that it states.
struct Header {
  Format format = Format::kJson;
  GroupVersionKind kind;
};

absl::StatusOr<codec::TypeMeta> TypeMetaOf(absl::string_view body, Format format) {
  if (format == Format::kProtobuf) return codec::TypeMetaOfProtobuf(body);
  if (format == Format::kJson) return codec::TypeMetaOfJson(body);
  KUBE_ASSIGN_OR_RETURN(const codec::JsonFromYaml json, codec::YamlToJson(body));
  return codec::TypeMetaOfJson(json.json);
}

// Fills in what `actual` lacks. As upstream's two serializers, JSON and protobuf differ if there is
// a group but no version, which in JSON only the apiVersion "apps/" can express.
void SetKindDefaults(Format format, const GroupVersionKind& defaults, GroupVersionKind& actual) {
  if (actual.kind.empty()) actual.kind = defaults.kind;
  if (!actual.version.empty()) return;
  if (format == Format::kProtobuf) {
    if (defaults.version.empty()) return;
    actual.group = defaults.group;
    actual.version = defaults.version;
    return;
  }
  if (actual.group.empty()) actual.group = defaults.group;
  if (actual.group == defaults.group) actual.version = defaults.version;
}

absl::StatusOr<Header> ReadHeader(absl::string_view body, const BodyInfo& info) {
  Header header;
  if (info.content_type.empty()) {
    header.format = RecognizeFormat(body).value_or(Format::kYaml);
  } else {
    KUBE_ASSIGN_OR_RETURN(header.format, FormatOf(info.content_type));
  }
  KUBE_ASSIGN_OR_RETURN(const codec::TypeMeta meta, TypeMetaOf(body, header.format),
                        "couldn't get version/kind");
  KUBE_ASSIGN_OR_RETURN(const schema::GroupVersion version,
                        schema::ParseGroupVersion(meta.api_version));
  header.kind = version.WithKind(meta.kind);
  if (info.default_kind.has_value()) {
    SetKindDefaults(header.format, *info.default_kind, header.kind);
  }
  return header;
}

absl::Status CheckComplete(const GroupVersionKind& kind) {
  // The text does not contain the body, which may be secret: unlike upstream's it is meant for
  // logs.
  if (kind.kind.empty()) return MissingKindError("the body");
  if (kind.version.empty()) return MissingVersionError("the body");
  return absl::OkStatus();
}

// A server's errors must be decodable even if the scheme registers only the program's own kinds.
const KindInfo* StatusKind(const GroupVersionKind& kind) {
  static const KindInfo status = {
      .version = "v1", .kind = "Status", .message = &metav1::Status::kMessage};
  const bool is_status = kind.group.empty() && kind.version == "v1" && kind.kind == "Status";
  return is_status ? &status : nullptr;
}

absl::Status DecodeStruct(absl::string_view body, const Header& header, Strictness strictness,
                          char* object, const kube::table::Message& message,
                          std::vector<std::string>& strict_errors) {
  const codec::DecodeOptions options;
  std::vector<std::string>* const wanted =
      strictness == Strictness::kIgnore ? nullptr : &strict_errors;
  switch (header.format) {
    case Format::kProtobuf: {
      const codec::PaddedBuffer buffer(body);
      KUBE_RETURN_IF_ERROR(codec::DecodeEnvelopeInto(object, message, buffer.view(), options));
      // Unlike the JSON decoder, the protobuf decoder must set the type meta explicitly, including
      // what only the defaults supplied.
      codec::SetTypeMeta(object, message, header.kind.kind, header.kind.group_version().ToString());
      break;
    }
    case Format::kYaml:
      KUBE_RETURN_IF_ERROR(codec::DecodeYamlInto(object, message, body, options, 1, wanted));
      break;
    case Format::kJson: {
      const codec::PaddedBuffer buffer(body);
      KUBE_RETURN_IF_ERROR(codec::DecodeInto(object, message, codec::Encoding::kJson, buffer.view(),
                                             options, wanted));
      break;
    }
  }
  if (strictness == Strictness::kStrict && !strict_errors.empty()) {
    return StrictDecodingError(strict_errors);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DecodedObject> UniversalDecoder::Decode(absl::string_view body,
                                                       const BodyInfo& info) const {
  KUBE_ASSIGN_OR_RETURN(const Header header, ReadHeader(body, info));
  KUBE_RETURN_IF_ERROR(CheckComplete(header.kind));
  const KindInfo* kind = scheme_->Find(header.kind);
  if (kind == nullptr) kind = StatusKind(header.kind);
  if (kind != nullptr) {
    codec::AnyObject object(*kind);
    std::vector<std::string> strict_errors;
    KUBE_RETURN_IF_ERROR(DecodeStruct(body, header, options_.strictness,
                                      static_cast<char*>(object.data()), *kind->message,
                                      strict_errors));
    if (options_.set_defaults) scheme_->Default(object);
    return DecodedObject{header.kind, std::move(object), std::move(strict_errors)};
  }
  if (!options_.unstructured || header.format == Format::kProtobuf) {
    return NotRegisteredErrorForKind(scheme_->name(), header.kind);
  }
  unstructured::Unstructured object;
  std::vector<std::string> strict_errors;
  KUBE_RETURN_IF_ERROR(DecodeStruct(body, header, options_.strictness,
                                    reinterpret_cast<char*>(&object),
                                    unstructured::Unstructured::kMessage, strict_errors));
  return DecodedObject{header.kind, std::move(object), std::move(strict_errors)};
}

absl::Status UniversalDecoder::DecodeInto(absl::string_view body, const BodyInfo& info,
                                          void* object, const kube::table::Message& message,
                                          GroupVersionKind& kind,
                                          std::vector<std::string>& strict_errors) const {
  KUBE_ASSIGN_OR_RETURN(Header header, ReadHeader(body, info));
  const absl::StatusOr<std::vector<GroupVersionKind>> kinds = scheme_->ObjectKinds(message);
  if (kinds.ok()) {
    SetKindDefaults(header.format, (*kinds)[0], header.kind);
    KUBE_RETURN_IF_ERROR(CheckComplete(header.kind));
    if (std::find(kinds->begin(), kinds->end(), header.kind) == kinds->end()) {
      const KindInfo* const other = scheme_->Find(header.kind);
      if (other == nullptr && StatusKind(header.kind) == nullptr) {
        return NotRegisteredErrorForKind(scheme_->name(), header.kind);
      }
      // `header.kind` may be an unversioned kind, which Find returns for any group-version.
      if (other == nullptr || other->message != &message) {
        return absl::InvalidArgumentError(absl::StrCat(
            "decode ", message.type_name(), ": unexpected kind ", header.kind.ToString()));
      }
    }
  }
  kind = header.kind;
  KUBE_RETURN_IF_ERROR(DecodeStruct(body, header, options_.strictness, static_cast<char*>(object),
                                    message, strict_errors));
  if (options_.set_defaults) scheme_->Default(object, message);
  return absl::OkStatus();
}

}  // namespace kube::scheme
