#include "apimachinery/restmapper/priority_rest_mapper.h"

#include <memory>
#include <vector>

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
TEST(PriorityRestMapperTest, NarrowsByOnePatternAfterTheOther) {
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
TEST(PriorityRestMapperTest, WhatNoPatternDecidesStaysAmbiguous) {
  PriorityRestMapper mapper(Boxes(), {.resources = {{"b", kAny, kAny}}});
  const Context ctx;
  const absl::Status status = mapper.ResourceFor(ctx, {.resource = "box"}).status();
  EXPECT_TRUE(IsAmbiguous(status));
  EXPECT_THAT(CandidatesOf(status)->resources, SizeIs(4));  // all, not those that are left
  EXPECT_TRUE(IsAmbiguous(mapper.RestMappingFor(ctx, {"a", "Box"}, {}).status()));
  EXPECT_TRUE(IsNoMatch(mapper.KindFor(ctx, {.resource = "pods"}).status()));
  mapper.Reset();
}

}  // namespace
}  // namespace kube::restmapper
