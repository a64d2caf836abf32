#include "apimachinery/codec/any_object.h"

#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/deep_size.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/types/kind_info.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/kitchen_sink/sink.kinds.kube.h"
#include "tests/kitchen_sink/sink.kube.h"

namespace kube::codec {
namespace {

namespace sinkv1 = kube::kitchen::sink::v1;

using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;

static_assert(!std::is_copy_constructible_v<AnyObject> && !std::is_copy_assignable_v<AnyObject>);

const KindInfo& Find(absl::string_view kind) {
  for (const KindInfo& each : sinkv1::Kinds()) {
    if (each.kind == kind) return each;
  }
  ADD_FAILURE() << "there is no kind " << kind;
  return sinkv1::Kinds()[0];
}

constexpr char kJson[] =
    R"({"kind":"Tap","apiVersion":"kitchen.example.com/v1","metadata":{"name":"a","labels":{"b":"c"}},)"
    R"("open":true,"flow":"1500m"})";
constexpr char kYaml[] = R"(apiVersion: kitchen.example.com/v1
flow: 1500m
kind: Tap
metadata:
  labels:
    b: c
  name: a
open: true
)";

AnyObject Tap() {
  absl::StatusOr<AnyObject> tap = AnyObject::DecodeJson(Find("Tap"), kJson);
  EXPECT_TRUE(tap.ok()) << tap.status();
  return *std::move(tap);
}

TEST(AnyObject, GoesThroughEachFormat) {
  const AnyObject tap = Tap();
  EXPECT_EQ(&tap.kind(), &Find("Tap"));
  EXPECT_THAT(tap.EncodeJson(), IsOkAndHolds(kJson));
  EXPECT_THAT(tap.EncodeJson({.final_newline = true}), IsOkAndHolds(std::string(kJson) + "\n"));
  EXPECT_THAT(tap.EncodeYaml(), IsOkAndHolds(kYaml));
  absl::StatusOr<AnyObject> of_yaml = AnyObject::DecodeYaml(Find("Tap"), kYaml);
  ASSERT_TRUE(of_yaml.ok()) << of_yaml.status();
  EXPECT_TRUE(*of_yaml == tap);
  absl::StatusOr<std::string> body = tap.EncodeProtobuf();
  ASSERT_TRUE(body.ok()) << body.status();
  absl::StatusOr<AnyObject> of_protobuf = AnyObject::DecodeProtobuf(Find("Tap"), *body);
  ASSERT_TRUE(of_protobuf.ok()) << of_protobuf.status();
  EXPECT_TRUE(*of_protobuf == tap);
}

TEST(AnyObject, IsTheSameAsTheType) {
  const sinkv1::Tap typed{.kind = "Tap", .api_version = "kitchen.example.com/v1", .open = true};
  AnyObject any(Find("Tap"));
  ASSERT_TRUE(any.SetPath("kind", "Tap").ok());
  ASSERT_TRUE(any.SetPath("apiVersion", "kitchen.example.com/v1").ok());
  ASSERT_TRUE(any.SetPath("open", "true").ok());
  EXPECT_TRUE(any.View() == View(typed));
  EXPECT_EQ(any.DeepSize(), DeepSize(typed));
  EXPECT_EQ(
      *any.EncodeProtobuf(),
      *EncodeKubernetesProtobuf(typed, {.api_version = "kitchen.example.com/v1", .kind = "Tap"}));
}

TEST(AnyObject, NewObjectsAreZeroAndEqual) {
  for (const KindInfo& kind : sinkv1::Kinds()) {
    EXPECT_TRUE(AnyObject(kind) == AnyObject(kind)) << kind.kind;
    EXPECT_FALSE(AnyObject(kind) == Tap()) << kind.kind;
  }
}

TEST(AnyObject, Moves) {
  AnyObject a = Tap();
  AnyObject b(Find("TapList"));
  b = std::move(a);
  EXPECT_TRUE(b == Tap());
  const AnyObject c = std::move(b);
  EXPECT_TRUE(c == Tap());
}

TEST(AnyObject, Errors) {
  EXPECT_THAT(AnyObject::DecodeJson(Find("Tap"), R"({"open": 1})").status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("decode Tap: open: ")));
  EXPECT_THAT(AnyObject::DecodeJson(Find("Tap"), PaddedBuffer(R"({"x":1})"),
                                    {.field_validation = FieldValidation::kStrict})
                  .status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("unknown field \"x\"")));
  EXPECT_THAT(AnyObject::DecodeYaml(Find("Tap"), "kind: Tap\nopen: 1\n", {}, 7).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("line 8")));
  EXPECT_THAT(AnyObject::DecodeProtobuf(Find("Tap"), "k8s").status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  AnyObject tap = Tap();
  ASSERT_TRUE(tap.SetPath("flow", "1").ok());
  EXPECT_FALSE(tap.SetPath("none", "1").ok());
}

TEST(KindInfo, OfTheKitchenSink) {
  const KindInfo& tap = Find("Tap");
  EXPECT_EQ(tap.group, "kitchen.example.com");
  EXPECT_EQ(tap.version, "v1");
  EXPECT_EQ(tap.scope, Scope::kCluster);
  EXPECT_EQ(tap.plural, "taps");
  EXPECT_THAT(tap.verbs, testing::ElementsAre("get", "list", "watch"));
  EXPECT_EQ(tap.message, &sinkv1::Tap::kMessage);
  EXPECT_EQ(Find("TapList").list_of, "Tap");
  EXPECT_EQ(Find("TapList").scope, Scope::kNone);
}

}  // namespace
}  // namespace kube::codec
