#include "apimachinery/managedfields/reconcile.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::StatusIs;

constexpr absl::string_view kSchema = R"(
types:
- name: root
  map:
    fields:
    - name: args
      type:
        list: {elementType: {scalar: string}, elementRelationship: atomic}
    - name: atomicQuantities
      type:
        map: {elementType: {scalar: untyped}, elementRelationship: atomic}
    - name: free
      type: {namedType: deduced}
    - name: labels
      type:
        map: {elementType: {scalar: string}}
    - name: mixed
      type:
        map:
          fields:
          - name: list
            type:
              list: {elementType: {scalar: string}, elementRelationship: atomic}
          elementType: {namedType: deduced}
    - name: number
      type: {scalar: numeric}
    - name: opaque
      type: {namedType: opaque}
    - name: ports
      type:
        list:
          elementType: {namedType: port}
          elementRelationship: associative
          keys: [port]
    - name: selector
      type:
        map: {elementType: {scalar: string}, elementRelationship: atomic}
    - name: set
      type:
        list: {elementType: {scalar: string}, elementRelationship: associative}
- name: port
  map:
    fields:
    - name: args
      type:
        list: {elementType: {scalar: string}, elementRelationship: atomic}
    - name: port
      type: {scalar: numeric}
- name: opaque
  scalar: untyped
  list: {elementType: {namedType: opaque}, elementRelationship: atomic}
  map: {elementType: {namedType: opaque}, elementRelationship: atomic}
- name: deduced
  scalar: untyped
  list: {elementType: {namedType: opaque}, elementRelationship: atomic}
  map: {elementType: {namedType: deduced}, elementRelationship: separable}
)";

struct Row {
  std::string name;
  std::string before;
  std::string after;  // empty: nothing changes
};

class ReconcileCase : public testing::TestWithParam<Row> {};

TEST_P(ReconcileCase, ReconcileWithSchema_Set_IsAdapted) {
  const BuiltSchema built = *ParseSchema(kSchema, "root");
  const absl::StatusOr<std::optional<FieldSet>> after =
      ReconcileWithSchema(*DecodeFieldsV1(GetParam().before), *built.schema);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(after->has_value() ? EncodeFieldsV1(**after) : "", GetParam().after);
}

INSTANTIATE_TEST_SUITE_P(
    All, ReconcileCase,
    testing::Values(
        Row{"EmptySet", "{}", ""},
        Row{"GranularStaysGranular",
            R"({"f:labels":{".":{},"f:a":{}},"f:number":{},"f:ports":{"k:{\"port\":1}":)"
            R"({".":{},"f:args":{},"f:port":{}}},"f:set":{"v:\"a\"":{}}})",
            ""},
        Row{"AtomicStaysAtomic", R"({"f:args":{},"f:opaque":{},"f:selector":{}})", ""},
        // What was atomic stays one member.
        Row{"AtomicBecomesGranular", R"({"f:labels":{},"f:ports":{},"f:set":{}})", ""},
        Row{"MapBecomesAtomic", R"({"f:number":{},"f:selector":{"f:a":{}}})",
            R"({"f:number":{},"f:selector":{}})"},
        Row{"OwnedMapBecomesAtomic", R"({"f:selector":{".":{},"f:a":{}}})", R"({"f:selector":{}})"},
        Row{"ListBecomesAtomic", R"({"f:args":{"v:\"a\"":{}},"f:labels":{"f:a":{}}})",
            R"({"f:args":{},"f:labels":{"f:a":{}}})"},
        Row{"ListInItemBecomesAtomic",
            R"({"f:ports":{"k:{\"port\":1}":{".":{},"f:args":{".":{},"v:\"a\"":{}},)"
            R"("f:port":{}},"k:{\"port\":2}":{".":{}}}})",
            R"({"f:ports":{"k:{\"port\":1}":{".":{},"f:args":{},"f:port":{}},)"
            R"("k:{\"port\":2}":{}}})"},
        Row{"OpaqueBecomesAtomic", R"({"f:opaque":{"f:a":{"f:b":{}}}})", R"({"f:opaque":{}})"},
        // Maps whose elements may be any scalar are exempt.
        Row{"DeducedStays", R"({"f:free":{"f:a":{"f:b":{}},"v:1":{}}})", ""},
        Row{"AtomicMapOfAnyScalarStays", R"({"f:atomicQuantities":{"f:cpu":{}}})", ""},
        Row{"FieldBesideDeducedElements",
            R"({"f:mixed":{".":{},"f:any":{"f:a":{}},"f:list":{".":{},"v:\"a\"":{}}}})",
            R"({"f:mixed":{".":{},"f:any":{"f:a":{}},"f:list":{}}})"},
        Row{"UnknownFieldStays", R"({"f:gone":{"f:a":{}},"f:selector":{"f:a":{}}})",
            R"({"f:gone":{"f:a":{}},"f:selector":{}})"},
        Row{"BelowScalarStays", R"({"f:number":{"f:a":{}}})", ""}),
    [](const testing::TestParamInfo<Row>& row) { return row.param.name; });

TEST(ReconcileTest, ReconcileWithSchema_RootThatIsAtomicOrDeduced_LeavesTheSet) {
  const FieldSet set = *DecodeFieldsV1(R"({"f:a":{"f:b":{}}})");
  for (const Schema* schema : {&UntypedAtomicSchema(), &DeducedSchema()}) {
    const absl::StatusOr<std::optional<FieldSet>> after = ReconcileWithSchema(set, *schema);
    ASSERT_TRUE(after.ok()) << after.status();
    EXPECT_FALSE(after->has_value());
  }
}

TEST(ReconcileTest, ReconcileWithSchema_SchemaThatAllowsNothing_IsInvalidArgument) {
  EXPECT_THAT(ReconcileWithSchema(FieldSet(), Schema()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "errors reconciling field set with schema: schema error: invalid atom: "
                       "inlined"));
  const Schema nothing;
  const MapSchema map = {.fields = {{.name = "a", .schema = &nothing}}};
  const Schema root = {.scalar = ScalarType::kNone, .list = nullptr, .map = &map};
  EXPECT_THAT(ReconcileWithSchema(*DecodeFieldsV1(R"({"f:a":{"f:b":{}}})"), root),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "errors reconciling field set with schema: schema error: invalid atom: "
                       "inlined"));
}

}  // namespace
}  // namespace kube::managedfields
