#include "clientset/generic/call.h"

#include "gtest/gtest.h"

namespace kube::generic {
namespace {

TEST(VerbNameTest, IsThatOfRoles) {
  EXPECT_EQ(VerbName(Verb::kGet), "get");
  EXPECT_EQ(VerbName(Verb::kList), "list");
  EXPECT_EQ(VerbName(Verb::kCreate), "create");
  EXPECT_EQ(VerbName(Verb::kUpdate), "update");
  EXPECT_EQ(VerbName(Verb::kPatch), "patch");
  EXPECT_EQ(VerbName(Verb::kApply), "apply");
  EXPECT_EQ(VerbName(Verb::kDelete), "delete");
  EXPECT_EQ(VerbName(Verb::kDeleteAll), "deletecollection");
}

}  // namespace
}  // namespace kube::generic
