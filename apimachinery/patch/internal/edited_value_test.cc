#include "apimachinery/patch/internal/edited_value.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::patch::internal {
namespace {

using unstructured::ParseJson;
using unstructured::Value;

TEST(EditedValueTest, ChangesMembersOfMembers) {
  EditedValue root(*ParseJson(R"({"a":{"b":[1,{"c":2}]},"d":3,"e":4})"));
  EXPECT_EQ(root.FindMember("none"), nullptr);
  EditedValue* list = root.FindMember("a")->FindMember("b");
  list->Element(1)->SetMember("x", EditedValue(Value(true)));
  list->InsertElement(2, EditedValue(Value("last")));
  EXPECT_EQ(list->size(), 3u);
  EXPECT_TRUE(root.EraseMember("d"));
  EXPECT_FALSE(root.EraseMember("d"));
  EXPECT_EQ(root.FindMember("d"), nullptr);
  root.SetMember("e", EditedValue(Value()));
  root.SetMember("f", EditedValue(Value(5)));
  EXPECT_TRUE(root.EraseMember("f"));
  EXPECT_EQ(**root.Close(), *ParseJson(R"({"a":{"b":[1,{"c":2,"x":true},"last"]},"e":null})"));
  // It can be opened again.
  root.SetMember("d", EditedValue(Value(7)));
  EXPECT_EQ((**root.Close())["d"], Value(7));
}

TEST(EditedValueTest, PartsCanBeClosedAndMoved) {
  EditedValue root(*ParseJson(R"({"a":{"b":{"c":1}}})"));
  EditedValue* a = root.FindMember("a");
  a->FindMember("b")->SetMember("d", EditedValue(Value(2)));
  EXPECT_EQ(**a->Close(), *ParseJson(R"({"b":{"c":1,"d":2}})"));
  a->FindMember("b")->SetMember("e", EditedValue(Value(3)));
  EditedValue moved = std::move(*a);
  EXPECT_TRUE(root.EraseMember("a"));
  root.SetMember("z", std::move(moved));
  EXPECT_EQ(**root.Close(), *ParseJson(R"({"z":{"b":{"c":1,"d":2,"e":3}}})"));
}

// Also around the sizes at which chunks are cut.
TEST(EditedValueTest, ListsDoWhatListsDo) {
  constexpr uint64_t kSeed = 20263;
  oracle::Dice dice(kSeed);
  for (const size_t size : {size_t{0}, size_t{3}, size_t{600}}) {
    SCOPED_TRACE(absl::StrCat(size, " elements, seed ", kSeed));
    List<Value> want = List<Value>::Empty();
    for (size_t i = 0; i < size; ++i) want.push_back(static_cast<int64_t>(i));
    EditedValue edited{Value(want)};
    for (int i = 0; i < 3000; ++i) {
      // First it grows, then it shrinks to zero.
      if (want.empty() || dice.Below(4) != (i < 1500 ? 0u : 3u)) {
        const size_t at = dice.Below(3) == 0 ? want.size() : dice.Below(want.size() + 1);
        if (i >= 1500 && !want.empty()) {
          edited.EraseElement(at % want.size());
          want.erase(want.begin() + at % want.size());
        } else {
          edited.InsertElement(at, EditedValue(Value(i)));
          want.insert(want.begin() + at, Value(i));
        }
      } else {
        const size_t at = dice.Below(want.size());
        *edited.Element(at) = EditedValue(Value("changed"));
        want[at] = "changed";
      }
      ASSERT_EQ(edited.size(), want.size());
    }
    EXPECT_EQ(**edited.Close(), Value(want));
  }
}

// Deeply nested documents: no function may recurse over them, not even a destructor.
TEST(EditedValueTest, RefusesWhatIsTooDeep) {
  EditedValue root{Value(Map<Value>::Empty())};
  EditedValue* at = &root;
  for (int i = 1; i < 10'000; ++i) {
    at->SetMember("x", EditedValue(Value(Map<Value>::Empty())));
    at = at->FindMember("x");
  }
  EXPECT_THAT(root.Close().status(), base::IsOk());
  for (at = &root; at->FindMember("x") != nullptr;) at = at->FindMember("x");
  for (int i = 0; i < 300'000; ++i) {
    at->SetMember("x", EditedValue(Value(Map<Value>::Empty())));
    at = at->FindMember("x");
  }
  const absl::Status status = root.Close().status();
  EXPECT_THAT(status, base::StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(status.message(), "result exceeds the maximum nesting depth of 10000");
}

}  // namespace
}  // namespace kube::patch::internal
