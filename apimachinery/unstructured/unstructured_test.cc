#include "apimachinery/unstructured/unstructured.h"

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/diff.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/time.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::unstructured {
namespace {

namespace metav1 = ::kube::api::meta::v1;
using base::StatusIs;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Json(const Unstructured& object) { return codec::EncodeJson(object).value(); }

TEST(UnstructuredTest, Getters_AfterTheSetters_ReturnWhatWasSet) {
  Unstructured object;
  object.set_gvk({.group = "apps", .version = "v1", .kind = "Deployment"});
  object.set_name("web");
  object.set_generate_name("web-");
  object.set_namespace("prod");
  object.set_uid("1-2");
  object.set_resource_version("7");
  object.set_self_link("/x");
  object.set_generation(3);
  object.set_creation_timestamp(Time::FromUnixSeconds(1767225600));
  object.set_deletion_timestamp(Time::FromUnixSeconds(1767225601));
  object.set_deletion_grace_period_seconds(30);
  object.set_labels({{"app", "web"}});
  object.set_annotations(Map<String>::Empty());
  object.set_finalizers({"a/b"});
  object.set_owner_references(
      {{.api_version = "v1", .kind = "Node", .name = "n", .uid = "u", .controller = true}});
  object.set_managed_fields(
      {{.manager = "m", .operation = "Apply", .fields_v1 = FieldsV1(R"({"f:spec":{}})")}});
  EXPECT_EQ(
      Json(object),
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{},)"
      R"("creationTimestamp":"2026-01-01T00:00:00Z","deletionGracePeriodSeconds":30,)"
      R"("deletionTimestamp":"2026-01-01T00:00:01Z","finalizers":["a/b"],"generateName":"web-",)"
      R"("generation":3,"labels":{"app":"web"},"managedFields":[{"fieldsV1":{"f:spec":{}},)"
      R"("manager":"m","operation":"Apply"}],"name":"web","namespace":"prod","ownerReferences":)"
      R"([{"apiVersion":"v1","controller":true,"kind":"Node","name":"n","uid":"u"}],)"
      R"("resourceVersion":"7","selfLink":"/x","uid":"1-2"}})");
  EXPECT_EQ(object.api_version(), "apps/v1");
  EXPECT_EQ(object.kind(), "Deployment");
  EXPECT_EQ(object.gvk().ToString(), "apps/v1, Kind=Deployment");
  EXPECT_EQ(object.name(), "web");
  EXPECT_EQ(object.generate_name(), "web-");
  EXPECT_EQ(object.namespace_name(), "prod");
  EXPECT_EQ(object.uid(), "1-2");
  EXPECT_EQ(object.resource_version(), "7");
  EXPECT_EQ(object.self_link(), "/x");
  EXPECT_EQ(object.generation(), 3);
  EXPECT_EQ(object.creation_timestamp(), Time::FromUnixSeconds(1767225600));
  EXPECT_EQ(object.deletion_timestamp(), Time::FromUnixSeconds(1767225601));
  EXPECT_EQ(object.deletion_grace_period_seconds(), 30);
  EXPECT_EQ(object.labels(), (Map<String>{{"app", "web"}}));
  EXPECT_FALSE(object.annotations().is_null());
  EXPECT_EQ(object.finalizers(), (List<String>{"a/b"}));
  ASSERT_EQ(object.owner_references().size(), 1);
  EXPECT_EQ(object.owner_references()[0].controller, true);
  EXPECT_FALSE(object.owner_references()[0].block_owner_deletion.has_value());
  ASSERT_EQ(object.managed_fields().size(), 1);
  EXPECT_EQ(object.managed_fields()[0].fields_v1->view(), R"({"f:spec":{}})");
}

TEST(UnstructuredTest, Setters_EmptyValue_RemoveTheField) {
  Unstructured object{{{"metadata", Map<Value>{{"name", "a"},
                                               {"generation", 1},
                                               {"labels", Map<Value>()},
                                               {"finalizers", List<Value>()},
                                               {"ownerReferences", List<Value>()},
                                               {"managedFields", List<Value>()},
                                               {"creationTimestamp", "x"},
                                               {"deletionTimestamp", "y"},
                                               {"deletionGracePeriodSeconds", 1}}}}};
  object.set_name("");
  object.set_generation(0);
  object.set_labels({});
  object.set_finalizers({});
  object.set_owner_references({});
  object.set_managed_fields({});
  object.set_creation_timestamp({});
  object.set_deletion_timestamp(std::nullopt);
  object.set_deletion_grace_period_seconds(std::nullopt);
  EXPECT_EQ(Json(object), R"({"metadata":{}})");
  object.set_kind("");
  EXPECT_EQ(Json(object), R"({"kind":"","metadata":{}})");
}

TEST(UnstructuredTest, Getters_FieldOfAnotherType_ReturnTheDefault) {
  Unstructured object{{{"apiVersion", "a/b/c"},
                       {"kind", 1},
                       {"metadata", Map<Value>{{"name", 1},
                                               {"generation", 1.5},
                                               {"creationTimestamp", "yesterday"},
                                               {"labels", Map<Value>{{"a", "b"}, {"n", 1}}},
                                               {"annotations", Map<Value>{{"n", nullptr}}},
                                               {"finalizers", List<Value>{"a", 1}},
                                               {"ownerReferences", List<Value>{1}},
                                               {"managedFields", List<Value>{1}}}}}};
  EXPECT_TRUE(object.gvk().empty());
  EXPECT_EQ(object.name(), "");
  EXPECT_EQ(object.generation(), 0);
  EXPECT_TRUE(object.creation_timestamp().IsZero());
  EXPECT_FALSE(object.deletion_timestamp().has_value());
  EXPECT_TRUE(object.labels().is_null());
  EXPECT_EQ(object.annotations(), (Map<String>{{"n", ""}}));
  EXPECT_TRUE(object.finalizers().is_null());
  EXPECT_TRUE(object.owner_references().is_null());
  EXPECT_TRUE(object.managed_fields().is_null());
  object.object["metadata"] = 1;
  const Unstructured before = object;
  object.set_name("x");
  object.set_labels({{"a", "b"}});
  EXPECT_EQ(object, before);
}

TEST(UnstructuredTest, EachListItem_VisitsItemsAndRefusesWhatIsNoList) {
  const Unstructured list{
      {{"kind", "List"},
       {"items", List<Value>{Map<Value>{{"kind", "A"}}, Map<Value>{{"kind", "B"}}}}}};
  std::vector<std::string> kinds;
  const auto keep = [&](const Unstructured& item) {
    kinds.emplace_back(item.kind());
    return absl::OkStatus();
  };
  EXPECT_TRUE(list.IsList());
  EXPECT_TRUE(list.EachListItem(keep).ok());
  EXPECT_THAT(kinds, ElementsAre("A", "B"));
  EXPECT_THAT(list.EachListItem([](const Unstructured&) { return absl::AbortedError("x"); }),
              StatusIs(absl::StatusCode::kAborted, "x"));
  const Unstructured pod{{{"items", "none"}}};
  EXPECT_FALSE(pod.IsList());
  EXPECT_THAT(pod.EachListItem(keep),
              StatusIs(absl::StatusCode::kInvalidArgument, "content is not a list"));
  const Unstructured odd{{{"items", List<Value>{1}}}};
  EXPECT_THAT(odd.EachListItem(keep),
              StatusIs(absl::StatusCode::kInvalidArgument, "items member is not an object"));
}

TEST(UnstructuredTest, Copy_IsChanged_IsNoLongerEqual) {
  Unstructured a{{{"kind", "A"}}};
  const Unstructured b = a;
  EXPECT_EQ(a, b);
  EXPECT_EQ(absl::HashOf(a), absl::HashOf(b));
  a.set_kind("B");
  EXPECT_FALSE(a == b);
  std::ostringstream out;
  out << b;
  EXPECT_EQ(out.str(), "{kind: \"A\"}");
}

TEST(UnstructuredTest, Diff_OfSecrets_ShowsNoData) {
  const auto secret = [](absl::string_view pin) {
    return *codec::DecodeJson<Unstructured>(absl::StrCat(
        R"({"kind":"Secret","type":")", pin.substr(0, 1), R"(","data":{"pin":")", pin,
        R"("},"stringData":{"pin":")", pin, R"("},"metadata":{"name":")", pin.substr(0, 1),
        R"(","annotations":{"kubectl.kubernetes.io/last-applied-configuration":")", pin,
        R"("}}})"));
  };
  const std::string diff = codec::ToString(codec::Diff(secret("1234"), secret("5678")));
  EXPECT_THAT(diff, AllOf(HasSubstr("data"), HasSubstr("type"), HasSubstr("metadata")));
  EXPECT_THAT(diff, Not(AnyOf(HasSubstr("1234"), HasSubstr("5678"))));
}

