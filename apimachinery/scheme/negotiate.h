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

// Which format a server answers in, and which one a request has. (apiserver's
// pkg/endpoints/handlers/negotiation)
//
//   absl::StatusOr<NegotiatedOutput> output =
//       NegotiateOutputMediaType({.accept = header}, SupportedMediaTypes());
//   if (!output.ok()) ...  // 406, with the status' message
//
// Pure functions: thread-safe.
namespace kube::scheme {

// A clause of an Accept header: "application/json;as=Table;v=v1;q=0.8". (goautoneg.Accept)
struct AcceptClause {
  std::string type = {};
  std::string subtype = {};
  double q = 1;
  std::map<std::string, std::string> parameters = {};  // without q
};

// Best first: by q, then those without "*". Malformed clauses are left out. Upstream's order is
// not one in the strict sense ("a/*;q=1, b/c;q=0.5" has b/c first); up to twelve clauses ours is
// the same. (goautoneg.ParseAccept)
std::vector<AcceptClause> ParseAccept(absl::string_view header);

// What an endpoint can do beyond its plain answer. (negotiation.EndpointRestrictions; this class is
// DefaultEndpointRestrictions, which only watches) Thread-safe.
class EndpointRestrictions {
 public:
  virtual ~EndpointRestrictions() = default;

  // Whether it answers in this type with objects of `target`, a Table for instance; null: with the
  // objects themselves.
  virtual bool AllowsMediaTypeTransform(const SerializerInfo& info,
                                        const schema::GroupVersionKind* target) const;
  virtual bool AllowsServerVersion(absl::string_view version) const;
  virtual bool AllowsStreamSchema(absl::string_view schema) const;
};

// What to answer in. (negotiation.MediaTypeOptions)
struct NegotiatedOutput {
  SerializerInfo accepted = {};
  bool pretty = false;                                   // for people: indented
  std::string stream = {};                               // "watch", or nothing
  std::optional<schema::GroupVersionKind> convert = {};  // as, g and v: Table or metadata
  std::string use_server_version = {};                   // sv
  bool export_form = false;                              // export=1
  std::string profile = {};                              // of discovery
  std::vector<std::string> unrecognized = {};            // names of other parameters, sorted
};

// The first clause's that the endpoint allows; the first of `supported` if the header is empty.
// Nothing: none is. (NegotiateMediaTypeOptions)
std::optional<NegotiatedOutput> NegotiateMediaTypeOptions(
    absl::string_view accept, absl::Span<const SerializerInfo> supported,
    const EndpointRestrictions& restrictions = EndpointRestrictions());

// What of a request decides on the format of its answer.
struct OutputRequest {
  absl::string_view accept = {};      // the header
  absl::string_view query = {};       // as in the URL; "pretty" is looked at
  absl::string_view user_agent = {};  // curl, Wget and browsers get pretty answers
};

// INVALID_ARGUMENT with upstream's message, for a Status of reason NotAcceptable and code 406: the
// request accepts nothing that is supported.
absl::StatusOr<NegotiatedOutput> NegotiateOutputMediaType(
    const OutputRequest& request, absl::Span<const SerializerInfo> supported,
    const EndpointRestrictions& restrictions = EndpointRestrictions());

// The same of the events of a watch.
absl::StatusOr<SerializerInfo> NegotiateOutputMediaTypeStream(
    absl::string_view accept, absl::Span<const SerializerInfo> supported,
    const EndpointRestrictions& restrictions = EndpointRestrictions());

// The format of a request's body by its Content-Type; the first of `supported` if that is empty.
// INVALID_ARGUMENT with upstream's message, for a Status of reason UnsupportedMediaType and code
// 415: it is none of `supported`.
absl::StatusOr<SerializerInfo> NegotiateInputSerializer(absl::string_view content_type,
                                                        bool streaming,
                                                        absl::Span<const SerializerInfo> supported);

}  // namespace kube::scheme

#endif  // APIMACHINERY_SCHEME_NEGOTIATE_H_
