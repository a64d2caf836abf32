#include "clientset/rest/internal/request_headers.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "net/http/headers.h"

namespace kube::rest::internal {

namespace {

bool Has(const http::Headers& headers, absl::string_view name) {
  return !headers.Get(name).value_or("").empty();
}

// Headers for which the client's values are added to those of the request. (client-go:
// `transport.impersonatingRoundTripper`)
bool HasManyValues(absl::string_view name) {
  return name == "impersonate-group" || absl::StartsWith(name, "impersonate-extra-");
}

// Returns the headers of `defaults` that are added to a request with the headers `own`. An empty
// header counts as missing: servers look at the first header of a name, so an empty
// Impersonate-User before the client's would switch impersonation off.
http::Headers DefaultsFor(const http::Headers& own, const http::Headers& defaults) {
  const bool impersonates = Has(own, "impersonate-user");
  http::Headers added;
  for (const http::Header& header : defaults) {
    const bool of_impersonation = absl::StartsWith(header.name, "impersonate-");
    if (of_impersonation ? impersonates : Has(own, header.name)) continue;
    added.Add(header.name, header.value);
  }
  return added;
}

}  // namespace

std::string EscapeHeaderKey(absl::string_view key) {
  std::string out;
  for (const char c : key) {
    // Characters that HTTP allows are kept, except the percent sign, which would look like an
    // escape.
    if (c != '%' && http::IsHeaderName(absl::string_view(&c, 1))) {
      out += c;
    } else {
      absl::StrAppendFormat(&out, "%%%02X", static_cast<unsigned char>(c));
    }
  }
  return out;
}

http::Headers ImpersonationHeaders(const ImpersonationConfig& impersonate) {
  http::Headers headers;
  if (impersonate.user_name.empty()) return headers;
  headers.Add("impersonate-user", impersonate.user_name);
  if (!impersonate.uid.empty()) headers.Add("impersonate-uid", impersonate.uid);
  for (const std::string& group : impersonate.groups) headers.Add("impersonate-group", group);
  for (const auto& [key, values] : impersonate.extra) {
    const std::string name = absl::StrCat("impersonate-extra-", EscapeHeaderKey(key));
    for (const std::string& value : values) headers.Add(name, value);
  }
  return headers;
}

absl::Status CheckHeaders(const http::Headers& headers) {
  for (const http::Header& header : headers) {
    if (!http::IsHeaderName(header.name)) {
      return absl::InvalidArgumentError("invalid header field name");
    }
    if (!http::IsHeaderValue(header.value)) {
      return absl::InvalidArgumentError(
          absl::StrCat("invalid header field value for \"", header.name, "\""));
    }
  }
  return absl::OkStatus();
}

http::Headers HeadersOf(const Request& request, const http::Headers& defaults,
                        absl::string_view default_content_type) {
  http::Headers headers = request.headers;
  if (!request.accept.empty() && !Has(headers, "accept")) headers.Set("accept", request.accept);
  if (!request.content_type.empty() && !Has(headers, "content-type")) {
    headers.Set("content-type", request.content_type);
  }
  if (request.body != nullptr && !Has(headers, "content-type")) {
    headers.Set("content-type", default_content_type);
  }
  const http::Headers added = DefaultsFor(headers, defaults);
  http::Headers merged;
  for (const http::Header& header : headers) {
    const bool is_replaced =
        added.Get(header.name).has_value() && (header.value.empty() || !HasManyValues(header.name));
    if (!is_replaced) merged.Add(header.name, header.value);
  }
  for (const http::Header& header : added) merged.Add(header.name, header.value);
  return merged;
}

}  // namespace kube::rest::internal
