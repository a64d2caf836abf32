#ifndef APIMACHINERY_SCHEME_NEGOTIATE_H_
#define APIMACHINERY_SCHEME_NEGOTIATE_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/media_type.h"

// Content negotiation: chooses the format of a response, and recognizes that of a request. (Go:
// apiserver's `pkg/endpoints/handlers/negotiation`)
//
//   const absl::StatusOr<NegotiatedOutput> output =
//       NegotiateOutputMediaType({.accept = header}, SupportedMediaTypes());
//   const int code = output.ok() ? 200 : 406;  // with the message of output.status()
//
// The functions are thread-safe.
namespace kube::scheme {

// A clause of an Accept header, such as "application/json;as=Table;v=v1;q=0.8". (Go:
// `goautoneg.Accept`)
struct AcceptClause {
  std::string type = {};
  std::string subtype = {};
  double q = 1;
  std::map<std::string, std::string> parameters = {};  // without q
};

// Parses an Accept header. The clauses are sorted best first: by `q`, then those without "*".
// Malformed clauses are left out. Upstream's comparison is not a strict order (in "a/*;q=1,
// b/c;q=0.5" the clause b/c comes first); up to twelve clauses the result equals upstream's. (Go:
// `goautoneg.ParseAccept`)
std::vector<AcceptClause> ParseAccept(absl::string_view header);

// Tells what an endpoint supports beyond its plain response. The base class allows watches only.
// Implementations must be thread-safe. (Go: `negotiation.EndpointRestrictions`,
// `DefaultEndpointRestrictions`)
class EndpointRestrictions {
 public:
  virtual ~EndpointRestrictions() = default;

  // Returns whether the endpoint can answer in the format `info` with objects of kind `target`,
  // such as a Table. Null stands for the objects themselves.
  virtual bool AllowsMediaTypeTransform(const SerializerInfo& info,
                                        const schema::GroupVersionKind* target) const;
  virtual bool AllowsServerVersion(absl::string_view version) const;
  virtual bool AllowsStreamSchema(absl::string_view schema) const;
};

// The outcome of a negotiation. (Go: `negotiation.MediaTypeOptions`)
struct NegotiatedOutput {
  SerializerInfo accepted = {};
  bool pretty = false;                                   // indented
  std::string stream = {};                               // "watch", or empty
  std::optional<schema::GroupVersionKind> convert = {};  // `as`, `g` and `v`
  std::string use_server_version = {};                   // `sv`
  bool export_form = false;                              // `export=1`
  std::string profile = {};                              // `profile`, used by discovery
  std::vector<std::string> unrecognized = {};            // other parameters, sorted
};

// Returns what the best clause of `accept` that the endpoint allows asks for; the first of
// `supported` if `accept` is empty. Returns nullopt if no clause can be met. (Go:
// `negotiation.NegotiateMediaTypeOptions`)
std::optional<NegotiatedOutput> NegotiateMediaTypeOptions(
    absl::string_view accept, absl::Span<const SerializerInfo> supported,
    const EndpointRestrictions& restrictions = EndpointRestrictions());

// The parts of a request that decide the format of its response.
struct OutputRequest {
  absl::string_view accept = {};      // the Accept header
  absl::string_view query = {};       // the URL's query; only "pretty" is used
  absl::string_view user_agent = {};  // curl, Wget and browsers get pretty answers
};

// Negotiates the format of a response, and whether JSON is indented. Returns INVALID_ARGUMENT with
// upstream's message if the request accepts nothing that is supported; answer it with a Status of
// reason NotAcceptable and code 406. (Go: `negotiation.NegotiateOutputMediaType`)
absl::StatusOr<NegotiatedOutput> NegotiateOutputMediaType(
    const OutputRequest& request, absl::Span<const SerializerInfo> supported,
    const EndpointRestrictions& restrictions = EndpointRestrictions());

// Negotiates the format of the events of a watch. The errors are those of NegotiateOutputMediaType;
// a format without `streams` is not accepted. (Go: `negotiation.NegotiateOutputMediaTypeStream`)
absl::StatusOr<SerializerInfo> NegotiateOutputMediaTypeStream(
    absl::string_view accept, absl::Span<const SerializerInfo> supported,
    const EndpointRestrictions& restrictions = EndpointRestrictions());

// Returns the element of `supported` that `content_type` names; the first if that is empty.
// `streaming` only selects the media types that the error text lists. Returns INVALID_ARGUMENT with
// upstream's message if `supported` has no such element; answer it with a Status of reason
// UnsupportedMediaType and code 415. (Go: `negotiation.NegotiateInputSerializer`)
absl::StatusOr<SerializerInfo> NegotiateInputSerializer(absl::string_view content_type,
                                                        bool streaming,
                                                        absl::Span<const SerializerInfo> supported);

}  // namespace kube::scheme

#endif  // APIMACHINERY_SCHEME_NEGOTIATE_H_
