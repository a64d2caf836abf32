#include "api/all_kinds.h"

#include <set>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/kind_info.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::api {
namespace {

using testing::Contains;
using testing::ElementsAre;

std::string ApiVersion(const KindInfo& kind) {
  return absl::StrCat(kind.group, kind.group.empty() ? "" : "/", kind.version);
}

TEST(AllKinds, AreFoundByTheirNamesAndAreConsistent) {
  std::set<std::tuple<absl::string_view, absl::string_view, absl::string_view>> names;
  for (const KindInfo* kind : AllKinds()) {
    SCOPED_TRACE(absl::StrCat(ApiVersion(*kind), " ", kind->kind));
    EXPECT_TRUE(names.emplace(kind->group, kind->version, kind->kind).second);
    EXPECT_EQ(FindKind(ApiVersion(*kind), kind->kind), kind);
    ASSERT_NE(kind->message, nullptr);
    EXPECT_EQ(kind->plural.empty(), kind->scope == Scope::kNone);
    EXPECT_EQ(kind->verbs.empty(), kind->scope == Scope::kNone);
    if (!kind->list_of.empty()) {
      EXPECT_NE(FindKind(ApiVersion(*kind), kind->list_of), nullptr);
    }
    for (const SubresourceInfo& each : kind->subresources) {
      EXPECT_FALSE(each.name.empty() || each.verbs.empty());
    }
  }
  EXPECT_GT(names.size(), 300u);
}

TEST(AllKinds, OfADeployment) {
  const KindInfo* kind = FindKind("apps/v1", "Deployment");
  ASSERT_NE(kind, nullptr);
  EXPECT_EQ(kind->message, &apps::v1::Deployment::kMessage);
  EXPECT_EQ(kind->scope, Scope::kNamespaced);
  EXPECT_EQ(kind->plural, "deployments");
  EXPECT_EQ(kind->singular, "deployment");
  EXPECT_THAT(kind->short_names, ElementsAre("deploy"));
  EXPECT_THAT(kind->categories, ElementsAre("all"));
  EXPECT_THAT(kind->verbs, Contains("deletecollection"));
  ASSERT_EQ(kind->subresources.size(), 2u);
  EXPECT_EQ(kind->subresources[0].name, "scale");
  EXPECT_EQ(kind->subresources[0].result, "autoscaling/v1 Scale");
}

TEST(AllKinds, OfTheCoreAndOfMeta) {
  ASSERT_NE(FindKind("v1", "Pod"), nullptr);
  EXPECT_EQ(FindKind("v1", "Pod")->message, &core::v1::Pod::kMessage);
  ASSERT_NE(FindKind("v1", "Status"), nullptr);
  EXPECT_EQ(FindKind("v1", "Status")->message, &meta::v1::Status::kMessage);
  ASSERT_NE(FindKind("meta.k8s.io/v1", "Table"), nullptr);
}

TEST(FindKind, OthersAreNull) {
  for (const auto& [api_version, kind] : {std::pair{"v1", "pod"},
                                          {"", "Pod"},
                                          {"/v1x", "Pod"},
                                          {"v1/", "Pod"},
                                          {"apps/v1/x", "Deployment"},
                                          {"apps/v1", ""},
                                          {"zzz/v1", "Zzz"}}) {
    EXPECT_EQ(FindKind(api_version, kind), nullptr) << api_version << " " << kind;
  }
}

}  // namespace
}  // namespace kube::api
