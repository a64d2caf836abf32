#include "apimachinery/managedfields/internal/last_applied.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/compare.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/to_field_set.h"
#include "apimachinery/managedfields/validate.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/object_meta.h"

namespace kube::managedfields::internal {
namespace {

using unstructured::Unstructured;
using unstructured::Value;

// Returns the annotation, or "" if the object has none.
std::string LastApplied(const Value& object) {
  if (!object.is_object()) return "";
  const absl::StatusOr<std::optional<Map<String>>> annotations =
      unstructured::NestedNullCoercingStringMap(*object.object(), {"metadata", "annotations"});
  if (!annotations.ok() || !annotations->has_value()) return "";
  const String* text = (*annotations)->find(kLastAppliedAnnotation);
  return text == nullptr ? "" : std::string(text->view());
}

bool AreOfOneKind(const Value& a, const Value& b) {
  return a["apiVersion"] == b["apiVersion"] && a["kind"] == b["kind"];
}

absl::StatusOr<FieldSet> UnchangedFields(absl::string_view last_applied, const Value& live,
                                         const Schema& schema) {
  KUBE_ASSIGN_OR_RETURN(Unstructured decoded, unstructured::DecodeUnstructured(last_applied));
  const Value configuration(std::move(decoded.object));
  if (!AreOfOneKind(configuration, live)) return FieldSet();
  KUBE_RETURN_IF_ERROR(Validate(configuration, schema));
  // Here, upstream does not allow duplicates in the live object.
  KUBE_RETURN_IF_ERROR(Validate(live, schema));
  KUBE_ASSIGN_OR_RETURN(const FieldSet applied, ToFieldSet(configuration, schema));
  KUBE_ASSIGN_OR_RETURN(const Comparison since, Compare(configuration, live, schema));
  return applied.Difference(since.modified).Difference(since.added).Difference(since.removed);
}

// Returns the configuration as the annotation holds it: without the annotation, as JSON that ends
// with a newline.
absl::StatusOr<std::string> EncodeForAnnotation(const Value& configuration) {
  Unstructured edited = {.object = *configuration.object()};
  Map<String> annotations = edited.annotations();
  annotations.erase(kLastAppliedAnnotation);
  edited.set_annotations(annotations);
  KUBE_ASSIGN_OR_RETURN(std::string json, unstructured::EncodeJson(Value(std::move(edited.object))),
                        "failed to build last-applied annotation: couldn't encode object into "
                        "last applied annotation");
  json += '\n';
  return json;
}

bool AreTooLarge(const Map<String>& annotations) {
  size_t size = 0;
  for (const auto& [key, value] : annotations) size += key.size() + value.size();
  return size > validation::kTotalAnnotationSizeLimitBytes;
}

}  // namespace

FieldSet FieldsOfLastApplied(const Value& live, const Schema& schema) {
  const std::string last_applied = LastApplied(live);
  if (last_applied.empty()) return {};
  // A conflict stands if the annotation says nothing for any reason.
  absl::StatusOr<FieldSet> fields = UnchangedFields(last_applied, live, schema);
  return fields.ok() ? *std::move(fields) : FieldSet();
}

absl::StatusOr<Value> WithLastApplied(Value object, const Value& configuration) {
  if (LastApplied(object).empty()) return object;
  KUBE_ASSIGN_OR_RETURN(const std::string text, EncodeForAnnotation(configuration));
  Unstructured edited = {.object = std::move(*object.object())};
  Map<String> annotations = edited.annotations();
  annotations.insert_or_assign(kLastAppliedAnnotation, text);
  if (AreTooLarge(annotations)) annotations.erase(kLastAppliedAnnotation);
  edited.set_annotations(annotations);
  return Value(std::move(edited.object));
}

}  // namespace kube::managedfields::internal
