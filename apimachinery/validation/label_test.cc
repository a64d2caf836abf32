#include "apimachinery/validation/label.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::validation {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// behaviour.md: COD-7
TEST(Label, QualifiedNames) {
  for (const char* name : {"a", "A_b.c-d", "example.com/x", "1"}) {
    EXPECT_THAT(IsQualifiedName(name), IsEmpty()) << name;
  }
  EXPECT_THAT(IsQualifiedName(""),
              ElementsAre("name part must be non-empty", HasSubstr("name part must consist of")));
  EXPECT_THAT(IsQualifiedName("/a"), ElementsAre("prefix part must be non-empty"));
  EXPECT_THAT(IsQualifiedName("A/a"), ElementsAre(HasSubstr("prefix part a lowercase RFC 1123")));
  EXPECT_THAT(IsQualifiedName("a/b/c"), ElementsAre(HasSubstr("with an optional DNS subdomain")));
  EXPECT_THAT(IsQualifiedName(std::string(64, 'a')),
              ElementsAre("name part must be no more than 63 bytes"));
}

// behaviour.md: COD-7
TEST(Label, Values) {
  EXPECT_THAT(IsValidLabelValue(""), IsEmpty());
  EXPECT_THAT(IsValidLabelValue("A_b.c-1"), IsEmpty());
  EXPECT_THAT(IsValidLabelValue("-a"), ElementsAre(HasSubstr("a valid label must be an empty")));
  EXPECT_THAT(IsValidLabelValue(std::string(64, 'a')),
              ElementsAre("must be no more than 63 bytes"));
}

TEST(Label, DomainPrefixes) {
  const field::Path path("name");
  EXPECT_THAT(IsDomainPrefixedPath(path, "acme.io/foo/bar:(1)"), IsEmpty());
  EXPECT_EQ(IsDomainPrefixedPath(path, "acme.io/").size(), 1u);
  EXPECT_EQ(IsDomainPrefixedPath(path, "ACME/a b").size(), 2u);
  EXPECT_THAT(IsDomainPrefixedKey(path, "acme.io/foo"), IsEmpty());
  EXPECT_EQ(IsDomainPrefixedKey(path, "foo").front().detail,
            "must be a domain-prefixed key (such as \"acme.io/foo\")");
  EXPECT_EQ(IsDomainPrefixedKey(path, "").front().type, field::ErrorType::kRequired);
}

}  // namespace
}  // namespace kube::validation
