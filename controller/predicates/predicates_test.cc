#include "controller/predicates/predicates.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "controller/predicates/predicate.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"

namespace kube::controller {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using base::IsOk;
using base::StatusIs;
using informers::AddEvent;
using informers::DeleteEvent;
using informers::UpdateEvent;
using testing::HasSubstr;
using unstructured::Unstructured;

template <typename K>
std::shared_ptr<const K> Decoded(absl::string_view json) {
  return std::make_shared<const K>(*codec::DecodeJson<K>(json));
}

template <typename K>
UpdateEvent<K> Update(absl::string_view before, absl::string_view after) {
  return {.old_object = Decoded<K>(before), .object = Decoded<K>(after)};
}

// What an object is before and after an update, and which predicates let it pass.
struct Row {
  const char* name;
  absl::string_view before;
  absl::string_view after;
  bool generation = false;
  bool spec_or_metadata = false;
  bool labels = false;
  bool annotations = false;
  bool version = true;
};

template <typename K>
void TestRow(const Row& row) {
  SCOPED_TRACE(row.name);
  UpdateEvent<K> event = Update<K>(row.before, row.after);
  EXPECT_EQ(GenerationChanged<K>().Passes(event), row.generation);
  EXPECT_EQ(SpecOrMetadataChanged<K>().Passes(event), row.spec_or_metadata);
  EXPECT_EQ(LabelsChanged<K>().Passes(event), row.labels);
  EXPECT_EQ(AnnotationsChanged<K>().Passes(event), row.annotations);
  EXPECT_EQ(ResourceVersionChanged<K>().Passes(event), row.version);
  // Another object of this name, however alike.
  event.is_recreated = true;
  for (const Predicate<K>& predicate : std::vector<Predicate<K>>{
           GenerationChanged<K>(), SpecOrMetadataChanged<K>(), LabelsChanged<K>(),
           AnnotationsChanged<K>(), ResourceVersionChanged<K>()}) {
    EXPECT_TRUE(predicate.Passes(event));
    EXPECT_TRUE(predicate.Passes(AddEvent<K>{.object = event.object}));
    EXPECT_TRUE(predicate.Passes(DeleteEvent<K>{.object = event.object}));
  }
}

const Row kWithGeneration[] = {
    {.name = "spec",
     .before = R"({"metadata":{"resourceVersion":"1","generation":1}})",
     .after = R"({"metadata":{"resourceVersion":"2","generation":2}})",
     .generation = true,
     .spec_or_metadata = true},
    {.name = "status",
     .before = R"({"metadata":{"resourceVersion":"1","generation":1}})",
     .after = R"({"metadata":{"resourceVersion":"2","generation":1},"status":{"replicas":3}})"},
    {.name = "labels",
     .before = R"({"metadata":{"resourceVersion":"1","generation":1,"labels":{"a":"1"}}})",
     .after = R"({"metadata":{"resourceVersion":"2","generation":1,"labels":{"a":"2"}}})",
     .spec_or_metadata = true,
     .labels = true},
    {.name = "annotations",
     .before = R"({"metadata":{"resourceVersion":"1","generation":1}})",
     .after = R"({"metadata":{"resourceVersion":"2","generation":1,"annotations":{"a":"2"}}})",
     .spec_or_metadata = true,
     .annotations = true},
    {.name = "one of several finalizers",
     .before = R"({"metadata":{"resourceVersion":"1","generation":1,"finalizers":["a/b","a/c"]}})",
     .after = R"({"metadata":{"resourceVersion":"2","generation":1,"finalizers":["a/b"]}})",
     .spec_or_metadata = true},
    {.name = "owners",
     .before = R"({"metadata":{"resourceVersion":"1","generation":1}})",
     .after = R"({"metadata":{"resourceVersion":"2","generation":1,"ownerReferences":[)"
              R"({"apiVersion":"v1","kind":"Node","name":"n","uid":"u"}]}})",
     .spec_or_metadata = true},
    {.name = "managed fields",
     .before = R"({"metadata":{"resourceVersion":"1","generation":1}})",
     .after = R"({"metadata":{"resourceVersion":"2","generation":1,)"
              R"("managedFields":[{"manager":"m","operation":"Update"}]}})"},
    {.name = "nothing",
     .before = R"({"metadata":{"resourceVersion":"1","generation":1,"labels":{"a":"1"}}})",
     .after = R"({"metadata":{"resourceVersion":"1","generation":1,"labels":{"a":"1"}}})",
     .version = false},
    {.name = "a map that is empty instead of null",
     .before = R"({"metadata":{"resourceVersion":"1","generation":1,"labels":{}}})",
     .after = R"({"metadata":{"resourceVersion":"2","generation":1}})"},
    {.name = "the beginning of a deletion",
     .before = R"({"metadata":{"resourceVersion":"1","generation":1}})",
     .after = R"({"metadata":{"resourceVersion":"2","generation":1,)"
              R"("deletionTimestamp":"2026-01-02T03:04:05Z"}})",
     .generation = true,
     .spec_or_metadata = true,
     .labels = true,
     .annotations = true},
    {.name = "a later update of a deleted object",
     .before = R"({"metadata":{"resourceVersion":"1","generation":1,)"
               R"("deletionTimestamp":"2026-01-02T03:04:05Z"}})",
     .after = R"({"metadata":{"resourceVersion":"2","generation":1,)"
              R"("deletionTimestamp":"2026-01-02T03:04:00Z"}})"},
};

// behaviour.md: PRED-2, PRED-3, PRED-5, PRED-6, PRED-7
TEST(PredicatesTest, Changed_KindsWithAGeneration_JudgeUpdates) {
  for (const Row& row : kWithGeneration) {
    TestRow<appsv1::Deployment>(row);
    TestRow<metav1::PartialObjectMetadata>(row);
    TestRow<Unstructured>(row);
  }
}

// PRED-3: upstream drops all of these.
// behaviour.md: PRED-12
TEST(PredicatesTest, SpecOrMetadataChanged_KindsWithoutAGeneration_ComparesTheObject) {
  const struct {
    const char* name;
    absl::string_view before;
    absl::string_view after;
    bool passes;
  } kRows[] = {
      {"data", R"({"metadata":{"resourceVersion":"1"},"data":{"a":"1"}})",
       R"({"metadata":{"resourceVersion":"2"},"data":{"a":"2"}})", true},
      {"status", R"({"metadata":{"resourceVersion":"1"},"status":{"phase":"a"}})",
       R"({"metadata":{"resourceVersion":"2"},"status":{"phase":"b"}})", false},
      {"labels", R"({"metadata":{"resourceVersion":"1"}})",
       R"({"metadata":{"resourceVersion":"2","labels":{"a":"b"}}})", true},
      {"nothing but the version", R"({"metadata":{"resourceVersion":"1"},"data":{"a":"1"}})",
       R"({"metadata":{"resourceVersion":"2"},"data":{"a":"1"}})", false},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(SpecOrMetadataChanged<corev1::ConfigMap>().Passes(
                  Update<corev1::ConfigMap>(row.before, row.after)),
              row.passes);
    EXPECT_EQ(
        SpecOrMetadataChanged<Unstructured>().Passes(Update<Unstructured>(row.before, row.after)),
        row.passes);
    // Metadata alone does not show what has changed, so everything that may matter passes.
    EXPECT_TRUE(SpecOrMetadataChanged<metav1::PartialObjectMetadata>().Passes(
        Update<metav1::PartialObjectMetadata>(row.before, row.after)));
  }
}

// behaviour.md: PRED-3
TEST(PredicatesTest, GenerationChanged_ObjectsWithoutAGeneration_PassesEachChange) {
  constexpr absl::string_view kOne = R"({"metadata":{"resourceVersion":"1"}})";
  constexpr absl::string_view kTwo = R"({"metadata":{"resourceVersion":"2"}})";
  EXPECT_TRUE(GenerationChanged<Unstructured>().Passes(Update<Unstructured>(kOne, kTwo)));
  EXPECT_FALSE(GenerationChanged<Unstructured>().Passes(Update<Unstructured>(kOne, kOne)));
  EXPECT_TRUE(
      GenerationChanged<appsv1::Deployment>().Passes(Update<appsv1::Deployment>(kOne, kTwo)));
}

// behaviour.md: SRC-14, PRED-7
TEST(PredicatesTest, Changed_Resync_IsDropped) {
  UpdateEvent<appsv1::Deployment> event = Update<appsv1::Deployment>("{}", "{}");
  event.is_resync = true;
  EXPECT_FALSE(GenerationChanged<appsv1::Deployment>().Passes(event));
  EXPECT_FALSE(SpecOrMetadataChanged<appsv1::Deployment>().Passes(event));
  EXPECT_FALSE(LabelsChanged<appsv1::Deployment>().Passes(event));
  EXPECT_FALSE(AnnotationsChanged<appsv1::Deployment>().Passes(event));
  EXPECT_FALSE(ResourceVersionChanged<appsv1::Deployment>().Passes(event));
  EXPECT_FALSE(FieldChanged<appsv1::Deployment>("spec.replicas").Passes(event));
}

TEST(PredicatesTest, FieldChanged_AnyTypeOfObject_JudgesThatFieldAlone) {
  constexpr absl::string_view kOne = R"({"spec":{"replicas":1}})";
  constexpr absl::string_view kTwo = R"({"spec":{"replicas":2}})";
  constexpr absl::string_view kPaused = R"({"spec":{"replicas":1,"paused":true}})";
  const auto typed = FieldChanged<appsv1::Deployment>("spec.replicas");
  EXPECT_TRUE(typed.Passes(Update<appsv1::Deployment>(kOne, kTwo)));
  EXPECT_TRUE(typed.Passes(Update<appsv1::Deployment>("{}", kTwo)));
  EXPECT_FALSE(typed.Passes(Update<appsv1::Deployment>(kOne, kPaused)));
  const auto any = FieldChanged<Unstructured>("spec.replicas");
  EXPECT_TRUE(any.Passes(Update<Unstructured>(kOne, kTwo)));
  EXPECT_TRUE(any.Passes(Update<Unstructured>("{}", kTwo)));
  EXPECT_FALSE(any.Passes(Update<Unstructured>(kOne, kPaused)));
  const auto partial = FieldChanged<metav1::PartialObjectMetadata>("metadata.labels[a.b/c]");
  EXPECT_TRUE(partial.Passes(
      Update<metav1::PartialObjectMetadata>("{}", R"({"metadata":{"labels":{"a.b/c":"1"}}})")));
  EXPECT_FALSE(partial.Passes(
      Update<metav1::PartialObjectMetadata>("{}", R"({"metadata":{"labels":{"other":"1"}}})")));
}

TEST(PredicatesTest, MakeFieldChanged_PathThatTheKindLacks_IsInvalid) {
  EXPECT_THAT(MakeFieldChanged<appsv1::Deployment>("spec.replicas"), IsOk());
  EXPECT_THAT(MakeFieldChanged<appsv1::Deployment>("spec.replcas"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no member \"replcas\"")));
  EXPECT_THAT(MakeFieldChanged<metav1::PartialObjectMetadata>("spec"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no member \"spec\"")));
  EXPECT_THAT(MakeFieldChanged<Unstructured>("spec.anything"), IsOk());
  EXPECT_THAT(MakeFieldChanged<Unstructured>("spec..anything"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("invalid path")));
}

