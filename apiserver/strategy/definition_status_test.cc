#include "apiserver/strategy/definition_status.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/types/bytes.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;

const absl::Time kThen = absl::FromUnixSeconds(1000);
const absl::Time kNow = absl::FromUnixSeconds(2000);

CustomResourceDefinition Dogs() {
  CustomResourceDefinition crd;
  crd.spec.names.plural = "dogs";
  crd.spec.names.singular = "dog";
  crd.spec.names.kind = "Dog";
  crd.spec.names.list_kind = "DogList";
  return crd;
}

// "NamesAccepted=True (NoConflicts: no conflicts found)"
std::string ConditionsOf(const CustomResourceDefinition& crd) {
  std::string text;
  for (const auto& each : crd.status.conditions) {
    absl::StrAppend(&text, text.empty() ? "" : "; ", each.type.view(), "=", each.status.view(),
                    " (", each.reason.view(), ": ", each.message.view(), ")");
  }
  return text;
}

constexpr char kAccepted[] =
    "NamesAccepted=True (NoConflicts: no conflicts found); "
    "Established=False (Installing: the initial names have been accepted)";

TEST(DefinitionStatusTest, FreeNamesAreAcceptedThenEstablished) {
  CustomResourceDefinition dogs = Dogs();
  ASSERT_FALSE(Establish(dogs, kThen));
  ASSERT_TRUE(AcceptNames(dogs, {&dogs}, kThen));
  EXPECT_EQ(ConditionsOf(dogs), kAccepted);
  EXPECT_EQ(dogs.status.accepted_names, dogs.spec.names);
  EXPECT_FALSE(AcceptNames(dogs, {&dogs}, kThen));

  ASSERT_TRUE(Establish(dogs, kNow));
  EXPECT_TRUE(IsConditionTrue(dogs, "Established"));
  EXPECT_EQ(dogs.status.conditions[0].last_transition_time, Time(kThen));
  EXPECT_EQ(dogs.status.conditions[1].last_transition_time, Time(kNow));
  EXPECT_FALSE(Establish(dogs, kNow));
}

TEST(DefinitionStatusTest, InvalidBundlesAreNotEstablished) {
  CustomResourceDefinition dogs = Dogs();
  auto& client = dogs.spec.conversion.emplace().webhook.emplace().client_config.emplace();
  client.ca_bundle = Bytes("none");
  ASSERT_TRUE(AcceptNames(dogs, {&dogs}, kThen));
  ASSERT_TRUE(Establish(dogs, kThen));
  EXPECT_EQ(ConditionsOf(dogs),
            "NamesAccepted=True (NoConflicts: no conflicts found); Established=False "
            "(InvalidCABundle: The conversion webhook CABundle is invalid)");
  EXPECT_FALSE(Establish(dogs, kNow));
  dogs.spec.conversion->webhook->client_config->ca_bundle = Bytes();
  EXPECT_TRUE(Establish(dogs, kNow));
  EXPECT_TRUE(IsConditionTrue(dogs, "Established"));
}

TEST(DefinitionStatusTest, NamesThatAreTakenAreNot) {
  const struct {
    const char* reason;
    const char* message;
    void (*change)(CustomResourceDefinition& crd);
  } rows[] = {
      {"PluralConflict", "\"dogs\" is already in use",
       [](CustomResourceDefinition& crd) { crd.spec.names.plural = "dogs"; }},
      {"SingularConflict", "\"dog\" is already in use",
       [](CustomResourceDefinition& crd) { crd.spec.names.singular = "dog"; }},
      {"ShortNamesConflict", "\"dog\" is already in use",
       [](CustomResourceDefinition& crd) {
         crd.spec.names.short_names = {"c", "dog"};
       }},
      {"ShortNamesConflict", "[\"dog\" is already in use, \"dogs\" is already in use]",
       [](CustomResourceDefinition& crd) {
         crd.spec.names.short_names = {"dogs", "dog"};
       }},
      {"KindConflict", "\"DogList\" is already in use",
       [](CustomResourceDefinition& crd) { crd.spec.names.kind = "DogList"; }},
      {"ListKindConflict", "\"Dog\" is already in use",
       [](CustomResourceDefinition& crd) { crd.spec.names.list_kind = "Dog"; }},
  };
  CustomResourceDefinition dogs = Dogs();
  ASSERT_TRUE(AcceptNames(dogs, {&dogs}, kThen));
  for (const auto& row : rows) {
    CustomResourceDefinition cats = Dogs();
    cats.spec.names.plural = "cats";
    cats.spec.names.singular = "cat";
    cats.spec.names.kind = "Cat";
    cats.spec.names.list_kind = "CatList";
    row.change(cats);
    ASSERT_TRUE(AcceptNames(cats, {&dogs, &cats}, kThen)) << row.message;
    EXPECT_EQ(ConditionsOf(cats),
              absl::StrCat("NamesAccepted=False (", row.reason, ": ", row.message,
                           "); Established=False (NotAccepted: not all names are accepted)"));
    EXPECT_FALSE(AcceptNames(cats, {&dogs, &cats}, kNow)) << row.message;
    EXPECT_FALSE(Establish(cats, kNow)) << row.message;
    // The other one is gone.
    ASSERT_TRUE(AcceptNames(cats, {&cats}, kNow)) << row.message;
    EXPECT_EQ(ConditionsOf(cats), kAccepted);
  }
}

TEST(DefinitionStatusTest, AnEstablishedOneStaysSoWithNamesThatAreTaken) {
  CustomResourceDefinition dogs = Dogs();
  ASSERT_TRUE(AcceptNames(dogs, {&dogs}, kThen));
  ASSERT_TRUE(Establish(dogs, kThen));
  CustomResourceDefinition cats = Dogs();
  cats.status.accepted_names.plural = "cats";
  dogs.spec.names.short_names = {"cats"};
  ASSERT_TRUE(AcceptNames(dogs, {&dogs, &cats}, kNow));
  EXPECT_FALSE(IsConditionTrue(dogs, "NamesAccepted"));
  EXPECT_TRUE(IsConditionTrue(dogs, "Established"));
  EXPECT_TRUE(dogs.status.accepted_names.short_names.empty());
}

}  // namespace
}  // namespace kube::apiserver::internal
