#include "clientset/rest/request.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/validation/value.h"
#include "net/url/path.h"
#include "net/url/url.h"

namespace kube::rest {

namespace {

using text::Quoted;

absl::Status CheckSegment(absl::string_view what, absl::string_view segment) {
  const auto problems = validation::IsValidPathSegmentName(segment);
  if (problems.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("invalid ", what, " ", Quoted(segment), ": [",
                                                 absl::StrJoin(problems, " "), "]"));
}

// An empty namespace would silently mean another resource: a list of all namespaces, or a
// cluster-scoped object. (client-go: `requestPreflightCheck`)
absl::Status CheckNamespace(const Request& request) {
  if (!request.namespace_name.has_value() || !request.namespace_name->empty())
    return absl::OkStatus();
  if (request.verb == "POST") {
    return absl::InvalidArgumentError("an empty namespace may not be set during creation");
  }
  const bool names_one = request.verb == "GET" || request.verb == "PUT" || request.verb == "DELETE";
  if (names_one && request.name.has_value()) {
    return absl::InvalidArgumentError(
        "an empty namespace may not be set when a resource name is provided");
  }
  return absl::OkStatus();
}

// Checks in the order in which generated clients of client-go call the setters, so that the first
// error is the same.
absl::Status CheckNames(const Request& request) {
  KUBE_RETURN_IF_ERROR(CheckSegment("group", request.resource.group));
  KUBE_RETURN_IF_ERROR(CheckSegment("version", request.resource.version));
  if (request.resource.version.empty() && !request.resource.resource.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("resource ", Quoted(request.resource.resource), " has no version"));
  }
  if (request.namespace_name.has_value()) {
    KUBE_RETURN_IF_ERROR(CheckSegment("namespace", *request.namespace_name));
  }
  KUBE_RETURN_IF_ERROR(CheckSegment("resource", request.resource.resource));
  if (request.name.has_value()) {
    if (request.name->empty()) {
      return absl::InvalidArgumentError("resource name may not be empty");
    }
    KUBE_RETURN_IF_ERROR(CheckSegment("resource name", *request.name));
  }
  for (const std::string& element : request.subresource) {
    KUBE_RETURN_IF_ERROR(CheckSegment("subresource", element));
  }
  return CheckNamespace(request);
}

// Returns "/apis/apps/v1/namespaces/prod/deployments/web/scale", neither escaped nor cleaned.
std::string ResourcePath(const Request& request) {
  const schema::GroupVersionResource& resource = request.resource;
  const absl::string_view api = resource.group.empty() ? "/api" : "/apis/";
  const absl::string_view namespace_name = request.namespace_name.has_value()
                                               ? absl::string_view(*request.namespace_name)
                                               : absl::string_view();
  const absl::string_view name =
      request.name.has_value() ? absl::string_view(*request.name) : absl::string_view();
  return absl::StrCat(api, resource.group, "/", resource.version,
                      namespace_name.empty() ? "/" : "/namespaces/", namespace_name, "/",
                      absl::AsciiStrToLower(resource.resource), "/", name, "/",
                      absl::StrJoin(request.subresource, "/"));
}

struct PathAndQuery {
  std::string path = {};  // not escaped, not cleaned
  bool keeps_slash = false;
  queryparams::Values query = {};
};

// (client-go: `Request.RequestURI`, `Request.AbsPath`)
absl::StatusOr<PathAndQuery> SplitAbsolutePath(absl::string_view text) {
  if (!absl::StartsWith(text, "/")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "invalid path ", Quoted(text.substr(0, text.find('?'))), ": must begin with \"/\""));
  }
  text = text.substr(0, text.find('#'));
  const size_t mark = text.find('?');
  const absl::string_view path = text.substr(0, mark);
  for (const char c : text) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) {
      return absl::InvalidArgumentError("invalid control character in URL");
    }
  }
  PathAndQuery result;
  KUBE_ASSIGN_OR_RETURN(result.path, url::UnescapePath(path), "invalid path ", Quoted(path));
  // Discovery of old servers and some proxies distinguish "/x/" from "/x".
  result.keeps_slash = absl::EndsWith(result.path, "/");
  if (mark != absl::string_view::npos) {
    result.query = queryparams::ParseQuery(text.substr(mark + 1));
  }
  return result;
}

// Returns the Kubernetes verb, as in RBAC rules, or an empty text if there is none.
absl::string_view VerbOf(const Request& request) {
  if (request.verb == "POST") return "create";
  if (request.verb == "PUT") return "update";
  if (request.verb != "GET") return {};
  if (request.retry == RetryRule::kWatch) return "watch";
  if (!request.name.has_value() && !request.resource.resource.empty()) return "list";
  return "get";
}