TEST(PredicatesDeathTest, FieldChanged_PathThatTheKindLacks_EndsTheProgram) {
  EXPECT_DEATH(FieldChanged<appsv1::Deployment>("spec.replcas"), "no member \"replcas\"");
}

constexpr absl::string_view kIn = R"({"metadata":{"labels":{"app":"web"}}})";
constexpr absl::string_view kOut = R"({"metadata":{"labels":{"app":"db"}}})";
constexpr absl::string_view kDeletedOut =
    R"({"metadata":{"labels":{"app":"db"},"deletionTimestamp":"2026-01-02T03:04:05Z"}})";
constexpr absl::string_view kDeletedIn =
    R"({"metadata":{"labels":{"app":"web"},"deletionTimestamp":"2026-01-02T03:04:05Z"}})";

template <typename K>
void TestSelection(const Predicate<K>& web) {
  EXPECT_TRUE(web.Passes(AddEvent<K>{.object = Decoded<K>(kIn)}));
  EXPECT_FALSE(web.Passes(AddEvent<K>{.object = Decoded<K>(kOut)}));
  EXPECT_TRUE(web.Passes(Update<K>(kIn, kIn)));
  EXPECT_TRUE(web.Passes(Update<K>(kOut, kIn)));
  EXPECT_TRUE(web.Passes(Update<K>(kIn, kOut)));  // leaves: upstream drops it
  EXPECT_FALSE(web.Passes(Update<K>(kOut, kOut)));
  EXPECT_TRUE(web.Passes(Update<K>(kIn, kDeletedIn)));
  EXPECT_FALSE(web.Passes(Update<K>(kOut, kDeletedOut)));
  const auto in = Decoded<K>(kIn);
  const auto out = Decoded<K>(kOut);
  EXPECT_TRUE(web.Passes(DeleteEvent<K>{.object = in, .old_object = in}));
  // The handler was told of one state, and the object was deleted in another.
  EXPECT_TRUE(web.Passes(DeleteEvent<K>{.object = out, .old_object = in}));
  EXPECT_TRUE(web.Passes(DeleteEvent<K>{.object = in, .old_object = out}));
  EXPECT_FALSE(web.Passes(DeleteEvent<K>{.object = out, .old_object = out}));
  EXPECT_FALSE(web.Passes(DeleteEvent<K>{.object = out}));
}

