// What kube_library makes, as its users see it.

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/hash/hash.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "gtest/gtest.h"
#include "tests/kube_library/base/base.applies.kube.h"
#include "tests/kube_library/base/base.kube.h"
#include "tests/kube_library/idl/long_names.applies.kube.h"
#include "tests/kube_library/idl/long_names.kube.h"
#include "tests/kube_library/idl/longer_names.applies.kube.h"
#include "tests/kube_library/idl/longer_names.kube.h"
#include "tests/kube_library/idl/widget.applies.kube.h"
#include "tests/kube_library/idl/widget.kube.h"
#include "tests/kube_library/many.applies.kube.h"
#include "tests/kube_library/many.kube.h"

namespace basev1 = kube::tests::base::v1;
namespace testsv1 = kube::tests::v1;

namespace {

using kube::table::Field;
using kube::table::Message;

testsv1::Widget Sample() {
  return {.kind = "Widget",
          .api_version = "example.com/v1",
          .metadata = {.name = "web", .labels = {{"app", "web"}}},
          .spec = {.replicas = 3,
                   .probe = testsv1::Probe{.period_seconds = 5},
                   .args = {"-v"},
                   .extras = {{"scopes", {"a", "b"}}},
                   .http = testsv1::Probe{},
                   .linux_ = true}};
}

TEST(Widget, IsAnAggregateOfTheReleasesNamespace) {
  static_assert(std::is_aggregate_v<testsv1::Widget>);
  static_assert(std::is_same_v<basev1::ObjectMeta, basev1::k1_36::ObjectMeta>);
  static_assert(
      std::is_same_v<decltype(testsv1::WidgetSpecApplyConfiguration::linux_), kube::Opt<bool>>);
  static_assert(std::is_same_v<decltype(testsv1::WidgetApplyConfiguration::metadata),
                               kube::Box<basev1::ObjectMetaApplyConfiguration>>);
}

TEST(Widget, CopiesComparesHashesAndPrints) {
  const testsv1::Widget widget = Sample();
  testsv1::Widget copy = widget;
  EXPECT_EQ(copy, widget);
  EXPECT_EQ(absl::HashOf(copy), absl::HashOf(widget));
  copy.spec.extras["scopes"].push_back("c");
  EXPECT_NE(copy, widget);
  const testsv1::Widget moved = std::move(copy);
  EXPECT_EQ(moved.spec.extras.find("scopes")->size(), 3u);
  std::ostringstream out;
  out << widget.spec;
  EXPECT_EQ(out.str(),
            "{replicas: 3, probe: {periodSeconds: 5}, args: [\"-v\"], extras: {scopes: [\"a\", "
            "\"b\"]}, http: {}, linux: true}");
}

TEST(Widget, HasTheConstantsOfTheApi) {
  testsv1::WidgetSpec spec;
  spec.size = testsv1::kWidgetSmall;
  EXPECT_EQ(spec.size, testsv1::kWidgetSmall);
  EXPECT_EQ(testsv1::kLabelOfWidgets, "example.com/widget");
}

TEST(Tables, NameWhatTheyDescribe) {
  const Message& message = testsv1::WidgetSpec::kMessage;
  EXPECT_EQ(message.type_name(), "WidgetSpec");
  EXPECT_EQ(testsv1::WidgetSpecApplyConfiguration::kMessage.type_name(),
            "WidgetSpecApplyConfiguration");
  EXPECT_EQ(message.size, sizeof(testsv1::WidgetSpec));
  std::string names;
  for (size_t i = 0; i < message.field_count; ++i) {
    names += std::string(message.field_name(message.fields[i])) + " ";
  }
  EXPECT_EQ(names,
            "replicas size probe args extra extras file git http linux plain plains ratio secret ");
  EXPECT_EQ(message.sub(message.fields[2]), &testsv1::Probe::kMessage);
  EXPECT_EQ(message.sub(message.fields[10]), &basev1::Plain::kMessage);
}

// "1:replicas ... 7{1:git 2:file}", as it is on the wire.
std::string WireOf(const Message& message, size_t position, size_t count) {
  std::string text;
  for (size_t i = position; i < position + count; ++i) {
    const uint16_t entry = message.wire()[i];
    if ((entry & kube::table::kWireInline) != 0) {
      const size_t group = entry & ~kube::table::kWireInline;
      text += std::to_string(message.wire()[group]) + "{" +
              WireOf(message, group + 2, message.wire()[group + 1]) + "} ";
    } else {
      const Field& field = message.fields[entry];
      text += std::to_string(field.number) + ":" + std::string(message.field_name(field)) + " ";
    }
  }
  return text;
}

TEST(Tables, OrderOfTheWire) {
  const Message& message = testsv1::WidgetSpec::kMessage;
  EXPECT_EQ(WireOf(message, 0, message.wire_count),
            "1:replicas 2:size 3:probe 4:args 5:extra 6:extras 7{1:git 2:file 3{1:http } } 8:linux "
            "9:plain 10:plains 12:secret ");
  EXPECT_EQ(testsv1::WidgetSpecApplyConfiguration::kMessage.wire_count, 0);
}

TEST(Tables, MergeRules) {
  const Message& message = basev1::ObjectMeta::kMessage;
  const Field& owners = message.fields[3];
  ASSERT_EQ(message.field_name(owners), "ownerReferences");
  const kube::table::MergeRules rules = kube::table::MergeRulesOf(message, owners);
  EXPECT_EQ(rules.strategy, kube::table::MergeRules::kMerge | kube::table::MergeRules::kListMap);
  EXPECT_EQ(rules.merge_key, "uid");
  EXPECT_EQ(rules.list_map_keys, "uid");
}

TEST(GeneratedIdl, Compiles) {
  kube::tests::many::v1::Message0 message{.metadata = {.name = "many"}};
  EXPECT_NE(message, kube::tests::many::v1::Message0{});
  const kube::tests::many::v1::Message0ApplyConfiguration applied{.metadata = {{.name = "many"}}};
  EXPECT_EQ(applied.metadata->name, "many");
}

TEST(LongNames, Compile) {
  namespace longv1 = kube::tests::longer::v1;
  const longv1::MediumMediumMediumMediumMediumMedium value{.time = {}};
  EXPECT_EQ(value, longv1::MediumMediumMediumMediumMediumMedium{});
  const longv1::MediumMediumMediumMediumMediumMediumApplyConfiguration applied{.time = {}};
  EXPECT_FALSE(applied.time.has_value());
}

TEST(ApplyConfiguration, IsApplyOfItsObject) {
  static_assert(std::is_same_v<kube::ApplyOf<testsv1::Widget>, testsv1::WidgetApplyConfiguration>);
  static_assert(std::is_same_v<kube::ApplyOf<basev1::Plain>, basev1::PlainApplyConfiguration>);
  EXPECT_STREQ(kube::ApplyConfigurationOf<testsv1::Widget>::kApiVersion, "example.com/v1");
  EXPECT_STREQ(kube::ApplyConfigurationOf<testsv1::Widget>::kKind, "Widget");
}

TEST(ApplyConfiguration, TellsAbsentFromZero) {
  const kube::ApplyOf<testsv1::Widget> apply{
      .metadata = {{.name = "web", .labels = {{"app", "web"}}}},
      .spec = {{.replicas = 0,
                .probe = {{.period_seconds = 0}},
                .args = kube::List<kube::String>::Empty(),
                .linux_ = false,
                .plains = {{.value = 1}, {}}}}};
  EXPECT_EQ(apply.metadata->name, "web");
  EXPECT_TRUE(apply.spec->replicas.has_value());
  EXPECT_TRUE(apply.spec->probe->period_seconds.has_value());
  EXPECT_FALSE(apply.spec->size.has_value());
  EXPECT_FALSE(apply.spec->args.is_null());
  EXPECT_TRUE(apply.spec->extra.is_null());
  EXPECT_FALSE(apply.spec->plain.has_value());
  EXPECT_FALSE(apply.spec->plains[1].value.has_value());
  EXPECT_EQ(testsv1::WidgetApplyConfiguration::kMessage.all_optional, 1);
}

}  // namespace
