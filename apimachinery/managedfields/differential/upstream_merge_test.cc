// Upstream's own tests of package merge, repeated. Their program (third_party/go builds it from the
// module) prints each operation as a line of JSON, with its result; see fixture/record.go.

#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/managedfields/conflict.h"
#include "apimachinery/managedfields/differential/go_answers.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/merge.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/remove_items.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::managedfields {
namespace {

using unstructured::ParseJson;
using unstructured::Value;

std::string TextOf(const Value& value) { return std::string(value.text().value_or("")); }

// Builds each schema once.
class Schemas {
 public:
  const Schema* Get(const Value& yaml, const Value& type) {
    const auto [at, is_new] = built_.try_emplace({TextOf(yaml), TextOf(type)});
    if (is_new) {
      absl::StatusOr<BuiltSchema> built = ParseSchema(at->first.first, at->first.second);
      EXPECT_TRUE(built.ok()) << built.status() << "\n" << at->first.first;
      if (built.ok()) at->second = *std::move(built);
    }
    return at->second.schema;
  }

 private:
  std::map<std::pair<std::string, std::string>, BuiltSchema> built_;
};

std::string KeyOf(const Value& object, absl::string_view api_version) {
  return absl::StrCat(ExactJson(object), " to ", api_version);
}

// Conversions that Go made, by what was converted to which version.
using Conversions = std::map<std::string, Value>;

// Makes the conversions that Go made in an operation. Go walks through versions in a random order,
// so one that is needed here may not be among them; it is then looked up in `of_test`, those of all
// operations of the same test in several runs.
class RecordedConverter : public VersionConverter {
 public:
  RecordedConverter(const Value& record, const Conversions& of_test, Schemas& schemas)
      : of_test_(of_test) {
    for (const Value& conversion : *record["conversions"].list()) {
      const std::string version = TextOf(conversion["version"]);
      if (conversion["missing"].boolean() == true) continue;
      const std::string key = KeyOf(conversion["from"], version);
      const Value* to = conversion.Find("to");
      if (to != nullptr) {
        versions_[version] = schemas.Get(conversion["schema"], conversion["type"]);
        EXPECT_TRUE(conversions_.emplace(key, *to).second || conversions_.at(key) == *to)
            << "two conversions of " << key;
      } else {
        errors_[key] = TextOf(conversion["error"]);
        versions_.try_emplace(version, nullptr);
      }
    }
    // A version of which there are only errors has a schema all the same.
    const Schema* own = schemas.Get(record["schema"], record["type"]);
    versions_[TextOf(record["version"])] = own;
    for (auto& [version, schema] : versions_) {
      if (schema == nullptr) schema = own;
    }
  }

  const Schema* SchemaOf(absl::string_view api_version) const override {
    const auto found = versions_.find(api_version);
    return found == versions_.end() ? nullptr : found->second;
  }

  absl::StatusOr<Value> Convert(const Value& object, absl::string_view api_version) const override {
    const std::string key = KeyOf(object, api_version);
    if (const auto found = conversions_.find(key); found != conversions_.end()) {
      return found->second;
    }
    if (const auto found = errors_.find(key); found != errors_.end()) {
      return absl::InternalError(found->second);
    }
    if (const auto found = of_test_.find(key); found != of_test_.end()) return found->second;
    for (const auto& [between, schema] : versions_) {
      const auto first = conversions_.find(KeyOf(object, between));
      if (first == conversions_.end()) continue;
      const auto second = conversions_.find(KeyOf(first->second, api_version));
      if (second != conversions_.end()) return second->second;
    }
    return absl::NotFoundError(absl::StrCat("Go has not made the conversion of ", key));
  }

