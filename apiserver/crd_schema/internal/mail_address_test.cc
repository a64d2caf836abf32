#include "apiserver/crd_schema/internal/mail_address.h"

#include "gtest/gtest.h"

namespace kube::crd_schema::internal {
namespace {

TEST(MailAddressTest, AsGoReadsThem) {
  EXPECT_TRUE(IsMailAddress("bob@example.com"));
  EXPECT_TRUE(IsMailAddress("\"a b\"@[10.0.0.1] (a (nested) comment)"));
  EXPECT_TRUE(IsMailAddress("Bob <bob@example.com>"));
  EXPECT_FALSE(IsMailAddress("a@b.c, d@e.f"));
  EXPECT_FALSE(IsMailAddress("team:;"));
  EXPECT_FALSE(IsMailAddress("a..b@c.d"));
}

}  // namespace
}  // namespace kube::crd_schema::internal
