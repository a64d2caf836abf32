#include "apimachinery/managedfields/internal/item_index.h"

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/internal/list_item.h"
#include "apimachinery/managedfields/internal/walk_errors.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;
using unstructured::ParseJson;
using unstructured::Value;

class ItemIndexTest : public testing::Test {
 protected:
  ItemIndexTest() { element_.map = &item_; }

  static absl::Span<const Value> ItemsOf(const Value& list) {
    return absl::MakeConstSpan(list.list()->data(), list.list()->size());
  }
  // Checks that keys are ordered as the path elements of their items.
  static void CheckOrder(const ListSchema& list, absl::string_view json) {
    const Value items = *ParseJson(json);
    const ItemOrder order(list);
    for (const Value& a : *items.list()) {
      for (const Value& b : *items.list()) {
        const ItemKey a_key = *ItemKeyOf(a, list);
        const ItemKey b_key = *ItemKeyOf(b, list);
        EXPECT_TRUE(order.Compare(a_key, b_key) ==
                    (ElementOf(a_key, list) <=> ElementOf(b_key, list)))
            << ElementOf(a_key, list) << " and " << ElementOf(b_key, list);
      }
    }
  }

  MapSchema item_;
  Schema element_;
  // The names are not sorted, as those of a CustomResourceDefinition may be.
  const ListSchema keyed_ = {.element = &element_,
                             .associative = true,
                             .keys = {{.name = "c"}, {.name = "a"}, {.name = "b"}}};
  const ListSchema set_ = {.element = &element_, .associative = true, .keys = {}};
};

TEST_F(ItemIndexTest, Compare_KeysOfAnyFields_OrdersAsPathElements) {
  CheckOrder(keyed_, R"([{"a":1},{"a":2},{"b":1},{"c":1},{"a":1,"b":1},{"a":1,"b":2},{"a":1,"c":1},
                         {"a":1,"b":1,"c":0},{"b":1,"c":1},{"a":"x"},{"a":true},{"a":null},
                         {"a":1.0},{"a":1.5}])");
  CheckOrder(set_, R"(["b","a",1,1.0,2.5,true,false,""])");
}

TEST_F(ItemIndexTest, IndexItems_EqualKeys_StayInTheOrderOfTheList) {
  const Value items = *ParseJson(R"(["b","a","b","a","c"])");
  const ItemOrder order(set_);
  WalkErrors errors;
  const std::vector<IndexedItem> index = IndexItems(ItemsOf(items), set_, order, errors);
  EXPECT_THAT(errors.ToStatus(), IsOk());
  std::vector<size_t> positions;
  for (const IndexedItem& item : index) {
    positions.push_back(item.position);
    EXPECT_EQ(item.value, &(*items.list())[item.position]);
  }
  EXPECT_THAT(positions, ElementsAre(1, 3, 0, 2, 4));
  EXPECT_EQ(FirstGroup(index, order).size(), 2u);
  EXPECT_EQ(FirstGroup(absl::MakeConstSpan(index).subspan(4), order).size(), 1u);
}

TEST_F(ItemIndexTest, IndexItems_ItemWithoutKey_AddsAnErrorWithItsPosition) {
  const Value items = *ParseJson(R"([{"a":1},null,{"b":1}])");
  WalkErrors errors;
  const std::vector<IndexedItem> index =
      IndexItems(ItemsOf(items), keyed_, ItemOrder(keyed_), errors);
  EXPECT_EQ(index.size(), 2u);
  EXPECT_THAT(errors.ToStatus(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "element 1: associative list with keys may not have a null element"));
}

TEST_F(ItemIndexTest, RepeatedKeys_ManyItems_AreAllButTheFirstOfEachKey) {
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) names.push_back(absl::StrCat("item-", i));
  List<Value> items;
  for (const std::string& name : names) items.push_back(Value(name));
  items.push_back(Value("item-99"));
  items.push_back(Value("item-0"));
  items.push_back(Value("item-99"));
  std::vector<ItemKey> keys;
  for (const Value& item : items) keys.push_back(*ItemKeyOf(item, set_));
  EXPECT_THAT(RepeatedKeys(keys, ItemOrder(set_)), ElementsAre(100, 101, 102));
  keys.resize(100);
  EXPECT_THAT(RepeatedKeys(keys, ItemOrder(set_)), IsEmpty());
  EXPECT_THAT(RepeatedKeys({}, ItemOrder(set_)), IsEmpty());
}

}  // namespace
}  // namespace kube::managedfields::internal