 private:
  const Conversions& of_test_;
  std::map<std::string, const Schema*, std::less<>> versions_;
  Conversions conversions_;
  std::map<std::string, std::string> errors_;
};

FieldSet SetOf(const Value& json) {
  const absl::StatusOr<FieldSet> set = DecodeFieldsV1(TextOf(json));
  EXPECT_TRUE(set.ok()) << set.status();
  return set.ok() ? *set : FieldSet();
}

Managers ManagersOf(const Value& record) {
  Managers managers;
  for (const auto& [name, owned] : *record["managers"].object()) {
    managers[{.name = std::string(name.view())}] = {.fields = SetOf(owned["fields"]),
                                                    .api_version = TextOf(owned["version"])};
  }
  return managers;
}

Value Describe(const Managers& managers) {
  Map<Value> described = Map<Value>::Empty();
  for (const auto& [id, owned] : managers) {
    described[id.name] =
        Map<Value>{{"version", owned.api_version}, {"fields", EncodeFieldsV1(owned.fields)}};
  }
  return Value(std::move(described));
}

Value Describe(const std::vector<ManagerConflict>& conflicts) {
  std::vector<std::string> texts;
  for (const ManagerConflict& conflict : conflicts) {
    for (const Path& path : conflict.fields.Paths()) {
      texts.push_back(absl::StrCat(conflict.manager.name, PathText(path)));
    }
  }
  std::sort(texts.begin(), texts.end());
  List<Value> described = List<Value>::Empty();
  for (const std::string& text : texts) described.push_back(Value(text));
  return Value(std::move(described));
}

FieldFilters FiltersOf(const Value& record) {
  FieldFilters filters;
  for (const auto& [version, set] : *record["ignored"].object()) {
    filters[std::string(version.view())].excluded = SetOf(set);
  }
  return filters;
}

void CheckUpdate(const Value& record, const Conversions& of_test, Schemas& schemas) {
  const RecordedConverter converter(record, of_test, schemas);
  const Updater updater(&converter, FiltersOf(record));
  const absl::StatusOr<Managers> managers =
      updater.Update(record["live"], record["object"], TextOf(record["version"]),
                     ManagersOf(record), {.name = TextOf(record["manager"])});
  if (record["result"].Find("error") != nullptr) {
    EXPECT_FALSE(managers.ok());
    return;
  }
  ASSERT_TRUE(managers.ok()) << managers.status();
  EXPECT_EQ(ExactJson(Describe(*managers)), ExactJson(record["result"]["managers"]));
}

void CheckApply(const Value& record, const Conversions& of_test, Schemas& schemas) {
  const RecordedConverter converter(record, of_test, schemas);
  const Updater updater(&converter, FiltersOf(record));
  const absl::StatusOr<Updater::Applied> applied =
      updater.Apply(record["live"], record["object"], TextOf(record["version"]), ManagersOf(record),
                    {.name = TextOf(record["manager"])}, record["force"].boolean() == true);
  const Value& go = record["result"];
  if (go.Find("error") != nullptr) {
    EXPECT_FALSE(applied.ok());
    return;
  }
  ASSERT_TRUE(applied.ok()) << applied.status();
  const Value conflicts = Describe(applied->conflicts);
  if (const Value* expected = go.Find("conflicts"); expected != nullptr) {
    EXPECT_EQ(ExactJson(conflicts), ExactJson(*expected));
    return;
  }
  EXPECT_EQ(ExactJson(conflicts), "[]");
  EXPECT_EQ(ExactJson(Describe(applied->managers)), ExactJson(go["managers"]));
  const Value* object = go.Find("object");
  if (record["always_returned"].boolean() != true) {
    EXPECT_EQ(applied->changed, object != nullptr);
  }
  if (object != nullptr) {
    EXPECT_EQ(ExactJson(applied->object), ExactJson(*object));
  }
}

void CheckExtraction(const Value& record, const Conversions&, Schemas& schemas) {
  const Schema* schema = schemas.Get(record["schema"], record["type"]);
  ASSERT_NE(schema, nullptr);
  EXPECT_EQ(ExactJson(ExtractItems(record["live"], SetOf(record["set"]), *schema)),
            ExactJson(record["result"]));
}

void CheckMerge(const Value& record, const Conversions&, Schemas& schemas) {
  const Schema* schema = schemas.Get(record["schema"], record["type"]);
  ASSERT_NE(schema, nullptr);
  const absl::StatusOr<Value> merged = Merge(record["live"], record["object"], *schema);
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_EQ(ExactJson(*merged), ExactJson(record["result"]));
}

// Adds the conversions of an operation; "extract" and "merge" have none.
void AddConversions(const Value& record, Conversions& all) {
  const List<Value>* made = record["conversions"].list();
  if (made == nullptr) return;
  for (const Value& conversion : *made) {
    if (conversion["missing"].boolean() == true) continue;
    const Value* to = conversion.Find("to");
    if (to != nullptr) all.emplace(KeyOf(conversion["from"], TextOf(conversion["version"])), *to);
  }
}

TEST(UpstreamMergeTest, EveryOperationHasUpstreamsResult) {
  const absl::StatusOr<std::string> program = oracle::FindData("oracles", "upstream_merge_test");
  if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
  ASSERT_TRUE(program.ok()) << program.status();
  // An operation is printed again only if Go made other conversions.
  const absl::StatusOr<std::string> output =
      oracle::RunProgram(*program, {.args = {"-test.count=3"}, .timeout = absl::Minutes(5)});
  ASSERT_TRUE(output.ok()) << output.status();
  const std::map<std::string, void (*)(const Value&, const Conversions&, Schemas&)> checks = {
      {"update", CheckUpdate},
      {"apply", CheckApply},
      {"extract", CheckExtraction},
      {"merge", CheckMerge}};
  std::vector<Value> records;
  std::map<std::string, Conversions> conversions;
  for (const absl::string_view line : absl::StrSplit(*output, '\n')) {
    if (!absl::StartsWith(line, "{")) continue;
    absl::StatusOr<Value> record = ParseJson(line);
    ASSERT_TRUE(record.ok()) << record.status();
    AddConversions(*record, conversions[TextOf((*record)["test"])]);
    records.push_back(*std::move(record));
  }
  Schemas schemas;
  std::map<std::string, int> counts;
  for (const Value& record : records) {
    SCOPED_TRACE(ExactJson(record));
    const std::string operation = TextOf(record["operation"]);
    ++counts[operation];
    checks.at(operation)(record, conversions[TextOf(record["test"])], schemas);
  }
  for (const auto& [operation, count] : counts) std::cout << operation << ": " << count << "\n";
  std::cout << conversions.size() << " tests of upstream\n";
  EXPECT_GT(counts["apply"], 120);
  EXPECT_GT(counts["update"], 40);
  EXPECT_GE(counts["extract"], 5);
}

}  // namespace
}  // namespace kube::managedfields
