#include "apimachinery/validation/dns.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// apimachinery/validation/differential asks Go about many more texts.
namespace kube::validation {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Case {
  std::string text;
  bool valid;
};

void Check(Messages (*check)(absl::string_view), const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(check(c.text).empty(), c.valid) << c.text;
}

// behaviour.md: COD-7
TEST(Dns, Label) {
  Check(IsDns1123Label, {{"a", true},
                         {"web-0", true},
                         {"0", true},
                         {std::string(63, 'a'), true},
                         {"", false},
                         {"-a", false},
                         {"a-", false},
                         {"A", false},
                         {"a\n", false},
                         {std::string(64, 'a'), false}});
  EXPECT_THAT(IsDns1123Label("a.b"), ElementsAre("must not contain dots"));
  EXPECT_THAT(IsDns1123Label(std::string(64, 'a')),
              ElementsAre("must be no more than 63 characters"));
  EXPECT_THAT(content::IsDns1123Label(std::string(64, 'a')),
              ElementsAre("must be no more than 63 bytes"));
  EXPECT_THAT(IsDns1123Label("_"),
              ElementsAre(HasSubstr("regex used for validation is '[a-z0-9]([-a-z0-9]*")));
}

// behaviour.md: COD-7
TEST(Dns, Subdomain) {
  Check(IsDns1123Subdomain, {{"a", true},
                             {"a.b-c.d", true},
                             {"", false},
                             {".", false},
                             {"a.", false},
                             {"a..b", false},
                             {"a.-b", false},
                             {"a_b", false}});
  Check(IsDns1123SubdomainWithUnderscore,
        {{"_a._b.c", true}, {"a_b", true}, {"__a", false}, {"_", false}, {"a_", false}});
  Check(content::IsDns1123SubdomainCaseless,
        {{"Example.COM", true}, {"\u212a", true}, {"\u017f", true}, {"é", false}, {"_", false}});
}

TEST(Dns, OthersAreLabelsToo) {
  Check(IsDns1035Label, {{"a1", true}, {"1a", false}, {"a-", false}});
  Check(IsWildcardDns1123Subdomain,
        {{"*.a", true}, {"*.a.b", true}, {"*", false}, {"*.", false}, {"*.*.a", false}});
}

TEST(Dns, FullyQualified) {
  const field::Path path("host");
  EXPECT_THAT(IsFullyQualifiedName(path, "a.b.c"), IsEmpty());
  EXPECT_EQ(IsFullyQualifiedName(path, "a.b").front().detail,
            "should be a domain with at least three segments separated by dots");
  EXPECT_EQ(IsFullyQualifiedName(path, "").front().type, field::ErrorType::kRequired);
  EXPECT_THAT(IsFullyQualifiedDomainName(path, "a.b."), IsEmpty());
  EXPECT_EQ(IsFullyQualifiedDomainName(path, "a.").front().detail,
            "should be a domain with at least two segments separated by dots");
  EXPECT_EQ(IsFullyQualifiedDomainName(path, std::string(64, 'a') + ".b").front().detail,
            "must be no more than 63 characters");
}

}  // namespace
}  // namespace kube::validation
