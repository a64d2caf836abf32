#ifndef APIMACHINERY_SCHEME_MEDIA_TYPE_H_
#define APIMACHINERY_SCHEME_MEDIA_TYPE_H_

#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

// The formats of bodies and their names. Pure functions: thread-safe.
namespace kube::scheme {

enum class Format {
  kJson,
  kYaml,
  kProtobuf,  // in the envelope of Kubernetes
};

// One format that a client or server speaks. (runtime.SerializerInfo)
struct SerializerInfo {
  absl::string_view media_type = {};  // "application/json"
  absl::string_view type = {};        // "application"
  absl::string_view subtype = {};     // "json"
  Format format = Format::kJson;
  bool encodes_as_text = false;  // UTF-8
  bool streams = false;          // the events of a watch come in it
};

// JSON, YAML and protobuf; the first is the default. (CodecFactory.SupportedMediaTypes)
absl::Span<const SerializerInfo> SupportedMediaTypes();

// The one of exactly this media type, which has no parameters; null: there is none.
// (runtime.SerializerInfoForMediaType)
const SerializerInfo* SerializerInfoForMediaType(absl::Span<const SerializerInfo> supported,
                                                 absl::string_view media_type);

// "application/json". An error's, log's or header's name of it.
absl::string_view MediaTypeOf(Format format);

// What a Content-Type says: the media type in lower case, and its parameters, their names in lower
// case. (mime.ParseMediaType)
struct MediaType {
  std::string media_type = {};
  std::map<std::string, std::string> parameters = {};
};

// INVALID_ARGUMENT where the text is not one. Quoted values are unquoted; those that are cut in
// pieces or have a character set, "name*0=", stay as they are.
absl::StatusOr<MediaType> ParseMediaType(absl::string_view content_type);

// The format of a body with this Content-Type, whose parameters do not matter; JSON if it is empty.
// INVALID_ARGUMENT where it is none of ours. (runtime.ClientNegotiator)
absl::StatusOr<Format> FormatOf(absl::string_view content_type);

// The format of a body by how it begins: protobuf by its prefix, JSON by its brace. Nothing: it may
// be YAML. (recognizer.RecognizingDecoder)
std::optional<Format> RecognizeFormat(absl::string_view body);

}  // namespace kube::scheme

#endif  // APIMACHINERY_SCHEME_MEDIA_TYPE_H_
