#include "apimachinery/managedfields/scale_handler.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/testing/entry_lines.h"
#include "apimachinery/types/list.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using api::meta::v1::ManagedFieldsEntry;
using base::StatusIs;
using testing::ElementsAre;
using testing::ElementsAreArray;
using Lines = std::vector<std::string>;

ReplicasPaths Paths() {
  return {{"apps/v1", {PathElement::Field("spec"), PathElement::Field("replicas")}},
          {"apps/v2", {PathElement::Field("spec"), PathElement::Field("size")}},
          {"apps/v3", {}}};
}

Lines LinesOf(const absl::StatusOr<List<ManagedFieldsEntry>>& entries) {
  return entries.ok() ? EntryLines(*entries) : Lines{std::string(entries.status().message())};
}

Lines ToSubresource(const Lines& parent) {
  return LinesOf(ScaleHandler(ParseEntryLines(parent), "apps/v1", Paths()).ToSubresource());
}

Lines ToParent(const Lines& parent, const Lines& scale) {
  const ScaleHandler handler(ParseEntryLines(parent), "apps/v1", Paths());
  return LinesOf(handler.ToParent(ParseEntryLines(scale)));
}

TEST(ScaleHandler, ToSubresource_OwnersOfTheReplicas_OwnThemInTheScale) {
  EXPECT_THAT(ToSubresource({
                  R"(other Apply apps/v1 - 1 {"f:spec":{"f:paused":{}}})",
                  R"(a Apply apps/v1 - - {"f:spec":{"f:paused":{},"f:replicas":{}}})",
                  R"(b Apply apps/v1 scale 2 {"f:spec":{"f:replicas":{}}})",
                  R"(c Update apps/v2 - 3 {"f:spec":{"f:size":{}}})",
                  R"(d Update apps/v2 - 4 {"f:spec":{"f:replicas":{}}})",
              }),
              ElementsAre(R"(a Apply autoscaling/v1 - - {"f:spec":{"f:replicas":{}}})",
                          R"(b Apply autoscaling/v1 scale 2 {"f:spec":{"f:replicas":{}}})",
                          R"(c Update autoscaling/v1 - 3 {"f:spec":{"f:replicas":{}}})"));
}

TEST(ScaleHandler, ToSubresource_VersionWithoutReplicasOrUnknown_IsLeftOut) {
  EXPECT_TRUE(ToSubresource({R"(a Apply apps/v3 - 1 {"f:spec":{"f:replicas":{}}})",
                             R"(b Apply apps/v9 - 1 {"f:spec":{"f:replicas":{}}})"})
                  .empty());
}

struct ParentCase {
  std::string name;
  Lines parent;
  Lines scale;
  Lines want;
};

std::vector<ParentCase> ParentCases() {
  constexpr char kScaleUpdate[] =
      R"(scale Update autoscaling/v1 scale 9 {"f:spec":{"f:replicas":{}}})";
  constexpr char kScaleUpdated[] = R"(scale Update apps/v1 scale - {"f:spec":{"f:replicas":{}}})";
  return {
      {"the replicas go from an applier to an updater of the Scale",
       {R"(test Apply apps/v1 - 1 {"f:spec":{"f:replicas":{},"f:selector":{}}})"},
       {kScaleUpdate},
       {R"(test Apply apps/v1 - 1 {"f:spec":{"f:selector":{}}})", kScaleUpdated}},
      {"a manager that owned only the replicas disappears",
       {R"(test Apply apps/v1 - 1 {"f:spec":{"f:replicas":{}}})"},
       {kScaleUpdate},
       {kScaleUpdated}},
      {"the applier keeps the replicas that it shares",
       {R"(test Apply apps/v1 - 1 {"f:spec":{"f:replicas":{},"f:selector":{}}})"},
       {R"(test Apply autoscaling/v1 - 1 {"f:spec":{"f:replicas":{}}})",
        R"(test Apply autoscaling/v1 scale 9 {"f:spec":{"f:replicas":{}}})"},
       {R"(test Apply apps/v1 scale - {"f:spec":{"f:replicas":{}}})",
        R"(test Apply apps/v1 - 1 {"f:spec":{"f:replicas":{},"f:selector":{}}})"}},
      {"an updater of the object loses its replicas to an entry of its name",
       {R"(test Update apps/v1 - 1 {"f:spec":{"f:replicas":{},"f:selector":{}}})"},
       {R"(test Update autoscaling/v1 - 1 {"f:spec":{"f:replicas":{}}})"},
       {R"(test Update apps/v1 - - {"f:spec":{"f:replicas":{}}})",
        R"(test Update apps/v1 - 1 {"f:spec":{"f:selector":{}}})"}},
      {"an entry of the Scale without replicas is dropped",
       {R"(test Apply apps/v1 - 1 {"f:spec":{"f:selector":{}}})"},
       {R"(scale Update autoscaling/v1 scale 9 {"f:status":{"f:replicas":{}}})"},
       {R"(test Apply apps/v1 - 1 {"f:spec":{"f:selector":{}}})"}},
      {"other versions have other paths, no path, or are dropped",
       {R"(v2 Apply apps/v2 - 1 {"f:spec":{"f:replicas":{},"f:size":{}}})",
        R"(v3 Apply apps/v3 - 1 {"f:spec":{"f:replicas":{}}})",
        R"(v9 Apply apps/v9 - 1 {"f:spec":{"f:selector":{}}})"},
       {kScaleUpdate},
       {R"(v2 Apply apps/v2 - 1 {"f:spec":{"f:replicas":{}}})",
        R"(v3 Apply apps/v3 - 1 {"f:spec":{"f:replicas":{}}})", kScaleUpdated}},
      {"a second write to the Scale keeps the time of the first one for appliers",
       {R"(scale Apply apps/v1 scale 5 {"f:spec":{"f:replicas":{}}})"},
       {R"(scale Apply autoscaling/v1 scale 9 {"f:spec":{"f:replicas":{}}})"},
       {R"(scale Apply apps/v1 scale 5 {"f:spec":{"f:replicas":{}}})"}},
  };
}

TEST(ScaleHandler, ToParent_EachWrite_ReturnsUpstreamsEntries) {
  for (const auto& [name, parent, scale, want] : ParentCases()) {
    EXPECT_THAT(ToParent(parent, scale), ElementsAreArray(want)) << name;
  }
}

TEST(ScaleHandler, ToParent_OwnVersionWithoutReplicas_OwnsNothing) {
  const ScaleHandler handler({}, "apps/v3", Paths());
  EXPECT_THAT(LinesOf(handler.ToParent(ParseEntryLines(
                  {R"(s Update autoscaling/v1 scale 9 {"f:spec":{"f:replicas":{}}})"}))),
              ElementsAre("s Update apps/v3 scale - {}"));
}

TEST(ScaleHandler, UndecodableEntries_AreInvalidArgument) {
  const List<ManagedFieldsEntry> broken =
      ParseEntryLines({R"(a Delete apps/v1 - 1 {"f:spec":{}})"});
  EXPECT_THAT(ScaleHandler(broken, "apps/v1", Paths()).ToSubresource(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ScaleHandler(broken, "apps/v1", Paths()).ToParent({}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ScaleHandler({}, "apps/v1", Paths()).ToParent(broken),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::managedfields
