#include "controller/reconcile/internal/own_versions.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(OwnVersionsTest, Take_ReturnsTheVersionsOfTheLastNote_Once) {
  OwnVersions versions;
  versions.Note("a", {"1", "2"});
  versions.Note("b", {"3"});
  versions.Note("a", {"4"});
  EXPECT_EQ(versions.size(), 2u);
  EXPECT_THAT(versions.Take("a"), ElementsAre("4"));
  EXPECT_THAT(versions.Take("a"), IsEmpty());
  EXPECT_THAT(versions.Take("b"), ElementsAre("3"));
  EXPECT_EQ(versions.size(), 0u);
}

TEST(OwnVersionsTest, Note_OfKeysThatAreNeverTaken_ForgetsTheOldOnes) {
  OwnVersions versions(/*limit=*/10);
  for (int i = 0; i < 1000; ++i) {
    versions.Note(absl::StrCat("key-", i), {absl::StrCat(i)});
    ASSERT_LE(versions.size(), 10u);
  }
  EXPECT_THAT(versions.Take("key-0"), IsEmpty());
  for (int i = 995; i < 1000; ++i) {
    EXPECT_THAT(versions.Take(absl::StrCat("key-", i)), ElementsAre(absl::StrCat(i)));
  }
}

TEST(OwnVersionsTest, Note_OfAKeyOfTheOlderHalf_ReplacesIt) {
  OwnVersions versions(/*limit=*/4);
  versions.Note("a", {"1"});
  versions.Note("b", {"2"});
  versions.Note("a", {"3"});
  EXPECT_EQ(versions.size(), 2u);
  EXPECT_THAT(versions.Take("a"), ElementsAre("3"));
  EXPECT_THAT(versions.Take("b"), ElementsAre("2"));
}

}  // namespace
}  // namespace kube::controller::internal
