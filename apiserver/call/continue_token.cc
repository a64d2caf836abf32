#include "apiserver/call/continue_token.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::apiserver::internal {
namespace {

constexpr absl::string_view kVersion = "meta.k8s.io/v1";

absl::Status Invalid(absl::string_view cause) {
  return absl::InvalidArgumentError(absl::StrCat("continue key is not valid: ", cause));
}

}  // namespace

std::string EncodeContinueToken(const ContinueToken& token) {
  unstructured::Value value =
      kube::Map<unstructured::Value>{{"v", std::string(kVersion)},
                                     {"rv", token.revision},
                                     {"start", absl::StrCat("/", token.start)}};
  absl::StatusOr<std::string> json = unstructured::EncodeJson(value);
  std::string text = absl::WebSafeBase64Escape(json.ok() ? *json : "");
  return text;
}

absl::StatusOr<ContinueToken> DecodeContinueToken(absl::string_view text) {
  std::string json;
  if (!absl::WebSafeBase64Unescape(text, &json)) return Invalid("illegal base64 data");
  const absl::StatusOr<unstructured::Value> value = unstructured::ParseJson(json);
  if (!value.ok()) return Invalid(value.status().message());
  const unstructured::Value* version = value->Find("v");
  if (version == nullptr || version->text() != kVersion) {
    return Invalid(absl::StrCat("server does not recognize this encoded version"));
  }
  const unstructured::Value* revision = value->Find("rv");
  const unstructured::Value* start = value->Find("start");
  if (revision == nullptr || !revision->integer().has_value() || *revision->integer() == 0) {
    return Invalid("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  // Requires the leading slash, without which a key could lead out of the list.
  if (start == nullptr || !start->text().has_value() || start->text()->empty() ||
      start->text()->front() != '/') {
    return Invalid("encoded start key empty (version meta.k8s.io/v1)");
  }
  return ContinueToken{.revision = *revision->integer(),
                       .start = std::string(start->text()->substr(1))};
}

}  // namespace kube::apiserver::internal
