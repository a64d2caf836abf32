#include "listers/internal/value_index.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "listers/internal/posting.h"
#include "tests/dice.h"

namespace kube::listers::internal {
namespace {

struct Thing {
  std::string namespace_name;
  std::string name;
};

ObjectKey KeyOf(const void* object) {
  const Thing& thing = *static_cast<const Thing*>(object);
  return {.namespace_name = thing.namespace_name, .name = thing.name};
}
constexpr ObjectTraits kTraits = {{.key = KeyOf}, nullptr};

// Value and name to the object.
using Model = std::map<std::pair<std::string, std::string>, ValueIndex::Object>;

Model ContentsOf(const ValueIndex& index) {
  Model contents;
  for (PostingTree::Cursor p(index.postings()); !p.done(); p.Next()) {
    EXPECT_GT(p.value()->members.size(), 0u) << p.value()->value;
    for (ObjectTree::Cursor o(p.value()->members); !o.done(); o.Next()) {
      const bool is_new =
          contents
              .emplace(std::make_pair(p.value()->value, std::string(KeyOf(o.value().get()).name)),
                       o.value())
              .second;
      EXPECT_TRUE(is_new);
    }
  }
  return contents;
}

void ExpectFinds(const ValueIndex::Context& context, const ValueIndex& index, const Model& model) {
  EXPECT_EQ(ContentsOf(index), model);
  for (const auto& [names, object] : model) {
    const Posting* const posting = index.Find(context.hasher, names.first);
    ASSERT_NE(posting, nullptr);
    const ObjectKey key = KeyOf(object.get());
    const ValueIndex::Object* const found =
        ValueIndex::FindMember(context, *posting, context.hasher.OfKey(key), key);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(*found, object);
  }
  EXPECT_EQ(index.Find(context.hasher, "nobody has this"), nullptr);
}

struct MaskCase {
  const char* name;
  uint64_t mask;
};

class ValueIndexTest : public testing::TestWithParam<MaskCase> {};

// With masks that leave few hashes or one, nearly everything collides.
TEST_P(ValueIndexTest, DoesWhatAMapDoes) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Dice dice(seed);
    const Hasher hasher(seed, GetParam().mask);
    const ValueIndex::Context context = {.hasher = hasher, .traits = &kTraits};
    ValueIndex index;
    Model model;
    ValueIndex copy;
    Model copied;
    for (int i = 0; i < 1500; ++i) {
      const std::string value = absl::StrCat("v", dice.Below(8));
      auto thing = std::make_shared<const Thing>(Thing{"ns", absl::StrCat("n", dice.Below(30))});
      const ObjectKey key = KeyOf(thing.get());
      const uint64_t hash = hasher.OfKey(key);
      const auto found = model.find({value, thing->name});
      const ValueIndex::Object before = found == model.end() ? nullptr : found->second;
      if (dice.Below(2) == 0) {
        ASSERT_EQ(index.Set(context, value, hash, thing, before.get()), before);
        model[{value, thing->name}] = thing;
      } else {
        ASSERT_EQ(index.Remove(context, value, hash, key), before);
        if (found != model.end()) model.erase(found);
      }
      if (i == 1000) {
        copy = index;
        copied = model;
      }
    }
    ExpectFinds(context, index, model);
    ExpectFinds(context, copy, copied);
  }
}

TEST_P(ValueIndexTest, IsBuiltOfEntries) {
  const Hasher hasher(7, GetParam().mask);
  const ValueIndex::Context context = {.hasher = hasher, .traits = &kTraits};
  Model model;
  std::vector<ValueIndex::Entry> entries;
  const std::vector<std::string> values = {"", "a", "b", "c"};
  for (int i = 0; i < 200; ++i) {
    auto thing = std::make_shared<const Thing>(Thing{"ns", absl::StrCat("n", i % 150)});
    const std::string& value = values[i % 150 % values.size()];
    entries.push_back({value, hasher.OfKey(KeyOf(thing.get())), thing});
    model[{value, thing->name}] = thing;  // the later counts
  }
  ExpectFinds(context, ValueIndex::Build(context, std::move(entries)), model);
}

INSTANTIATE_TEST_SUITE_P(Masks, ValueIndexTest,
                         testing::Values(MaskCase{"none", ~uint64_t{0}}, MaskCase{"two_bits", 3},
                                         MaskCase{"all_alike", 0}),
                         [](const auto& mask) { return mask.param.name; });

TEST(Hasher, DependsOnAllOfAKey) {
  const Hasher hasher(1);
  EXPECT_NE(hasher.OfKey({"a", "bc"}), hasher.OfKey({"ab", "c"}));
  EXPECT_NE(hasher.OfKey({"", "a"}), hasher.OfKey({"a", ""}));
  EXPECT_NE(hasher.OfValue("a"), Hasher(2).OfValue("a"));
  std::string text(40, 'x');
  const uint64_t before = hasher.OfValue(text);
  for (size_t i = 0; i < text.size(); ++i) {
    text[i] = 'y';
    EXPECT_NE(hasher.OfValue(text), before) << i;
    text[i] = 'x';
  }
}

}  // namespace
}  // namespace kube::listers::internal
