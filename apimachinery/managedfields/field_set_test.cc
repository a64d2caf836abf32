#include "apimachinery/managedfields/field_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::managedfields {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using unstructured::Value;

PathElement Named(absl::string_view name) {
  return PathElement::Key(Map<Value>{{"name", Value(name)}});
}

// Returns the path of the fields in "spec.containers.web"; an element that begins with # is a key.
Path PathOf(absl::string_view text) {
  Path path;
  for (const absl::string_view name : absl::StrSplit(text, '.')) {
    path.push_back(name[0] == '#' ? Named(name.substr(1)) : PathElement::Field(name));
  }
  return path;
}

FieldSet SetOf(const std::vector<absl::string_view>& paths) {
  FieldSet set;
  for (const absl::string_view path : paths) set.Insert(PathOf(path));
  return set;
}

TEST(FieldSetTest, FieldAboveAMember_IsNoMember_AsInTheHeader) {
  FieldSet set;
  set.Insert({PathElement::Field("spec"), PathElement::Field("replicas")});
  const bool has_spec = set.Has({PathElement::Field("spec")});  // false: only .spec.replicas
  EXPECT_FALSE(has_spec);
  EXPECT_EQ(set.ToString(), ".spec.replicas");
}

TEST(FieldSetTest, Insert_Path_MakesOnlyItsEndAMember) {
  FieldSet set;
  EXPECT_TRUE(set.empty());
  set.Insert({PathElement::Field("spec"), PathElement::Field("replicas")});
  EXPECT_FALSE(set.empty());
  EXPECT_TRUE(set.Has({PathElement::Field("spec"), PathElement::Field("replicas")}));
  EXPECT_FALSE(set.Has({PathElement::Field("spec")}));
  EXPECT_FALSE(set.Has({PathElement::Field("spec"), PathElement::Index(0)}));
  EXPECT_FALSE(set.Has(PathOf("spec.replicas.a")));
  EXPECT_EQ(set.size(), 1);
  set.Insert(PathOf("spec"));
  set.Insert(PathOf("spec.replicas"));
  EXPECT_TRUE(set.Has(PathOf("spec")));
  EXPECT_EQ(set.size(), 2);
}

TEST(FieldSetTest, Insert_EmptyPath_IsIgnored) {
  FieldSet set;
  set.Insert(Path());
  EXPECT_TRUE(set.empty());
  EXPECT_FALSE(set.Has(Path()));
}

TEST(FieldSetTest, Nodes_OfAnyInsertions_AreSorted) {
  FieldSet set = {{PathElement::Index(1)},   {PathElement::Item("a")},
                  {PathElement::Field("b")}, {Named("x"), PathElement::Field("c")},
                  {PathElement::Field("a")}, {Named("x")}};
  std::vector<std::string> elements;
  for (const FieldSet::Node& node : set.nodes()) elements.push_back(node.element.Serialize());
  EXPECT_THAT(elements, ElementsAre("f:a", "f:b", R"(k:{"name":"x"})", R"(v:"a")", "i:1"));
  const FieldSet::Node* node = set.Find(Named("x"));
  ASSERT_NE(node, nullptr);
  EXPECT_TRUE(node->is_member);
  EXPECT_EQ(node->children, SetOf({"c"}));
  EXPECT_EQ(set.Find(Named("y")), nullptr);
  EXPECT_EQ(set.Find(PathElement::Index(2)), nullptr);
}

TEST(FieldSetTest, AddAppendFromSorted_SameNodes_MakeEqualSets) {
  FieldSet added;
  added.Add(PathElement::Field("b")).is_member = true;
  added.Add(PathElement::Field("a")).children = SetOf({"x"});
  added.Add(PathElement::Field("b")).children = SetOf({"y"});
  FieldSet appended;
  appended.Append(PathElement::Field("a"), false, SetOf({"x"}));
  appended.Append(PathElement::Field("b"), true, SetOf({"y"}));
  const FieldSet wanted = SetOf({"a.x", "b", "b.y"});
  EXPECT_EQ(added, wanted);
  EXPECT_EQ(appended, wanted);
  EXPECT_EQ(FieldSet::FromSorted(appended.nodes()), wanted);
}

