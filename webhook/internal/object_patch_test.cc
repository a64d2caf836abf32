#include "webhook/internal/object_patch.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::webhook::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using unstructured::Value;

Value Json(absl::string_view json) {
  absl::StatusOr<Value> value = unstructured::ParseJson(json);
  EXPECT_THAT(value, IsOk()) << json;
  return value.ok() ? *value : Value();
}

// Returns what the API server makes of the object with the patch.
Value Patched(const Value& object, const absl::StatusOr<std::string>& patch) {
  EXPECT_THAT(patch, IsOk());
  if (!patch.ok() || patch->empty()) return object;
  const absl::StatusOr<patch::JsonPatch> operations = patch::ParseJsonPatch(*patch);
  EXPECT_THAT(operations, IsOk()) << *patch;
  if (!operations.ok()) return object;
  const absl::StatusOr<Value> changed = patch::ApplyJsonPatch(object, *operations);
  EXPECT_THAT(changed, IsOk()) << *patch;
  return changed.ok() ? *changed : Value();
}

struct Row {
  std::string name;
  std::string raw;
  std::string before;
  std::string after;
  std::string want;
};

void Check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const auto patch = ObjectPatch(row.raw, Json(row.before), Json(row.after));
    EXPECT_EQ(Patched(Json(row.raw), patch), Json(row.want)) << row.name;
  }
}

TEST(ObjectPatchTest, Members) {
  Check({
      {"nothing has changed", R"({"a":1,"u":2})", R"({"a":1,"s":{}})", R"({"a":1,"s":{}})",
       R"({"a":1,"u":2})"},
      {"unknown members stay", R"({"spec":{"a":1,"u":2},"u":3})", R"({"spec":{"a":1}})",
       R"({"spec":{"a":5}})", R"({"spec":{"a":5,"u":2},"u":3})"},
      {"members before, between and behind unknown ones", R"({"b":1,"d":1})", R"({})",
       R"({"a":1,"c":1,"e":1})", R"({"a":1,"b":1,"c":1,"d":1,"e":1})"},
      {"empty members are not written", R"({"spec":{"a":1}})", R"({"spec":{"a":1},"status":{}})",
       R"({"spec":{"a":2},"status":{}})", R"({"spec":{"a":2}})"},
      {"a new object is written as the type has it", R"({})", R"({"status":{"n":0,"o":0}})",
       R"({"status":{"n":1,"o":0}})", R"({"status":{"n":1,"o":0}})"},
      {"an object that the type leaves out", R"({"status":{"u":1}})", R"({})",
       R"({"status":{"n":1}})", R"({"status":{"n":1,"u":1}})"},
      {"a removed member", R"({"labels":{"a":"1","b":"2","u":3}})",
       R"({"labels":{"a":"1","b":"2"}})", R"({"labels":{"b":"2"}})",
       R"({"labels":{"b":"2","u":3}})"},
      {"a removed object goes with what is in it", R"({"a":{"x":1,"u":1},"b":1})",
       R"({"a":{"x":1},"b":1})", R"({"b":1})", R"({"b":1})"},
      {"null", R"({"a":null})", R"({})", R"({"a":1})", R"({"a":1})"},
      {"another type", R"({"a":{"x":1}})", R"({"a":{"x":1}})", R"({"a":"text"})",
       R"({"a":"text"})"},
      {"another spelling stays", R"({"q":"1000m","n":1})", R"({"q":"1","n":1})",
       R"({"q":"1","n":2})", R"({"q":"1000m","n":2})"},
  });
}

TEST(ObjectPatchTest, Elements) {
  const std::string raw = R"({"l":[{"name":"a","u":1},{"name":"b","u":2}]})";
  const std::string before = R"({"l":[{"name":"a"},{"name":"b"}]})";
  const std::string unnamed = R"({"l":[{"k":1,"u":1},{"k":2,"u":2}]})";
  const std::string unnamed_before = R"({"l":[{"k":1},{"k":2}]})";
  Check({
      {"a changed one", raw, before, R"({"l":[{"name":"a"},{"name":"b","i":1}]})",
       R"({"l":[{"name":"a","u":1},{"name":"b","i":1,"u":2}]})"},
      {"one in front, and a changed one", raw, before,
       R"({"l":[{"name":"c"},{"name":"a"},{"name":"b","i":1}]})",
       R"({"l":[{"name":"c"},{"name":"a","u":1},{"name":"b","i":1,"u":2}]})"},
      {"another order", raw, before, R"({"l":[{"name":"b"},{"name":"a"}]})",
       R"({"l":[{"name":"b","u":2},{"name":"a","u":1}]})"},
      {"another order, and changed", raw, before, R"({"l":[{"name":"b","i":1},{"name":"a"}]})",
       R"({"l":[{"name":"b","i":1,"u":2},{"name":"a","u":1}]})"},
      {"a removed one", raw, before, R"({"l":[{"name":"b"}]})", R"({"l":[{"name":"b","u":2}]})"},
      {"a renamed one is another one", raw, before, R"({"l":[{"name":"a"},{"name":"c"}]})",
       R"({"l":[{"name":"a","u":1},{"name":"c"}]})"},
      {"all removed", raw, before, R"({"l":[]})", R"({"l":[]})"},
      {"without a name, a changed one", unnamed, unnamed_before, R"({"l":[{"k":1},{"k":3}]})",
       R"({"l":[{"k":1,"u":1},{"k":3,"u":2}]})"},
      {"without a name, another order", unnamed, unnamed_before, R"({"l":[{"k":2},{"k":1}]})",
       R"({"l":[{"k":2,"u":2},{"k":1,"u":1}]})"},
      {"without a name, one in front", unnamed, unnamed_before,
       R"({"l":[{"k":0},{"k":1},{"k":2}]})", R"({"l":[{"k":0},{"k":1,"u":1},{"k":2,"u":2}]})"},
      {"equal ones", R"({"l":[1,1,2]})", R"({"l":[1,1,2]})", R"({"l":[2,1,1,1]})",
       R"({"l":[2,1,1,1]})"},
      {"two of a name", R"({"l":[{"name":"a","u":1},{"name":"a","u":2}]})",
       R"({"l":[{"name":"a"},{"name":"a"}]})", R"({"l":[{"name":"a"},{"name":"a","i":1}]})",
       R"({"l":[{"name":"a","u":1},{"name":"a","i":1,"u":2}]})"},
      {"a list that the type reads otherwise", R"({"l":[1,2]})", R"({"l":[1]})", R"({"l":[1,3]})",
       R"({"l":[1,3]})"},
  });
}

