#include "apiserver/encoding/input.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/type_meta.h"
#include "apimachinery/codec/yaml/yaml_to_json.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/scheme/negotiate.h"
#include "apimachinery/types/envelope_prefix.h"
#include "apimachinery/types/kind_info.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

std::string ApiVersionOf(const KindInfo& kind) {
  return absl::StrCat(kind.group, kind.group.empty() ? "" : "/", kind.version);
}

absl::Status UnsupportedMediaType(absl::string_view message) {
  metav1::Status status;
  status.status = "Failure";
  status.reason = "UnsupportedMediaType";
  status.code = 415;
  status.message = message;
  return errors::FromStatus(status);
}

// Returns the part of a body that errors show (kube-apiserver: `handlers.summarizeData`).
std::string Summary(absl::string_view body) {
  constexpr size_t kLimit = 30;
  if (body.empty()) return "<empty>";
  const bool cut = body.size() > kLimit;
  const absl::string_view start = body.substr(0, kLimit);
  const std::string text = body[0] == '{' ? std::string(start) : absl::BytesToHexString(start);
  return cut ? absl::StrCat(text, " ...") : text;
}

absl::Status NoProtobuf(const KindInfo& kind, absl::string_view body) {
  return errors::BadRequest(absl::StrCat(
      "the object provided is unrecognized (must be of type ", kind.kind,
      "): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (",
      Summary(body), ")"));
}

constexpr absl::string_view kNoTypeMeta = "couldn't get version/kind; ";

// Returns whether the body has the same kind in another version, which a server can decode but does
// not accept at this path. Events of both groups are one kind.
bool IsOtherVersion(const codec::TypeMeta& sent, const KindInfo& kind) {
  const KindInfo* const known = api::FindKind(sent.api_version, sent.kind);
  if (known == nullptr || known->kind != kind.kind) return false;
  return known->group == kind.group || kind.kind == "Event";
}

// Returns an error if a body with this type cannot be of `kind`. Fills in what is missing in
// `sent`.
absl::Status CheckKind(codec::TypeMeta& sent, const KindInfo& kind) {
  if (sent.kind.empty()) sent.kind = std::string(kind.kind);
  if (sent.api_version.empty()) sent.api_version = ApiVersionOf(kind);
  const std::string mismatch = KindMismatch(sent, kind);
  if (mismatch.empty()) return absl::OkStatus();
  // DeleteOptions are decoded with a scheme that knows no other kinds.
  if (kind.kind == "DeleteOptions") return errors::BadRequest(mismatch);
  if (IsOtherVersion(sent, kind)) {
    return errors::BadRequest(absl::StrCat("the API version in the data (", sent.api_version,
                                           ") does not match the expected API version (",
                                           ApiVersionOf(kind), ")"));
  }
  return CannotHandle(sent, kind, mismatch);
}

}  // namespace

absl::Status Unrecognized(const KindInfo& kind, absl::string_view cause, absl::string_view body) {
  return errors::BadRequest(absl::StrCat("the object provided is unrecognized (must be of type ",
                                         kind.kind, "): ", cause, " (", Summary(body), ")"));
}

absl::Status CannotHandle(const codec::TypeMeta& sent, const KindInfo& kind,
                          absl::string_view cause) {
  const size_t slash = sent.api_version.find('/');
  const std::string version =
      slash == std::string::npos ? sent.api_version : sent.api_version.substr(slash + 1);
  return errors::BadRequest(absl::StrCat(sent.kind, " in version \"", version,
                                         "\" cannot be handled as a ", kind.kind, ": ", cause));
}

FieldPolicy FieldPolicyOf(absl::string_view field_validation) {
  if (field_validation == "Ignore") return FieldPolicy::kIgnore;
  return field_validation == "Strict" ? FieldPolicy::kStrict : FieldPolicy::kWarn;
}

std::string KindMismatch(const codec::TypeMeta& sent, const KindInfo& kind) {
  if (sent.kind == kind.kind && sent.api_version == ApiVersionOf(kind)) return "";
  const bool is_options = kind.kind == "DeleteOptions";
  // DeleteOptions exist in every group and version: clients send those of the resource.
  if (is_options && sent.kind == kind.kind) return "";
  const KindInfo* known = is_options ? nullptr : api::FindKind(sent.api_version, sent.kind);
  if (known == nullptr) {
    return absl::StrCat("no kind \"", sent.kind, "\" is registered for version \"",
                        sent.api_version, "\" in scheme \"pkg/runtime/scheme.go:111\"");
  }
  return absl::StrCat("converting (", known->version, ".", known->kind, ") to (",
                      kind.group.empty() ? "core" : kind.group, ".", kind.kind,
                      "): unknown conversion");
}

