// Decodes arbitrary YAML and JSON: no crash, no hang, and the result survives encoding and
// decoding.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/codec/yaml/yaml_to_json.h"

namespace kube::codec {
namespace {

void CheckStable(const std::string& json) {
  // Go also writes this key without quotes, and then reads it as a merge key.
  if (absl::StrContains(json, "\"<<\":")) return;
  const absl::StatusOr<std::string> yaml = JsonToYaml(json);
  KUBE_CHECK_OK(yaml.status());
  const absl::StatusOr<JsonFromYaml> again = YamlToJson(*yaml, {.strict = true});
  KUBE_CHECK_OK(again.status());
  // As in Go, the float -0 is written without a point, and so read as an integer.
  if (!absl::StrContains(json, "-0")) KUBE_CHECK_EQ(again->json, json);
}

void ConvertDocuments(absl::string_view stream) {
  YamlDocuments documents(stream);
  while (true) {
    const absl::StatusOr<std::optional<YamlDocument>> document = documents.Next();
    if (!document.ok() || !document->has_value()) return;
    (void)YamlToJson((*document)->text, {.first_line = (*document)->first_line});
  }
}

void ConvertAll(absl::string_view text) {
  (void)JsonToYaml(text);
  ConvertDocuments(text);
  const absl::StatusOr<JsonFromYaml> json = YamlToJson(text);
  if (!json.ok()) return;
  const YamlPosition last = json->positions.Find(json->json.size());
  KUBE_CHECK_GE(last.line, 1);
  KUBE_CHECK_GE(last.column, 1);
  CheckStable(json->json);
}

}  // namespace
}  // namespace kube::codec

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::codec::ConvertAll(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
