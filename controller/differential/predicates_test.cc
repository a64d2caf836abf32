// Which events of random pairs of objects predicates pass, ours and controller-runtime's.
//
// Where ours differ on purpose, the pairs leave it out: no update begins a deletion, no object is
// created with the name of a deleted one, each object has a generation, and no object leaves
// the selection of a selector in an update.

#include "controller/predicates/predicates.h"

#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/labels/selector.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "controller/predicates/predicate.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::controller {
namespace {

using Deployment = api::apps::v1::Deployment;

constexpr const char* kSelectors[] = {"app=web", "tier in (front,back),app", "!tier"};

// Returns a map as JSON. Absent, empty and equal maps are frequent.
std::string RandomMap(oracle::Dice& dice) {
  std::vector<std::string> entries;
  constexpr const char* kApps[] = {"web", "db"};
  constexpr const char* kTiers[] = {"front", "back", ""};
  if (dice.Below(3) != 0) entries.push_back(absl::StrCat(R"("app":")", kApps[dice.Below(2)], "\""));
  if (dice.Below(3) == 0) {
    entries.push_back(absl::StrCat(R"("tier":")", kTiers[dice.Below(3)], "\""));
  }
  return absl::StrCat("{", absl::StrJoin(entries, ","), "}");
}

std::string RandomObject(oracle::Dice& dice, bool is_being_deleted) {
  std::string metadata = absl::StrCat(R"("name":"web","uid":"u","generation":)", 1 + dice.Below(2),
                                      R"(,"resourceVersion":")", 1 + dice.Below(3), "\"");
  if (dice.Below(4) != 0) absl::StrAppend(&metadata, R"(,"labels":)", RandomMap(dice));
  if (dice.Below(2) != 0) absl::StrAppend(&metadata, R"(,"annotations":)", RandomMap(dice));
  if (is_being_deleted) {
    absl::StrAppend(&metadata, R"(,"deletionTimestamp":"2026-01-02T03:04:05Z")");
  }
  return absl::StrCat(R"({"metadata":{)", metadata, "}}");
}

// A predicate, and the JSON array that the oracle reads as the same one.
struct Pair {
  std::string json;
  Predicate<Deployment> predicate;
};

Pair RandomLeaf(oracle::Dice& dice) {
  switch (dice.Below(5)) {
    case 0:
      return {R"(["generation"])", GenerationChanged<Deployment>()};
    case 1:
      return {R"(["labels"])", LabelsChanged<Deployment>()};
    case 2:
      return {R"(["annotations"])", AnnotationsChanged<Deployment>()};
    case 3:
      return {R"(["version"])", ResourceVersionChanged<Deployment>()};
    default: {
      const char* text = kSelectors[dice.Below(std::size(kSelectors))];
      return {absl::StrCat(R"(["selected",")", text, R"("])"),
              Selected<Deployment>(*labels::Parse(text))};
    }
  }
}

Pair RandomPredicate(oracle::Dice& dice, int depth) {
  if (depth == 0 || dice.Below(3) == 0) return RandomLeaf(dice);
  if (dice.Below(3) == 0) {
    Pair part = RandomPredicate(dice, depth - 1);
    return {absl::StrCat(R"(["not",)", part.json, "]"), Not(part.predicate)};
  }
  std::vector<Predicate<Deployment>> parts;
  const bool all = dice.Below(2) == 0;
  std::string json = all ? R"(["and")" : R"(["or")";
  for (size_t count = dice.Below(4); count > 0; --count) {
    Pair part = RandomPredicate(dice, depth - 1);
    absl::StrAppend(&json, ",", part.json);
    parts.push_back(part.predicate);
  }
  return {absl::StrCat(json, "]"), all ? And(parts) : Or(parts)};
}

bool LeavesASelection(const Deployment& before, const Deployment& after) {
  for (const char* text : kSelectors) {
    const labels::Selector selector = *labels::Parse(text);
    if (selector.Matches(before.metadata.labels) && !selector.Matches(after.metadata.labels)) {
      return true;
    }
  }
  return false;
}

std::string Answer(const Predicate<Deployment>& predicate,
                   const std::shared_ptr<const Deployment>& before,
                   const std::shared_ptr<const Deployment>& after, bool is_resync) {
  const auto word = [](bool passes) { return passes ? "true" : "false"; };
  const bool adds = predicate.Passes(informers::AddEvent<Deployment>{.object = after});
  const bool updates = predicate.Passes(informers::UpdateEvent<Deployment>{
      .old_object = before, .object = after, .is_resync = is_resync});
  const bool deletes = predicate.Passes(informers::DeleteEvent<Deployment>{.object = before});
  return absl::StrCat(word(adds), " ", word(updates), " ", word(deletes));
}

std::shared_ptr<const Deployment> Decode(const std::string& json) {
  absl::StatusOr<Deployment> object = codec::DecodeJson<Deployment>(absl::string_view(json));
  EXPECT_THAT(object, base::IsOk()) << json;
  return std::make_shared<const Deployment>(*std::move(object));
}

// behaviour.md: PRED-6
TEST(PredicatesDifferentialTest, RandomPairs_PassAsControllerRuntimes) {
  oracle::GoCases cases("@controller_oracles//:controller_runtime_oracle");
  oracle::Dice dice(2026);
  int compared = 0;
  for (int i = 0; i < 3000; ++i) {
    const bool is_being_deleted = dice.Below(5) == 0;
    const std::string before_json = RandomObject(dice, is_being_deleted);
    const std::string after_json =
        dice.Below(6) == 0 ? before_json : RandomObject(dice, is_being_deleted);
    const auto before = Decode(before_json);
    const auto after = Decode(after_json);
    if (LeavesASelection(*before, *after)) continue;
    const Pair pair = RandomPredicate(dice, 3);
    cases.Add("predicate",
              absl::StrCat(R"({"predicate":)", pair.json, R"(,"old":)", before_json, R"(,"new":)",
                           after_json, "}"),
              Answer(pair.predicate, before, after, before_json == after_json));
    ++compared;
  }
  EXPECT_GT(compared, 1000);
  cases.Check();
}

}  // namespace
}  // namespace kube::controller
