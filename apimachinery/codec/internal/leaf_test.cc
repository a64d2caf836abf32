#include "apimachinery/codec/internal/leaf.h"

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/codec/testing/sample_structs.h"
#include "apimachinery/table/message.h"
#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

std::string Canonical(absl::string_view text) {
  std::string scratch;
  absl::string_view canonical;
  if (!CanonicalQuantity(text, scratch, canonical)) return "none";
  return std::string(canonical);
}

TEST(Leaf, CanonicalQuantities) {
  EXPECT_EQ(Canonical(""), "0");
  EXPECT_EQ(Canonical("100m"), "100m");
  EXPECT_EQ(Canonical("1024Mi"), "1Gi");
  EXPECT_EQ(Canonical("1 Gi"), "none");
}

TEST(Leaf, ZeroAsGoSeesIt) {
  const Message& message = TestLeaves::kMessage;
  const auto is_zero = [&](const TestLeaves& leaves) {
    return IsZero(reinterpret_cast<const char*>(&leaves), Kind::kMessage, &message);
  };
  TestLeaves leaves;
  EXPECT_TRUE(is_zero(leaves));
  leaves.quantity = "0.000";
  leaves.number = -0.0;
  EXPECT_TRUE(is_zero(leaves));
  leaves.part.port = 0;
  EXPECT_FALSE(is_zero(leaves));
  leaves = {};
  leaves.micros = 1;
  EXPECT_FALSE(is_zero(leaves));
  leaves = {};
  leaves.int_or_type = 1;
  EXPECT_FALSE(is_zero(leaves));
}

TEST(Leaf, StructsAreNeverEmpty) {
  const TestLeaves leaves;
  EXPECT_TRUE(IsEmpty(reinterpret_cast<const char*>(&leaves.text), Kind::kString));
  EXPECT_TRUE(IsEmpty(reinterpret_cast<const char*>(&leaves.strings), Kind::kStringList));
  EXPECT_FALSE(IsEmpty(reinterpret_cast<const char*>(&leaves.time), Kind::kTime));
  EXPECT_FALSE(IsEmpty(reinterpret_cast<const char*>(&leaves.quantity), Kind::kQuantity));
}

}  // namespace
}  // namespace kube::codec::internal
