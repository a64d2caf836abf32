// Definitions with names and texts that could break generated code (testdata/hostile.yaml): that
// this program compiles, without warnings, is most of the test.

#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/typed/resource_traits.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/imported_crds/hostile.applies.kube.h"
#include "tests/imported_crds/hostile.client.kube.h"
#include "tests/imported_crds/hostile.informers.kube.h"
#include "tests/imported_crds/hostile.kinds.kube.h"
#include "tests/imported_crds/hostile.kube.h"

namespace kube::imported {
namespace {

namespace hostilev1 = kube::crd::com::example::std::linux_::v1;

using base::IsOk;
using testing::IsSupersetOf;

constexpr char kWidget[] = R"({"apiVersion": "linux.std.example.com/v1", "kind": "Widget",
  "metadata": {"name": "a"}, "spec": {"": "1", "$end$": "2", "*/": "3", "..": "4",
  "../../etc/passwd": "5", "//": "6", "\"": "7", "\\": "8", "a\nb": "9", "\u2028": "10",
  "<&>": "11", "Bool": true, "DOMAIN": "a", "EOF": "b", "NULL": "c", "KMessage": "d",
  "kMessage": "e", "aB": "f", "AB": "g", "ab": "h", "a_b": "i", "a-b": "j", "ab_2": "k",
  "apiVersion": "l", "assert": "m", "class": "n", "constinit": "o", "errno": 5, "int32_t": 6,
  "kind": "p", "kube": {"Value": "q"}, "linux": "r", "major": "s", "message": "t", "minor": "u",
  "namespace": {"namespace": {"namespace": "v"}}, "namespace_": "w", "operator": [{"==": "x"}],
  "optional": "y", "option": {"*/": "z"}, "repeated": "A", "reserved": "B", "si_status": "C",
  "st_mtime": "D", "stdin": "E", "std": "F", "texts": "\u0000", "unix": "G",
  "unknown_fields": "H"}})";

TEST(HostileDefinitions, EveryFieldIsWrittenAsItWasRead) {
  const absl::StatusOr<hostilev1::Widget> widget = codec::DecodeJson<hostilev1::Widget>(kWidget);
  ASSERT_THAT(widget, IsOk());
  EXPECT_EQ(widget->spec.errno_, 5);
  EXPECT_EQ(widget->spec.null, "c");
  const absl::StatusOr<std::string> json = codec::EncodeJson(*widget);
  ASSERT_THAT(json, IsOk());
  EXPECT_EQ(unstructured::ParseJson(*json).value(), unstructured::ParseJson(kWidget).value())
      << *json;
}

TEST(HostileDefinitions, KindsHaveTheirNames) {
  std::vector<std::string> kinds;
  for (const KindInfo& kind : hostilev1::Kinds()) kinds.emplace_back(kind.kind);
  EXPECT_THAT(kinds, IsSupersetOf({"NULL", "EINVAL", "bool", "Client", "Kinds", "LinuxV1Client",
                                   "List", "SharedInformerFactory", "String", "TypedClient",
                                   "Widget", "WidgetApplyConfiguration", "WidgetClient",
                                   "WidgetInformer", "WidgetList", "kMessage", "my-kind"}));
  EXPECT_EQ(hostilev1::NULLClient::kResource.kind, "NULL");
  EXPECT_EQ(hostilev1::Kinds2Client::kResource.kind, "Kinds");
  EXPECT_EQ(hostilev1::WidgetClient2Client::kResource.plural, "widgetclients");
}

TEST(HostileDefinitions, KindsHaveTraits) {
  EXPECT_TRUE(typed::ResourceKind<hostilev1::Widget>);
  EXPECT_EQ(typed::ResourceTraits<hostilev1::NULL_>::kResource.kind, "NULL");
  EXPECT_EQ(&typed::ResourceTraits<hostilev1::NULL_>::kResource, &hostilev1::NULLClient::kResource);
  EXPECT_TRUE(typed::ResourceTraits<hostilev1::Widget>::kHasGeneration);
}

// What is generated for a kind has a name of its own, and the kind another one.
TEST(HostileDefinitions, StructsAndClassesDoNotClash) {
  EXPECT_TRUE((std::is_same_v<ApplyOf<hostilev1::NULL_>, hostilev1::NULLApplyConfiguration>));
  EXPECT_TRUE((std::is_same_v<ApplyOf<hostilev1::EINVAL_>, hostilev1::EINVALApplyConfiguration>));
  EXPECT_TRUE(std::is_aggregate_v<hostilev1::LinuxV1Client2>);
  EXPECT_FALSE(std::is_aggregate_v<hostilev1::LinuxV1Client>);
  EXPECT_TRUE(std::is_aggregate_v<hostilev1::SharedInformerFactory2>);
  EXPECT_FALSE(std::is_aggregate_v<hostilev1::SharedInformerFactory>);
  EXPECT_TRUE(std::is_aggregate_v<hostilev1::WidgetApplyConfigurationType>);
}

}  // namespace
}  // namespace kube::imported
