#include "listers/internal/ref.h"

#include <utility>

#include "gtest/gtest.h"

namespace kube::listers::internal {
namespace {

struct Counted : RefCounted {
  Counted(int* counter, int v) : destroyed(counter), value(v) {}
  ~Counted() { ++*destroyed; }
  int* destroyed;
  int value;
};

TEST(Ref, TheLastOneDestroys) {
  int destroyed = 0;
  Ref<Counted> a = Ref<Counted>::Make(&destroyed, 7);
  EXPECT_TRUE(a->IsUnique());
  Ref<Counted> b = a;
  EXPECT_FALSE(a->IsUnique());
  const Ref<const Counted> c = std::move(b);
  EXPECT_FALSE(b);
  EXPECT_EQ(c.get(), a.get());
  a = {};
  EXPECT_EQ(destroyed, 0);
  EXPECT_TRUE(c->IsUnique());
  EXPECT_EQ((*c).value, 7);
}

TEST(Ref, AssignmentDropsWhatWas) {
  int destroyed = 0;
  Ref<Counted> a = Ref<Counted>::Make(&destroyed, 1);
  a = Ref<Counted>::Make(&destroyed, 2);
  EXPECT_EQ(destroyed, 1);
  Ref<Counted>& same = a;
  a = same;
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(a->value, 2);
}

TEST(Ref, ACopiedObjectHasReferencesOfItsOwn) {
  int destroyed = 0;
  const Ref<Counted> a = Ref<Counted>::Make(&destroyed, 1);
  const Ref<Counted> also_a = a;
  const Ref<Counted> b = Ref<Counted>::Make(*a);
  EXPECT_TRUE(b->IsUnique());
  EXPECT_FALSE(also_a->IsUnique());
}

TEST(Ref, Release) {
  int destroyed = 0;
  Ref<Counted> a = Ref<Counted>::Make(&destroyed, 1);
  const Ref<Counted> keeps = a;
  Counted* const object = a.Release();
  EXPECT_FALSE(a);
  EXPECT_FALSE(object->DropReference());
  EXPECT_TRUE(object->IsUnique());
}

}  // namespace
}  // namespace kube::listers::internal