TEST(ObjectPatchTest, HasNothingButTheChange) {
  EXPECT_THAT(ObjectPatch(R"({"spec":{"u":1}})", Json(R"({"spec":{},"status":{}})"),
                          Json(R"({"spec":{"replicas":3},"status":{}})")),
              IsOkAndHolds(R"([{"op":"add","path":"/spec/replicas","value":3}])"));
  EXPECT_THAT(ObjectPatch(R"({"a":1})", Json(R"({"a":1})"), Json(R"({"a":1})")), IsOkAndHolds(""));
  // What the type writes, and nobody has sent, is removed by doing nothing.
  EXPECT_THAT(ObjectPatch(R"({"a":1})", Json(R"({"a":1,"b":0})"), Json(R"({"a":1})")),
              IsOkAndHolds(""));
}

TEST(ObjectPatchTest, WhatIsNoObject) {
  for (const absl::string_view raw : {"", "{", "nul"}) {
    EXPECT_THAT(ObjectPatch(raw, Json(R"({"a":1})"), Json(R"({"a":2})")).status(),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << raw;
  }
}

TEST(ObjectPatchTest, DeepObjects) {
  constexpr int kDepth = 1500;
  std::string begin, end;
  for (int i = 0; i < kDepth; ++i) {
    absl::StrAppend(&begin, R"({"a":)");
    end += "}";
  }
  const std::string raw = absl::StrCat(begin, "1", end);
  const std::string after = absl::StrCat(begin, "2", end);
  EXPECT_TRUE(Patched(Json(raw), ObjectPatch(raw, Json(raw), Json(after))) == Json(after));
}

// A type that knows all members but those whose names begin with "u".
Value AsTyped(const Value& value) {
  if (const List<Value>* list = value.list()) {
    List<Value> typed = List<Value>::Empty();
    for (const Value& element : *list) typed.push_back(AsTyped(element));
    return typed;
  }
  if (const Map<Value>* object = value.object()) {
    Map<Value> typed = Map<Value>::Empty();
    for (const auto& [key, member] : *object) {
      if (!absl::StartsWith(key.view(), "u")) typed[key] = AsTyped(member);
    }
    return typed;
  }
  return value;
}

Value RandomValue(oracle::Dice& dice, int depth, bool has_unknown) {
  const size_t shape = depth == 0 ? size_t{2} : dice.Below(5);
  if (shape < 2) {
    List<Value> list = List<Value>::Empty();
    for (size_t count = dice.Below(4); count > 0; --count) {
      list.push_back(RandomValue(dice, depth - 1, has_unknown));
    }
    return list;
  }
  if (shape == 2) return static_cast<int64_t>(dice.Below(3));
  Map<Value> object = Map<Value>::Empty();
  constexpr const char* kNames[] = {"a", "name", "x", "u1", "u2"};
  for (size_t count = dice.Below(5); count > 0; --count) {
    const absl::string_view name = kNames[dice.Below(has_unknown ? 5 : 3)];
    if (name == "name") {
      object[name] = absl::StrCat("n", dice.Below(3));
    } else {
      object[name] = RandomValue(dice, depth - 1, has_unknown);
    }
  }
  return object;
}

// Returns the value with one of its parts, or itself, replaced.
Value Mutated(oracle::Dice& dice, Value value, int depth) {
  if (depth == 0 || dice.Below(4) == 0) return RandomValue(dice, depth, false);
  if (List<Value>* list = value.list(); list != nullptr && !list->empty()) {
    const size_t index = dice.Below(list->size());
    if (dice.Below(3) == 0) {
      list->erase(list->begin() + index);
    } else {
      (*list)[index] = Mutated(dice, (*list)[index], depth - 1);
    }
  } else if (Map<Value>* object = value.object(); object != nullptr && !object->empty()) {
    const std::string key(object->begin()[dice.Below(object->size())].key.view());
    (*object)[key] = Mutated(dice, (*object)[key], depth - 1);
  }
  return value;
}

TEST(ObjectPatchTest, RandomObjects_BecomeWhatTheFunctionMade) {
  oracle::Dice dice(2026);
  for (int i = 0; i < 3000; ++i) {
    const Value raw =
        Map<Value>{{"a", RandomValue(dice, 4, true)}, {"u", RandomValue(dice, 2, true)}};
    const Value before = AsTyped(raw);
    Value after = before;
    (*after.object())["a"] = Mutated(dice, before["a"], 4);
    const absl::StatusOr<std::string> json = unstructured::EncodeJson(raw);
    ASSERT_THAT(json, IsOk());
    const absl::StatusOr<std::string> patch = ObjectPatch(*json, before, after);
    const Value changed = Patched(raw, patch);
    EXPECT_EQ(AsTyped(changed), after) << i << ": " << raw;
    EXPECT_EQ(changed["u"], raw["u"]) << i;
  }
}

}  // namespace
}  // namespace kube::webhook::internal
