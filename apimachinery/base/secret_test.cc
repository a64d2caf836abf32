#include "apimachinery/base/secret.h"

#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

constexpr char kPassword[] = "correct horse battery staple";

TEST(Secret, Print_InEveryWay_IsRedacted) {
  const Secret secret(kPassword);
  std::ostringstream out;
  out << secret;
  EXPECT_EQ(out.str(), "<redacted>");
  EXPECT_EQ(testing::PrintToString(secret), "<redacted>");
  EXPECT_EQ(absl::StrFormat("%s", secret), "<redacted>");
  EXPECT_EQ(testing::PrintToString(std::make_pair(1, secret)), "(1, <redacted>)");
  std::ostringstream empty;
  empty << Secret();
  EXPECT_EQ(empty.str(), "<redacted>");
}

std::string ReadToken() { return kPassword; }

TEST(Secret, ShowsItsTextToRevealAlone_AsInTheHeader) {
  std::map<std::string, std::string> headers;
  const Secret token(ReadToken());
  const std::string line = absl::StrFormat("the token is %s", token);  // the token is <redacted>
  headers["Authorization"] = absl::StrCat("Bearer ", token.Reveal());
  EXPECT_EQ(line, "the token is <redacted>");
  EXPECT_EQ(headers["Authorization"], absl::StrCat("Bearer ", kPassword));
}

TEST(Secret, Reveal_AnyText_ReturnsItUnchanged) {
  EXPECT_EQ(Secret(kPassword).Reveal(), kPassword);
  EXPECT_EQ(Secret(absl::string_view("a\0b", 3)).Reveal(), absl::string_view("a\0b", 3));
  EXPECT_TRUE(Secret().empty());
  EXPECT_TRUE(Secret("").empty());
  EXPECT_EQ(Secret().Reveal(), "");
}

TEST(Secret, Equality_ComparesWholeTexts) {
  const struct {
    const char* name;
    const char* a;
    const char* b;
    bool equal;
  } kRows[] = {
      {"both empty", "", "", true},
      {"same", kPassword, kPassword, true},
      {"first character", "abc", "xbc", false},
      {"last character", "abc", "abx", false},
      {"two differences that cancel in a sum", "abc", "bac", false},
      {"prefix", "abc", "ab", false},
      {"high bits", "a\x80", "a\x81", false},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Secret(row.a) == Secret(row.b), row.equal);
    EXPECT_EQ(Secret(row.a) != Secret(row.b), !row.equal);
  }
}

TEST(Secret, Copy_HasItsOwnMemory_MoveHandsItOver) {
  Secret a(kPassword);
  Secret b = a;
  EXPECT_EQ(a, b);
  EXPECT_NE(a.Reveal().data(), b.Reveal().data());
  const char* block = a.Reveal().data();
  Secret c = std::move(a);
  EXPECT_EQ(c.Reveal().data(), block);
  EXPECT_TRUE(a.empty());  // NOLINT(bugprone-use-after-move): a moved-from secret is empty
  b = std::move(c);
  EXPECT_EQ(b.Reveal().data(), block);
  Secret& self = b;
  b = self;
  b = std::move(self);
  EXPECT_EQ(b.Reveal(), kPassword);
}

TEST(Secret, WipesTheStringThatItIsMadeFrom) {
  std::string text = kPassword;
  const char* characters = text.data();
  const Secret secret(std::move(text));
  EXPECT_EQ(secret.Reveal(), kPassword);
  EXPECT_TRUE(text.empty());  // NOLINT(bugprone-use-after-move): wiped, and says so
  EXPECT_EQ(std::string(characters, sizeof(kPassword) - 1),
            std::string(sizeof(kPassword) - 1, '\0'));
}

TEST(WipeMemory, WritesZeros) {
  char buffer[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  WipeMemory(buffer + 1, 6);
  EXPECT_EQ(std::string(buffer, 8), std::string("\1\0\0\0\0\0\0\b", 8));
}

}  // namespace
}  // namespace kube::base
