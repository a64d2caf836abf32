// Go's package typed is the judge of what values are by random schemas: whether they are valid,
// what an apply of them owns, how they differ, how they are merged, and what of them a set removes
// or extracts.

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/compare.h"
#include "apimachinery/managedfields/differential/go_answers.h"
#include "apimachinery/managedfields/differential/random_types.h"
#include "apimachinery/managedfields/differential/random_value.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/merge.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/reconcile.h"
#include "apimachinery/managedfields/remove_items.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/managedfields/to_field_set.h"
#include "apimachinery/managedfields/validate.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/oracle.h"

namespace kube::managedfields {
namespace {

using unstructured::Value;

struct Answer {
  absl::string_view what;
  absl::StatusOr<Value> ours;
};

struct Case {
  std::string question;
  std::vector<Answer> answers;
};

absl::StatusOr<Value> OfStatus(const absl::Status& status) {
  if (!status.ok()) return status;
  return Value(true);
}

absl::StatusOr<Value> OfSet(const absl::StatusOr<FieldSet>& set) {
  KUBE_RETURN_IF_ERROR(set.status());
  return Value(EncodeFieldsV1(*set));
}

absl::StatusOr<Value> OfComparison(const absl::StatusOr<Comparison>& comparison) {
  KUBE_RETURN_IF_ERROR(comparison.status());
  List<Value> sets = List<Value>::Empty();
  for (const FieldSet* set : {&comparison->removed, &comparison->modified, &comparison->added}) {
    sets.push_back(Value(EncodeFieldsV1(*set)));
  }
  return Value(std::move(sets));
}

absl::StatusOr<Value> OfReconciled(const absl::StatusOr<std::optional<FieldSet>>& set) {
  KUBE_RETURN_IF_ERROR(set.status());
  return set->has_value() ? Value(EncodeFieldsV1(**set)) : Value();
}

// Returns a set that has to do with a value: some of its fields, what is above them, and what could
// have been below them.
FieldSet RelatedSet(const FieldSet& all, oracle::Dice& dice) {
  FieldSet related;
  for (Path path : all.Paths()) {
    if (dice.Below(2) == 0) continue;
    if (dice.Below(4) == 0) path.resize(1 + dice.Below(path.size()));
    if (dice.Below(6) == 0) path.push_back(PathElement::Field(dice.Below(2) == 0 ? "a" : "name"));
    if (dice.Below(12) == 0) {
      path.push_back(PathElement::Key({{"name", "a"}}));
      if (dice.Below(2) == 0) path.push_back(PathElement::Field("a"));
    }
    related.Insert(path);
  }
  return related;
}

// The answers about values that are both valid, if duplicates are allowed.
void AddOperations(const Value& a, const Value& b, bool is_b_unique, const FieldSet& set,
                   const Schema& schema, std::vector<Answer>& answers) {
  answers.push_back({"the set of a", OfSet(ToFieldSet(a, schema))});
  answers.push_back({"the set of b", OfSet(ToFieldSet(b, schema))});
  answers.push_back({"a compared with b", OfComparison(Compare(a, b, schema))});
  // Without duplicates in it, b can be a configuration.
  if (is_b_unique) {
    answers.push_back({"a merged with b", Merge(a, b, schema)});
  } else {
    answers.push_back({"", Value()});
  }
  answers.push_back({"a without the set", RemoveItems(a, set, schema)});
  answers.push_back({"what a has of the set", ExtractItems(a, set, schema)});
  answers.push_back({"what a has of the set, and keys",
                     ExtractItems(a, set, schema, {.append_key_fields = true})});
  answers.push_back({"the set reconciled", OfReconciled(ReconcileWithSchema(set, schema))});
  answers.push_back({"the set with named fields",
                     Value(EncodeFieldsV1(EnsureNamedFieldsAreMembers(set, schema)))});
}

Case MakeCase(const std::string& types, const Schema& schema, ValueMaker& maker) {
  const Value a = maker.Make(schema, 5);
  const Value b =
      maker.Chance(70) ? maker.Vary(a, maker.Make(schema, 5), schema, 15) : maker.Make(schema, 5);
  Case made;
  const bool is_b_unique = Validate(b, schema).ok();
  made.answers = {
      {"is a valid", OfStatus(Validate(a, schema))},
      {"is a valid with duplicates", OfStatus(Validate(a, schema, {.allow_duplicates = true}))},
      {"is b valid", OfStatus(Validate(b, schema))},
      {"is b valid with duplicates", OfStatus(Validate(b, schema, {.allow_duplicates = true}))}};
  FieldSet set;
  if (made.answers[1].ours.ok() && made.answers[3].ours.ok()) {
    const absl::StatusOr<FieldSet> all = ToFieldSet(maker.Chance(70) ? a : b, schema);
    if (all.ok()) set = RelatedSet(*all, maker.dice());
    AddOperations(a, b, is_b_unique, set, schema, made.answers);
  }
  made.question = ExactJson(Map<Value>{
      {"schema", types}, {"root", "root"}, {"a", a}, {"b", b}, {"set", EncodeFieldsV1(set)}});
  return made;
}

// Compares answers, and counts them.
class Judge {
 public:
  bool IsSame(const Answer& answer, const List<Value>& go) {
    if (go.empty()) return answer.what.empty();
    const bool go_fails = go.size() > 1;
    const absl::string_view text = go_fails ? go[1].text().value_or("") : "";
    // Upstream's code panics; there is nothing to compare.
    if (absl::StartsWith(text, "panic: ")) {
      ++counts_["panics of upstream"];
      return true;
    }
    ++counts_[absl::StrCat(answer.what, go_fails ? ": error" : "")];
    const bool same = answer.ours.ok()
                          ? !go_fails && ExactJson(*answer.ours) == ExactJson(go[0])
                          : go_fails && IsPlausible(answer.ours.status().message(), go);
    if (!same) {
      ADD_FAILURE() << answer.what << "\n  ours: "
                    << (answer.ours.ok() ? ExactJson(*answer.ours)
                                         : answer.ours.status().ToString())
                    << "\n  Go:   " << ExactJson(Value(go));
    }
    return same;
  }

