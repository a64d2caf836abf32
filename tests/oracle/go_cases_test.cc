#include "tests/oracle/go_cases.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::oracle {
namespace {

using testing::ElementsAre;

TEST(GoCasesTest, Check) {
  if (PrintSkipped(FindData("oracles", "values_oracle").status())) GTEST_SKIP();
  GoCases right("values_oracle");
  right.Add("trim", " a\n", Hex("a"));
  right.Add("duration", "1m", "60000000000 1m0s");
  right.Add("duration", "a minute", GoCases::kError);
  right.Add("duration", "\\", R"(error: time: invalid duration "\\")");
  right.Check();

  GoCases wrong("values_oracle");
  wrong.Add("trim", " a\n", Hex("b"));
  EXPECT_NONFATAL_FAILURE(wrong.Check(), "trim of \" a\\n\"");
  GoCases accepted("values_oracle");
  accepted.Add("duration", "1m", GoCases::kError);
  EXPECT_NONFATAL_FAILURE(accepted.Check(), "60000000000");
  GoCases idle("values_oracle");
  idle.Add("duration", "a minute", GoCases::kError);
  EXPECT_NONFATAL_FAILURE(idle.Check(), "texts that show little");
  GoCases unknown("no_such_program");
  static GoCases* cases = nullptr;
  cases = &unknown;
  EXPECT_FATAL_FAILURE(cases->Check(), "no_such_program");
}

TEST(GoCasesTest, AskGo_Label_FindsTheRepository) {
  const std::vector<GoQuestion> questions = {{.function = "trim", .text = " a\n"}};
  EXPECT_EQ(AskGo("@other//:values_oracle", questions).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(AskGo("@oracles", questions).status().code(), absl::StatusCode::kInvalidArgument);
  const absl::StatusOr<std::vector<std::string>> answers =
      AskGo("@oracles//:values_oracle", questions);
  if (PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_TRUE(answers.ok()) << answers.status();
  EXPECT_THAT(*answers, ElementsAre(Hex("a")));
}

TEST(GoCasesTest, TextsAreThoseOfTheirSeed) {
  const std::vector<std::string> samples = {"one", "two"};
  const std::vector<std::string> pieces = {"x", "yy"};
  const std::vector<std::string> texts = TextMaker(1, samples, pieces).Make(50);
  EXPECT_EQ(texts.size(), 50u);
  EXPECT_THAT(std::vector<std::string>(texts.begin(), texts.begin() + 2),
              ElementsAre("one", "two"));
  EXPECT_EQ(TextMaker(1, samples, pieces).Make(50), texts);
  EXPECT_NE(TextMaker(2, samples, pieces).Make(50), texts);
}

TEST(GoCasesTest, Dice) {
  Dice dice(0);
  EXPECT_EQ(dice.Next(), 0xe220'a839'7b1d'cdafu);  // the reference implementation's first
  EXPECT_EQ(dice.Below(0), 0u);
  for (int i = 0; i < 100; ++i) EXPECT_LT(dice.Below(7), 7u);
}

}  // namespace
}  // namespace kube::oracle
