// The code in docs/api-types.md about types of one's own: those of widget.proto.
#include <string>

#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/apply_of.h"
#include "docs/snippets/widget.applies.kube.h"
#include "docs/snippets/widget.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace codec = kube::codec;
namespace widgetsv1 = example::widgets::v1;

namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;

TEST(WidgetTest, IsAnApiTypeAsAnyOther) {
  const widgetsv1::Widget widget{
      .kind = "Widget",
      .api_version = "example.com/v1",
      .metadata = {.name = "round"},
      .spec = {.replicas = 3, .polish = {{.color = "red"}}, .limits = {{"weight", "2k"}}},
  };
  EXPECT_THAT(codec::EncodeJson(widget.spec),
              IsOkAndHolds(
                  R"({"replicas":3,"size":"","polish":{"color":"red"},"limits":{"weight":"2k"}})"));

  const auto again = codec::DecodeYaml<widgetsv1::Widget>(R"(
kind: Widget
apiVersion: example.com/v1
metadata: {name: round}
spec: {replicas: 3, polish: {color: red}, limits: {weight: 2000}}
)");
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(*again, widget);
}

TEST(WidgetTest, ApplyConfiguration) {
  const kube::ApplyOf<widgetsv1::Widget> mine = {
      .kind = "Widget",
      .api_version = "example.com/v1",
      .metadata = {{.name = "round"}},
      .spec = {{.replicas = 0, .limits = {{"weight", "2k"}}}},  // and no size: it is another's
  };
  EXPECT_THAT(
      codec::EncodeJson(mine),
      IsOkAndHolds(R"({"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"round"},)"
                   R"("spec":{"replicas":0,"limits":{"weight":"2k"}}})"));
}

}  // namespace