// behaviour.md: PRED-9, PRED-10
TEST(PredicatesTest, Selected_ObjectThatLeaves_PassesOnce) {
  const labels::Selector selector = *labels::Parse("app=web");
  TestSelection(Selected<appsv1::Deployment>(selector));
  TestSelection(Selected<metav1::PartialObjectMetadata>(selector));
  TestSelection(Selected<Unstructured>(selector));
  TestSelection(Selected<appsv1::Deployment>([](const appsv1::Deployment& object) {
    return object.metadata.labels.value_or("app", "") == "web";
  }));
}

// The beginning of a deletion of an object that is not selected is not shown by And either.
TEST(PredicatesTest, Selected_WithOthers_KeepsHidingDeletions) {
  using K = appsv1::Deployment;
  const Predicate<K> selected = Selected<K>(*labels::Parse("app=web"));
  const Predicate<K> both = And(SpecOrMetadataChanged<K>(), selected);
  EXPECT_TRUE(both.Passes(Update<K>(kIn, kDeletedIn)));
  EXPECT_TRUE(both.Passes(Update<K>(kIn, kOut)));
  EXPECT_FALSE(both.Passes(Update<K>(kIn, kIn)));
  EXPECT_FALSE(both.Passes(Update<K>(kOut, kDeletedOut)));
  const Predicate<K> either = Or(SpecOrMetadataChanged<K>(), selected);
  EXPECT_TRUE(either.Passes(Update<K>(kOut, kDeletedOut)));
  const Predicate<K> other = Not(selected);
  EXPECT_FALSE(other.Passes(Update<K>(kIn, kDeletedIn)));
  EXPECT_TRUE(other.Passes(Update<K>(kOut, kDeletedOut)));
}

