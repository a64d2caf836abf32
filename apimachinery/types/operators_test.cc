#include "apimachinery/types/operators.h"

#include <concepts>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/testing/sample_tables.h"
#include "gtest/gtest.h"

// Two generated namespaces, one of which uses a struct of the other, and types that users may add.

namespace meta_for_test {
inline namespace k1_36 {

using ::kube::table::operators::operator==;
using ::kube::table::operators::operator<<;
using ::kube::table::operators::AbslHashValue;

struct Owner {
  ::kube::String name{};

  static const ::kube::table::SampleMessage kMessage;
};

}  // namespace k1_36
}  // namespace meta_for_test

namespace group_for_test {

using ::kube::table::operators::operator==;
using ::kube::table::operators::operator<<;
using ::kube::table::operators::AbslHashValue;

struct Widget {
  ::kube::String name{};
  meta_for_test::Owner owner{};
  ::kube::List<meta_for_test::Owner> others{};
  ::kube::Box<meta_for_test::Owner> last{};

  static const ::kube::table::SampleMessage kMessage;
};

// Another file of the same namespace repeats these.
using ::kube::table::operators::operator==;
using ::kube::table::operators::operator<<;
using ::kube::table::operators::AbslHashValue;

// Types of users.
struct Plain {};
struct Money {
  int cents = 0;
  friend bool operator==(const Money& a, const Money& b) { return a.cents == b.cents; }
};
std::ostream& operator<<(std::ostream& out, const Money& money) { return out << money.cents; }
template <typename H>
H AbslHashValue(H h, const Money& money) {
  return H::combine(std::move(h), money.cents);
}

struct Alias : Widget {};
struct Wider : Widget {
  int more = 0;
};
struct Virtual : Widget {
  virtual ~Virtual() = default;
};

}  // namespace group_for_test

namespace kube::table {
namespace {

using group_for_test::Alias;
using group_for_test::Money;
using group_for_test::Plain;
using group_for_test::Virtual;
using group_for_test::Wider;
using group_for_test::Widget;
using meta_for_test::Owner;

static_assert(std::is_aggregate_v<Widget>);
static_assert(std::equality_comparable<Widget>);
static_assert(std::equality_comparable<Alias>);
static_assert(!std::equality_comparable<Plain>);
static_assert(!std::equality_comparable_with<Widget, Owner>);
// EqualMessages would treat its address as that of the Widget, which comes after a pointer.
static_assert(!std::equality_comparable<Virtual>);
static_assert(!std::equality_comparable<Wider>);

template <typename T>
concept Printable = requires(std::ostream& out, const T& value) {
  out << value;
};
static_assert(Printable<Widget>);
static_assert(!Printable<Plain>);
static_assert(!Printable<Virtual>);

Widget Sample() {
  return {
      .name = "a", .owner = {.name = "b"}, .others = {{.name = "c"}}, .last = Owner{.name = "d"}};
}

template <typename T>
std::string Print(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(OperatorsTest, CompareByValue) {
  const Widget widget = Sample();
  Widget other = Sample();
  EXPECT_TRUE(widget == other);
  EXPECT_FALSE(widget != other);
  other.others[0].name = "x";
  EXPECT_TRUE(widget != other);
  EXPECT_EQ(widget.owner, Owner{.name = "b"});
  EXPECT_EQ(widget.last, Owner{.name = "d"});
  EXPECT_NE(widget.others, other.others);
  EXPECT_EQ((std::pair(widget, widget.owner)), (std::pair(Sample(), Sample().owner)));
}

TEST(OperatorsTest, Print) {
  const std::string text =
      "{name: \"a\", owner: {name: \"b\"}, others: [{name: \"c\"}], last: {name: \"d\"}}";
  EXPECT_EQ(Print(Sample()), text);
  EXPECT_EQ(testing::PrintToString(Sample()), text);
  EXPECT_EQ(Print(Sample().others), "[{name: \"c\"}]");
  EXPECT_EQ((std::ostringstream() << Owner{.name = "b"}).str(), "{name: \"b\"}");
}

TEST(OperatorsTest, Hash) {
  const absl::flat_hash_set<Widget> set = {Sample(), Widget{}, Sample()};
  EXPECT_EQ(set.size(), 2u);
  EXPECT_TRUE(set.contains(Sample()));
  EXPECT_EQ(absl::HashOf(Sample()), absl::HashOf(Sample()));
  EXPECT_NE(absl::HashOf(Sample()), absl::HashOf(Widget{}));
  const absl::flat_hash_set<List<Owner>> lists = {Sample().others};
  EXPECT_TRUE(lists.contains(Sample().others));
}

TEST(OperatorsTest, OfOthersInTheNamespaceAreTheirs) {
  EXPECT_EQ(Money{3}, Money{3});
  EXPECT_EQ(Print(Money{3}), "3");
  EXPECT_EQ((absl::flat_hash_set<Money>{Money{3}, Money{3}}.size()), 1u);
}

TEST(OperatorsTest, OfAClassThatOnlyHasAnotherName) {
  Alias alias;
  alias.name = "a";
  EXPECT_NE(alias, Alias());
  EXPECT_EQ(Print(alias), "{name: \"a\"}");
}

}  // namespace
}  // namespace kube::table

namespace meta_for_test {
inline namespace k1_36 {

using ::kube::table::FieldAt;

const ::kube::table::SampleMessage Owner::kMessage =
    ::kube::table::MakeMessage<Owner>("Owner", {FieldAt("name", &Owner::name)});

}  // namespace k1_36
}  // namespace meta_for_test

namespace group_for_test {

using ::kube::table::FieldAt;

const ::kube::table::SampleMessage Widget::kMessage = ::kube::table::MakeMessage<Widget>(
    "Widget", {FieldAt("name", &Widget::name), FieldAt("owner", &Widget::owner),
               FieldAt("others", &Widget::others), FieldAt("last", &Widget::last)});

}  // namespace group_for_test