TEST(UnstructuredTest, Diff_OfOtherKinds_ShowsValues) {
  const auto map = [](absl::string_view value) {
    return *codec::DecodeJson<Unstructured>(
        absl::StrCat(R"({"kind":"ConfigMap","data":{"color":")", value, R"("}})"));
  };
  EXPECT_EQ(codec::ToString(codec::Diff(map("red"), map("blue"))),
            "object[data]: {color: \"red\"} -> {color: \"blue\"}\n");
}

TEST(UnstructuredTest, DecodingHonoursMaxDepth) {
  const auto nested = [](int depth) {
    return absl::StrCat(R"({"kind":"Web","x":)", std::string(static_cast<size_t>(depth), '['),
                        std::string(static_cast<size_t>(depth), ']'), "}");
  };
  EXPECT_THAT(codec::DecodeJson<Unstructured>(nested(25), {.max_depth = 3}), base::IsOk());
  EXPECT_THAT(codec::DecodeJson<Unstructured>(nested(35), {.max_depth = 3}),
              base::StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(codec::DecodeJson<Unstructured>(nested(9'990)), base::IsOk());
  EXPECT_THAT(codec::DecodeJson<Unstructured>(nested(10'010), {.max_depth = 1'000'000}),
              base::StatusIs(absl::StatusCode::kInvalidArgument));
  // Also if parts of objects are shared.
  codec::SharingStore store;
  codec::SharedDecoder decoder({.max_depth = 3}, &store);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(decoder.DecodeJson<Unstructured>(codec::PaddedBuffer(nested(35))).ok());
    EXPECT_TRUE(decoder.DecodeJson<Unstructured>(codec::PaddedBuffer(nested(25))).ok());
  }
}

absl::StatusOr<std::string> Prolong(absl::string_view body) {
  KUBE_ASSIGN_OR_RETURN(Unstructured certificate, DecodeUnstructured(body));
  certificate.set_labels({{"team", "web"}});
  KUBE_RETURN_IF_ERROR(SetNestedField(certificate.object, "2160h", {"spec", "duration"}));
  return codec::EncodeJson(certificate);
}

TEST(UnstructuredTest, IsDecodedChangedAndEncoded_AsInTheHeader) {
  EXPECT_THAT(Prolong(R"({"kind":"Certificate"})"),
              base::IsOkAndHolds(R"({"kind":"Certificate","metadata":{"labels":{"team":"web"}},)"
                                 R"("spec":{"duration":"2160h"}})"));
}

}  // namespace
}  // namespace kube::unstructured
