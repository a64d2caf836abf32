#include "apimachinery/unstructured/nested.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::unstructured {
namespace {

using base::StatusIs;

Map<Value> Object() {
  return {{"spec", Map<Value>{{"replicas", 3},
                              {"ratio", 0.5},
                              {"big", 1e6},
                              {"paused", true},
                              {"image", "nginx"},
                              {"null", nullptr},
                              {"huge", std::numeric_limits<int64_t>::max()},
                              {"args", List<Value>{"a", "b"}},
                              {"mixed", List<Value>{"a", 1}},
                              {"labels", Map<Value>{{"app", "web"}}},
                              {"odd", Map<Value>{{"a", "b"}, {"n", nullptr}, {"x", 1}}},
                              {"nulls", Map<Value>{{"n", nullptr}}}}}};
}

TEST(NestedTest, Getters_ExistingPath_ReturnTheValue) {
  const Map<Value> object = Object();
  EXPECT_EQ(NestedInt64(object, {"spec", "replicas"}).value(), 3);
  EXPECT_EQ(NestedFloat64(object, {"spec", "ratio"}).value(), 0.5);
  EXPECT_EQ(NestedBool(object, {"spec", "paused"}).value(), true);
  EXPECT_EQ(NestedString(object, {"spec", "image"}).value(), "nginx");
  EXPECT_EQ(NestedNumberAsFloat64(object, {"spec", "replicas"}).value(), 3.0);
  EXPECT_EQ(NestedNumberAsFloat64(object, {"spec", "ratio"}).value(), 0.5);
  EXPECT_EQ(NestedStringSlice(object, {"spec", "args"}).value(), (List<String>{"a", "b"}));
  EXPECT_EQ(NestedStringMap(object, {"spec", "labels"}).value(), (Map<String>{{"app", "web"}}));
  EXPECT_EQ(NestedNullCoercingStringMap(object, {"spec", "nulls"}).value(),
            (Map<String>{{"n", ""}}));
  EXPECT_TRUE(NestedNullCoercingStringMap(object, {"spec", "null"}).value()->is_null());
  EXPECT_EQ(NestedSlice(object, {"spec", "args"}).value()->size(), 2);
  EXPECT_EQ(NestedMap(object, {"spec"}).value(), object.find("spec")->object());
  EXPECT_TRUE(NestedField(object, {"spec", "null"}).value()->is_null());
}

TEST(NestedTest, Getters_MissingPath_ReturnNothing) {
  const Map<Value> object = Object();
  EXPECT_EQ(NestedField(object, {"status"}).value(), nullptr);
  EXPECT_EQ(NestedField(object, {"spec", "null", "below"}).value(), nullptr);
  EXPECT_FALSE(NestedString(object, {"spec", "none"}).value().has_value());
  EXPECT_FALSE(NestedStringSlice(object, {"spec", "none"}).value().has_value());
  EXPECT_FALSE(NestedStringMap(object, {"spec", "none"}).value().has_value());
  EXPECT_EQ(NestedSlice(object, {"spec", "none"}).value(), nullptr);
  EXPECT_EQ(NestedMap(object, {"none", "none"}).value(), nullptr);
}

TEST(NestedTest, Getters_WrongType_ErrorSaysPathAndTypesAndNoValue) {
  const Map<Value> object = Object();
  const auto is = [](const char* message) {
    return StatusIs(absl::StatusCode::kInvalidArgument, message);
  };
  EXPECT_THAT(NestedString(object, {"spec", "replicas"}),
              is(".spec.replicas accessor error: the value is of the type int64, expected string"));
  EXPECT_THAT(NestedInt64(object, {"spec", "big"}),
              is(".spec.big accessor error: the value is of the type float64, expected int64"));
  EXPECT_THAT(
      NestedFloat64(object, {"spec", "replicas"}),
      is(".spec.replicas accessor error: the value is of the type int64, expected float64"));
  EXPECT_THAT(NestedBool(object, {"spec", "null"}),
              is(".spec.null accessor error: the value is of the type <nil>, expected bool"));
  EXPECT_THAT(NestedNumberAsFloat64(object, {"spec", "huge"}),
              is(".spec.huge accessor error: the int64 value cannot be losslessly "
                 "converted to float64"));
  EXPECT_THAT(
      NestedNumberAsFloat64(object, {"spec", "image"}),
      is(".spec.image accessor error: the value is of the type string, expected float64 or int64"));
  EXPECT_THAT(NestedSlice(object, {"spec", "labels"}),
              is(".spec.labels accessor error: the value is of the type map[string]interface "
                 "{}, expected []interface{}"));
  EXPECT_THAT(NestedMap(object, {"spec", "mixed"}),
              is(".spec.mixed accessor error: the value is of the type []interface {}, expected "
                 "map[string]interface{}"));
  EXPECT_THAT(NestedField(object, {"spec", "image", "tag", "x"}),
              is(".spec.image.tag accessor error: the value is of the type string, expected "
                 "map[string]interface{}"));
  EXPECT_THAT(
      NestedStringSlice(object, {"spec", "mixed"}),
      is(".spec.mixed accessor error: contains non-string key in the slice: the value is of the "
         "type int64, expected string"));
  EXPECT_THAT(NestedStringMap(object, {"spec", "nulls"}),
              is(".spec.nulls accessor error: contains non-string value in the map under key "
                 "\"n\": the value is of the type <nil>, expected string"));
  EXPECT_THAT(NestedNullCoercingStringMap(object, {"spec", "odd"}),
              is(".spec.odd accessor error: contains non-string value in the map under key "
                 "\"x\": the value is of the type int64, expected string"));
}

// behaviour.md: COD-13
TEST(NestedTest, Set_MissingPath_CreatesTheObjectsOnTheWay) {
  Map<Value> object;
  ASSERT_TRUE(SetNestedField(object, 3, {"spec", "template", "replicas"}).ok());
  ASSERT_TRUE(SetNestedField(object, "x", {"spec", "name"}).ok());
  ASSERT_TRUE(SetNestedStringSlice(object, {"a"}, {"spec", "args"}).ok());
  ASSERT_TRUE(SetNestedStringMap(object, {{"k", "v"}}, {"labels"}).ok());
  EXPECT_EQ(object, (Map<Value>{{"labels", Map<Value>{{"k", "v"}}},
                                {"spec", Map<Value>{{"args", List<Value>{"a"}},
                                                    {"name", "x"},
                                                    {"template", Map<Value>{{"replicas", 3}}}}}}));
  EXPECT_THAT(SetNestedField(object, 1, {"spec", "name", "x"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "value cannot be set because .spec.name is not a map[string]interface{}"));
}

TEST(NestedTest, Remove_ExistingOrMissingPath_RemovesThatFieldOnly) {
  Map<Value> object = Object();
  RemoveNestedField(object, {"spec", "replicas"});
  EXPECT_EQ(NestedField(object, {"spec", "replicas"}).value(), nullptr);
  const Map<Value> before = object;
  RemoveNestedField(object, {"spec", "image", "tag"});
  RemoveNestedField(object, {"status", "phase"});
  RemoveNestedField(object, {"status"});
  EXPECT_EQ(object, before);
}

absl::Status ScaleUp(Map<Value>& object) {
  KUBE_ASSIGN_OR_RETURN(std::optional<int64_t> count, NestedInt64(object, {"spec", "replicas"}));
  return SetNestedField(object, count.value_or(1) + 1, {"spec", "replicas"});
}

TEST(NestedTest, ReadsAndWritesAMember_AsInTheHeader) {
  Map<Value> object = Object();
  EXPECT_THAT(ScaleUp(object), base::IsOk());
  EXPECT_EQ(NestedInt64(object, {"spec", "replicas"}).value(), 4);
  Map<Value> empty;
  EXPECT_THAT(ScaleUp(empty), base::IsOk());
  EXPECT_EQ(empty, (Map<Value>{{"spec", Map<Value>{{"replicas", 2}}}}));
}

}  // namespace
}  // namespace kube::unstructured
