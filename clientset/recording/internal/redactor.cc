#include "clientset/recording/internal/redactor.h"

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value_json.h"
#include "net/url/path.h"

// How bodies are redacted. A document is parsed and walked: an object of a kind with credentials
// is redacted wherever it stands, so that lists, events of watches and tables need no code of their
// own. On the path of Secrets the document itself counts as a Secret, since items of a list and
// patches have no kind. A document that cannot be parsed there is replaced as a whole.
namespace kube::recording::internal {
namespace {

using unstructured::Value;

// Parts of the names of headers and query parameters whose values are credentials.
constexpr std::array<absl::string_view, 10> kTellingNames = {
    "authorization", "cookie",  "token",   "secret",     "password",
    "passwd",        "api-key", "api_key", "credential", "authenticate"};

// Members of TokenRequests, TokenReviews and ExecCredentials that have credentials.
constexpr std::array<absl::string_view, 4> kCredentialMembers = {"token", "clientKeyData",
                                                                 "password", "clientSecret"};
constexpr std::array<absl::string_view, 3> kCredentialKinds = {"TokenRequest", "TokenReview",
                                                               "ExecCredential"};
constexpr absl::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

std::set<std::string> LowerCase(const std::vector<std::string>& names) {
  std::set<std::string> lower;
  for (const std::string& name : names) lower.insert(absl::AsciiStrToLower(name));
  return lower;
}

bool Has(const std::set<std::string>& names, absl::string_view name) {
  return names.count(absl::AsciiStrToLower(name)) > 0;
}

// Returns whether element `i` of a path is the subresource of an object of one of these resources:
// "pods/web-0/proxy". An object may have such a name too.
bool IsSubresource(const std::vector<absl::string_view>& path, size_t i, absl::string_view name,
                   std::initializer_list<absl::string_view> resources) {
  return path[i] == name && i >= 2 && absl::c_linear_search(resources, path[i - 2]);
}

bool IsCredential(const std::vector<absl::string_view>& path, size_t i) {
  return path[i] == "secrets" || path[i] == "tokenreviews" ||
         IsSubresource(path, i, "token", {"serviceaccounts"});
}

// Returns whether an operation of a JSON patch concerns names, labels or versions.
bool IsMetadataOfJsonPatch(const Value& operation) {
  const absl::string_view path = operation["path"].text().value_or("");
  return absl::StartsWith(path, "/metadata/") && !absl::StartsWith(path, "/metadata/annotations");
}

bool IsPlaceholder(absl::string_view text) {
  return text.size() == 25 && absl::StartsWith(text, "redacted-");
}

// Returns the annotation with the object that `kubectl apply` has sent last, or null.
Value* LastApplied(Value& object) {
  Value* metadata = object.Find("metadata");
  Value* annotations = metadata == nullptr ? nullptr : metadata->Find("annotations");
  Value* applied = annotations == nullptr ? nullptr : annotations->Find(kLastApplied);
  return applied != nullptr && applied->is_string() ? applied : nullptr;
}

// The scheme of an Authorization header, which is kept.
bool IsKnownScheme(absl::string_view scheme) {
  return absl::EqualsIgnoreCase(scheme, "bearer") || absl::EqualsIgnoreCase(scheme, "basic") ||
         absl::EqualsIgnoreCase(scheme, "negotiate");
}

}  // namespace

bool IsTellingName(absl::string_view name) {
  const std::string lower = absl::AsciiStrToLower(name);
  // WebSocket clients send their bearer token in this header.
  if (lower == "sec-websocket-protocol") return true;
  return absl::c_any_of(kTellingNames, [&lower](absl::string_view telling) {
    return absl::StrContains(lower, telling);
  });
}

Redactor::Redactor(const RedactionOptions& options)
    : off_(options.off),
      salt_(options.salt),
      headers_(LowerCase(options.headers)),
      parameters_(LowerCase(options.parameters)),
      members_(LowerCase(options.members)),
      path_elements_(LowerCase(options.path_elements)) {}

std::string Redactor::Placeholder(absl::string_view secret) const {
  // The salt's length keeps (salt, value) pairs apart.
  const std::string text = absl::StrCat(salt_.size(), ":", salt_, secret);
  std::array<unsigned char, SHA256_DIGEST_LENGTH> hash = {};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), hash.data());
  return absl::StrCat("redacted-", absl::BytesToHexString(absl::string_view(
                                       reinterpret_cast<const char*>(hash.data()), 8)));
}

