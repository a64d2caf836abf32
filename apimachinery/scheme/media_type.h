#ifndef APIMACHINERY_SCHEME_MEDIA_TYPE_H_
#define APIMACHINERY_SCHEME_MEDIA_TYPE_H_

#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

// The formats of request and response bodies, and their media types. The functions are thread-safe.
namespace kube::scheme {

enum class Format {
  kJson,
  kYaml,
  kProtobuf,  // in the envelope of Kubernetes
};

// Describes a format that a client or a server supports. (client-go: `runtime.SerializerInfo`)
struct SerializerInfo {
  absl::string_view media_type = {};  // "application/json"
  absl::string_view type = {};        // "application"
  absl::string_view subtype = {};     // "json"
  Format format = Format::kJson;
  bool encodes_as_text = false;  // is UTF-8 text
  bool streams = false;          // can carry the events of a watch
};

// Returns JSON, YAML and protobuf, in this order; the first is the default. (client-go:
// `CodecFactory.SupportedMediaTypes`)
absl::Span<const SerializerInfo> SupportedMediaTypes();

// Returns the element of `supported` with exactly this media type (without parameters), or null.
// (client-go: `runtime.SerializerInfoForMediaType`)
const SerializerInfo* SerializerInfoForMediaType(absl::Span<const SerializerInfo> supported,
                                                 absl::string_view media_type);

// Returns the media type of a format, such as "application/json".
absl::string_view MediaTypeOf(Format format);

// The value of a Content-Type header: its media type in lower case, and its parameters, whose names
// are in lower case. (Go: `mime.ParseMediaType`)
struct MediaType {
  std::string media_type = {};
  std::map<std::string, std::string> parameters = {};
};

// Parses a Content-Type header. Quoted values are unquoted. The continuations and character sets of
// RFC 2231 are not decoded: a parameter `name*0` is returned under that name. Returns
// INVALID_ARGUMENT if the text is not a media type.
absl::StatusOr<MediaType> ParseMediaType(absl::string_view content_type);

// Returns the format of a body with this Content-Type, whose parameters are ignored; JSON if it is
// empty. Returns INVALID_ARGUMENT for a media type that is not in SupportedMediaTypes().
// (client-go: `runtime.ClientNegotiator`)
absl::StatusOr<Format> FormatOf(absl::string_view content_type);

// Guesses the format of a body from its first bytes: protobuf by the prefix of the envelope, JSON
// by an opening brace. Returns nullopt for anything else, which may be YAML. (client-go:
// `recognizer.RecognizingDecoder`)
std::optional<Format> RecognizeFormat(absl::string_view body);

}  // namespace kube::scheme

#endif  // APIMACHINERY_SCHEME_MEDIA_TYPE_H_
