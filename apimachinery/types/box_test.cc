#include "apimachinery/types/box.h"

#include <concepts>
#include <cstring>
#include <utility>

#include "absl/hash/hash.h"
#include "apimachinery/types/testing/part.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

TEST(BoxTest, StartsAbsent) {
  const Box<Part> box;
  EXPECT_FALSE(box);
  EXPECT_FALSE(box.has_value());
  EXPECT_EQ(box.get(), nullptr);
  EXPECT_EQ(box, nullptr);
}

TEST(BoxTest, HoldsAValue) {
  const Part value = FullPart();
  Box<Part> box = value;
  EXPECT_TRUE(box);
  EXPECT_EQ(*box, value);
  EXPECT_EQ(box->name, value.name);
  EXPECT_NE(box.get(), &value);
  box->name = "other";
  EXPECT_NE(box, value);
  EXPECT_EQ(value, FullPart());
}

TEST(BoxTest, IsFilledInPlace) {
  const Part nested = {.limit = Size{.width = 1}, .child = Part{.name = "a", .limit = Size{}}};
  EXPECT_EQ(nested.child->name, "a");
  EXPECT_EQ(nested.child->limit, Size{});
  // Without the type's name, too.
  const Part braces = {.limit = {{.width = 1}}, .child = {{.name = "a", .limit = Size{}}}};
  EXPECT_EQ(braces, nested);
  const Part deeper = {.child = {{.child = {{.name = "b", .limit = {{.width = 2}}}}}}};
  EXPECT_EQ(deeper.child->child->limit->width, 2);
  const Part absent = {.limit = {}, .child = nullptr};
  EXPECT_EQ(absent, Part());
  const Part empty = {.limit = {{}}, .child = {{.limit = {{}}}}};
  EXPECT_EQ(empty.limit, Size{});
  EXPECT_EQ(empty.child->limit, Size{});
}

TEST(BoxTest, IsAssigned) {
  Part part;
  part.limit = Size{.width = 1};
  EXPECT_EQ(part.limit->width, 1);
  part.limit = Size{.width = 2};
  EXPECT_EQ(part.limit->width, 2);
  part.limit = {{.width = 4}};
  EXPECT_EQ(part.limit->width, 4);
  part.limit = nullptr;
  EXPECT_FALSE(part.limit);
  part.limit = Size{};
  EXPECT_TRUE(part.limit);
  part.limit = {};
  EXPECT_FALSE(part.limit);
  part.limit = {{}};
  EXPECT_TRUE(part.limit);
  part.limit.reset();
  part.limit.emplace().width = 3;
  EXPECT_EQ(part.limit->width, 3);
  EXPECT_EQ(part.limit.emplace(), Size{});
  part.limit.reset();
  EXPECT_FALSE(part.limit);
}

TEST(BoxTest, CopiesTheValue) {
  Box<Part> a = FullPart();
  Box<Part> b = a;
  EXPECT_EQ(a, b);
  EXPECT_NE(a.get(), b.get());
  b->child->name = "other";
  EXPECT_NE(a, b);
  EXPECT_EQ(a, FullPart());
  b = a;
  EXPECT_EQ(a, b);
  Box<Part>& self = b;
  b = self;
  EXPECT_EQ(a, b);
  const Box<Part> absent;
  b = absent;
  EXPECT_FALSE(b);
}

TEST(BoxTest, MovesThePointer) {
  Box<Part> a = FullPart();
  const Part* value = a.get();
  Box<Part> b = std::move(a);
  EXPECT_EQ(b.get(), value);
  EXPECT_FALSE(a);  // NOLINT(bugprone-use-after-move): that it is absent is promised
  Box<Part> c = Part{.name = "a value which goes, more than fifteen bytes"};
  c = std::move(b);
  EXPECT_EQ(c.get(), value);
  EXPECT_FALSE(b);  // NOLINT(bugprone-use-after-move)
  Box<Part>& self = c;
  c = std::move(self);
  EXPECT_EQ(c.get(), value);

  // From const: a copy.
  const Box<Part>& constant = c;
  const Box<Part> copy = std::move(constant);  // NOLINT: a copy
  EXPECT_EQ(c.get(), value);
  EXPECT_EQ(copy, c);
}

TEST(BoxTest, BecomesItsOwnChild) {
  Box<Part> box = FullPart();
  box = box->child;
  EXPECT_EQ(box->name, "child");
  box = Part{.child = FullPart()};
  box = std::move(box->child);
  EXPECT_EQ(box, FullPart());
  box = Part(*box->child);
  EXPECT_EQ(box->name, "child");
}

TEST(BoxTest, Compares) {
  const Box<Size> absent;
  const Box<Size> zero = Size{};
  EXPECT_EQ(absent, Box<Size>());
  EXPECT_NE(absent, zero);
  EXPECT_EQ(zero, Size{});
  EXPECT_EQ(Size{}, zero);
  EXPECT_NE(absent, Size{});
  EXPECT_NE(zero, nullptr);
  EXPECT_EQ(zero, Box<Size>(Size{}));
  EXPECT_EQ(absl::Hash<Box<Size>>()(zero), absl::Hash<Box<Size>>()(Size{}));
  EXPECT_NE(absl::Hash<Box<Size>>()(zero), absl::Hash<Box<Size>>()(absent));
}

static_assert(sizeof(Box<Part>) == 8);
static_assert(!std::convertible_to<Box<Part>, bool>);
static_assert(!std::convertible_to<int, Box<Part>>);

}  // namespace
}  // namespace kube