http::Headers Redactor::RedactHeaders(const http::Headers& headers) const {
  if (off_) return headers;
  http::Headers redacted;
  for (const http::Header& header : headers) {
    redacted.Add(header.name, RedactHeader(header.name, header.value));
  }
  return redacted;
}

std::string Redactor::RedactHeader(absl::string_view name, absl::string_view value) const {
  if (absl::EqualsIgnoreCase(name, "location")) return RedactUrl(value);
  if (value.empty() || !(IsTellingName(name) || Has(headers_, name))) return std::string(value);
  const size_t blank = value.find(' ');
  if (blank != absl::string_view::npos && IsKnownScheme(value.substr(0, blank))) {
    return absl::StrCat(value.substr(0, blank), " ", Placeholder(value.substr(blank + 1)));
  }
  return Placeholder(value);
}

bool Redactor::IsSecretParameter(absl::string_view name) const {
  // A name may be escaped: "to%6ben" means "token".
  const absl::StatusOr<std::string> plain = url::UnescapePath(name);
  return !plain.ok() || IsTellingName(*plain) || Has(parameters_, *plain);
}

std::string Redactor::RedactUrl(absl::string_view url) const {
  if (off_) return std::string(url);
  const size_t mark = std::min(url.find('?'), url.size());
  std::string base(url.substr(0, mark));
  const size_t slashes = base.find("//");
  if (slashes != std::string::npos) {
    const size_t start = slashes + 2;
    const size_t at = base.substr(0, base.find('/', start)).rfind('@');
    if (at != std::string::npos && at >= start) base.erase(start, at + 1 - start);
  }
  if (mark == url.size()) return base;
  std::vector<std::string> parameters;
  for (const absl::string_view parameter : absl::StrSplit(url.substr(mark + 1), '&')) {
    const size_t equals = parameter.find('=');
    const absl::string_view name = parameter.substr(0, equals);
    if (equals == absl::string_view::npos || !IsSecretParameter(name)) {
      parameters.emplace_back(parameter);
    } else {
      parameters.push_back(absl::StrCat(name, "=", Placeholder(parameter.substr(equals + 1))));
    }
  }
  return absl::StrCat(base, "?", absl::StrJoin(parameters, "&"));
}

PathKind Redactor::KindOf(absl::string_view url) const {
  if (off_) return PathKind::kPlain;
  // The path is unescaped first, as the server does it: "%73ecrets" means "secrets".
  const absl::StatusOr<std::string> plain = url::UnescapePath(url.substr(0, url.find('?')));
  if (!plain.ok()) return PathKind::kOpaque;
  const std::vector<absl::string_view> path = absl::StrSplit(*plain, '/');
  PathKind kind = PathKind::kPlain;
  for (size_t i = 0; i < path.size(); ++i) {
    if (IsSubresource(path, i, "proxy", {"nodes", "pods", "services"})) return PathKind::kOpaque;
    if (Has(path_elements_, path[i])) return PathKind::kOpaque;
    if (IsCredential(path, i)) kind = PathKind::kCredential;
  }
  return kind;
}

std::string Redactor::RedactBody(absl::string_view body, PathKind kind, bool is_json) const {
  if (off_ || absl::StripAsciiWhitespace(body).empty()) return std::string(body);
  if (kind == PathKind::kOpaque) return Placeholder(body);
  // A patch may be JSON whatever its content type says.
  if (!is_json && kind == PathKind::kPlain) return std::string(body);
  absl::StatusOr<Value> value = unstructured::ParseJson(body);
  if (!value.ok()) {
    // Perhaps the start of a document. It has no Secret if it cannot name one.
    const bool is_harmless =
        kind == PathKind::kPlain && members_.empty() && !absl::StrContains(body, "\"Secret") &&
        !absl::c_any_of(kCredentialKinds,
                        [body](absl::string_view name) { return absl::StrContains(body, name); });
    return is_harmless ? std::string(body) : Placeholder(body);
  }
  const bool is_credential = kind == PathKind::kCredential;
  bool changed = RedactAny(*value);
  if (is_credential) changed |= RedactTopLevel(*value);
  // On the path of a credential the text is always encoded again: of duplicate members the
  // parser has seen only one.
  if (!changed && !is_credential) return std::string(body);
  absl::StatusOr<std::string> text = unstructured::EncodeJson(*value);
  if (!text.ok()) return Placeholder(body);
  const size_t end = body.find_last_not_of(" \t\r\n");
  absl::StrAppend(&*text, body.substr(end + 1));
  return *std::move(text);
}

