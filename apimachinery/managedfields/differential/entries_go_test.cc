// Go's packages managedfields and csaupgrade are the judges of what becomes of managed fields in a
// write to a Scale, and in a migration from client-side apply.

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/managedfields/differential/go_answers.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/scale_handler.h"
#include "apimachinery/managedfields/upgrade.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/types/time.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/oracle.h"

namespace kube::managedfields {
namespace {

using api::meta::v1::ManagedFieldsEntry;
using api::meta::v1::ObjectMeta;
using unstructured::Value;
using Entries = List<ManagedFieldsEntry>;

constexpr absl::string_view kManagers[] = {"a", "b", "kubectl", "a"};
constexpr absl::string_view kVersions[] = {"apps/v1", "apps/v1beta1", "apps/v2", "gone/v1"};
constexpr absl::string_view kSubresources[] = {"", "", "scale", "status"};
constexpr absl::string_view kFields[] = {
    R"({"f:spec":{"f:replicas":{}}})",           R"({"f:spec":{"f:replicas":{},"f:selector":{}}})",
    R"({"f:metadata":{"f:labels":{"f:a":{}}}})", R"({"f:spec":{".":{},"f:count":{}}})",
    R"({"f:status":{"f:replicas":{}}})",
};

class EntryMaker {
 public:
  explicit EntryMaker(uint64_t seed) : dice_(seed) {}

  template <size_t n>
  std::string Pick(const absl::string_view (&pool)[n]) {
    return std::string(pool[dice_.Below(n)]);
  }
  bool OneIn(size_t n) { return dice_.Below(n) == 0; }

  Entries Make(bool of_scale) {
    Entries entries = Entries::Empty();
    for (size_t i = dice_.Below(5); i > 0; --i) {
      ManagedFieldsEntry& entry = entries.emplace_back();
      entry.manager = Pick(kManagers);
      entry.operation = OneIn(2) ? "Apply" : "Update";
      if (OneIn(60)) entry.operation = "Patch";
      entry.api_version = of_scale && !OneIn(6) ? std::string("autoscaling/v1") : Pick(kVersions);
      entry.subresource = of_scale && !OneIn(6) ? std::string("scale") : Pick(kSubresources);
      entry.fields_type = "FieldsV1";
      entry.fields_v1 = FieldsV1(of_scale && !OneIn(6) ? std::string(kFields[0]) : Pick(kFields));
      if (!OneIn(4)) {
        entry.time = Time::FromUnixSeconds(1700000000 + static_cast<int64_t>(dice_.Below(3)));
      }
    }
    return entries;
  }

