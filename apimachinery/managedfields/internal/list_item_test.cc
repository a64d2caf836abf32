#include "apimachinery/managedfields/internal/list_item.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::managedfields::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using unstructured::ParseJson;
using unstructured::Value;

class ListItemTest : public testing::Test {
 protected:
  ListItemTest() { element_.map = &item_; }

  MapSchema item_;
  Schema element_;
  const ListSchema ports_ = {
      .element = &element_,
      .associative = true,
      .keys = {{.name = "protocol", .default_value = Value("TCP")}, {.name = "port"}}};
  const ListSchema containers_ = {
      .element = &element_, .associative = true, .keys = {{.name = "name"}, {.name = "kind"}}};
  const ListSchema set_ = {.element = &element_, .associative = true, .keys = {}};
};

TEST_F(ListItemTest, ListItemElement_KeyedItem_IsItsKeyFieldsWithDefaults) {
  EXPECT_THAT(ListItemElement(*ParseJson(R"({"port":80,"name":"web"})"), ports_),
              IsOkAndHolds(PathElement::Key({{"port", 80}, {"protocol", "TCP"}})));
  EXPECT_THAT(ListItemElement(*ParseJson(R"({"port":80,"protocol":"UDP"})"), ports_),
              IsOkAndHolds(PathElement::Key({{"port", 80}, {"protocol", "UDP"}})));
  EXPECT_THAT(ListItemElement(*ParseJson("{}"), ports_),
              IsOkAndHolds(PathElement::Key({{"protocol", "TCP"}})));
  // Null is a value.
  EXPECT_THAT(ListItemElement(*ParseJson(R"({"protocol":null})"), ports_),
              IsOkAndHolds(PathElement::Key({{"protocol", Value()}})));
  // A key field without default may be absent.
  EXPECT_THAT(ListItemElement(*ParseJson(R"({"kind":"a"})"), containers_),
              IsOkAndHolds(PathElement::Key({{"kind", "a"}})));
}

TEST_F(ListItemTest, ListItemElement_ItemOfASet_IsItsValue) {
  EXPECT_THAT(ListItemElement(Value("a"), set_), IsOkAndHolds(PathElement::Item("a")));
  EXPECT_THAT(ListItemElement(Value(1.5), set_), IsOkAndHolds(PathElement::Item(1.5)));
  EXPECT_THAT(ListItemElement(Value(true), set_), IsOkAndHolds(PathElement::Item(true)));
}

TEST_F(ListItemTest, ListItemElement_ItemWithoutKey_IsInvalidArgumentWithUpstreamsText) {
  const struct {
    const ListSchema& list;
    absl::string_view item;
    std::string message;
  } rows[] = {
      {containers_, "null", "associative list with keys may not have a null element"},
      {containers_, R"("a")", "associative list with keys may not have non-map elements"},
      {containers_, R"({"image":"x"})",
       "associative list with keys has an element that omits all key fields [\"name\" \"kind\"] "
       "(and doesn't have default values for any key fields)"},
      {set_, "{}", "associative list without keys has an element that's a map type"},
      {set_, "[]", "not supported: associative list with lists as elements"},
      {set_, "null", "associative list without keys has an element that's an explicit null"},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(ListItemElement(*ParseJson(row.item), row.list),
                StatusIs(absl::StatusCode::kInvalidArgument, row.message))
        << row.item;
  }
}

TEST_F(ListItemTest, ListItemElement_ListThatCannotHaveKeys_IsInvalidArgument) {
  EXPECT_THAT(
      ListItemElement(Value("a"), {.element = &element_, .associative = false, .keys = {}}),
      StatusIs(absl::StatusCode::kInvalidArgument, "invalid indexing of non-associative list"));
  EXPECT_THAT(
      ListItemElement(*ParseJson("{}"),
                      {.element = nullptr, .associative = true, .keys = {{.name = "name"}}}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "couldn't find default value for name: associative list may not have "
               "non-map types"));
}

TEST_F(ListItemTest, FormOf_EachValue_IsWalkedAsItsTypeAndSchemaAllow) {
  const MapSchema atomic_map = {.fields = {}, .element = &element_, .atomic = true};
  const ListSchema atomic_list = {.element = &element_, .associative = false, .keys = {}};
  const Schema granular = {.scalar = ScalarType::kUntyped, .list = &set_, .map = &item_};
  const Schema atomic = {.scalar = ScalarType::kUntyped, .list = &atomic_list, .map = &atomic_map};
  EXPECT_EQ(FormOf(*ParseJson("{}"), granular), Form::kMap);
  EXPECT_EQ(FormOf(*ParseJson("[]"), granular), Form::kList);
  EXPECT_EQ(FormOf(Value("a"), granular), Form::kLeaf);
  EXPECT_EQ(FormOf(Value(), granular), Form::kLeaf);
  EXPECT_EQ(FormOf(*ParseJson(R"({"a":1})"), atomic), Form::kLeaf);
  EXPECT_EQ(FormOf(*ParseJson("[1]"), atomic), Form::kLeaf);
  EXPECT_EQ(FormOf(*ParseJson("{}"), {.scalar = ScalarType::kString}), Form::kLeaf);
}

TEST_F(ListItemTest, AtomOf_AllowedValues_AreTheirTypeAndOthersTheFirstAtom) {
  const Schema all = {.scalar = ScalarType::kUntyped, .list = &set_, .map = &item_};
  EXPECT_EQ(AtomOf(*ParseJson("{}"), all), Atom::kMap);
  EXPECT_EQ(AtomOf(*ParseJson("[]"), all), Atom::kList);
  EXPECT_EQ(AtomOf(Value(1), all), Atom::kScalar);
  EXPECT_EQ(AtomOf(Value(), all), Atom::kMap);
  const Schema scalar_or_list = {.scalar = ScalarType::kString, .list = &set_, .map = nullptr};
  EXPECT_EQ(AtomOf(Value(), scalar_or_list), Atom::kScalar);
  EXPECT_EQ(AtomOf(*ParseJson("{}"), scalar_or_list), Atom::kScalar);
  const Schema list = {.scalar = ScalarType::kNone, .list = &set_, .map = nullptr};
  EXPECT_EQ(AtomOf(Value("a"), list), Atom::kList);
  EXPECT_EQ(AtomOf(Value("a"), OrNothing(nullptr)), Atom::kNone);
  EXPECT_EQ(&OrNothing(&list), &list);
}

}  // namespace
}  // namespace kube::managedfields::internal
