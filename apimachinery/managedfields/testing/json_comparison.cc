#include "apimachinery/managedfields/testing/json_comparison.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "apimachinery/managedfields/compare.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/managedfields/validate.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {
namespace {

using codec::internal::SampleObject;
using unstructured::Value;

constexpr ValidateOptions kStored = {.allow_duplicates = true};

void AppendLines(absl::string_view sign, const FieldSet& set, std::vector<std::string>& lines) {
  set.VisitPaths(
      [&](const Path& path) { lines.push_back(absl::StrCat(sign, " ", PathText(path))); });
}

}  // namespace

absl::StatusOr<Value> PlainValue(const SampleObject& object) {
  KUBE_ASSIGN_OR_RETURN(Value value, unstructured::ToValue(object.get(), object.message()));
  Map<Value>& members = *value.object();
  members.erase("apiVersion");
  members.erase("kind");
  unstructured::RemoveNestedField(members, {"metadata", "managedFields"});
  return value;
}

absl::StatusOr<Comparison> CompareAsJson(const SampleObject& before, const SampleObject& after) {
  const Schema& schema = SchemaOf(before.message());
  KUBE_ASSIGN_OR_RETURN(const Value old_value, PlainValue(before));
  KUBE_ASSIGN_OR_RETURN(const Value new_value, PlainValue(after));
  KUBE_RETURN_IF_ERROR(Validate(old_value, schema, kStored));
  KUBE_RETURN_IF_ERROR(Validate(new_value, schema, kStored));
  return Compare(old_value, new_value, schema);
}

std::string ComparisonText(const Comparison& comparison) {
  std::vector<std::string> lines;
  AppendLines("-", comparison.removed, lines);
  AppendLines("~", comparison.modified, lines);
  AppendLines("+", comparison.added, lines);
  return absl::StrJoin(lines, "\n");
}

}  // namespace kube::managedfields
