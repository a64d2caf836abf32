#include "apiserver/openapi/openapi.h"

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/text/http_date.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/negotiate.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/openapi/documents.h"
#include "apiserver/openapi/gnostic.h"
#include "apiserver/openapi/paths.h"
#include "apiserver/resources.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

using unstructured::Value;

constexpr absl::string_view kPathV2 = "/openapi/v2";
constexpr absl::string_view kPathV3 = "/openapi/v3";

constexpr absl::string_view kJsonSubtype = "json";
// The subtypes of protobuf. The older ones, with an "@", are not valid media types; clients send
// them, and servers answer with the newer ones.
constexpr absl::string_view kProtobufV2 = "com.github.proto-openapi.spec.v2.v1.0+protobuf";
constexpr absl::string_view kOldProtobufV2 = "com.github.proto-openapi.spec.v2@v1.0+protobuf";
constexpr absl::string_view kProtobufV3 = "com.github.proto-openapi.spec.v3.v1.0+protobuf";
constexpr absl::string_view kOldProtobufV3 = "com.github.proto-openapi.spec.v3@v1.0+protobuf";

// How long a client may keep a document that it asked for by its hash.
constexpr absl::Duration kForever = absl::Hours(24 * 365);

std::string HashOf(absl::string_view text) {
  std::array<unsigned char, SHA512_DIGEST_LENGTH> hash = {};
  SHA512(reinterpret_cast<const unsigned char*>(text.data()), text.size(), hash.data());
  return absl::AsciiStrToUpper(absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(hash.data()), hash.size())));
}

std::string Quoted(absl::string_view hash) { return absl::StrCat("\"", hash, "\""); }

std::string UrlOf(absl::string_view name, absl::string_view hash) {
  return absl::StrCat(kPathV3, "/", name, "?hash=", hash);
}

httpserver::Response MakeResponse(int status) {
  httpserver::Response response{.status = status, .headers = {}, .body = {}};
  // kube-apiserver sets it unless a handler does.
  response.headers.Set("cache-control", "no-cache, private");
  return response;
}

// Returns whether a client has what is tagged (Go: `http.checkIfNoneMatch`).
bool IsKnown(const httpserver::Request& request, absl::string_view etag) {
  const std::optional<absl::string_view> known = request.headers.Get("if-none-match");
  if (!known.has_value()) return false;
  for (absl::string_view each : absl::StrSplit(*known, ',')) {
    each = absl::StripAsciiWhitespace(each);
    if (each == "*" || absl::StripPrefix(each, "W/") == etag) return true;
  }
  return false;
}

// Completes a response with a body, unless the client has it.
void SetBody(const httpserver::Request& request, absl::string_view content_type,
             absl::string_view hash, absl::string_view body, httpserver::Response& response) {
  const std::string etag = Quoted(hash);
  response.headers.Set("etag", etag);
  if (IsKnown(request, etag)) {
    response.status = 304;
    return;
  }
  response.headers.Set("content-type", content_type);
  response.body = std::string(body);
}

enum class Encoding { kNone, kJson, kProtobuf };

// Returns the encoding that the best clause of an Accept header asks for, which names one of the
// subtypes (kube-openapi: `HandleGroupVersion`).
Encoding Negotiate(const std::vector<scheme::AcceptClause>& clauses, absl::string_view protobuf,
                   absl::string_view old_protobuf) {
  for (const scheme::AcceptClause& clause : clauses) {
    if (clause.type != "application" && clause.type != "*") continue;
    if (clause.subtype == kJsonSubtype || clause.subtype == "*") return Encoding::kJson;
    if (clause.subtype == protobuf || clause.subtype == old_protobuf) return Encoding::kProtobuf;
  }
  return Encoding::kNone;
}

std::vector<scheme::AcceptClause> ClausesOf(const httpserver::Request& request) {
  const absl::string_view accept = request.headers.Get("accept").value_or("");
  return scheme::ParseAccept(accept.empty() ? "*/*" : accept);
}

std::string ContentType(Encoding encoding, absl::string_view protobuf) {
  return absl::StrCat("application/", encoding == Encoding::kJson ? kJsonSubtype : protobuf);
}

// Returns the custom kinds of the resources.
std::vector<std::shared_ptr<const CustomKind>> CustomKindsOf(
    const std::vector<const Resource*>& resources) {
  std::vector<std::shared_ptr<const CustomKind>> kinds;
  for (const Resource* resource : resources) {
    if (resource->custom != nullptr) kinds.push_back(resource->custom);
  }
  return kinds;
}

// Returns those of all group versions.
std::vector<std::shared_ptr<const CustomKind>> CustomKindsOf(const Resources& resources) {
  std::vector<std::shared_ptr<const CustomKind>> kinds;
  for (const schema::GroupVersion& version : resources.group_versions()) {
    for (auto& kind : CustomKindsOf(resources.InGroupVersion(version))) {
      kinds.push_back(std::move(kind));
    }
  }
  return kinds;
}

Value Parse(absl::string_view json) {
  absl::StatusOr<Value> value = unstructured::ParseJson(json);
  KUBE_CHECK_OK(value) << "OpenAPI document";
  return *std::move(value);
}

}  // namespace