absl::StatusOr<codec::AnyObject> DecodeText(absl::string_view json, const KindInfo& kind,
                                            std::vector<std::string>* strict_errors) {
  if (strict_errors == nullptr) return codec::AnyObject::DecodeJson(kind, json);
  KUBE_ASSIGN_OR_RETURN(codec::StrictlyDecoded<codec::AnyObject> decoded,
                        codec::AnyObject::DecodeJsonAndReport(kind, json));
  *strict_errors = std::move(decoded.strict_errors);
  return std::move(decoded.object);
}

namespace {

absl::StatusOr<Body> DecodeProtobufBody(absl::string_view body, const KindInfo& kind) {
  absl::StatusOr<codec::TypeMeta> sent = codec::TypeMetaOfProtobuf(body);
  if (!absl::StartsWith(body, kEnvelopePrefix)) return NoProtobuf(kind, body);
  if (!sent.ok()) {
    return Unrecognized(kind, absl::StrCat(kNoTypeMeta, sent.status().message()), body);
  }
  KUBE_RETURN_IF_ERROR(CheckKind(*sent, kind));
  absl::StatusOr<codec::AnyObject> object = codec::AnyObject::DecodeProtobuf(kind, body);
  if (!object.ok()) return CannotHandle(*sent, kind, object.status().message());
  // An invalid quantity or embedded JSON is only found by encoding.
  if (const auto json = object->EncodeJson(); !json.ok()) {
    return CannotHandle(*sent, kind, json.status().message());
  }
  return Body{.object = *std::move(object), .warnings = {}};
}

absl::StatusOr<scheme::Format> FormatOf(const httpserver::Request& request) {
  const absl::StatusOr<scheme::SerializerInfo> input =
      scheme::NegotiateInputSerializer(request.headers.Get("content-type").value_or(""),
                                       /*streaming=*/false, scheme::SupportedMediaTypes());
  if (!input.ok()) return UnsupportedMediaType(input.status().message());
  return input->format;
}

}  // namespace

absl::StatusOr<BodyText> TextOfBody(const httpserver::Request& request, const KindInfo& kind,
                                    FieldPolicy policy, std::string& scratch) {
  KUBE_ASSIGN_OR_RETURN(const scheme::Format format, FormatOf(request));
  if (format == scheme::Format::kProtobuf) return NoProtobuf(kind, request.body);
  BodyText text = {.json = request.body};
  if (format == scheme::Format::kYaml) {
    absl::StatusOr<codec::JsonFromYaml> from =
        codec::YamlToJson(request.body, {.strict = policy == FieldPolicy::kStrict});
    if (!from.ok()) {
      return Unrecognized(kind, absl::StrCat(kNoTypeMeta, from.status().message()), request.body);
    }
    scratch = std::move(from->json);
    text.json = scratch;
  }
  absl::StatusOr<codec::TypeMeta> sent = codec::TypeMetaOfJson(text.json);
  if (!sent.ok()) {
    return Unrecognized(
        kind, absl::StrCat(kNoTypeMeta, "json parse error: ", sent.status().message()), text.json);
  }
  text.sent = *std::move(sent);
  return text;
}

absl::StatusOr<Body> DecodeBody(const httpserver::Request& request, const KindInfo& kind,
                                FieldPolicy policy) {
  KUBE_ASSIGN_OR_RETURN(const scheme::Format format, FormatOf(request));
  if (format == scheme::Format::kProtobuf) return DecodeProtobufBody(request.body, kind);
  std::string scratch;
  KUBE_ASSIGN_OR_RETURN(BodyText text, TextOfBody(request, kind, policy, scratch));
  KUBE_RETURN_IF_ERROR(CheckKind(text.sent, kind));
  std::vector<std::string> found;
  absl::StatusOr<codec::AnyObject> object =
      DecodeText(text.json, kind, policy == FieldPolicy::kIgnore ? nullptr : &found);
  if (!object.ok()) return CannotHandle(text.sent, kind, object.status().message());
  if (policy == FieldPolicy::kStrict && !found.empty()) {
    return CannotHandle(text.sent, kind,
                        absl::StrCat("strict decoding error: ", absl::StrJoin(found, ", ")));
  }
  return Body{.object = *std::move(object), .warnings = std::move(found)};
}

}  // namespace kube::apiserver::internal