 private:
  oracle::Dice dice_;
};

std::string JsonOf(const Entries& entries) {
  if (entries.empty()) return "null";
  std::string json;
  for (const ManagedFieldsEntry& entry : entries) {
    absl::StrAppend(&json, json.empty() ? "[" : ",", codec::EncodeJson(entry).value());
  }
  return absl::StrCat(json, "]");
}

absl::StatusOr<std::string> JsonOf(const absl::StatusOr<Entries>& entries) {
  if (!entries.ok()) return entries.status();
  return JsonOf(*entries);
}

Value Parsed(const Entries& entries) { return unstructured::ParseJson(JsonOf(entries)).value(); }

struct Answer {
  absl::string_view what;
  absl::StatusOr<std::string> ours;
};

struct Case {
  std::string question;
  std::vector<Answer> answers;
};

Path SpecPath(absl::string_view field) {
  return {PathElement::Field("spec"), PathElement::Field(field)};
}

Value PathsOf(absl::string_view field) {
  List<Value> path = List<Value>::Empty();
  for (const absl::string_view name : {absl::string_view("spec"), field}) {
    path.push_back(Value(Map<Value>{{"f", name}}));
  }
  List<Value> paths = List<Value>::Empty();
  paths.push_back(Value(std::move(path)));
  return Value(std::move(paths));
}

Case MakeCase(EntryMaker& maker) {
  const Entries entries = maker.Make(/*of_scale=*/false);
  const Entries scale_entries = maker.Make(/*of_scale=*/true);
  const std::string updater = maker.Pick(kManagers);
  const std::string applier = maker.Pick(kManagers);
  const std::string subresource = maker.Pick(kSubresources);
  const bool is_apply = maker.OneIn(2);
  const std::string fields = maker.Pick(kFields);
  const ScaleHandler handler(
      entries, "apps/v1",
      {{"apps/v1", SpecPath("replicas")}, {"apps/v1beta1", SpecPath("count")}, {"apps/v2", {}}});
  ObjectMeta metadata;
  metadata.resource_version = "7";
  metadata.managed_fields = entries;
  const UpgradeOptions options = {.subresource = subresource};
  const std::set<std::string> updaters = {updater};
  const std::vector<ManagedFieldsEntry> owners = FindFieldsOwners(
      entries, is_apply ? Operation::kApply : Operation::kUpdate, DecodeFieldsV1(fields).value());
  return {
      .question = ExactJson(Map<Value>{{"entries", Parsed(entries)},
                                       {"scale_entries", Parsed(scale_entries)},
                                       {"version", "apps/v1"},
                                       {"paths", Map<Value>{{"apps/v1", PathsOf("replicas")},
                                                            {"apps/v1beta1", PathsOf("count")},
                                                            {"apps/v2", List<Value>::Empty()}}},
                                       {"updater", updater},
                                       {"applier", applier},
                                       {"subresource", subresource},
                                       {"operation", is_apply ? "Apply" : "Update"},
                                       {"fields", fields}}),
      .answers = {{"of the Scale", JsonOf(handler.ToSubresource())},
                  {"of the object", JsonOf(handler.ToParent(scale_entries))},
                  {"migrated", JsonOf(UpgradeManagedFields(entries, updaters, applier, options))},
                  {"patch", UpgradeManagedFieldsPatch(metadata, updaters, applier, options)},
                  {"owners", JsonOf(Entries(owners))}}};
}

// Returns the entries with those that are sorted equally in the order of their texts, because Go
// has them in random order; other texts unchanged.
std::string WithoutChance(const std::string& text) {
  absl::StatusOr<Value> parsed = unstructured::ParseJson(text);
  if (!parsed.ok() || !parsed->is_list()) return text;
  std::vector<Value> entries(parsed->list()->begin(), parsed->list()->end());
  const auto place = [](const Value& entry) {
    return std::tuple(entry["operation"].text(), entry["time"].text(), entry["manager"].text(),
                      entry["apiVersion"].text(), entry["subresource"].text());
  };
  for (size_t i = 1; i < entries.size(); ++i) {
    for (size_t j = i; j > 0 && place(entries[j]) == place(entries[j - 1]) &&
                       ExactJson(entries[j]) < ExactJson(entries[j - 1]);
         --j) {
      std::swap(entries[j], entries[j - 1]);
    }
  }
  List<Value> ordered = List<Value>::Empty();
  for (Value& entry : entries) ordered.push_back(std::move(entry));
  return ExactJson(Value(std::move(ordered)));
}

TEST(EntriesGoTest, ScalesAndMigrations) {
  const int64_t count = Setting("MANAGED_CASES", 3000);
  const int64_t seed = Setting("MANAGED_SEED", 20261126);
  std::cout << "seed: " << seed << "\n";
  EntryMaker maker(static_cast<uint64_t>(seed));
  std::vector<Case> cases;
  std::vector<Question> questions;
  for (int64_t i = 0; i < count; ++i) {
    cases.push_back(MakeCase(maker));
    questions.push_back({"entries", cases.back().question});
  }
  const absl::StatusOr<std::vector<Value>> answers = AskGo(questions);
  if (oracle::PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_TRUE(answers.ok()) << answers.status();
  for (size_t i = 0; i < cases.size(); ++i) {
    for (size_t j = 0; j < cases[i].answers.size(); ++j) {
      const Answer& answer = cases[i].answers[j];
      const List<Value>& go = *(*(*answers)[i].list())[j].list();
      const bool go_fails = go.size() > 1;
      const bool is_same =
          answer.ours.ok() ? !go_fails && WithoutChance(*answer.ours) ==
                                              WithoutChance(std::string(go[0].text().value_or("")))
                           : go_fails;
      ASSERT_TRUE(is_same) << answer.what << "\n  ours: "
                           << (answer.ours.ok() ? *answer.ours : answer.ours.status().ToString())
                           << "\n  Go:   " << ExactJson(Value(go)) << "\n"
                           << cases[i].question;
    }
  }
}

}  // namespace
}  // namespace kube::managedfields
