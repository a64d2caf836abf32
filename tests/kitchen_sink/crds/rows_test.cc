#include "tests/kitchen_sink/crds/rows.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::kitchen {
namespace {

using unstructured::Value;

std::set<std::string> KeysOf(const Value& value) {
  std::set<std::string> keys;
  for (const auto& [key, member] : *value.object()) keys.insert(std::string(key));
  return keys;
}

// The fields of Rules, of the version that is stored.
std::set<std::string> Fields() {
  std::ifstream file("tests/kitchen_sink/crds/kitchen_crds.yaml");
  std::stringstream text;
  text << file.rdbuf();
  const std::string yaml = text.str();
  codec::YamlDocuments documents(yaml);
  auto document = documents.Next();
  while (document.ok() && document->has_value()) {
    absl::StatusOr<Value> crd = unstructured::ParseYaml((*document)->text);
    KUBE_CHECK(crd.ok()) << crd.status();
    if ((*crd)["metadata"]["name"] == Value("basins.kitchen.example.com")) {
      const Value& schema = (*(*crd)["spec"]["versions"].list())[0]["schema"]["openAPIV3Schema"];
      return KeysOf(schema["properties"]["spec"]["properties"]["rules"]["properties"]);
    }
    document = documents.Next();
  }
  return {};
}

// Adds the fields of one text.
void Add(absl::string_view rules, std::set<std::string>& fields) {
  if (rules.empty()) return;
  const absl::StatusOr<Value> value = unstructured::ParseJson(rules);
  ASSERT_TRUE(value.ok()) << value.status() << ": " << rules;
  fields.merge(KeysOf(*value));
}

TEST(Rows, NameEveryFieldAndNoOther) {
  std::set<std::string> fields;
  for (const ValueRow& row : ValueRows()) Add(row.rules, fields);
  for (const ResultRow& row : ResultRows()) {
    Add(row.rules, fields);
    Add(row.stored, fields);
  }
  for (const CelRow& row : CelRows()) {
    Add(row.before, fields);
    Add(row.after, fields);
  }
  EXPECT_EQ(fields, Fields());
}

TEST(Rows, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const ValueRow& row : ValueRows()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  for (const ResultRow& row : ResultRows()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  for (const CelRow& row : CelRows()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

}  // namespace
}  // namespace kube::kitchen