TEST(PredicatesTest, TheExampleOfTheHeader_PassesNewSpecsOfSelectedObjects) {
  const labels::Selector selector = *labels::Parse("app=web");
  const auto predicate =
      And(GenerationChanged<appsv1::Deployment>(), Selected<appsv1::Deployment>(selector));
  EXPECT_TRUE(predicate.Passes(
      Update<appsv1::Deployment>(kIn, R"({"metadata":{"generation":1,"labels":{"app":"web"}}})")));
  EXPECT_FALSE(predicate.Passes(
      Update<appsv1::Deployment>(kOut, R"({"metadata":{"generation":1,"labels":{"app":"db"}}})")));
}

Predicate<corev1::ConfigMap> Constant(bool passes, int* calls = nullptr) {
  const auto answer = [passes, calls](const auto&) {
    if (calls != nullptr) ++*calls;
    return passes;
  };
  return {.on_add = answer, .on_update = answer, .on_delete = answer};
}

bool PassesAll(const Predicate<corev1::ConfigMap>& predicate) {
  const auto object = Decoded<corev1::ConfigMap>("{}");
  const bool add = predicate.Passes(AddEvent<corev1::ConfigMap>{.object = object});
  const bool update =
      predicate.Passes(UpdateEvent<corev1::ConfigMap>{.old_object = object, .object = object});
  const bool remove = predicate.Passes(DeleteEvent<corev1::ConfigMap>{.object = object});
  EXPECT_EQ(add, update);
  EXPECT_EQ(add, remove);
  return add;
}

