// Functions of URLs.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/cel/internal/library/kubernetes_library.h"
#include "apimachinery/cel/internal/library/url.h"
#include "apimachinery/cel/internal/lists.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/queryparams/values.h"

namespace kube::cel::internal {
namespace {

constexpr absl::string_view kTypeName = "kubernetes.URL";

const TypePtr& UrlType() {
  static base::NoDestructor<const TypePtr> type(StructType(kTypeName));
  return *type;
}

class UrlValue final : public OpaqueValue {
 public:
  explicit UrlValue(Url url) : url_(std::move(url)) {}

  const Url& url() const { return url_; }
  const TypePtr& type() const override { return UrlType(); }
  Value Equals(const Value& other) const override;
  std::string ToString() const override { return url_.ToString(); }

 private:
  const Url url_;
};

const Url& UrlOf(const Value& value) { return static_cast<const UrlValue&>(value.opaque()).url(); }

Value UrlValue::Equals(const Value& other) const {
  if (!IsOpaque(other, kTypeName)) return NoSuchOverload();
  return Value::FromBool(url_.ToString() == UrlOf(other).ToString());
}

Value StringToUrl(const Call& call) {
  // As upstream, first checks that the URL is absolute.
  absl::StatusOr<Url> url = ParseRequestUri(call[0].text());
  if (url.ok()) url = ParseUrl(call[0].text());
  if (!url.ok()) {
    return Value::Error(
        absl::StrCat("URL parse error during conversion from string: ", url.status().message()));
  }
  return Value::FromOpaque(std::make_shared<const UrlValue>(*std::move(url)));
}

Value IsUrl(const Call& call) { return Value::FromBool(ParseRequestUri(call[0].text()).ok()); }

Value GetScheme(const Call& call) { return Value::FromString(UrlOf(call[0]).scheme); }
Value GetHost(const Call& call) { return Value::FromString(UrlOf(call[0]).host); }
Value GetHostname(const Call& call) {
  return Value::FromString(std::string(UrlOf(call[0]).HostName()));
}
Value GetPort(const Call& call) { return Value::FromString(std::string(UrlOf(call[0]).Port())); }
Value GetEscapedPath(const Call& call) { return Value::FromString(UrlOf(call[0]).path); }

Value GetQuery(const Call& call) {
  MapBuilder builder;
  for (const auto& [name, values] : queryparams::ParseQuery(UrlOf(call[0]).query)) {
    // A string is always a key.
    if (!builder.Set(Value::FromString(name), StringList(values))) break;
  }
  return builder.Build();
}

}  // namespace

void AddUrlFunctions(Functions& functions) {
  const TypePtr& url = UrlType();
  const TypePtr& text = StringType();
  functions.AddGlobal("url", "string_to_url", {text}, url, StringToUrl);
  functions.AddGlobal("isURL", "is_url_string", {text}, BoolType(), IsUrl);
  functions.AddMember("getScheme", "url_get_scheme", {url}, text, GetScheme);
  functions.AddMember("getHost", "url_get_host", {url}, text, GetHost);
  functions.AddMember("getHostname", "url_get_hostname", {url}, text, GetHostname);
  functions.AddMember("getPort", "url_get_port", {url}, text, GetPort);
  functions.AddMember("getEscapedPath", "url_get_escaped_path", {url}, text, GetEscapedPath);
  functions.AddMember("getQuery", "url_get_query", {url}, MapType(text, ListType(text)), GetQuery);
}

}  // namespace kube::cel::internal
