#include "apimachinery/scheme/media_type.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::scheme {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

TEST(MediaTypeTest, MediaTypeOf_EachFormat_IsItsName) {
  EXPECT_EQ(MediaTypeOf(Format::kJson), "application/json");
  EXPECT_EQ(MediaTypeOf(Format::kYaml), "application/yaml");
  EXPECT_EQ(MediaTypeOf(Format::kProtobuf), "application/vnd.kubernetes.protobuf");
  EXPECT_EQ(SerializerInfoForMediaType(SupportedMediaTypes(), "application/yaml")->format,
            Format::kYaml);
  EXPECT_EQ(SerializerInfoForMediaType(SupportedMediaTypes(), "text/plain"), nullptr);
}

TEST(MediaTypeTest, Parse_Parameters_AreUnquotedAndSorted) {
  const absl::StatusOr<MediaType> parsed =
      ParseMediaType(" Application/JSON ; Charset=UTF-8;a = \"x\\\"y;\\n\" ;b=\"\"; ");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->media_type, "application/json");
  EXPECT_THAT(parsed->parameters,
              ElementsAre(Pair("a", "x\"y;\\n"), Pair("b", ""), Pair("charset", "UTF-8")));
  EXPECT_THAT(ParseMediaType("a/b;")->parameters, IsEmpty());
  EXPECT_THAT(ParseMediaType("a/b;x=1;x=1")->parameters, ElementsAre(Pair("x", "1")));
}

TEST(MediaTypeTest, Parse_InvalidText_HasTheMessageOfGo) {
  EXPECT_THAT(ParseMediaType(""), StatusIs(kInvalid, "mime: no media type"));
  EXPECT_THAT(ParseMediaType("a b"), StatusIs(kInvalid, "mime: expected slash after first token"));
  EXPECT_THAT(ParseMediaType("a/"), StatusIs(kInvalid, "mime: expected token after slash"));
  EXPECT_THAT(ParseMediaType("a/b c"),
              StatusIs(kInvalid, "mime: unexpected content after media subtype"));
  for (const char* text :
       {"a/b;x", "a/b;x=", "a/b;=1", "a/b;x=\"1", "a/b;x=\"\n\"", "a/b;x=1 y", "a/b;;x=1"}) {
    EXPECT_THAT(ParseMediaType(text), StatusIs(kInvalid, "mime: invalid media parameter")) << text;
  }
  EXPECT_THAT(ParseMediaType("a/b;x=1;x=2"), StatusIs(kInvalid, "mime: duplicate parameter name"));
}

TEST(MediaTypeTest, FormatOf_UnknownContentType_IsInvalidArgument) {
  EXPECT_THAT(FormatOf(""), IsOkAndHolds(Format::kJson));
  EXPECT_THAT(FormatOf("application/json;stream=watch"), IsOkAndHolds(Format::kJson));
  EXPECT_THAT(FormatOf("application/vnd.kubernetes.protobuf"), IsOkAndHolds(Format::kProtobuf));
  EXPECT_THAT(FormatOf("text/html"), StatusIs(kInvalid, "no serializers registered for text/html"));
  EXPECT_THAT(FormatOf("application/json;;"), StatusIs(kInvalid));
}

TEST(MediaTypeTest, RecognizeFormat_JsonOrProtobuf_IsRecognized) {
  EXPECT_EQ(RecognizeFormat(" \n{"), Format::kJson);
  EXPECT_EQ(RecognizeFormat(std::string("k8s\0x", 5)), Format::kProtobuf);
  EXPECT_EQ(RecognizeFormat("k8s"), std::nullopt);
  EXPECT_EQ(RecognizeFormat("kind: Pod"), std::nullopt);
  EXPECT_EQ(RecognizeFormat(""), std::nullopt);
}

}  // namespace
}  // namespace kube::scheme
