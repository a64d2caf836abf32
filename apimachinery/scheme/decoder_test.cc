#include "apimachinery/scheme/decoder.h"

#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kinds.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/add_to_scheme.h"
#include "apimachinery/scheme/errors.h"
#include "apimachinery/scheme/scheme.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::scheme {
namespace {

namespace corev1 = ::kube::api::core::v1;
namespace metav1 = ::kube::api::meta::v1;

using base::IsOk;
using base::StatusIs;
using schema::GroupVersionKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
constexpr absl::string_view kPodJson =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web"}})";

class DecoderTest : public testing::Test {
 protected:
  DecoderTest() { EXPECT_THAT(AddToScheme(scheme_, corev1::Kinds()), IsOk()); }

  static std::string PodProtobuf(absl::string_view api_version, absl::string_view kind) {
    corev1::Pod pod;
    pod.metadata.name = "web";
    return codec::EncodeKubernetesProtobuf(pod, {.api_version = api_version, .kind = kind}).value();
  }

  Scheme scheme_{"test"};
  const UniversalDecoder decoder_{scheme_};
};

TEST_F(DecoderTest, Decode_EachFormat_ByContentTypeOrByItsLook) {
  struct Case {
    const char* name;
    std::string body;
    const char* content_type;
  };
  const std::vector<Case> cases = {
      {"JSON", std::string(kPodJson), "application/json;charset=utf-8"},
      {"JSON by its look", " " + std::string(kPodJson), ""},
      {"YAML", "kind: Pod\napiVersion: v1\nmetadata: {name: web}\n", "application/yaml"},
      {"YAML by its look", "kind: Pod\napiVersion: v1\nmetadata:\n  name: web\n", ""},
      {"JSON as YAML", std::string(kPodJson), "application/yaml"},
      {"protobuf", PodProtobuf("v1", "Pod"), "application/vnd.kubernetes.protobuf"},
      {"protobuf by its look", PodProtobuf("v1", "Pod"), ""},
  };
  for (const Case& c : cases) {
    absl::StatusOr<DecodedObject> decoded =
        decoder_.Decode(c.body, {.content_type = c.content_type});
    ASSERT_TRUE(decoded.ok()) << c.name << ": " << decoded.status();
    EXPECT_EQ(decoded->kind, (GroupVersionKind{"", "v1", "Pod"})) << c.name;
    const corev1::Pod* const pod = decoded->As<corev1::Pod>();
    ASSERT_NE(pod, nullptr) << c.name;
    EXPECT_EQ(pod->metadata.name, "web") << c.name;
    EXPECT_EQ(pod->kind, "Pod") << c.name;
    EXPECT_EQ(decoded->As<corev1::Node>(), nullptr) << c.name;
  }
}

TEST_F(DecoderTest, Decode_UnknownKind_IsUnstructuredOrNotRegistered) {
  constexpr absl::string_view kWidget = R"({"kind":"Widget","apiVersion":"e.com/v1","size":3})";
  absl::StatusOr<DecodedObject> decoded = decoder_.Decode(kWidget);
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->kind, (GroupVersionKind{"e.com", "v1", "Widget"}));
  const auto* widget = std::get_if<unstructured::Unstructured>(&decoded->object);
  ASSERT_NE(widget, nullptr);
  EXPECT_EQ(widget->object.find("size")->integer(), 3);
  EXPECT_EQ(decoded->As<corev1::Pod>(), nullptr);

  decoded = decoder_.Decode("kind: Widget\napiVersion: e.com/v1\nsize: 4\n");
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(std::get<unstructured::Unstructured>(decoded->object).object.find("size")->integer(),
            4);

  const absl::Status refused =
      UniversalDecoder(scheme_, {.unstructured = false}).Decode(kWidget).status();
  EXPECT_TRUE(IsNotRegistered(refused)) << refused;
  EXPECT_TRUE(IsNotRegistered(decoder_.Decode(PodProtobuf("e.com/v1", "Widget")).status()));
}

TEST_F(DecoderTest, Decode_StatusWithEmptyScheme_IsTyped) {
  const Scheme empty("empty");
  metav1::Status status;
  status.message = "no";
  const std::string body =
      codec::EncodeKubernetesProtobuf(status, {.api_version = "v1", .kind = "Status"}).value();
  absl::StatusOr<DecodedObject> decoded = UniversalDecoder(empty).Decode(body);
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  ASSERT_NE(decoded->As<metav1::Status>(), nullptr);
  EXPECT_EQ(decoded->As<metav1::Status>()->message, "no");
}

