#include "apiserver/encoding/apply_body.h"

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

absl::Status CheckDuplicates(absl::string_view body) {
  const absl::StatusOr<codec::JsonFromYaml> strict = codec::YamlToJson(body, {.strict = true});
  if (strict.ok()) return absl::OkStatus();
  return errors::BadRequest(
      absl::StrCat("error strict decoding YAML: ", strict.status().message()));
}

}  // namespace

absl::StatusOr<ApplyBody> ApplyBodyOf(absl::string_view body, absl::string_view field_validation) {
  absl::StatusOr<codec::JsonFromYaml> json = codec::YamlToJson(body);
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
  // Another pass over the text, which only strict validation is worth.
  const bool is_strict = FieldPolicyOf(field_validation) == FieldPolicy::kStrict;
  return ApplyBody{.configuration = *std::move(value),
                   .duplicates = is_strict ? CheckDuplicates(body) : absl::OkStatus()};
}

}  // namespace kube::apiserver::internal
