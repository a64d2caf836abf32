#include "apimachinery/managedfields/testing/sample_versions.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {

using unstructured::Value;

namespace {

constexpr absl::string_view kTypes = R"(types:
- name: deployment
  map:
    fields:
    - name: apiVersion
      type:
        scalar: string
    - name: kind
      type:
        scalar: string
    - name: metadata
      type:
        namedType: metadata
    - name: spec
      type:
        namedType: spec
    - name: status
      type:
        namedType: status
- name: metadata
  map:
    fields:
    - name: annotations
      type:
        map:
          elementType:
            scalar: string
    - name: labels
      type:
        map:
          elementType:
            scalar: string
    - name: managedFields
      type:
        list:
          elementRelationship: atomic
          elementType:
            scalar: untyped
    - name: name
      type:
        scalar: string
    - name: namespace
      type:
        scalar: string
    - name: uid
      type:
        scalar: string
- name: spec
  map:
    fields:
    - name: containers
      type:
        list:
          elementRelationship: associative
          keys:
          - name
          elementType:
            namedType: container
    - name: paused
      type:
        scalar: boolean
    - name: replicas
      type:
        scalar: numeric
- name: container
  map:
    fields:
    - name: image
      type:
        scalar: string
    - name: name
      type:
        scalar: string
- name: status
  map:
    fields:
    - name: replicas
      type:
        scalar: numeric
)";

BuiltSchema Parse() {
  absl::StatusOr<BuiltSchema> schema = ParseSchema(kTypes, "deployment");
  KUBE_CHECK_OK(schema);
  return *std::move(schema);
}

}  // namespace

SampleVersions::SampleVersions() : schema_(Parse()) {}

const Schema* SampleVersions::SchemaOf(absl::string_view api_version) const {
  const bool is_known = api_version == "apps/v1" || api_version == "apps/v2";
  return is_known ? schema_.schema : nullptr;
}

absl::StatusOr<Value> SampleVersions::Convert(const Value& object,
                                              absl::string_view api_version) const {
  if (!object.is_object()) return absl::InvalidArgumentError("not an object");
  if (SchemaOf(api_version) == nullptr) {
    return absl::NotFoundError(absl::StrCat("no version ", api_version));
  }
  Value converted = object;
  converted.object()->insert_or_assign("apiVersion", api_version);
  return converted;
}

}  // namespace kube::managedfields
