#include "apimachinery/patch/internal/json_pointer.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/patch/internal/edited_value.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::patch::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using unstructured::EncodeJson;
using unstructured::ParseJson;
using unstructured::Value;

EditedValue Root() {
  return EditedValue(*ParseJson(R"({"a":{"b":[1,{"c":2}]},"x/y":{"~":3},"n":null})"));
}

// Returns the value at the pointer as JSON, or "nothing".
absl::StatusOr<std::string> Look(absl::string_view pointer) {
  EditedValue root = Root();
  const absl::StatusOr<JsonPlace> place = FindPlace(root, pointer);
  if (!place.ok()) return place.status();
  const absl::StatusOr<EditedValue*> value = Get(*place);
  if (!value.ok()) return value.status();
  if (*value == nullptr) return "nothing";
  return EncodeJson(**(*value)->Close());
}

TEST(JsonPointer, Leads) {
  struct Row {
    const char* pointer;
    const char* value;
  };
  for (const auto& [pointer, value] : {
           Row{"/a/b/0", "1"},
           {"/a/b/-1/c", "2"},
           {"/a/b/+1/c", "2"},
           {"/x~1y/~0", "3"},
           {"/n", "null"},
           {"/a/none", "nothing"},
           {"/", "nothing"},
           // Text before the first slash is ignored.
           {"other/a/b/0", "1"},
       }) {
    EXPECT_THAT(Look(pointer), IsOkAndHolds(value)) << pointer;
  }
}

TEST(JsonPointer, LeadsNowhere) {
  for (const char* pointer : {"", "a", "/n/x", "/a/b/0/x", "/none/x", "/a/b/7/x", "/a/b/x/y"}) {
    EXPECT_THAT(Look(pointer), StatusIs(absl::StatusCode::kNotFound)) << pointer;
  }
  EXPECT_THAT(Look("/a/b/2"), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(Look("/a/b/-"), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(JsonPointer, Indices) {
  EXPECT_THAT(ParseIndex("2", 3), IsOkAndHolds(size_t{2}));
  EXPECT_THAT(ParseIndex("-3", 3), IsOkAndHolds(size_t{0}));
  EXPECT_THAT(ParseIndex("-0", 1), IsOkAndHolds(size_t{0}));
  for (const char* index : {"3", "-4"}) {
    EXPECT_THAT(ParseIndex(index, 3), StatusIs(absl::StatusCode::kOutOfRange)) << index;
  }
  EXPECT_THAT(ParseIndex("0", 0), StatusIs(absl::StatusCode::kOutOfRange));
  for (const char* index : {"", "+", "+-1", "1x", " 1", "1.0", "99999999999999999999"}) {
    EXPECT_THAT(ParseIndex(index, 3), StatusIs(absl::StatusCode::kInvalidArgument)) << index;
  }
}

TEST(JsonPointer, ChangesMembers) {
  EditedValue root(*ParseJson(R"({"a":1})"));
  EXPECT_THAT(Add({&root, "b"}, EditedValue(2)), IsOk());
  EXPECT_THAT(Set({&root, "c"}, EditedValue(3)), IsOk());
  EXPECT_THAT(Remove({&root, "a"}), IsOk());
  EXPECT_EQ(**root.Close(), *ParseJson(R"({"b":2,"c":3})"));
  EXPECT_THAT(Remove({&root, "a"}), StatusIs(absl::StatusCode::kNotFound));
}

TEST(JsonPointer, ChangesElements) {
  EditedValue root(*ParseJson("[1,2]"));
  EXPECT_THAT(Add({&root, "-"}, EditedValue(3)), IsOk());
  EXPECT_THAT(Add({&root, "0"}, EditedValue(0)), IsOk());
  // The index in the list after the insertion, where it is the last one.
  EXPECT_THAT(Add({&root, "-1"}, EditedValue(4)), IsOk());
  EXPECT_THAT(Set({&root, "1"}, EditedValue(9)), IsOk());
  EXPECT_THAT(Remove({&root, "2"}), IsOk());
  EXPECT_EQ(**root.Close(), *ParseJson("[0,9,3,4]"));
  EXPECT_THAT(Add({&root, "5"}, EditedValue(1)), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(Set({&root, "-"}, EditedValue(1)), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Remove({&root, "4"}), StatusIs(absl::StatusCode::kOutOfRange));
}

}  // namespace
}  // namespace kube::patch::internal
