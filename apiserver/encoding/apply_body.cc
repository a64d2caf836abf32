#include "apiserver/encoding/apply_body.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/yaml/yaml_to_json.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/encoding/input.h"

namespace kube::apiserver::internal {

using unstructured::Value;

namespace {

// Returns a warning of a name that is given twice. Upstream says the line, but not the column.
std::string WarningOf(const absl::Status& error) {
  absl::string_view text = error.message();
  const size_t line = text.find("line ");
  if (line == absl::string_view::npos) return std::string(text);
  text.remove_prefix(line);
  const size_t column = text.find(", column ");
  if (column == absl::string_view::npos) return std::string(text);
  const size_t end = text.find(':', column);
  return absl::StrCat(text.substr(0, column), text.substr(std::min(end, text.size())));
}

}  // namespace

absl::StatusOr<ApplyBody> ApplyBodyOf(absl::string_view body, absl::string_view field_validation) {
  const FieldPolicy policy = FieldPolicyOf(field_validation);
  ApplyBody result;
  absl::StatusOr<codec::JsonFromYaml> json =
      codec::YamlToJson(body, {.strict = policy != FieldPolicy::kIgnore});
  if (!json.ok() && policy != FieldPolicy::kIgnore) {
    // A body that is right but for this, or else there is another error.
    const absl::Status strict = json.status();
    json = codec::YamlToJson(body);
    if (policy == FieldPolicy::kStrict) {
      result.duplicates =
          errors::BadRequest(absl::StrCat("error strict decoding YAML: ", strict.message()));
    } else {
      result.warning = WarningOf(strict);
    }
  }
  if (!json.ok()) {
    return errors::BadRequest(absl::StrCat("error decoding YAML: ", json.status().message()));
  }
  absl::StatusOr<Value> value = unstructured::ParseJson(json->json);
  if (!value.ok()) {
    return errors::BadRequest(absl::StrCat("error decoding YAML: ", value.status().message()));
  }
  // An empty body is an object without members.
  if (value->is_null()) value = Map<Value>{};
  if (!value->is_object()) {
    return errors::BadRequest("error decoding YAML: expected an object");
  }
  result.configuration = *std::move(value);
  return result;
}

}  // namespace kube::apiserver::internal