bool Redactor::RedactAny(Value& value) const {
  bool changed = false;
  if (List<Value>* list = value.list()) {
    for (Value& element : *list) changed |= RedactAny(element);
    return changed;
  }
  Map<Value>* object = value.object();
  if (object == nullptr) return false;
  const std::string kind(value["kind"].text().value_or(""));
  if (kind == "Secret") changed |= RedactSecret(value);
  if (kind == "SecretList") {
    List<Value>* items = value.Find("items") == nullptr ? nullptr : value.Find("items")->list();
    if (items != nullptr) {
      for (Value& item : *items) changed |= RedactSecret(item);
    }
  }
  // The metadata of a Secret (PartialObjectMetadata) may have its data, in this annotation.
  const Value* applied = LastApplied(value);
  if (applied != nullptr && absl::StrContains(*applied->text(), "\"Secret\"")) {
    changed |= RedactLastApplied(value);
  }
  if (absl::c_linear_search(kCredentialKinds, kind)) changed |= RedactCredentials(value);
  for (auto& [key, member] : *object) {
    changed |=
        Has(members_, key.view()) ? RedactTexts(member, /*base64=*/false) : RedactAny(member);
  }
  return changed;
}

bool Redactor::RedactTopLevel(Value& value) const {
  bool changed = false;
  if (List<Value>* operations = value.list()) {  // a JSON patch
    for (Value& operation : *operations) {
      Value* written = operation.Find("value");
      if (written == nullptr || IsMetadataOfJsonPatch(operation)) continue;
      changed |= RedactTexts(*written, /*base64=*/true);
    }
  } else {  // perhaps a Secret without its kind, such as a merge patch
    changed |= RedactSecret(value);
  }
  changed |= RedactCredentials(value);
  return changed;
}

bool Redactor::RedactSecret(Value& secret) const {
  bool changed = RedactLastApplied(secret);
  if (Value* data = secret.Find("data")) changed |= RedactTexts(*data, /*base64=*/true);
  if (Value* data = secret.Find("stringData")) changed |= RedactTexts(*data, /*base64=*/false);
  return changed;
}

bool Redactor::RedactLastApplied(Value& secret) const {
  Value* applied = LastApplied(secret);
  if (applied == nullptr) return false;
  const std::string text(*applied->text());
  if (IsPlaceholder(text)) return false;
  absl::StatusOr<Value> object = unstructured::ParseJson(text);
  if (!object.ok() || !object->is_object()) {
    *applied = Value(Placeholder(text));
    return true;
  }
  RedactSecret(*object);
  const absl::StatusOr<std::string> redacted = unstructured::EncodeJson(*object);
  *applied = Value(redacted.ok() ? *redacted : Placeholder(text));
  return applied->text() != absl::string_view(text);
}

bool Redactor::RedactCredentials(Value& value) const {
  bool changed = false;
  if (List<Value>* list = value.list()) {
    for (Value& element : *list) changed |= RedactCredentials(element);
    return changed;
  }
  Map<Value>* object = value.object();
  if (object == nullptr) return false;
  for (auto& [key, member] : *object) {
    changed |= absl::c_linear_search(kCredentialMembers, key.view())
                   ? RedactTexts(member, /*base64=*/false)
                   : RedactCredentials(member);
  }
  return changed;
}

bool Redactor::RedactTexts(Value& value, bool base64) const {
  bool changed = false;
  if (List<Value>* list = value.list()) {
    for (Value& element : *list) changed |= RedactTexts(element, base64);
  } else if (Map<Value>* object = value.object()) {
    for (auto& [key, member] : *object) changed |= RedactTexts(member, base64);
  } else if (value.is_number()) {
    // A number is a secret as well, but must stay one.
    value = Value(0);
    changed = true;
  }
  const std::string text(value.text().value_or(""));
  std::string bytes;
  const bool is_base64 = absl::Base64Unescape(text, &bytes);
  // Two rules may meet the same value, which stays as the first has left it.
  if (text.empty() || IsPlaceholder(text) || (is_base64 && IsPlaceholder(bytes))) return changed;
  const std::string placeholder = Placeholder(base64 && is_base64 ? bytes : text);
  value = Value(base64 ? absl::Base64Escape(placeholder) : placeholder);
  return true;
}

}  // namespace kube::recording::internal
