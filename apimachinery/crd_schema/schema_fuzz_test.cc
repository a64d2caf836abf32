// A schema and a value, both as JSON with a zero byte between them: nothing crashes, what was
// defaulted is not defaulted again, and what was pruned has nothing more to prune.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/crd_schema/crd_validation.h"
#include "apimachinery/crd_schema/default_validation.h"
#include "apimachinery/crd_schema/defaulting.h"
#include "apimachinery/crd_schema/embedded_metadata.h"
#include "apimachinery/crd_schema/list_types.h"
#include "apimachinery/crd_schema/pruning.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/crd_schema/value_validation.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

namespace kube::crd_schema {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using api::apiextensions::v1::JSONSchemaProps;
using unstructured::Value;
using validation::field::ErrorList;
using validation::field::Path;

// A definition of that schema: its validation walks the schema once more.
void CheckDefinition(const JSONSchemaProps& schema) {
  CustomResourceDefinition definition;
  auto& version = definition.spec.versions.emplace_back();
  version.schema.emplace().open_api_v3_schema = schema;
  SetDefaults(definition);
  const ErrorList created = ValidateDefinition(definition);
  const ErrorList updated = ValidateDefinitionUpdate(definition, definition);
  KUBE_CHECK(!created.empty() && !updated.empty());
}

void CheckObject(const Structural& schema, const Map<Value>& object) {
  const ErrorList errors = ValidateObject(schema, object);
  KUBE_CHECK(ValidateObjectUpdate(schema, object, object).size() <= errors.size());
  const ErrorList others[] = {ValidateListTypes(schema, object), ValidateEmbedded(schema, object)};
  Map<Value> pruned = object;
  Prune(&schema, pruned);
  KUBE_CHECK(Prune(&schema, pruned).empty());
  PruneNulls(schema, pruned);
  CoerceEmbedded(schema, pruned, {.drop_invalid = true, .report_unknown = true});
  CoerceEmbedded(schema, pruned, {.report_unknown = true});
  Default(schema, pruned);
  const Map<Value> defaulted = pruned;
  Default(schema, pruned);
  KUBE_CHECK(pruned == defaulted);
}

void CheckInput(absl::string_view text) {
  const size_t end = text.find('\0');
  const auto props = codec::DecodeJson<JSONSchemaProps>(text.substr(0, end));
  if (!props.ok()) return;
  CheckDefinition(*props);
  const absl::StatusOr<std::shared_ptr<const Structural>> schema = Structural::Make(*props);
  if (!schema.ok()) return;
  const ErrorList errors[] = {ValidateStructural(**schema, Path("s")),
                              ValidateDefaults(**schema, true, Path("s"))};
  if (end == absl::string_view::npos) return;
  const absl::StatusOr<Value> value = unstructured::ParseJson(text.substr(end + 1));
  if (value.ok() && value->is_object()) CheckObject(**schema, *value->object());
}

}  // namespace
}  // namespace kube::crd_schema

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::crd_schema::CheckInput({reinterpret_cast<const char*>(data), size});
  return 0;
}