// Stricter than Go's net/url, which also accepts characters that no host name has, such as quotes
// and percent signs.
absl::Status CheckHost(absl::string_view host) {
  const absl::string_view name = url::HostName(host);
  if (name.empty()) return absl::InvalidArgumentError("host has no host name");
  // url::Parse has checked the address; its zone begins with a percent sign.
  const bool v6 = absl::StartsWith(host, "[");
  for (const char c : name) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c)) || absl::StrContains("-_.~", c))
      continue;
    if (v6 && (c == ':' || c == '%')) continue;
    return absl::InvalidArgumentError("invalid character in host name");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> UrlOf(absl::string_view base, const Request& request) {
  PathAndQuery target;
  if (!request.absolute_path.empty()) {
    KUBE_ASSIGN_OR_RETURN(target, SplitAbsolutePath(request.absolute_path));
  } else if (request.resource.empty()) {
    return absl::InvalidArgumentError("request has neither a resource nor a path");
  } else {
    KUBE_RETURN_IF_ERROR(CheckNames(request));
    target.path = ResourcePath(request);
  }
  for (const auto& [name, values] : request.params) {
    std::vector<std::string>& all = target.query[name];
    all.insert(all.end(), values.begin(), values.end());
  }
  if (request.timeout != absl::ZeroDuration() && request.timeout != absl::InfiniteDuration()) {
    target.query["timeout"] = {text::GoDuration(request.timeout)};
  }

  KUBE_ASSIGN_OR_RETURN(url::Url url, url::Parse(base));
  if (!url.path.empty() && url.path != "/") {
    KUBE_ASSIGN_OR_RETURN(const std::string prefix, url::UnescapePath(url.path));
    target.path = absl::StrCat(prefix, "/", target.path);
  }
  std::string path = url::CleanPath(target.path);
  if (target.keeps_slash && path != "/") path += "/";
  url.path = url::EscapePath(path);
  url.query = queryparams::EncodeQuery(target.query);
  return url.ToString();
}

std::string Describe(const Request& request) {
  const absl::string_view verb = VerbOf(request);
  std::string text = verb.empty() ? absl::AsciiStrToLower(request.verb) : std::string(verb);
  if (!request.absolute_path.empty()) {
    if (request.verb == "POST" || request.verb == "PUT") text = absl::AsciiStrToLower(request.verb);
    const absl::string_view path = request.absolute_path;
    return absl::StrCat(text, " ", path.substr(0, path.find_first_of("?#")));
  }
  absl::StrAppend(&text, " ", request.resource.group_resource().ToString());
  if (request.resource.resource.empty()) absl::StrAppend(&text, request.resource.version);
  for (const std::string& element : request.subresource) absl::StrAppend(&text, "/", element);
  if (request.name.has_value()) absl::StrAppend(&text, " ", Quoted(*request.name));
  if (request.namespace_name.has_value() && !request.namespace_name->empty()) {
    absl::StrAppend(&text, " in ", Quoted(*request.namespace_name));
  }
  return text;
}

absl::StatusOr<std::string> ServerUrl(absl::string_view host, bool default_tls) {
  if (host.empty()) return absl::InvalidArgumentError("host must be a URL or a host:port pair");
  absl::StatusOr<url::Url> url = url::Parse(host);
  if (!url.ok() && absl::StrContains(host, "://")) return url.status();
  if (!url.ok() || url->scheme.empty() || url->host.empty()) {
    url = url::Parse(absl::StrCat(default_tls ? "https://" : "http://", host));
    KUBE_RETURN_IF_ERROR(url);
    if (!url->path.empty() && url->path != "/") {
      return absl::InvalidArgumentError(
          "host must be a URL or a host:port pair, and a path needs a scheme");
    }
  }
  // The errors do not contain the text: it may include a password.
  if (url->user.has_value()) {
    return absl::InvalidArgumentError(
        "host must not contain user information, set username instead");
  }
  if (url->has_query() || !url->fragment.empty()) {
    return absl::InvalidArgumentError("host must not contain a query or a fragment");
  }
  if (url->scheme != "http" && url->scheme != "https") {
    return absl::InvalidArgumentError(absl::StrCat("host has unsupported protocol scheme ",
                                                   Quoted(url->scheme), ", must be http or https"));
  }
  KUBE_RETURN_IF_ERROR(CheckHost(url->host));
  KUBE_ASSIGN_OR_RETURN(const std::string path, url::UnescapePath(url->path));
  const std::string clean = url::CleanPath(path);
  url->path = clean == "/" ? "" : url::EscapePath(clean);
  return url->ToString();
}

}  // namespace kube::rest
