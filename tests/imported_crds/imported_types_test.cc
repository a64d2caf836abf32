// What users see of imported definitions: types, clients, informers, apply configurations, kinds.

#include <string>
#include <type_traits>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "clientset/typed/resource_traits.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/imported_crds/gadgets/example.com/v1.applies.kube.h"
#include "tests/imported_crds/gadgets/example.com/v1.client.kube.h"
#include "tests/imported_crds/gadgets/example.com/v1.informers.kube.h"
#include "tests/imported_crds/gadgets/example.com/v1.kinds.kube.h"
#include "tests/imported_crds/gadgets/example.com/v1.kube.h"
#include "tests/imported_crds/gadgets/example.com/v1alpha1.kube.h"
#include "tests/imported_crds/lamps.applies.kube.h"
#include "tests/imported_crds/lamps.client.kube.h"
#include "tests/imported_crds/lamps.informers.kube.h"
#include "tests/imported_crds/lamps.kinds.kube.h"
#include "tests/imported_crds/lamps.kube.h"

namespace kube::imported {
namespace {

namespace gadgetsv1 = kube::crd::com::example::v1;
namespace gadgetsv1alpha1 = kube::crd::com::example::v1alpha1;
namespace lampsv1 = kube::crd::com::example::home::v1;

using base::IsOk;
using base::IsOkAndHolds;
using testing::HasSubstr;
using testing::SizeIs;
using unstructured::Value;

TEST(ImportedTypes, AreStructs) {
  const lampsv1::Lamp lamp{
      .metadata = {.name = "desk"},
      .spec = {.brightness = 70,
               .color = "red",
               .config = Map<Value>{{"maker", "x"}, {"level", 3}},
               .namespace_ = "home",
               .power = "5"},
  };
  EXPECT_THAT(codec::EncodeJson(lamp),
              IsOkAndHolds(HasSubstr(R"("spec":{"brightness":70,"color":"red",)"
                                     R"("config":{"level":3,"maker":"x"},"namespace":"home",)"
                                     R"("power":"5"})")));
}

TEST(ImportedTypes, EqualPartsAreOneType) {
  lampsv1::LampSpecTimers timer{.name = "a"};
  lampsv1::LampSpec spec;
  spec.schedule.push_back(timer);
  spec.timers.push_back(timer);
  EXPECT_EQ(spec.schedule[0], spec.timers[0]);
}

template <typename T>
std::string Recode(absl::string_view json) {
  const absl::StatusOr<T> object = codec::DecodeJson<T>(json);
  EXPECT_THAT(object, IsOk());
  return object.ok() ? codec::EncodeJson(*object).value_or("") : "";
}

TEST(ImportedTypes, NothingIsLost) {
  for (const char* json : {
           R"({"kind":"Gadget","apiVersion":"example.com/v1","metadata":{"name":"a"},"spec":{)"
           R"("options":{},"port":"http","replicas":0,"rows":[[],["a"]],)"
           R"("template":{"b":null,"kind":"A"},"odd \"name\"":"x"},"status":{}})",
           R"({"kind":"Gadget","apiVersion":"example.com/v1","metadata":{"name":"a"},"spec":{}})",
           R"({"kind":"Gadget","apiVersion":"example.com/v1","metadata":{"name":"a"}})",
       }) {
    EXPECT_EQ(Recode<gadgetsv1::Gadget>(json), json);
  }
  constexpr char kOpen[] =
      R"({"kind":"Gadget","apiVersion":"example.com/v1alpha1","metadata":{"name":"a"},)"
      R"("data":[1,null],"spec":{"a":{"b":1.5}}})";
  EXPECT_EQ(Recode<gadgetsv1alpha1::Gadget>(kOpen), kOpen);
}

TEST(ImportedTypes, UnknownFieldsAreAMap) {
  gadgetsv1alpha1::Gadget gadget;
  gadget.unknown_fields["spec"] = Map<Value>{{"a", 1}};
  EXPECT_THAT(codec::EncodeJson(gadget), IsOkAndHolds(HasSubstr(R"("spec":{"a":1})")));
}

TEST(ImportedTypes, ApplyConfigurationsHaveThemToo) {
  ApplyOf<lampsv1::Lamp> lamp;
  lamp.status.emplace().unknown_fields["hours"] = 7;
  lamp.spec.emplace().config = Map<Value>{{"level", 1}};
  EXPECT_THAT(codec::EncodeJson(lamp),
              IsOkAndHolds(R"({"spec":{"config":{"level":1}},"status":{"hours":7}})"));
}

TEST(ImportedTypes, KindsKnowTheirNames) {
  ASSERT_THAT(lampsv1::Kinds(), SizeIs(2));
  const KindInfo& lamp = lampsv1::Kinds()[0];
  EXPECT_EQ(lamp.group, "home.example.com");
  EXPECT_EQ(lamp.kind, "Lamp");
  EXPECT_EQ(lamp.plural, "lamps");
  EXPECT_EQ(lampsv1::Kinds()[1].list_of, "Lamp");
  EXPECT_THAT(gadgetsv1::Kinds(), SizeIs(2));
}

TEST(ImportedTypes, KindsHaveTraits) {
  using Gadgets = typed::ResourceTraits<gadgetsv1::Gadget>;
  EXPECT_EQ(Gadgets::kResource.group, "example.com");
  EXPECT_EQ(Gadgets::kResource.plural, "gadgets");
  EXPECT_FALSE(Gadgets::kResource.namespaced);
  EXPECT_TRUE(Gadgets::kHasStatus);
  using Lamps = typed::ResourceTraits<lampsv1::Lamp>;
  EXPECT_TRUE((std::is_same_v<Lamps::List, lampsv1::LampList>));
  EXPECT_TRUE(Lamps::kResource.namespaced);
  EXPECT_FALSE(Lamps::kResource.built_in);
  EXPECT_TRUE(Lamps::kHasGeneration);
  EXPECT_TRUE((std::is_same_v<typed::StatusOf<lampsv1::Lamp>, lampsv1::LampStatus>));
}

}  // namespace
}  // namespace kube::imported
