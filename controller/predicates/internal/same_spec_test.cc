#include "controller/predicates/internal/same_spec.h"

#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

namespace corev1 = api::core::v1;
using unstructured::Unstructured;

template <typename T>
T Decoded(absl::string_view json) {
  return *codec::DecodeJson<T>(json);
}

struct Row {
  const char* name;
  absl::string_view before;
  absl::string_view after;
  bool same;
};

TEST(SameMembers, Typed_ComparesAllButMetadataStatusAndKind) {
  const Row kRows[] = {
      {"empty", "{}", "{}", true},
      {"spec", R"({"spec":{"podCIDR":"a"}})", R"({"spec":{"podCIDR":"b"}})", false},
      {"spec that is gone", R"({"spec":{"podCIDR":"a"}})", "{}", false},
      {"status", R"({"status":{"phase":"a"}})", R"({"status":{"phase":"b"}})", true},
      {"metadata", R"({"metadata":{"name":"a"}})", R"({"metadata":{"labels":{"a":"b"}}})", true},
      {"an object of a list", R"({"apiVersion":"v1","kind":"Node"})", "{}", true},
  };
  for (const Row& row : kRows) {
    const auto before = Decoded<corev1::Node>(row.before);
    const auto after = Decoded<corev1::Node>(row.after);
    EXPECT_EQ(SameMembers(codec::View(before), codec::View(after)), row.same) << row.name;
  }
  const auto one = Decoded<corev1::ConfigMap>(R"({"data":{"a":"1"}})");
  const auto two = Decoded<corev1::ConfigMap>(R"({"data":{"a":"2"}})");
  EXPECT_FALSE(SameMembers(codec::View(one), codec::View(two)));
  EXPECT_TRUE(SameMembers(codec::View(one), codec::View(one)));
}

TEST(SameMembers, Unstructured_ComparesAllButMetadataStatusAndKind) {
  const Row kRows[] = {
      {"empty", "{}", "{}", true},
      {"changed", R"({"spec":{"a":1}})", R"({"spec":{"a":2}})", false},
      {"added", "{}", R"({"data":{"a":1}})", false},
      {"removed", R"({"data":{"a":1}})", "{}", false},
      {"null is absent", R"({"data":null})", "{}", true},
      {"status", R"({"status":{"a":1}})", R"({"status":3})", true},
      {"metadata", R"({"metadata":{"name":"a"}})", "{}", true},
      {"an object of a list", R"({"apiVersion":"v1","kind":"Node"})", "{}", true},
  };
  for (const Row& row : kRows) {
    const auto before = Decoded<Unstructured>(row.before);
    const auto after = Decoded<Unstructured>(row.after);
    EXPECT_EQ(SameMembers(before, after), row.same) << row.name;
    EXPECT_EQ(SameMembers(after, before), row.same) << row.name;
  }
}

}  // namespace
}  // namespace kube::controller::internal
