// Go's apiextensions-apiserver and package managedfields are the judges of how custom resources are
// merged: of the merge schema of a definition, and of random writes to its resources.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/crd_schema/differential/random_schema.h"
#include "apimachinery/crd_schema/merge_schema.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/managedfields/differential/go_answers.h"
#include "apimachinery/managedfields/differential/random_value.h"
#include "apimachinery/managedfields/differential/random_writes.h"
#include "apimachinery/managedfields/differential/schema_comparison.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/oracle.h"

namespace kube::crd_schema {
namespace {

using api::apiextensions::v1::JSONSchemaProps;
using managedfields::ExactJson;
using managedfields::Question;
using testing::IsEmpty;
using unstructured::Value;

// A definition with one schema for all its versions.
struct Definition {
  Value crd;
  std::shared_ptr<const MergeSchema> schema;
};

Value CrdOf(const Map<Value>& schema) {
  List<Value> versions = List<Value>::Empty();
  for (const absl::string_view name : {"v1", "v2"}) {
    versions.push_back(Value(Map<Value>{{"name", name},
                                        {"served", true},
                                        {"storage", name == "v1"},
                                        {"schema", Map<Value>{{"openAPIV3Schema", schema}}}}));
  }
  return Map<Value>{{"apiVersion", "apiextensions.k8s.io/v1"},
                    {"kind", "CustomResourceDefinition"},
                    {"metadata", Map<Value>{{"name", "things.example.com"}}},
                    {"spec", Map<Value>{{"group", "example.com"},
                                        {"scope", "Namespaced"},
                                        {"names", Map<Value>{{"kind", "Thing"},
                                                             {"listKind", "ThingList"},
                                                             {"plural", "things"},
                                                             {"singular", "thing"}}},
                                        {"versions", std::move(versions)}}}};
}

Definition MakeDefinition(oracle::SchemaMaker& maker, const oracle::SchemaShape& shape) {
  const Map<Value> schema = maker.MakeSchema(shape);
  const auto structural =
      Structural::Make(codec::DecodeJson<JSONSchemaProps>(ExactJson(Value(schema))).value());
  return {.crd = CrdOf(schema),
          .schema = MergeSchema::Make(structural.ok() ? structural->get() : nullptr)};
}

class MergeSchemaGoTest : public testing::Test {
 protected:
  MergeSchemaGoTest() { std::cout << "seed: " << seed_ << "\n"; }

  int64_t count() const { return count_; }
  oracle::Dice& dice() { return dice_; }
  Definition Make(const oracle::SchemaShape& shape) { return MakeDefinition(maker_, shape); }

 private:
  const int64_t count_ = managedfields::Setting("MANAGED_CASES", 40);
  const int64_t seed_ = managedfields::Setting("MANAGED_SEED", 20261126);
  oracle::SchemaMaker maker_{static_cast<uint64_t>(seed_)};
  oracle::Dice dice_{static_cast<uint64_t>(seed_) + 1};
};

TEST_F(MergeSchemaGoTest, SchemasAreThoseOfAnApiServer) {
  std::vector<Definition> definitions;
  std::vector<Question> questions;
  for (int64_t i = 0; i < count() * 3; ++i) {
    // Of a schema that is not structural upstream makes nothing.
    definitions.push_back(Make({.mistakes = i % 5 == 0 ? 6 : 0}));
    questions.push_back({"crd_schema", ExactJson(definitions.back().crd)});
  }
  const absl::StatusOr<std::vector<Value>> answers = managedfields::AskGo(questions);
  if (oracle::PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_TRUE(answers.ok()) << answers.status();
  int compared = 0;
  for (size_t i = 0; i < definitions.size(); ++i) {
    const List<Value>& go = *(*answers)[i].list();
    // Validation refuses the definition before anybody could merge its resources.
    if (go[0].is_null()) continue;
    ++compared;
    EXPECT_THAT(
        managedfields::SchemaDifferences(definitions[i].schema->schema(), go[0], *go[1].text()),
        IsEmpty())
        << questions[i].text;
  }
  EXPECT_GT(compared, count() * 2);
}

TEST_F(MergeSchemaGoTest, WritesHaveUpstreamsResult) {
  // The subjects refer to the schemas.
  std::deque<Definition> definitions;
  std::vector<managedfields::Sequence> sequences;
  std::vector<Question> questions;
  int64_t clock = managedfields::kClockStart;
  for (int64_t i = 0; i < count(); ++i) {
    const Definition& definition = definitions.emplace_back(Make({}));
    const managedfields::Subject subject = {
        .schema = "crd",
        .definition = definition.crd,
        .kind = "Thing",
        .versions = {{"example.com/v1", &definition.schema->schema()},
                     {"example.com/v2", &definition.schema->schema()}}};
    managedfields::SequenceMaker maker(&subject, dice().Next(),
                                       {.mistakes = i % 4 == 3 ? 3 : 0, .duplicates = 2}, &clock);
    sequences.push_back(maker.Make({}));
    questions.push_back(sequences.back().question);
  }
  const absl::StatusOr<std::vector<Value>> answers =
      managedfields::AskGo(questions, /*clock=*/true);
  if (oracle::PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_TRUE(answers.ok()) << answers.status();
  managedfields::ResultCounts counts;
  for (size_t i = 0; i < sequences.size(); ++i) {
    SCOPED_TRACE(ExactJson(definitions[i].crd));
    CheckSequence(sequences[i], (*answers)[i], counts);
  }
  for (const auto& [what, number] : counts) std::cout << "  " << what << ": " << number << "\n";
  EXPECT_GT(counts["apply: ok"], count());
  EXPECT_GT(counts["apply: status 409"], 0);
}

}  // namespace
}  // namespace kube::crd_schema
