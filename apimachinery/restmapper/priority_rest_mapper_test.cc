#include "apimachinery/restmapper/priority_rest_mapper.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/restmapper/default_rest_mapper.h"
#include "apimachinery/restmapper/errors.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::restmapper {
namespace {

using base::IsOkAndHolds;
using schema::GroupVersionKind;
using schema::GroupVersionResource;
using testing::SizeIs;

// Boxes in a/v1, a/v2, b/v1 and b/v2.
std::shared_ptr<RestMapper> Boxes() {
  auto mapper = std::make_shared<DefaultRestMapper>(
      std::vector<schema::GroupVersion>{{"a", "v1"}, {"a", "v2"}, {"b", "v1"}, {"b", "v2"}});
  for (const char* group : {"a", "b"}) {
    for (const char* version : {"v1", "v2"}) {
      mapper->Add({group, version, "Box"}, Scope::kNamespaced);
    }
  }
  return mapper;
}

// behaviour.md: DISC-5
TEST(PriorityRestMapperTest, Lookup_SeveralMatches_EachPatternNarrowsThem) {
  const PriorityRestMapper mapper(
      Boxes(), {
                   .resources = {{"none", kAny, kAny}, {"b", kAny, kAny}, {kAny, "v2", "boxs"}},
                   .kinds = {{kAny, "v2", "Box"}, {"a", kAny, kAny}},
               });
  const Context ctx;
  EXPECT_THAT(mapper.ResourceFor(ctx, {.resource = "box"}),
              IsOkAndHolds(GroupVersionResource{"b", "v2", "boxs"}));
  EXPECT_THAT(mapper.KindFor(ctx, {.resource = "box"}),
              IsOkAndHolds(GroupVersionKind{"a", "v2", "Box"}));
  EXPECT_THAT(mapper.KindsFor(ctx, {.resource = "box"}), IsOkAndHolds(SizeIs(4)));
  EXPECT_THAT(mapper.ResourcesFor(ctx, {.resource = "box"}), IsOkAndHolds(SizeIs(4)));
  EXPECT_THAT(mapper.RestMappingsFor(ctx, {"b", "Box"}, {}), IsOkAndHolds(SizeIs(2)));
}

TEST(PriorityRestMapperTest, WantedVersionsComeBeforeAllPatterns) {
  const PriorityRestMapper mapper(Boxes(), {.kinds = {{kAny, "v2", kAny}}});
  const Context ctx;
  EXPECT_EQ(mapper.RestMappingFor(ctx, {"b", "Box"}, {})->kind.version, "v2");
  EXPECT_EQ(mapper.RestMappingFor(ctx, {"b", "Box"}, {"v1"})->kind.version, "v1");
}

// behaviour.md: DISC-5
TEST(PriorityRestMapperTest, Lookup_NoPatternDecides_IsAmbiguousWithAllCandidates) {
  PriorityRestMapper mapper(Boxes(), {.resources = {{"b", kAny, kAny}}});
  const Context ctx;
  const absl::Status status = mapper.ResourceFor(ctx, {.resource = "box"}).status();
  EXPECT_TRUE(IsAmbiguous(status));
  EXPECT_THAT(CandidatesOf(status)->resources, SizeIs(4));  // all, not those that are left
  EXPECT_TRUE(IsAmbiguous(mapper.RestMappingFor(ctx, {"a", "Box"}, {}).status()));
  EXPECT_TRUE(IsNoMatch(mapper.KindFor(ctx, {.resource = "pods"}).status()));
  mapper.Reset();
}

// The example of errors.h.
std::string WhatToDo(const Context& ctx, const RestMapper& mapper, const schema::GroupKind& kind) {
  const absl::StatusOr<RestMapping> mapping = mapper.RestMappingFor(ctx, kind, {});
  if (IsNoMatch(mapping.status())) return "wait";   // its CRD may not be installed yet
  if (IsAmbiguous(mapping.status())) return "ask";  // which of CandidatesOf(mapping.status())
  return "go on";
}

TEST(ErrorsTest, SayWhatToDo_AsInTheHeader) {
  const PriorityRestMapper mapper(Boxes(), {.kinds = {{"b", "v2", kAny}}});
  EXPECT_EQ(WhatToDo(Context(), mapper, {"b", "Web"}), "wait");
  EXPECT_EQ(WhatToDo(Context(), mapper, {"a", "Box"}), "ask");
  EXPECT_EQ(WhatToDo(Context(), mapper, {"b", "Box"}), "go on");
}

TEST(PriorityRestMapperTest, PrefersTheCoreGroup_AsInTheHeader) {
  auto discovered = std::make_shared<DefaultRestMapper>(
      std::vector<schema::GroupVersion>{{"a", "v1"}, {"", "v1"}});
  discovered->Add({"a", "v1", "Box"}, Scope::kNamespaced);
  discovered->Add({"", "v1", "Box"}, Scope::kNamespaced);
  PriorityRestMapper mapper(discovered,
                            {
                                .resources = {{.group = "", .version = kAny, .resource = kAny}},
                                .kinds = {{.group = "", .version = kAny, .kind = kAny}},
                            });
  const Context ctx;
  EXPECT_THAT(mapper.ResourceFor(ctx, {.resource = "box"}),
              IsOkAndHolds(GroupVersionResource{"", "v1", "boxs"}));
  EXPECT_THAT(mapper.KindFor(ctx, {.resource = "box"}),
              IsOkAndHolds(GroupVersionKind{"", "v1", "Box"}));
}

}  // namespace
}  // namespace kube::restmapper