TEST(FieldSetTest, Copy_Changed_LeavesTheOtherAsItWas) {
  const FieldSet set = SetOf({"a", "b.c.d", "b.e"});
  FieldSet inserted = set;
  inserted.Insert(PathOf("b.c.x"));
  FieldSet added = set;
  added.Add(PathElement::Field("b")).children.Add(PathElement::Field("e")).is_member = false;
  added.Add(PathElement::Field("b")).children.Add(PathElement::Field("e")).children = SetOf({"y"});
  FieldSet appended = set;
  appended.Append(PathElement::Field("z"), true, set);
  EXPECT_EQ(set, SetOf({"a", "b.c.d", "b.e"}));
  EXPECT_EQ(inserted, SetOf({"a", "b.c.d", "b.c.x", "b.e"}));
  EXPECT_EQ(added, SetOf({"a", "b.c.d", "b.e.y"}));
  EXPECT_EQ(appended, SetOf({"a", "b.c.d", "b.e", "z", "z.a", "z.b.c.d", "z.b.e"}));
}

TEST(FieldSetTest, Assignment_OfCopiesPartsAndMovedSets_KeepsTheSets) {
  FieldSet set = SetOf({"a", "b.c"});
  const FieldSet copy = set;
  FieldSet moved = std::move(set);
  EXPECT_EQ(moved, copy);
  set = moved.Find(PathElement::Field("b"))->children;
  EXPECT_EQ(set, SetOf({"c"}));
  moved = moved.Find(PathElement::Field("b"))->children;  // a part of itself
  EXPECT_EQ(moved, SetOf({"c"}));
  const FieldSet& same = moved;
  moved = same;
  EXPECT_EQ(moved, SetOf({"c"}));
  moved = {};
  EXPECT_TRUE(moved.empty());
  EXPECT_TRUE(moved.nodes().empty());
  EXPECT_EQ(copy, SetOf({"a", "b.c"}));
}

TEST(FieldSetTest, Operations_OnCopies_AreThoseOnEqualSets) {
  const FieldSet set = SetOf({"a", "b.c", "b.#x.d"});
  const FieldSet copy = set;
  const FieldSet none;
  EXPECT_EQ(set.Union(copy), set);
  EXPECT_EQ(set.Union(none), set);
  EXPECT_EQ(none.Union(set), set);
  EXPECT_EQ(set.Intersection(copy), set);
  EXPECT_TRUE(set.Intersection(none).empty());
  EXPECT_TRUE(set.Difference(copy).empty());
  EXPECT_EQ(set.Difference(none), set);
  EXPECT_TRUE(set.RecursiveDifference(copy).empty());
  EXPECT_EQ(set.RecursiveDifference(none), set);
  EXPECT_TRUE(FieldSet::FromSorted({}).empty());
}

TEST(FieldSetTest, Equality_SetsThatDiffer_AreNotEqual) {
  const FieldSet set = SetOf({"a", "b.c"});
  for (const FieldSet& other :
       {FieldSet(), SetOf({"a"}), SetOf({"a", "b.d"}), SetOf({"a", "b", "b.c"}), SetOf({"a", "b"}),
        SetOf({"a", "b.c", "d"}), SetOf({"#a", "b.c"})}) {
    EXPECT_NE(set, other);
  }
  EXPECT_EQ(set, SetOf({"b.c", "a"}));
}

TEST(FieldSetTest, Paths_MembersOfALevel_ComeBeforeThoseBelowIt) {
  const FieldSet set = SetOf({"a.x", "a", "b.#web.image", "b.#web", "c"});
  EXPECT_THAT(set.Paths(), ElementsAre(PathOf("a"), PathOf("c"), PathOf("a.x"), PathOf("b.#web"),
                                       PathOf("b.#web.image")));
  constexpr absl::string_view kText = ".a\n.c\n.a.x\n.b[name=\"web\"]\n.b[name=\"web\"].image";
  EXPECT_EQ(set.ToString(), kText);
  std::ostringstream out;
  out << set;
  EXPECT_EQ(out.str(), kText);
}

TEST(FieldSetTest, Differences_ParentsAndChildren_AreTreatedAsUpstream) {
  const FieldSet set = SetOf({"a", "a.b", "a.b.c", "d"});
  const FieldSet parent = SetOf({"a.b"});
  EXPECT_EQ(set.Difference(parent), SetOf({"a", "a.b.c", "d"}));
  EXPECT_EQ(set.RecursiveDifference(parent), SetOf({"a", "d"}));
  EXPECT_EQ(SetOf({"a"}).RecursiveDifference(SetOf({"a.b"})), SetOf({"a"}));
  EXPECT_EQ(SetOf({"a.b"}).Difference(SetOf({"a.b"})).nodes().size(), 0);
  EXPECT_EQ(set.Leaves(), SetOf({"a.b.c", "d"}));
}

// ---- The operations, compared with those on plain sets of paths

using Model = std::set<std::vector<size_t>>;

const std::vector<PathElement>& Elements() {
  static base::NoDestructor<std::vector<PathElement>> elements(
      std::vector<PathElement>{PathElement::Field("a"), PathElement::Field("b"), Named("x"),
                               PathElement::Item(80), PathElement::Index(0)});
  return *elements;
}

