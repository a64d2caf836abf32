#include "apimachinery/restmapper/multi_rest_mapper.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
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
using base::StatusIs;
using schema::GroupVersionKind;
using schema::GroupVersionResource;
using testing::ElementsAre;

std::shared_ptr<RestMapper> Knows(const std::string& group, const std::string& kind) {
  auto mapper =
      std::make_shared<DefaultRestMapper>(std::vector<schema::GroupVersion>{{group, "v1"}});
  mapper->Add({group, "v1", kind}, Scope::kNamespaced);
  return mapper;
}

// A server that does not answer, until it is reset.
class Broken : public ResettableRestMapper {
 public:
  absl::StatusOr<GroupVersionKind> KindFor(const Context&,
                                           const GroupVersionResource&) const override {
    return error_;
  }
  absl::StatusOr<std::vector<GroupVersionKind>> KindsFor(
      const Context&, const GroupVersionResource&) const override {
    return error_;
  }
  absl::StatusOr<GroupVersionResource> ResourceFor(const Context&,
                                                   const GroupVersionResource&) const override {
    return error_;
  }
  absl::StatusOr<std::vector<GroupVersionResource>> ResourcesFor(
      const Context&, const GroupVersionResource&) const override {
    return error_;
  }
  absl::StatusOr<RestMapping> RestMappingFor(const Context&, const schema::GroupKind&,
                                             absl::Span<const std::string>) const override {
    return error_;
  }
  absl::StatusOr<std::vector<RestMapping>> RestMappingsFor(
      const Context&, const schema::GroupKind&, absl::Span<const std::string>) const override {
    return error_;
  }
  absl::StatusOr<std::string> ResourceSingularizer(const Context&,
                                                   absl::string_view) const override {
    return error_;
  }
  void Reset() override { error_ = NoResourceMatchError({"", "", "reset"}); }

 private:
  absl::Status error_ = absl::UnavailableError("no server");
};

// behaviour.md: DISC-5
TEST(MultiRestMapperTest, Lookup_SeveralMappers_JoinsTheirAnswers) {
  const MultiRestMapper mapper({Knows("a", "Box"), Knows("b", "Box"), Knows("a", "Box")});
  const Context ctx;
  EXPECT_THAT(mapper.KindsFor(ctx, {.resource = "box"}),
              IsOkAndHolds(ElementsAre(GroupVersionKind{"a", "v1", "Box"},
                                       GroupVersionKind{"b", "v1", "Box"})));
  EXPECT_TRUE(IsAmbiguous(mapper.ResourceFor(ctx, {.resource = "box"}).status()));
  EXPECT_THAT(mapper.ResourceFor(ctx, {.group = "b", .resource = "box"}),
              IsOkAndHolds(GroupVersionResource{"b", "v1", "boxs"}));
  EXPECT_TRUE(IsNoMatch(mapper.KindFor(ctx, {.resource = "pods"}).status()));
  EXPECT_THAT(mapper.ResourceSingularizer(ctx, "boxs"), IsOkAndHolds(std::string("box")));
}

TEST(MultiRestMapperTest, Lookup_OneMapperFails_ReturnsItsErrorUnlessAMappingIsFound) {
  const MultiRestMapper mapper({Knows("a", "Box"), std::make_shared<Broken>()});
  const Context ctx;
  EXPECT_THAT(mapper.KindsFor(ctx, {.resource = "box"}),
              StatusIs(absl::StatusCode::kUnavailable, "no server"));
  EXPECT_THAT(mapper.RestMappingsFor(ctx, {"a", "Box"}, {}),
              StatusIs(absl::StatusCode::kUnavailable, "no server"));
  // But one mapping is enough.
  EXPECT_THAT(mapper.RestMappingFor(ctx, {"a", "Box"}, {}), base::IsOk());
  EXPECT_THAT(mapper.RestMappingFor(ctx, {"b", "Box"}, {}),
              StatusIs(absl::StatusCode::kUnavailable, "no server"));
}

