#include "codegen/crds/crd_values.h"

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "codegen/testing/sample_idl.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kube/options.pb.h"

namespace kube::codegen {
namespace {

using testing::ElementsAreArray;
using testing::IsEmpty;

constexpr char kRelease[] = R"(
syntax = "proto3"; package kube.api.v1; import "kube/options.proto";
option (kube.group_version) = {version: "v1" release: "1.36"};
option (kube.string_type) = {name: "Policy" closed: true constant: {name: "A" value: "a"}};
message M { string f = 1 [(kube.field) = {string_type: "Policy" enum_value: "a"}]; }
)";
constexpr char kOther[] = R"(
syntax = "proto3"; package other.v1; import "kube/options.proto"; import "release.proto";
option (kube.string_type) = {
  name: "Size" closed: true constant: {name: "Small" value: "s"} constant: {name: "Big" value: "b"}
};
)";
constexpr char kOwn[] = R"(
syntax = "proto3"; package own.v1; import "kube/options.proto"; import "other.proto";
option (kube.string_type) = {name: "Own" closed: true constant: {name: "One" value: "1"}};
option (kube.string_type) = {name: "Open" constant: {name: "Two" value: "2"}};
)";

// Returns the values of a field with these options, in a file with a closed type Own and an open
// type Open.
absl::StatusOr<std::vector<std::string>> ValuesOf(const std::string& options) {
  SampleIdl idl;
  idl.Add("release.proto", kRelease);
  idl.Add("other.proto", kOther);
  const google::protobuf::FileDescriptor& file = idl.Add(
      "own.proto", kOwn + ("message M { string f = 1 [(kube.field) = {" + options + "}]; }"));
  return ClosedValuesOf(*file.message_type(0)->field(0));
}

TEST(ClosedValuesOf, Fields) {
  const struct {
    const char* options;
    std::vector<std::string> want;
  } kRows[] = {
      {"", {}},
      {"enum_value: 'x' enum_value: 'y'", {"x", "y"}},
      {"string_type: 'Own'", {"1"}},
      {"string_type: 'own.v1.Own'", {"1"}},
      {"string_type: 'Own' enum_value: 'x'", {"x"}},
      {"string_type: 'Open'", {}},
      {"string_type: 'Open' enum_value: 'x'", {}},
      {"string_type: 'other.v1.Size'", {"s", "b"}},
      // The next release may have more.
      {"string_type: 'kube.api.v1.Policy' enum_value: 'a'", {}},
  };
  for (const auto& row : kRows) {
    const absl::StatusOr<std::vector<std::string>> values = ValuesOf(row.options);
    ASSERT_TRUE(values.ok()) << row.options << ": " << values.status();
    EXPECT_THAT(*values, ElementsAreArray(row.want)) << row.options;
  }
}

TEST(ClosedValuesOf, ATypeThatIsNotThere) {
  for (const std::string name : {"Size", "Policy", "own.v1.Size", "v1.Own"}) {
    EXPECT_EQ(ValuesOf("string_type: '" + name + "'").status().message(),
              "unknown string_type \"" + name + "\"");
  }
}

TEST(StringTypeOf, IsThatOfTheFieldOrNull) {
  SampleIdl idl;
  const google::protobuf::FileDescriptor& file = idl.Add("release.proto", kRelease);
  const kube::StringType* type = StringTypeOf(*file.message_type(0)->field(0));
  ASSERT_NE(type, nullptr);
  EXPECT_EQ(type->name(), "Policy");
  const google::protobuf::FileDescriptor& others = idl.AddBody(
      "others", "message M { string f = 1; string g = 2 [(kube.field).string_type = 'Nowhere']; }");
  EXPECT_EQ(StringTypeOf(*others.message_type(0)->field(0)), nullptr);
  EXPECT_EQ(StringTypeOf(*others.message_type(0)->field(1)), nullptr);
}

TEST(ClosedValuesOf, AReleaseHasNone) {
  SampleIdl idl;
  const google::protobuf::FileDescriptor& file = idl.Add("release.proto", kRelease);
  EXPECT_THAT(ClosedValuesOf(*file.message_type(0)->field(0)).value(), IsEmpty());
}

}  // namespace
}  // namespace kube::codegen
