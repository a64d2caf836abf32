#include "apimachinery/scheme/negotiate.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/media_type.h"

// Negotiation walks the clauses of the Accept header, best first, and for each clause the supported
// formats, default first. The first pair is taken whose media types match and whose parameters the
// endpoint allows (see ApplyParameter). Later clauses are fallbacks: kubectl, for instance, sends
// "application/json;as=Table;g=meta.k8s.io;v=v1,application/json", so that an endpoint that cannot
// make Tables answers with the objects themselves.

namespace kube::scheme {

namespace {

// Removes spaces only, as upstream does.
absl::string_view Trim(absl::string_view text) {
  while (absl::ConsumePrefix(&text, " ")) {
  }
  while (absl::ConsumeSuffix(&text, " ")) {
  }
  return text;
}

// Returns the texts before and after the first `separator`.
std::pair<absl::string_view, absl::string_view> Cut(absl::string_view text, char separator) {
  const size_t at = text.find(separator);
  if (at == absl::string_view::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + 1)};
}

// Returns 0 for a text that is not a number, including one with spaces around it, as upstream.
double ParseQ(absl::string_view text) {
  float q = 0;
  if (absl::StripAsciiWhitespace(text) != text || !absl::SimpleAtof(text, &q)) return 0;
  return q;
}

void ParseParameters(absl::string_view text, AcceptClause& clause) {
  for (const absl::string_view parameter : absl::StrSplit(text, ';')) {
    const auto [name, value] = Cut(parameter, '=');
    // A value contains no equals sign, but "a=b=" is accepted, as upstream.
    const auto [first, rest] = Cut(value, '=');
    if (value.empty() || !rest.empty()) continue;
    if (Trim(name) == "q") {
      clause.q = ParseQ(first);
    } else {
      clause.parameters[std::string(Trim(name))] = std::string(Trim(first));
    }
  }
}

std::optional<AcceptClause> ParseClause(absl::string_view text) {
  const auto [media_range, parameters] = Cut(text, ';');
  const auto [type, rest] = Cut(media_range, '/');
  AcceptClause clause;
  clause.type = std::string(Trim(type));
  if (rest.empty()) {
    if (clause.type != "*") return std::nullopt;
    clause.subtype.push_back('*');
  } else {
    const auto [subtype, more] = Cut(rest, '/');
    if (!more.empty()) return std::nullopt;
    clause.subtype = std::string(Trim(subtype));
  }
  ParseParameters(parameters, clause);
  return clause;
}

// Upstream's comparison. It is not an order: of two clauses each may come before the other.
bool ComesBefore(const AcceptClause& a, const AcceptClause& b) {
  if (a.q > b.q) return true;
  if (a.type != "*" && b.type == "*") return true;
  return a.subtype != "*" && b.subtype == "*";
}

// Returns an error with `prefix` and the media types that would be accepted.
absl::Status Refusal(absl::string_view prefix, absl::Span<const SerializerInfo> supported,
                     bool streaming) {
  std::vector<std::string> accepted;
  for (const SerializerInfo& info : supported) {
    if (!streaming) accepted.emplace_back(info.media_type);
    if (streaming && info.streams) {
      accepted.push_back(absl::StrCat(info.media_type, ";stream=watch"));
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(prefix, absl::StrJoin(accepted, ", ")));
}

constexpr char kNotAcceptable[] = "only the following media types are accepted: ";
constexpr char kUnsupported[] =
    "the body of the request was in an unknown format - accepted media types include: ";

// As `strconv.ParseBool`; any other text counts as false.
bool ParseBool(absl::string_view text) {
  return text == "1" || text == "t" || text == "T" || text == "true" || text == "TRUE" ||
         text == "True";
}

bool IsForPeople(const OutputRequest& request) {
  const queryparams::Values values = queryparams::ParseQuery(request.query);
  if (const auto it = values.find("pretty"); it != values.end() && !it->second[0].empty()) {
    return ParseBool(it->second[0]);
  }
  return absl::StartsWith(request.user_agent, "curl") ||
         absl::StartsWith(request.user_agent, "Wget") ||
         absl::StartsWith(request.user_agent, "Mozilla/5.0");
}

schema::GroupVersionKind& Convert(NegotiatedOutput& output) {
  if (!output.convert.has_value()) output.convert.emplace();
  return *output.convert;
}

// Returns false if the endpoint does not allow the parameter.
bool ApplyParameter(absl::string_view name, const std::string& value, const SerializerInfo& info,
                    const EndpointRestrictions& restrictions, NegotiatedOutput& output) {
  if (name == "as") {
    Convert(output).kind = value;
  } else if (name == "g") {
    Convert(output).group = value;
  } else if (name == "v") {
    Convert(output).version = value;
  } else if (name == "stream") {
    if (!value.empty() && !(info.streams && restrictions.AllowsStreamSchema(value))) return false;
    output.stream = value;
  } else if (name == "sv") {
    if (!value.empty() && !restrictions.AllowsServerVersion(value)) return false;
    output.use_server_version = value;
  } else if (name == "export") {
    output.export_form = value == "1";
  } else if (name == "pretty") {
    output.pretty = value == "1";
  } else if (name == "profile") {
    output.profile = value;
  } else {
    output.unrecognized.emplace_back(name);
  }
  return true;
}

std::optional<NegotiatedOutput> AcceptOptions(const AcceptClause& clause,
                                              const SerializerInfo& info,
                                              const EndpointRestrictions& restrictions) {
  NegotiatedOutput output;
  for (const auto& [name, value] : clause.parameters) {
    if (!ApplyParameter(name, value, info, restrictions, output)) return std::nullopt;
  }
  const schema::GroupVersionKind* const target =
      output.convert.has_value() ? &*output.convert : nullptr;
  if (!restrictions.AllowsMediaTypeTransform(info, target)) return std::nullopt;
  output.accepted = info;
  return output;
}

}  // namespace

std::vector<AcceptClause> ParseAccept(absl::string_view header) {
  std::vector<AcceptClause> clauses;
  for (const absl::string_view text : absl::StrSplit(header, ',')) {
    std::optional<AcceptClause> clause = ParseClause(Trim(text));
    if (!clause.has_value()) continue;
    clauses.push_back(*std::move(clause));
    // As Go, which sorts up to twelve elements by insertion. With a comparison that is not an
    // order, the result depends on the algorithm.
    for (size_t i = clauses.size() - 1; i > 0 && ComesBefore(clauses[i], clauses[i - 1]); --i) {
      std::swap(clauses[i], clauses[i - 1]);
    }
  }
  return clauses;
}

bool EndpointRestrictions::AllowsMediaTypeTransform(const SerializerInfo&,
                                                    const schema::GroupVersionKind* target) const {
  return target == nullptr;
}

bool EndpointRestrictions::AllowsServerVersion(absl::string_view) const { return false; }

bool EndpointRestrictions::AllowsStreamSchema(absl::string_view schema) const {
  return schema == "watch";
}

std::optional<NegotiatedOutput> NegotiateMediaTypeOptions(
    absl::string_view accept, absl::Span<const SerializerInfo> supported,
    const EndpointRestrictions& restrictions) {
  if (accept.empty() && !supported.empty()) return NegotiatedOutput{.accepted = supported[0]};
  for (const AcceptClause& clause : ParseAccept(accept)) {
    for (const SerializerInfo& info : supported) {
      const bool any = clause.type == "*" && clause.subtype == "*";
      const bool of_type =
          clause.type == info.type && (clause.subtype == info.subtype || clause.subtype == "*");
      if (!any && !of_type) continue;
      std::optional<NegotiatedOutput> output = AcceptOptions(clause, info, restrictions);
      if (output.has_value()) return output;
    }
  }
  return std::nullopt;
}

absl::StatusOr<NegotiatedOutput> NegotiateOutputMediaType(
    const OutputRequest& request, absl::Span<const SerializerInfo> supported,
    const EndpointRestrictions& restrictions) {
  std::optional<NegotiatedOutput> output =
      NegotiateMediaTypeOptions(request.accept, supported, restrictions);
  if (!output.has_value()) return Refusal(kNotAcceptable, supported, false);
  output->pretty = output->pretty || IsForPeople(request);
  return *std::move(output);
}

absl::StatusOr<SerializerInfo> NegotiateOutputMediaTypeStream(
    absl::string_view accept, absl::Span<const SerializerInfo> supported,
    const EndpointRestrictions& restrictions) {
  const std::optional<NegotiatedOutput> output =
      NegotiateMediaTypeOptions(accept, supported, restrictions);
  if (!output.has_value() || !output->accepted.streams) {
    return Refusal(kNotAcceptable, supported, true);
  }
  return output->accepted;
}

absl::StatusOr<SerializerInfo> NegotiateInputSerializer(
    absl::string_view content_type, bool streaming, absl::Span<const SerializerInfo> supported) {
  if (content_type.empty() && !supported.empty()) return supported[0];
  const absl::StatusOr<MediaType> parsed = ParseMediaType(content_type);
  const SerializerInfo* const info =
      parsed.ok() ? SerializerInfoForMediaType(supported, parsed->media_type) : nullptr;
  if (info == nullptr) return Refusal(kUnsupported, supported, streaming);
  return *info;
}

}  // namespace kube::scheme