FieldSet SetOfModel(const Model& model) {
  FieldSet set;
  for (const std::vector<size_t>& indices : model) {
    Path path;
    for (const size_t i : indices) path.push_back(Elements()[i]);
    set.Insert(path);
  }
  return set;
}

Model RandomModel(oracle::Dice& dice) {
  Model model;
  for (size_t count = dice.Below(12); count > 0; --count) {
    std::vector<size_t> path(1 + dice.Below(4));
    for (size_t& element : path) element = dice.Below(Elements().size());
    model.insert(std::move(path));
  }
  return model;
}

bool IsBelowOrIn(const std::vector<size_t>& path, const Model& model) {
  for (size_t size = 1; size <= path.size(); ++size) {
    if (model.contains({path.begin(), path.begin() + static_cast<ptrdiff_t>(size)})) return true;
  }
  return false;
}

bool HasMembersBelow(const Model& model, const std::vector<size_t>& path) {
  return std::any_of(model.begin(), model.end(), [&path](const std::vector<size_t>& other) {
    return other.size() > path.size() && std::equal(path.begin(), path.end(), other.begin());
  });
}

Model Where(const Model& model, const std::function<bool(const std::vector<size_t>&)>& holds) {
  Model found;
  std::copy_if(model.begin(), model.end(), std::inserter(found, found.end()), holds);
  return found;
}

TEST(FieldSetTest, Operations_RandomSets_AreThoseOfSetsOfPaths) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    oracle::Dice dice(seed);
    const Model a = RandomModel(dice);
    const Model b = RandomModel(dice);
    const auto in_b = [&b](const std::vector<size_t>& path) { return b.contains(path); };
    Model all = a;
    all.insert(b.begin(), b.end());
    const FieldSet x = SetOfModel(a);
    const FieldSet y = SetOfModel(b);
    EXPECT_EQ(x.size(), a.size()) << seed;
    EXPECT_EQ(x.Paths().size(), a.size()) << seed;
    EXPECT_EQ(x.empty(), a.empty()) << seed;
    EXPECT_EQ(x == y, a == b) << seed;
    EXPECT_EQ(x.Union(y), SetOfModel(all)) << seed;
    EXPECT_EQ(x.Intersection(y), SetOfModel(Where(a, in_b))) << seed;
    EXPECT_EQ(x.Difference(y), SetOfModel(Where(a, std::not_fn(in_b)))) << seed;
    EXPECT_EQ(x.RecursiveDifference(y),
              SetOfModel(Where(
                  a, [&b](const std::vector<size_t>& path) { return !IsBelowOrIn(path, b); })))
        << seed;
    EXPECT_EQ(x.Leaves(),
              SetOfModel(Where(
                  a, [&a](const std::vector<size_t>& path) { return !HasMembersBelow(a, path); })))
        << seed;
  }
}

// Returns the set of these fields: f0, f1 ...
FieldSet NumberedFields(size_t first, size_t count, size_t step) {
  FieldSet set;
  for (size_t i = 0; i < count; ++i) {
    set.Insert({PathElement::Field(absl::StrCat("f", first + i * step))});
  }
  return set;
}

// Elements that are far apart are searched and not walked to.
TEST(FieldSetTest, Operations_SmallAndLargeSets_AreThoseOfTheirMembers) {
  const FieldSet large = NumberedFields(1000, 1000, 2);
  for (const size_t first : {1000u, 1001u, 1500u, 1998u, 2997u, 2998u, 5000u}) {
    SCOPED_TRACE(first);
    const FieldSet small = NumberedFields(first, 3, 501);
    FieldSet both;
    FieldSet rest;
    for (const Path& path : small.Paths()) (large.Has(path) ? both : rest).Insert(path);
    EXPECT_EQ(small.Intersection(large), both);
    EXPECT_EQ(large.Intersection(small), both);
    EXPECT_EQ(small.Difference(large), rest);
    EXPECT_EQ(small.RecursiveDifference(large), rest);
    EXPECT_EQ(large.Difference(small).size(), large.size() - both.size());
  }
}

TEST(FieldSetTest, VisitPaths_HasTheOrderOfPaths) {
  const FieldSet set = SetOf({"b.#web", "a.x", "c", "a", "b.#web.image"});
  std::vector<Path> visited;
  set.VisitPaths([&visited](const Path& path) { visited.push_back(path); });
  EXPECT_EQ(visited, set.Paths());
  EXPECT_THAT(visited, SizeIs(5));
}

