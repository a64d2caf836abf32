#ifndef APIMACHINERY_CODEC_ENVELOPE_H_
#define APIMACHINERY_CODEC_ENVELOPE_H_

// runtime.Unknown behind "k8s\0": what every protobuf body of Kubernetes is.

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/table/message.h"

namespace kube::codec {

// What every body begins with.
inline constexpr absl::string_view kEnvelopePrefix("k8s\0", 4);

// Views into the body.
struct Envelope {
  absl::string_view api_version;
  absl::string_view kind;
  absl::string_view raw;
  absl::string_view content_encoding;
  absl::string_view content_type;
};

// `body` is padded.
absl::StatusOr<Envelope> ParseEnvelope(absl::string_view body);

// The apiVersion and kind of a runtime.TypeMeta; false if it is none.
bool ParseTypeMeta(absl::string_view message, Envelope& envelope);

// The type and the object of a metav1.WatchEvent, which is a runtime.RawExtension with a body in
// it; false if it is none.
bool ParseWatchEvent(absl::string_view message, absl::string_view& type, absl::string_view& body);

// Decodes what is in the envelope, and sets `kind` and `apiVersion` of an object that has them.
absl::Status DecodeEnvelopeInto(char* to, const kube::table::Message& message,
                                absl::string_view body, const DecodeOptions& options);

// Sets them, if there is something to set, in an object whose memory is owned.
void SetTypeMeta(char* object, const kube::table::Message& message, absl::string_view kind,
                 absl::string_view api_version);

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_ENVELOPE_H_
