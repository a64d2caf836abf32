// Nothing can be changed through a const object: caches hand out shared_ptr<const T>. Each
// operation that must not compile is tested with `requires`; beside it stands the same operation on
// a mutable object, which must compile, so that a typing error does not pass for safety.

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "apimachinery/types/box.h"
#include "apimachinery/types/bytes.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/testing/part.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

using Cached = std::shared_ptr<const Part>;

// Each is a way to write to a P: a Part&, a const Part&, or what a Cached points to.
template <bool kCompiles>
using Compiles = std::bool_constant<kCompiles>;

// ---- members
template <typename P>
    struct AssignsAll : Compiles < requires(P p) {
  p = Part();
} > {};
template <typename P>
    struct AssignsString : Compiles < requires(P p) {
  p.name = "x";
} > {};
template <typename P>
    struct AssignsNumber : Compiles < requires(P p) {
  p.number = 1;
} > {};
template <typename P>
    struct AssignsBytes : Compiles < requires(P p) {
  p.data = "x";
} > {};
template <typename P>
    struct ResetsBytes : Compiles < requires(P p) {
  p.data.reset();
} > {};
template <typename P>
    struct AssignsStructMember : Compiles < requires(P p) {
  p.size.width = 1;
} > {};
template <typename P>
    struct AssignsOpt : Compiles < requires(P p) {
  p.count = 1;
} > {};
template <typename P>
    struct EmplacesOpt : Compiles < requires(P p) {
  p.count.emplace() = 1;
} > {};
template <typename P>
    struct ResetsOpt : Compiles < requires(P p) {
  p.note.reset();
} > {};
template <typename P>
struct Binds : Compiles<std::is_convertible_v<P, Part&>> {};
template <typename P>
    struct Swaps : Compiles < requires(P p, Part q) {
  std::swap(p.tags, q.tags);
} > {};

// ---- lists
template <typename P>
    struct AssignsList : Compiles < requires(P p) {
  p.tags = {"x"};
} > {};
template <typename P>
    struct AssignsElement : Compiles < requires(P p) {
  p.tags[0] = "x";
} > {};
template <typename P>
    struct AssignsFront : Compiles < requires(P p) {
  p.tags.front() = "x";
} > {};
template <typename P>
    struct AssignsBack : Compiles < requires(P p) {
  p.tags.back() = "x";
} > {};
template <typename P>
    struct AssignsBegin : Compiles < requires(P p) {
  *p.tags.begin() = "x";
} > {};
template <typename P>
    struct AssignsEnd : Compiles < requires(P p) {
  p.tags.end()[-1] = "x";
} > {};
template <typename P>
    struct AssignsData : Compiles < requires(P p) {
  *p.tags.data() = "x";
} > {};
template <typename P>
    struct AssignsElementMember : Compiles < requires(P p) {
  p.parts[0].name = "x";
} > {};
template <typename P>
    struct AssignsInnerElement : Compiles < requires(P p) {
  p.groups[0][0] = "x";
} > {};
template <typename P>
    struct PushesBack : Compiles < requires(P p) {
  p.tags.push_back("x");
} > {};
template <typename P>
    struct EmplacesBack : Compiles < requires(P p) {
  p.tags.emplace_back("x");
} > {};
template <typename P>
    struct PopsBack : Compiles < requires(P p) {
  p.tags.pop_back();
} > {};
template <typename P>
    struct Inserts : Compiles < requires(P p) {
  p.tags.insert(p.tags.begin(), "x");
} > {};
template <typename P>
    struct ErasesElement : Compiles < requires(P p) {
  p.tags.erase(p.tags.begin());
} > {};
template <typename P>
    struct Resizes : Compiles < requires(P p) {
  p.tags.resize(1);
} > {};
template <typename P>
    struct Reserves : Compiles < requires(P p) {
  p.tags.reserve(1);
} > {};
template <typename P>
    struct ClearsList : Compiles < requires(P p) {
  p.tags.clear();
} > {};
template <typename P>
    struct ResetsList : Compiles < requires(P p) {
  p.tags.reset();
} > {};

// ---- maps
template <typename P>
    struct AssignsMap : Compiles < requires(P p) {
  p.labels = {{"x", "x"}};
} > {};
template <typename P>
    struct AsksByBrackets : Compiles < requires(P p) {
  p.labels["x"];
} > {};
template <typename P>
    struct InsertsInMap : Compiles < requires(P p) {
  p.labels.insert_or_assign("x", "x");
} > {};
template <typename P>
    struct AssignsFound : Compiles < requires(P p) {
  *p.labels.find("x") = "x";
} > {};
template <typename P>
    struct AssignsFirstValue : Compiles < requires(P p) {
  p.labels.begin()->value = "x";
} > {};
template <typename P>
    struct AssignsValueMember : Compiles < requires(P p) {
  p.index.find("x")->name = "x";
} > {};
template <typename P>
    struct ErasesKey : Compiles < requires(P p) {
  p.labels.erase("x");
} > {};
template <typename P>
    struct ClearsMap : Compiles < requires(P p) {
  p.labels.clear();
} > {};
template <typename P>
    struct ResetsMap : Compiles < requires(P p) {
  p.labels.reset();
} > {};

