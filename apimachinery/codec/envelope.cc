#include "apimachinery/codec/envelope.h"

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/internal/builder.h"
#include "apimachinery/codec/protobuf/wire.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/envelope_prefix.h"

namespace kube::codec {
namespace {

absl::Status Broken(absl::string_view cause) {
  return absl::InvalidArgumentError(
      absl::StrCat("decode body of application/vnd.kubernetes.protobuf: ", cause));
}

// Calls `field` with the number and the bytes of each field of a message whose number is below
// `known`; other fields are skipped. Returns false if the message is malformed, if a field below
// `known` has another wire type, or if `field` returned false.
template <typename Field>
bool ForEachField(absl::string_view message, uint64_t known, Field field) {
  const char* p = message.data();
  const char* const end = p + message.size();
  while (p < end) {
    uint64_t tag = 0;
    p = internal::ReadTag(p, end, tag);
    if (p == nullptr || tag >> 3 == 0) return false;
    if (tag >> 3 >= known) {
      p = internal::SkipWireValue(p, end, tag);
    } else {
      const char* data = nullptr;
      p = (tag & 7) == internal::WireType::kBytes ? internal::ReadBytes(p, end, data) : nullptr;
      if (p != nullptr &&
          !field(tag >> 3, absl::string_view(data, static_cast<size_t>(p - data)))) {
        return false;
      }
    }
    if (p == nullptr) return false;
  }
  return true;
}

}  // namespace

bool ParseTypeMeta(absl::string_view message, Envelope& envelope) {
  return ForEachField(message, 3, [&](uint64_t number, absl::string_view text) {
    (number == 1 ? envelope.api_version : envelope.kind) = text;
    return true;
  });
}

bool ParseWatchEvent(absl::string_view message, absl::string_view& type, absl::string_view& body) {
  const auto raw_extension = [&](uint64_t, absl::string_view raw) {
    body = raw;
    return true;
  };
  return ForEachField(message, 3, [&](uint64_t number, absl::string_view bytes) {
    if (number == 2) return ForEachField(bytes, 2, raw_extension);
    type = bytes;
    return true;
  });
}

absl::StatusOr<Envelope> ParseEnvelope(absl::string_view body) {
  if (body.empty()) return Broken("empty data");
  if (!absl::StartsWith(body, kEnvelopePrefix)) {
    return Broken(
        "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  }
  body.remove_prefix(kEnvelopePrefix.size());
  if (body.empty()) return Broken("empty body");
  Envelope envelope;
  // Go omits `raw` if the object has no fields. The empty view lies within the body, so it is
  // padded like any other.
  envelope.raw = body.substr(body.size());
  const bool ok = ForEachField(body, 5, [&](uint64_t number, absl::string_view bytes) {
    switch (number) {
      case 1:
        return ParseTypeMeta(bytes, envelope);
      case 2:
        envelope.raw = bytes;
        return true;
      case 3:
        envelope.content_encoding = bytes;
        return true;
      default:
        envelope.content_type = bytes;
        return true;
    }
  });
  if (!ok) return Broken("invalid envelope");
  return envelope;
}

absl::Status DecodeEnvelopeInto(char* to, const kube::table::Message& message,
                                absl::string_view body, const DecodeOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const Envelope envelope, ParseEnvelope(body));
  if (!envelope.content_encoding.empty()) {
    return Broken(absl::StrCat("unknown content encoding: ", envelope.content_encoding));
  }
  KUBE_RETURN_IF_ERROR(DecodeInto(to, message, Encoding::kProtobuf, envelope.raw, options));
  SetTypeMeta(to, message, envelope.kind, envelope.api_version);
  return absl::OkStatus();
}

void SetTypeMeta(char* object, const kube::table::Message& message, absl::string_view kind,
                 absl::string_view api_version) {
  internal::HeapMemory memory;
  internal::HeapBuilder builder(memory);
  for (size_t i = 0; i < message.field_count; ++i) {
    const kube::table::Field& field = message.fields[i];
    // kind and apiVersion have no field number and are the first fields.
    if (field.number != 0 || field.kind != kube::table::Kind::kString) break;
    const absl::string_view name = message.field_name(field);
    const absl::string_view text = name == "kind" ? kind : name == "apiVersion" ? api_version : "";
    if (!text.empty()) builder.CopyString(object + field.offset, text.data(), text.size());
  }
}

}  // namespace kube::codec