TEST(MultiRestMapperTest, MaybeReset_OneMapperIsResettable_ResetsIt) {
  MultiRestMapper mapper({Knows("a", "Box"), std::make_shared<Broken>()});
  MaybeResetRestMapper(mapper);
  EXPECT_THAT(mapper.KindsFor(Context(), {.resource = "box"}), base::IsOk());
  MaybeResetRestMapper(*Knows("a", "Box"));  // does nothing
}

TEST(MultiRestMapperTest, Lookup_NoMappers_IsNoMatch) {
  const MultiRestMapper multi(std::vector<std::shared_ptr<RestMapper>>{});
  const FirstHitRestMapper first(std::vector<std::shared_ptr<RestMapper>>{});
  const Context ctx;
  for (const RestMapper* mapper : std::vector<const RestMapper*>{&multi, &first}) {
    EXPECT_TRUE(IsNoMatch(mapper->KindFor(ctx, {.resource = "box"}).status()));
    EXPECT_TRUE(IsNoMatch(mapper->ResourceFor(ctx, {.resource = "box"}).status()));
    EXPECT_TRUE(IsNoMatch(mapper->RestMappingFor(ctx, {"a", "Box"}, {}).status()));
    EXPECT_TRUE(IsNoMatch(mapper->ResourceSingularizer(ctx, "boxs").status()));
  }
}

// behaviour.md: DISC-5
TEST(FirstHitRestMapperTest, Lookup_SeveralMappers_ReturnsTheFirstAnswer) {
  const FirstHitRestMapper mapper(
      {std::make_shared<Broken>(), Knows("b", "Box"), Knows("a", "Box")});
  const Context ctx;
  EXPECT_THAT(mapper.KindFor(ctx, {.resource = "box"}),
              IsOkAndHolds(GroupVersionKind{"b", "v1", "Box"}));
  EXPECT_THAT(mapper.ResourceFor(ctx, {.resource = "box"}),
              IsOkAndHolds(GroupVersionResource{"b", "v1", "boxs"}));
  EXPECT_THAT(mapper.RestMappingFor(ctx, {"a", "Box"}, {}), base::IsOk());
  // What asks for all is as of any MultiRestMapper.
  EXPECT_THAT(mapper.KindsFor(ctx, {.resource = "box"}), StatusIs(absl::StatusCode::kUnavailable));
}

TEST(FirstHitRestMapperTest, Lookup_NoAnswer_JoinsErrorsAndSaysNoMatchOnce) {
  const Context ctx;
  EXPECT_THAT(
      FirstHitRestMapper({Knows("a", "Box"), Knows("b", "Box")}).KindFor(ctx, {.resource = "pods"}),
      StatusIs(absl::StatusCode::kNotFound, "no matches for /, Resource=pods"));
  const absl::Status both = FirstHitRestMapper({Knows("a", "Box"), std::make_shared<Broken>()})
                                .KindFor(ctx, {.resource = "pods"})
                                .status();
  EXPECT_EQ(both.message(), "[no matches for /, Resource=pods, no server]");
  EXPECT_TRUE(IsNoMatch(both));
}

TEST(MultiRestMapperTest, JoinsTwoMappers_AsInTheHeader) {
  const std::shared_ptr<RestMapper> built_in = Knows("a", "Box");
  const std::shared_ptr<RestMapper> discovered = Knows("b", "Crate");
  MultiRestMapper mapper({built_in, discovered});
  const Context ctx;
  EXPECT_THAT(mapper.KindFor(ctx, {.resource = "box"}),
              IsOkAndHolds(GroupVersionKind{"a", "v1", "Box"}));
  EXPECT_THAT(mapper.KindFor(ctx, {.resource = "crate"}),
              IsOkAndHolds(GroupVersionKind{"b", "v1", "Crate"}));
}

}  // namespace
}  // namespace kube::restmapper