  int CountOf(const std::string& what) const {
    const auto found = counts_.find(what);
    return found == counts_.end() ? 0 : found->second;
  }
  void Print() const {
    for (const auto& [what, count] : counts_) std::cout << "  " << what << ": " << count << "\n";
  }

 private:
  std::map<std::string, int> counts_;
};

TEST(TypedGoTest, RandomSchemas) {
  const int64_t count = Setting("MANAGED_CASES", 400);
  const int64_t seed = Setting("MANAGED_SEED", 20261126);
  std::cout << "seed: " << seed << "\n";
  oracle::Dice dice(static_cast<uint64_t>(seed));
  std::vector<Case> cases;
  std::vector<Question> questions;
  for (int64_t i = 0; i < count; ++i) {
    const std::string types = MakeTypes(dice);
    const absl::StatusOr<BuiltSchema> built = ParseSchema(types, "root");
    ASSERT_TRUE(built.ok()) << built.status() << "\n" << types;
    ValueMaker maker(dice.Next(), {.mistakes = i % 4 == 0 ? 12 : 0, .duplicates = 6});
    for (int j = 0; j < 10; ++j) {
      cases.push_back(MakeCase(types, *built->schema, maker));
      questions.push_back({"typed", cases.back().question});
    }
  }
  const absl::StatusOr<std::vector<Value>> answers = AskGo(questions);
  if (oracle::PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_TRUE(answers.ok()) << answers.status();
  Judge judge;
  int failures = 0;
  for (size_t i = 0; i < cases.size() && failures < 10; ++i) {
    SCOPED_TRACE(cases[i].question);
    const List<Value>& go = *(*answers)[i].list();
    // A different number of answers follows from a different validity, which is reported below.
    bool is_same = true;
    for (size_t j = 0; j < cases[i].answers.size() && j < go.size() && is_same; ++j) {
      is_same = judge.IsSame(cases[i].answers[j], *go[j].list());
    }
    if (is_same) {
      EXPECT_EQ(cases[i].answers.size(), go.size());
    }
    failures += is_same ? 0 : 1;
  }
  judge.Print();
  EXPECT_GT(judge.CountOf("a merged with b"), count * 4);
  EXPECT_GT(judge.CountOf("is a valid: error"), count / 10);
}

}  // namespace
}  // namespace kube::managedfields
