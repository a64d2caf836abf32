#include "apimachinery/types/opt.h"

#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/string.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

constexpr char kLong[] = "a text of more than fifteen bytes";

struct Fields {
  Opt<int32_t> replicas{};
  Opt<int64_t> seconds{};
  Opt<bool> enabled{};
  Opt<double> ratio{};
  Opt<String> name{};
};

TEST(OptTest, StartsAbsent) {
  const Fields fields;
  EXPECT_FALSE(fields.replicas.has_value());
  EXPECT_EQ(fields.replicas, std::nullopt);
  EXPECT_EQ(*fields.replicas, 0);
  EXPECT_EQ(fields.replicas.value_or(7), 7);
  EXPECT_EQ(fields.name.value_or("other"), "other");
  EXPECT_TRUE(fields.name->empty());
}

TEST(OptTest, IsThereWhenAssigned) {
  const Fields fields = {.replicas = 0, .seconds = 1, .enabled = false, .ratio = 2, .name = ""};
  EXPECT_EQ(fields.replicas, 0);
  EXPECT_EQ(fields.replicas.value_or(7), 0);
  EXPECT_EQ(fields.seconds, 1);
  EXPECT_EQ(fields.enabled, false);
  EXPECT_EQ(fields.ratio, 2.0);
  EXPECT_TRUE(fields.name.has_value());
  EXPECT_EQ(fields.name, "");
}

TEST(OptTest, IsAssigned) {
  Fields fields;
  fields.replicas = 3;
  EXPECT_EQ(fields.replicas, 3);
  fields.replicas = int64_t{4};
  EXPECT_EQ(fields.replicas, 4);
  fields.replicas = std::nullopt;
  EXPECT_FALSE(fields.replicas.has_value());
  fields.replicas = 5;
  fields.replicas.reset();
  EXPECT_EQ(fields.replicas, std::nullopt);
  EXPECT_EQ(*fields.replicas, 0);
  fields.replicas = 5;
  fields.replicas = {};
  EXPECT_EQ(fields.replicas, std::nullopt);
  EXPECT_EQ(fields.replicas.emplace(), 0);
  EXPECT_TRUE(fields.replicas.has_value());
  fields.replicas.emplace() = 6;
  EXPECT_EQ(fields.replicas, 6);

  fields.name = kLong;
  EXPECT_EQ(fields.name, kLong);
  EXPECT_EQ(fields.name->size(), std::strlen(kLong));
  fields.name = std::string("x");
  fields.name = absl::string_view("y");
  fields.name = String("z");
  EXPECT_EQ(fields.name, "z");
}

TEST(OptTest, ConvertsFromAndToStdOptional) {
  Fields fields = {.replicas = std::optional<int32_t>(3),
                   .name = std::optional<std::string>(kLong)};
  const std::optional<int32_t> replicas = fields.replicas;
  const std::optional<int64_t> wider = fields.replicas;
  const std::optional<std::string> name = fields.name;
  const std::optional<String> same = fields.name;
  EXPECT_EQ(replicas, 3);
  EXPECT_EQ(wider, 3);
  EXPECT_EQ(name, kLong);
  EXPECT_EQ(same, kLong);
  std::optional<int32_t> assigned;
  assigned = fields.replicas;
  EXPECT_EQ(assigned, 3);
  fields.replicas = std::optional<int32_t>();
  assigned = fields.replicas;
  EXPECT_EQ(assigned, std::nullopt);
  EXPECT_EQ(std::optional<int32_t>(fields.replicas), std::nullopt);
}

TEST(OptTest, Compares) {
  const Opt<int32_t> absent;
  const Opt<int32_t> zero = 0;
  EXPECT_TRUE(absent == Opt<int32_t>());
  EXPECT_FALSE(absent == zero);
  EXPECT_FALSE(absent == 0);
  EXPECT_TRUE(zero == 0);
  EXPECT_TRUE(0 == zero);
  EXPECT_TRUE(zero == int64_t{0});
  EXPECT_TRUE(zero != 1);
  EXPECT_TRUE(absent == std::nullopt);
  EXPECT_TRUE(std::nullopt != zero);
  EXPECT_TRUE(absent == std::optional<int32_t>());
  EXPECT_TRUE(std::optional<int32_t>() == absent);
  EXPECT_TRUE(zero == std::optional<int32_t>(0));
  EXPECT_TRUE(std::optional<int64_t>(0) == zero);
  EXPECT_FALSE(absent == std::optional<int32_t>(0));

  const Opt<String> text = "a";
  EXPECT_TRUE(text == "a");
  EXPECT_TRUE("a" == text);
  EXPECT_TRUE(text == std::string("a"));
  EXPECT_TRUE(absl::string_view("a") == text);
  EXPECT_TRUE(text == String("a"));
  EXPECT_TRUE(text == std::optional<std::string>("a"));
  EXPECT_FALSE(Opt<String>() == "");
}

TEST(OptTest, CopiesAndMoves) {
  Opt<String> a = kLong;
  Opt<String> b = a;
  EXPECT_EQ(a, b);
  const Opt<String> c = std::move(a);
  EXPECT_EQ(c, kLong);
  EXPECT_TRUE(a->empty());  // NOLINT(bugprone-use-after-move)
  Opt<String>& self = b;
  b = self;
  b = std::move(self);
  EXPECT_EQ(b, kLong);
  const Opt<String> d = std::move(c);  // NOLINT: a copy
  EXPECT_EQ(c, kLong);
  EXPECT_EQ(d, kLong);
}

TEST(OptTest, Hashes) {
  EXPECT_NE(absl::Hash<Opt<int32_t>>()(Opt<int32_t>()), absl::Hash<Opt<int32_t>>()(0));
  EXPECT_EQ(absl::Hash<Opt<String>>()(Opt<String>("a")),
            absl::Hash<Opt<String>>()(Opt<String>("a")));
}

TEST(OptTest, WorksAtCompileTime) {
  constexpr Opt<int32_t> kThree = 3;
  static_assert(kThree == 3);
  static_assert(*kThree == 3);
  static_assert(Opt<bool>() == std::nullopt);
  static_assert(Opt<int32_t>().value_or(2) == 2);
}

// Functions over field tables expect the value at the start and the byte of presence after it.
TEST(OptTest, Layout) {
  const Opt<int64_t> number = 5;
  const Opt<bool> flag = false;
  EXPECT_EQ(reinterpret_cast<const char*>(&number)[sizeof(int64_t)], 1);
  EXPECT_EQ(reinterpret_cast<const char*>(&flag)[sizeof(bool)], 1);
  EXPECT_EQ(reinterpret_cast<const void*>(&*number), &number);
  static_assert(sizeof(Opt<bool>) == 2 && sizeof(Opt<int32_t>) == 8 && sizeof(Opt<String>) == 24);
}

static_assert(std::is_trivially_copyable_v<Opt<int32_t>>);
static_assert(!std::convertible_to<Opt<bool>, bool>);
static_assert(!std::constructible_from<bool, Opt<bool>>);
static_assert(!std::convertible_to<Opt<int32_t>, int32_t>);
// A pointer is no bool here, and a text no number.
static_assert(!std::convertible_to<const char*, Opt<bool>>);
static_assert(!std::convertible_to<const char (&)[6], Opt<bool>>);
static_assert(!std::convertible_to<const char*, Opt<int32_t>>);
static_assert(!std::convertible_to<std::nullptr_t, Opt<String>>);

}  // namespace
}  // namespace kube
