#include "tests/oracle/go_cases.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::oracle {
namespace {

std::string Unescape(absl::string_view answer) {
  return absl::StrReplaceAll(answer, {{R"(\\)", R"(\)"}, {R"(\n)", "\n"}});
}

}  // namespace

std::string Hex(absl::string_view bytes) { return absl::BytesToHexString(bytes); }

std::string ErrorAnswer(const absl::Status& error) {
  return absl::StrCat("error: ", error.message());
}

void GoCases::Add(absl::string_view function, absl::string_view text, absl::string_view ours) {
  cases_.push_back({std::string(function), std::string(text), std::string(ours)});
}

void GoCases::Check() const {
  const absl::StatusOr<std::string> program = FindData("oracles", program_);
  if (PrintSkipped(program.status())) GTEST_SKIP();
  ASSERT_TRUE(program.ok()) << program.status();
  std::string input;
  for (const Case& c : cases_) absl::StrAppend(&input, c.function, "\t", Hex(c.text), "\n");
  const absl::StatusOr<std::string> output = RunProgram(*program, {.input = std::move(input)});
  ASSERT_TRUE(output.ok()) << output.status();
  const std::vector<std::string> answers = absl::StrSplit(*output, '\n');
  ASSERT_EQ(answers.size(), cases_.size() + 1);
  size_t refused = 0;
  for (size_t i = 0; i < cases_.size(); ++i) {
    const Case& c = cases_[i];
    const std::string answer = Unescape(answers[i]);
    const bool error = absl::StartsWith(answer, "error: ");
    refused += error;
    if (error && c.ours == kError) continue;
    EXPECT_EQ(c.ours, answer) << c.function << " of \"" << absl::CHexEscape(c.text) << "\"";
  }
  EXPECT_LE(refused, cases_.size() * 19 / 20) << "texts that show little";
}

TextMaker::TextMaker(uint64_t seed, std::vector<std::string> samples,
                     std::vector<std::string> pieces)
    : dice_(seed), samples_(std::move(samples)), pieces_(std::move(pieces)) {}

std::string TextMaker::Next() {
  if (dice_.Below(3) == 0) {
    std::string text;
    for (size_t n = 1 + dice_.Below(7); n > 0; --n) text += pieces_[dice_.Below(pieces_.size())];
    return text;
  }
  std::string text = samples_[dice_.Below(samples_.size())];
  for (size_t n = 1 + dice_.Below(3); n > 0; --n) text = Mutate(std::move(text));
  return text;
}

std::string TextMaker::Mutate(std::string text) {
  const size_t at = dice_.Below(text.size() + 1);
  switch (dice_.Below(5)) {
    case 0:
      return text.insert(at, pieces_[dice_.Below(pieces_.size())]);
    case 1:
      return text.replace(at, dice_.Below(4), pieces_[dice_.Below(pieces_.size())]);
    case 2:
      return text.erase(at, 1 + dice_.Below(3));
    case 3:
      if (at < text.size()) text[at] = static_cast<char>(text[at] + 1 - 2 * dice_.Below(2));
      return text;
    default:
      return text.insert(
          at, 1, static_cast<char>(dice_.Below(4) == 0 ? dice_.Below(256) : '0' + dice_.Below(10)));
  }
}

std::vector<std::string> TextMaker::Make(size_t count) {
  std::vector<std::string> texts = samples_;
  while (texts.size() < count) texts.push_back(Next());
  return texts;
}

}  // namespace kube::oracle