TEST_F(DecoderTest, Decode_DefaultKind_FillsWhatTheBodyDoesNotSay) {
  struct Case {
    const char* name;
    std::string body;
    GroupVersionKind default_kind;
    GroupVersionKind want;
  };
  const std::vector<Case> cases = {
      {"nothing said", "{}", {"", "v1", "Pod"}, {"", "v1", "Pod"}},
      {"a version said", R"({"apiVersion":"v1"})", {"e.com", "v2", "Pod"}, {"", "v1", "Pod"}},
      {"a kind said", R"({"kind":"Node"})", {"", "v1", "Pod"}, {"", "v1", "Node"}},
      {"a group said",
       R"({"kind":"A","apiVersion":"e.com/"})",
       {"e.com", "v2", "B"},
       {"e.com", "v2", "A"}},
      {"protobuf", PodProtobuf("", ""), {"", "v1", "Pod"}, {"", "v1", "Pod"}},
  };
  for (const Case& c : cases) {
    const absl::StatusOr<DecodedObject> decoded =
        decoder_.Decode(c.body, {.default_kind = c.default_kind});
    ASSERT_TRUE(decoded.ok()) << c.name << ": " << decoded.status();
    EXPECT_EQ(decoded->kind, c.want) << c.name;
  }
}

TEST_F(DecoderTest, Decode_MissingKindOrVersion_SaysWhichWithoutTheBody) {
  EXPECT_TRUE(IsMissingKind(decoder_.Decode("{}").status()));
  EXPECT_TRUE(IsMissingKind(decoder_.Decode(R"({"apiVersion":"v1"})").status()));
  EXPECT_TRUE(IsMissingVersion(decoder_.Decode(R"({"kind":"Pod"})").status()));
  EXPECT_TRUE(IsMissingKind(decoder_.Decode(PodProtobuf("v1", "")).status()));
  EXPECT_TRUE(IsMissingVersion(decoder_.Decode(PodProtobuf("", "Pod")).status()));
  // The body may be a Secret.
  EXPECT_THAT(decoder_.Decode(R"({"data":{"password":"c2VjcmV0"}})"),
              StatusIs(kInvalid, Not(HasSubstr("c2VjcmV0"))));
}

TEST_F(DecoderTest, Decode_BrokenBody_IsInvalidArgument) {
  EXPECT_THAT(decoder_.Decode(""), StatusIs(kInvalid));
  EXPECT_THAT(decoder_.Decode("{"), StatusIs(kInvalid, HasSubstr("couldn't get version/kind")));
  EXPECT_THAT(decoder_.Decode(std::string("k8s\0", 4)), StatusIs(kInvalid));
  EXPECT_THAT(decoder_.Decode(R"({"kind":"Pod","apiVersion":"a/b/c"})"),
              StatusIs(kInvalid, "unexpected GroupVersion string: a/b/c"));
  EXPECT_THAT(decoder_.Decode(R"({"kind":"Pod","apiVersion":"v1","metadata":3})"),
              StatusIs(kInvalid, HasSubstr("metadata")));
  EXPECT_THAT(decoder_.Decode(kPodJson, {.content_type = "text/html"}),
              StatusIs(kInvalid, "no serializers registered for text/html"));
  EXPECT_THAT(decoder_.Decode(kPodJson, {.content_type = "application/vnd.kubernetes.protobuf"}),
              StatusIs(kInvalid));
}

// behaviour.md: COD-14
TEST_F(DecoderTest, Decode_UnknownOrDuplicateField_IsIgnoredWarnedOrRefused) {
  constexpr absl::string_view kOdd =
      R"({"kind":"Pod","apiVersion":"v1","spec":{"foo":1},"metadata":{"name":"a","name":"b"}})";
  EXPECT_THAT(decoder_.Decode(kOdd)->strict_errors, IsEmpty());
  const absl::StatusOr<DecodedObject> warned =
      UniversalDecoder(scheme_, {.strictness = Strictness::kWarn}).Decode(kOdd);
  ASSERT_TRUE(warned.ok());
  EXPECT_THAT(warned->strict_errors,
              ElementsAre("unknown field \"spec.foo\"", "duplicate field \"metadata.name\""));
  const UniversalDecoder strict(scheme_, {.strictness = Strictness::kStrict});
  const absl::Status refused = strict.Decode(kOdd).status();
  EXPECT_TRUE(IsStrictDecodingError(refused));
  EXPECT_EQ(refused.message(),
            "strict decoding error: unknown field \"spec.foo\", duplicate field \"metadata.name\"");
  EXPECT_TRUE(
      IsStrictDecodingError(strict.Decode("kind: Pod\napiVersion: v1\nspec: {foo: 1}\n").status()));
  EXPECT_TRUE(strict.Decode(kPodJson).ok());
  // Not of kinds without a type.
  EXPECT_TRUE(strict.Decode(R"({"kind":"X","apiVersion":"e.com/v1","a":{"b":1,"b":2}})").ok());
}