OpenApi::Document& OpenApi::DocumentOf(const Resources& resources,
                                       const schema::GroupVersion& version) {
  Document& document = documents_[PathOf(version)];
  Kinds kinds = CustomKindsOf(resources.InGroupVersion(version));
  if (document.json.empty() || document.kinds != kinds) {
    std::string json = internal::DocumentOf(resources, version);
    std::string hash = HashOf(json);
    document = {.kinds = std::move(kinds), .json = std::move(json), .hash = std::move(hash)};
  }
  return document;
}

void OpenApi::DropOthers(const Resources& resources) {
  std::map<std::string, Document, std::less<>> kept;
  for (const schema::GroupVersion& version : resources.group_versions()) {
    auto node = documents_.extract(PathOf(version));
    if (!node.empty()) kept.insert(std::move(node));
  }
  documents_.swap(kept);
  if (!v2_.json.empty() && v2_.kinds != CustomKindsOf(resources)) v2_ = Document();
}

httpserver::Response OpenApi::ServeIndex(const Resources& resources,
                                         const httpserver::Request& request) {
  Map<Value> paths;
  {
    base::MutexLock lock(mutex_);
    DropOthers(resources);
    for (const schema::GroupVersion& version : resources.group_versions()) {
      const std::string name = PathOf(version);
      const std::string url = UrlOf(name, DocumentOf(resources, version).hash);
      paths[name] = Map<Value>{{"serverRelativeURL", url}};
    }
  }
  const std::string index =
      unstructured::EncodeJson(Map<Value>{{"paths", std::move(paths)}}).value();
  httpserver::Response response = MakeResponse(200);
  // kube-apiserver's aggregator, which joins the indices of several servers, sends this type and no
  // tag.
  SetBody(request, "text/plain; charset=utf-8", HashOf(index), index, response);
  return response;
}

httpserver::Response OpenApi::ServeVersion(const Resources& resources,
                                           const httpserver::Request& request,
                                           absl::string_view name) {
  const std::vector<schema::GroupVersion>& versions = resources.group_versions();
  const auto version =
      std::find_if(versions.begin(), versions.end(),
                   [&](const schema::GroupVersion& each) { return PathOf(each) == name; });
  if (version == versions.end()) return MakeResponse(404);
  const std::vector<scheme::AcceptClause> clauses = ClausesOf(request);
  httpserver::Response response = MakeResponse(200);
  response.headers.Set("vary", "Accept");
  // As upstream, a header without a valid clause gets an empty answer.
  if (clauses.empty()) return response;
  const Encoding encoding = Negotiate(clauses, kProtobufV3, kOldProtobufV3);
  if (encoding == Encoding::kNone) {
    response.status = 406;
    return response;
  }
  const std::string content_type = ContentType(encoding, kProtobufV3);
  const queryparams::Values query = queryparams::ParseQuery(request.query());
  const auto asked = query.find("hash");
  base::MutexLock lock(mutex_);
  DropOthers(resources);
  Document& document = DocumentOf(resources, *version);
  if (asked != query.end() && !asked->second.empty() && !asked->second.front().empty()) {
    if (asked->second.front() != document.hash) {
      response.status = 301;
      response.headers.Set("content-type", content_type);
      response.headers.Set("etag", Quoted(document.hash));
      response.headers.Set("location", UrlOf(name, document.hash));
      return response;
    }
    response.headers.Set("cache-control", "public, immutable");
    response.headers.Set("expires", text::FormatHttpDate(base::WallNow() + kForever));
  }
  if (encoding == Encoding::kProtobuf && document.protobuf.empty()) {
    document.protobuf = EncodeGnosticV3(Parse(document.json));
  }
  SetBody(request, content_type, document.hash,
          encoding == Encoding::kJson ? document.json : document.protobuf, response);
  return response;
}

httpserver::Response OpenApi::ServeV2(const Resources& resources,
                                      const httpserver::Request& request) {
  httpserver::Response response = MakeResponse(200);
  response.headers.Set("vary", "Accept");
  const Encoding encoding = Negotiate(ClausesOf(request), kProtobufV2, kOldProtobufV2);
  if (encoding == Encoding::kNone) {
    response.status = 406;
    return response;
  }
  Kinds kinds = CustomKindsOf(resources);
  base::MutexLock lock(mutex_);
  if (v2_.json.empty() || v2_.kinds != kinds) {
    std::string json = SwaggerOf(resources);
    std::string hash = HashOf(json);
    v2_ = {.kinds = std::move(kinds), .json = std::move(json), .hash = std::move(hash)};
  }
  if (encoding == Encoding::kProtobuf && v2_.protobuf.empty()) {
    v2_.protobuf = EncodeGnosticV2(Parse(v2_.json));
  }
  SetBody(request, ContentType(encoding, kProtobufV2), v2_.hash,
          encoding == Encoding::kJson ? v2_.json : v2_.protobuf, response);
  return response;
}

std::optional<httpserver::Response> OpenApi::Serve(const Resources& resources,
                                                   const httpserver::Request& request,
                                                   absl::string_view path) {
  if (path == kPathV2) return ServeV2(resources, request);
  if (path == kPathV3) return ServeIndex(resources, request);
  if (!absl::ConsumePrefix(&path, kPathV3) || !absl::ConsumePrefix(&path, "/")) {
    return std::nullopt;
  }
  return ServeVersion(resources, request, path);
}

}  // namespace kube::apiserver::internal