// ---- boxes
template <typename P>
    struct AssignsBox : Compiles < requires(P p) {
  p.child = Part();
} > {};
template <typename P>
    struct AssignsByArrow : Compiles < requires(P p) {
  p.child->name = "x";
} > {};
template <typename P>
    struct AssignsByStar : Compiles < requires(P p) {
  (*p.child).name = "x";
} > {};
template <typename P>
    struct AssignsByGet : Compiles < requires(P p) {
  p.child.get()->name = "x";
} > {};
template <typename P>
    struct AssignsDeeply : Compiles < requires(P p) {
  p.child->parts[0].index.begin()->value.tags[0] = "x";
} > {};
template <typename P>
    struct EmplacesBox : Compiles < requires(P p) {
  p.child.emplace();
} > {};
template <typename P>
    struct ResetsBox : Compiles < requires(P p) {
  p.child.reset();
} > {};

template <template <typename> class... Way>
constexpr bool OnlyOnMutable() {
  return ((Way<Part&>::value && !Way<const Part&>::value &&
           !Way<decltype(*std::declval<const Cached&>())>::value &&
           !Way<decltype(*std::declval<Cached&>())>::value) &&
          ...);
}

static_assert(
    OnlyOnMutable<AssignsAll, AssignsString, AssignsNumber, AssignsBytes, ResetsBytes,
                  AssignsStructMember, AssignsOpt, EmplacesOpt, ResetsOpt, Binds, Swaps>());
static_assert(
    OnlyOnMutable<AssignsList, AssignsElement, AssignsFront, AssignsBack, AssignsBegin, AssignsEnd,
                  AssignsData, AssignsElementMember, AssignsInnerElement, PushesBack, EmplacesBack,
                  PopsBack, Inserts, ErasesElement, Resizes, Reserves, ClearsList, ResetsList>());
static_assert(
    OnlyOnMutable<AssignsMap, AsksByBrackets, InsertsInMap, AssignsFound, AssignsFirstValue,
                  AssignsValueMember, ErasesKey, ClearsMap, ResetsMap>());
static_assert(OnlyOnMutable<AssignsBox, AssignsByArrow, AssignsByStar, AssignsByGet, AssignsDeeply,
                            EmplacesBox, ResetsBox>());

// Not even through mutable objects: keys, because they are sorted; the zero of an absent Opt;
// characters.
template <typename P>
    struct AssignsKey : Compiles < requires(P p) {
  p.labels.begin()->key = "x";
} > {};
template <typename P>
    struct AssignsEntry : Compiles < requires(P p) {
  *p.labels.begin() = *p.labels.begin();
} > {};
template <typename P>
    struct AssignsThroughOpt : Compiles < requires(P p) {
  *p.count = 1;
} > {};
template <typename P>
    struct AssignsCharacter : Compiles < requires(P p) {
  p.name.data()[0] = 'x';
} > {};
static_assert(!AssignsKey<Part&>::value && !AssignsEntry<Part&>::value);
static_assert(!AssignsThroughOpt<Part&>::value && !AssignsCharacter<Part&>::value);

// The cached object remains unchanged; moving from it makes a copy.
TEST(ConstTest, MovingOutOfItCopies) {
  const Cached cached = std::make_shared<const Part>(FullPart());
  const Part want = FullPart();
  // NOLINTBEGIN(performance-move-const-arg): that is the point
  const Part all = std::move(*cached);
  const String name = std::move(cached->name);
  const Opt<String> note = std::move(cached->note);
  const Bytes data = std::move(cached->data);
  const Box<Part> child = std::move(cached->child);
  const Part grandchild = std::move(cached->child->parts[0]);
  const List<Part> parts = std::move(cached->parts);
  const Part part = std::move(cached->parts[1]);
  const String tag = std::move(*cached->tags.begin());
  const Map<String> labels = std::move(cached->labels);
  const String label = std::move(*cached->labels.find("b"));
  const Map<Part>::Entry entry = std::move(*cached->index.begin());
  // NOLINTEND(performance-move-const-arg)
  EXPECT_EQ(*cached, want);
  EXPECT_EQ(all, want);
  EXPECT_EQ(name, want.name);
  EXPECT_EQ(note, want.note);
  EXPECT_EQ(data, want.data);
  EXPECT_EQ(child, want.child);
  EXPECT_EQ(grandchild, want.child->parts[0]);
  EXPECT_EQ(parts, want.parts);
  EXPECT_EQ(part, want.parts[1]);
  EXPECT_EQ(tag, want.tags[0]);
  EXPECT_EQ(labels, want.labels);
  EXPECT_EQ(label, *want.labels.find("b"));
  EXPECT_EQ(entry, *want.index.begin());
}

// Of a mutable map, too: keys are const.
TEST(ConstTest, MovingAnEntryLeavesItsKey) {
  Part part = FullPart();
  const Map<Part>::Entry entry = std::move(*part.index.begin());
  EXPECT_EQ(entry.key, "x");
  EXPECT_TRUE(part.index.contains("x"));
}

TEST(ConstTest, IteratorsOfConstAreConst) {
  static_assert(std::is_same_v<decltype(std::declval<const List<Part>&>().begin()), const Part*>);
  static_assert(std::is_same_v<decltype(std::declval<const Map<Part>&>().find("")), const Part*>);
  static_assert(
      std::is_same_v<decltype(std::declval<const Map<Part>&>().begin()), const Map<Part>::Entry*>);
  static_assert(std::is_same_v<decltype(std::declval<const Box<Part>&>().get()), const Part*>);
  static_assert(std::is_same_v<decltype(*std::declval<const Opt<String>&>()), const String&>);
  const Part part = FullPart();
  for (auto&& [key, value] : part.index) {
    static_assert(std::is_const_v<std::remove_reference_t<decltype(value)>>);
    EXPECT_EQ(key, "x");
  }
}

}  // namespace
}  // namespace kube
