#include "tests/kitchen_sink/kitchen_messages.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"
#include "tests/kitchen_sink/kitchen_oracle.h"
#include "tests/oracle/oracle.h"

namespace kube::oracle {
namespace {

using kube::table::Field;
using kube::table::Kind;
using kube::table::MergeRules;
using kube::table::MergeRulesOf;
using kube::table::Message;
using kube::table::Shape;

std::string GoKind(const Message& message, const Field& field) {
  switch (field.kind) {
    case Kind::kString:
      return "string";
    case Kind::kBytes:
      return "[]uint8";
    case Kind::kQuantity:
      return "resource.Quantity";
    case Kind::kRawExtension:
      return "runtime.RawExtension";
    case Kind::kFieldsV1:
      return "v1.FieldsV1";
    case Kind::kRawJson:
      return "v1.JSON";
    case Kind::kBool:
      return "bool";
    case Kind::kInt32:
      return "int32";
    case Kind::kInt64:
      return "int64";
    case Kind::kDouble:
      return "float64";
    case Kind::kTime:
      return "v1.Time";
    case Kind::kMicroTime:
      return "v1.MicroTime";
    case Kind::kDuration:
      return "v1.Duration";
    case Kind::kIntOrString:
      return "intstr.IntOrString";
    case Kind::kStringList:  // the table does not have its name
      return field.shape == Shape::kMap ? "main.ExtraValue" : "main.Verbs";
    case Kind::kValue:
      return "interface {}";
    case Kind::kMessage:
      return absl::StrCat("main.", message.sub(field)->type_name());
  }
  return "";
}

absl::string_view GoShape(Shape shape) {
  switch (shape) {
    case Shape::kValue:
      return "";
    case Shape::kOpt:
    case Shape::kBox:
      return "*";
    case Shape::kList:
      return "[]";
    case Shape::kMap:
      return "map[string]";
  }
  return "";
}

std::string GoStrategy(const MergeRules& rules) {
  std::vector<absl::string_view> names;
  if (rules.strategy & MergeRules::kMerge) names.push_back("merge");
  if (rules.strategy & MergeRules::kRetainKeys) names.push_back("retainKeys");
  if (rules.strategy & MergeRules::kReplace) names.push_back("replace");
  return absl::StrJoin(names, ",");
}

// As the oracle describes a field: its JSON name, type, options, number and merge rules.
std::string Describe(const Message& message, const Field& field) {
  const bool in_json = (field.flags & kube::table::kNoJson) == 0;
  std::vector<absl::string_view> options;
  if (in_json && (field.flags & kube::table::kOmitEmpty)) options.push_back("omitempty");
  if (in_json && (field.flags & kube::table::kOmitZero)) options.push_back("omitzero");
  const MergeRules rules = MergeRulesOf(message, field);
  return absl::StrCat(in_json ? message.field_name(field) : "-", "|", GoShape(field.shape),
                      GoKind(message, field), "|", absl::StrJoin(options, ","), "|", field.number,
                      "|", GoStrategy(rules), "|", rules.merge_key);
}

// The fields of a table, without apiVersion and kind.
std::vector<std::string> Describe(const Message& message) {
  std::vector<std::string> fields;
  for (size_t i = 0; i < message.field_count; ++i) {
    const Field& field = message.fields[i];
    const absl::string_view name = message.field_name(field);
    if (field.number == 0 && (name == "kind" || name == "apiVersion")) continue;
    fields.push_back(Describe(message, field));
  }
  return fields;
}

TEST(KitchenMessagesTest, UnknownNamesHaveNone) { EXPECT_EQ(KitchenMessage("Nothing"), nullptr); }

// What the generator makes of the IDL is what Kubernetes' types of the same shape are.
TEST(KitchenMessagesTest, TablesAreGoStructs) {
  KitchenOracle go;
  const size_t types = go.Ask("types", "", {});
  const absl::Status ran = go.Run();
  if (PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  const std::vector<std::string> names = *go[types];
  std::vector<size_t> questions;
  for (const std::string& name : names) questions.push_back(go.Ask("fields", name, {}));
  ASSERT_TRUE(go.Run().ok());
  for (size_t i = 0; i < names.size(); ++i) {
    SCOPED_TRACE(names[i]);
    const Message* message = KitchenMessage(names[i]);
    ASSERT_NE(message, nullptr);
    ASSERT_TRUE(go[questions[i]].ok()) << go[questions[i]].status();
    EXPECT_EQ(Describe(*message), *go[questions[i]]);
  }
}

}  // namespace
}  // namespace kube::oracle