TEST(UnionOfAllTest, RandomSets_IsTheUnionOfOneAfterAnother) {
  EXPECT_TRUE(UnionOfAll({}).empty());
  for (uint64_t seed = 0; seed < 500; ++seed) {
    oracle::Dice dice(seed);
    std::vector<FieldSet> sets(1 + dice.Below(9));
    FieldSet want;
    for (FieldSet& set : sets) {
      set = SetOfModel(RandomModel(dice));
      want = want.Union(set);
    }
    EXPECT_EQ(UnionOfAll(sets), want) << seed;
  }
}

TEST(UnionOfAllTest, EqualNumbers_AreWrittenAsInTheEarliestSet) {
  FieldSet whole;
  whole.Insert({PathElement::Item(Value(80))});
  FieldSet with_point;
  with_point.Insert({PathElement::Item(Value(80.0))});
  const auto first_of = [](const std::vector<FieldSet>& sets) {
    return UnionOfAll(sets).nodes()[0].element.item();
  };
  EXPECT_TRUE(first_of({whole, with_point, with_point}).is_int());
  EXPECT_TRUE(first_of({with_point, whole, whole}).is_double());
}

// ---- Filters

// Returns the pattern of PathOf(text); * matches every element.
PathPattern PatternOf(absl::string_view text) {
  PathPattern pattern;
  for (const PathElement& element : PathOf(text)) {
    pattern.push_back({.element = element, .any = element == PathElement::Field("*")});
  }
  return pattern;
}

TEST(FieldFilterTest, Apply_NoFields_KeepsAll) {
  const FieldFilter filter;
  EXPECT_TRUE(filter.empty());
  EXPECT_EQ(filter.Apply(SetOf({"a", "b.c"})), SetOf({"a", "b.c"}));
}

TEST(FieldFilterTest, Apply_ExcludedFields_GoWithAllBelowThem) {
  const FieldFilter filter = {.excluded = SetOf({"status", "metadata.labels"})};
  EXPECT_FALSE(filter.empty());
  EXPECT_EQ(filter.Apply(SetOf({"spec.a", "status", "status.b", "metadata", "metadata.labels.c",
                                "metadata.name"})),
            SetOf({"spec.a", "metadata", "metadata.name"}));
}

TEST(FieldFilterTest, Apply_IncludedPatterns_KeepBeginningsMatchesAndWhatIsBelow) {
  const FieldSet set =
      SetOf({"metadata.name", "spec", "spec.replicas", "spec.containers", "spec.containers.#a",
             "spec.containers.#a.image", "spec.containers.#a.resources",
             "spec.containers.#a.resources.limits", "spec.containers.#b.resources.limits"});
  struct Case {
    absl::string_view name;
    std::vector<absl::string_view> patterns;
    FieldSet kept;
  };
  for (const Case& c : {
           Case{"another field", {"status"}, FieldSet()},
           Case{"a field and all below it", {"metadata"}, SetOf({"metadata.name"})},
           Case{"any item",
                {"spec.containers.*.resources"},
                SetOf({"spec", "spec.containers", "spec.containers.#a",
                       "spec.containers.#a.resources", "spec.containers.#a.resources.limits",
                       "spec.containers.#b.resources.limits"})},
           Case{"one item",
                {"spec.containers.#a.image"},
                SetOf(
                    {"spec", "spec.containers", "spec.containers.#a", "spec.containers.#a.image"})},
           Case{"only beginnings", {"spec.x.y"}, SetOf({"spec"})},
           Case{"everything", {"*"}, set},
       }) {
    FieldFilter filter;
    for (const absl::string_view text : c.patterns) {
      filter.included_patterns.push_back(PatternOf(text));
    }
    EXPECT_FALSE(filter.empty());
    EXPECT_EQ(filter.Apply(set), c.kept) << c.name;
  }
}

// Upstream's Merge looks for the patterns of one set at the positions of the other.
TEST(FieldFilterTest, Apply_OverlappingPatterns_KeepWhatAnyOfThemKeeps) {
  const FieldSet set = SetOf({"a.x", "a.y", "b.x", "b.y", "b.z"});
  const FieldFilter filter = {
      .excluded = FieldSet(),
      .included_patterns = {PatternOf("b.y"), PatternOf("*.x"), PatternOf("b.z")}};
  EXPECT_EQ(filter.Apply(set), SetOf({"a.x", "b.x", "b.y", "b.z"}));
}

TEST(FieldFilterTest, Apply_EmptyPattern_KeepsAll) {
  const FieldFilter filter = {.excluded = FieldSet(),
                              .included_patterns = {PatternOf("a"), PathPattern()}};
  EXPECT_EQ(filter.Apply(SetOf({"a", "b.c"})), SetOf({"a", "b.c"}));
}

}  // namespace
}  // namespace kube::managedfields