// behaviour.md: PRED-8
TEST(PredicatesTest, AndOrNot_AnyEvent_CombineAnswers) {
  const auto yes = Constant(true);
  const auto no = Constant(false);
  EXPECT_TRUE(PassesAll(And(yes)));
  EXPECT_TRUE(PassesAll(And(yes, yes, yes)));
  EXPECT_FALSE(PassesAll(And(yes, no)));
  EXPECT_TRUE(PassesAll(Or(no, no, yes)));
  EXPECT_FALSE(PassesAll(Or(no, no)));
  EXPECT_TRUE(PassesAll(Not(no)));
  EXPECT_FALSE(PassesAll(Not(yes)));
  EXPECT_FALSE(PassesAll(Not(Predicate<corev1::ConfigMap>{})));
  EXPECT_TRUE(PassesAll(And(std::vector<Predicate<corev1::ConfigMap>>{})));
  EXPECT_FALSE(PassesAll(Or(std::vector<Predicate<corev1::ConfigMap>>{})));
  EXPECT_FALSE(PassesAll(And(std::vector<Predicate<corev1::ConfigMap>>{yes, no})));
  EXPECT_TRUE(PassesAll(Or(std::vector<Predicate<corev1::ConfigMap>>{no, yes})));
}

// behaviour.md: SRC-13, PRED-8
TEST(PredicatesTest, AndOr_FirstDecidingAnswer_EndsTheEvaluation) {
  int calls = 0;
  PassesAll(And(Constant(false), Constant(true, &calls)));
  PassesAll(Or(Constant(true), Constant(true, &calls)));
  EXPECT_EQ(calls, 0);
  PassesAll(And(Constant(true), Constant(true, &calls)));
  EXPECT_EQ(calls, 3);
}

TEST(PredicatesTest, AndOrNot_BeginningOfADeletion_PassesUnlessHidden) {
  const UpdateEvent<corev1::ConfigMap> event = Update<corev1::ConfigMap>(
      "{}", R"({"metadata":{"deletionTimestamp":"2026-01-02T03:04:05Z"}})");
  const auto no = Constant(false);
  auto hiding_no = no;
  hiding_no.hides_deletion = true;
  auto hiding_yes = Constant(true);
  hiding_yes.hides_deletion = true;
  EXPECT_TRUE(And(no, no).Passes(event));
  EXPECT_TRUE(Or(no, no).Passes(event));
  EXPECT_TRUE(Or(std::vector<Predicate<corev1::ConfigMap>>{}).Passes(event));
  EXPECT_TRUE(Not(no).Passes(event));
  EXPECT_TRUE(Not(Constant(true)).Passes(event));
  EXPECT_FALSE(And(no, hiding_no).Passes(event));
  EXPECT_TRUE(And(no, hiding_yes).Passes(event));
  EXPECT_TRUE(Or(no, hiding_no).Passes(event));
  EXPECT_FALSE(Or(hiding_no, hiding_no).Passes(event));
  EXPECT_TRUE(Not(hiding_no).Passes(event));
  EXPECT_FALSE(Not(hiding_yes).Passes(event));
}

}  // namespace
}  // namespace kube::controller