TEST_F(DecoderTest, Decode_SetDefaults_CallsTheDefaultingFunctions) {
  scheme_.AddTypeDefaultingFunc<corev1::Pod>(
      [](corev1::Pod& pod) { pod.spec.restart_policy = "Always"; });
  EXPECT_EQ(decoder_.Decode(kPodJson)->As<corev1::Pod>()->spec.restart_policy, "");
  const UniversalDecoder defaulting(scheme_, {.set_defaults = true});
  EXPECT_EQ(defaulting.Decode(kPodJson)->As<corev1::Pod>()->spec.restart_policy, "Always");
  EXPECT_EQ(defaulting.DecodeInto<corev1::Pod>(kPodJson)->object.spec.restart_policy, "Always");
}

TEST_F(DecoderTest, DecodeInto_AnotherKind_IsInvalidArgument) {
  const absl::StatusOr<DecodedInto<corev1::Pod>> pod =
      decoder_.DecodeInto<corev1::Pod>(R"({"metadata":{"name":"web"}})");
  ASSERT_TRUE(pod.ok()) << pod.status();
  EXPECT_EQ(pod->object.metadata.name, "web");
  EXPECT_EQ(pod->kind, (GroupVersionKind{"", "v1", "Pod"}));
  EXPECT_EQ(pod->object.kind, "");  // as it was

  EXPECT_EQ(decoder_.DecodeInto<corev1::Pod>(PodProtobuf("", ""))->object.kind, "Pod");
  EXPECT_THAT(decoder_.DecodeInto<corev1::Node>(kPodJson),
              StatusIs(kInvalid, "decode Node: unexpected kind /v1, Kind=Pod"));
  EXPECT_THAT(decoder_.DecodeInto<corev1::Pod>(R"({"kind":"Status","apiVersion":"v1"})"),
              StatusIs(kInvalid, "decode Pod: unexpected kind /v1, Kind=Status"));
  EXPECT_TRUE(IsNotRegistered(
      decoder_.DecodeInto<corev1::Pod>(R"({"kind":"X","apiVersion":"v1"})").status()));
  // Of a type that the scheme does not have, everything is one.
  const Scheme empty;
  EXPECT_TRUE(UniversalDecoder(empty).DecodeInto<corev1::Node>(kPodJson).ok());
}

absl::StatusOr<GroupVersionKind> KindOrError(const Scheme& scheme, absl::string_view body,
                                             absl::string_view content_type) {
  const UniversalDecoder decoder(scheme);
  KUBE_ASSIGN_OR_RETURN(DecodedObject decoded,
                        decoder.Decode(body, {.content_type = content_type}));
  if (const auto* status = decoded.As<metav1::Status>()) return errors::FromStatus(*status);
  return decoded.kind;
}

TEST_F(DecoderTest, AStatusIsAnError_AsInTheHeader) {
  EXPECT_THAT(KindOrError(scheme_, kPodJson, "application/json"),
              base::IsOkAndHolds(GroupVersionKind{"", "v1", "Pod"}));
  constexpr absl::string_view kStatus =
      R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404})";
  EXPECT_THAT(KindOrError(scheme_, kStatus, "application/json"),
              StatusIs(absl::StatusCode::kNotFound));
}

// The example of errors.h.
TEST_F(DecoderTest, SaysThatAKindIsUnknown_AsInTheHeader) {
  const UniversalDecoder decoder(scheme_, {.unstructured = false});
  constexpr absl::string_view body = R"({"kind":"Widget","apiVersion":"e.com/v1"})";
  const absl::StatusOr<DecodedObject> object = decoder.Decode(body);
  // A kind that this program was not built with:
  const bool is_unknown = IsNotRegistered(object.status());
  EXPECT_TRUE(is_unknown);
}

}  // namespace
}  // namespace kube::scheme
