#include "apimachinery/types/apply_of.h"

#include <type_traits>

#include "gtest/gtest.h"

namespace kube {

namespace {

struct Part {};
struct PartConfiguration {
  int size = 0;
};
struct Other {};

template <typename T>
concept CanBeApplied = requires {
  typename ApplyOf<T>;
};

// What typed clients do, so that a braced initializer is enough.
template <typename ObjectT, typename ConfigurationT = ApplyOf<ObjectT>>
int SizeOf(const ConfigurationT& configuration) {
  return configuration.size;
}

}  // namespace

template <>
struct ApplyConfigurationOf<Part> {
  using Type = PartConfiguration;
};

namespace {

TEST(ApplyOf, IsWhatTheSpecializationSays) {
  EXPECT_TRUE((std::is_same_v<ApplyOf<Part>, PartConfiguration>));
  EXPECT_EQ(SizeOf<Part>({.size = 3}), 3);
}

TEST(ApplyOf, OfATypeWithoutSpecializationIsNoType) {
  EXPECT_TRUE(CanBeApplied<Part>);
  EXPECT_FALSE(CanBeApplied<Other>);
}

}  // namespace
}  // namespace kube
