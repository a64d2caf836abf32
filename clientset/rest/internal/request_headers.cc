#include "clientset/rest/internal/request_headers.h"

#include <algorithm>
#include <cstddef>
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

}  // namespace

std::string EscapeHeaderKey(absl::string_view key) {
  std::string out;
  for (const char c : key) {
    // What HTTP allows stays; a percent sign would not be told from an escape.
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
      return absl::InvalidArgumentError("invalid name of a header");
    }
    if (!http::IsHeaderValue(header.value)) {
      return absl::InvalidArgumentError(absl::StrCat("invalid value of header ", header.name));
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
  const size_t own = headers.size();
  const bool impersonates = Has(headers, "impersonate-user");
  for (const http::Header& header : defaults) {
    if (impersonates && absl::StartsWith(header.name, "impersonate-")) continue;
    const auto is_same = [&header](const http::Header& other) { return other.name == header.name; };
    const auto same = std::find_if(headers.begin(), headers.begin() + own, is_same);
    if (same != headers.begin() + own && !same->value.empty()) continue;
    headers.Add(header.name, header.value);
  }
  return headers;
}

}  // namespace kube::rest::internal
