#ifndef APIMACHINERY_CODEC_ENVELOPE_H_
#define APIMACHINERY_CODEC_ENVELOPE_H_

// Reads the envelope of every protobuf body of Kubernetes: the prefix "k8s\0", followed by a
// runtime.Unknown. Pure functions: thread-safe.

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/table/message.h"

namespace kube::codec {

// The fields of a runtime.Unknown, as views into the body. `raw` is the object's message.
struct Envelope {
  absl::string_view api_version;
  absl::string_view kind;
  absl::string_view raw;
  absl::string_view content_encoding;
  absl::string_view content_type;
};

// Parses `body`, which must be padded. Returns INVALID_ARGUMENT if it is not an envelope.
absl::StatusOr<Envelope> ParseEnvelope(absl::string_view body);

// Parses a runtime.TypeMeta and sets the apiVersion and kind of `envelope`. Returns false if
// `message` is malformed.
bool ParseTypeMeta(absl::string_view message, Envelope& envelope);

// Parses a metav1.WatchEvent: sets its type, and as `body` the contents of its object, a
// runtime.RawExtension. Returns false if `message` is malformed.
bool ParseWatchEvent(absl::string_view message, absl::string_view& type, absl::string_view& body);

// Decodes the object in the envelope into the struct at `to`, and sets its kind and apiVersion if
// its type has these members. Returns the errors of ParseEnvelope and DecodeInto, and
// INVALID_ARGUMENT if the envelope has a content encoding.
absl::Status DecodeEnvelopeInto(char* to, const kube::table::Message& message,
                                absl::string_view body, const DecodeOptions& options);

// Sets the members kind and apiVersion of an object that owns its memory. Skips empty values, and
// members that the type does not have.
void SetTypeMeta(char* object, const kube::table::Message& message, absl::string_view kind,
                 absl::string_view api_version);

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_ENVELOPE_H_
