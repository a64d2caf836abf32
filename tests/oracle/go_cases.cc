#include "tests/oracle/go_cases.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::oracle {
namespace {

std::string Unescape(absl::string_view answer) {
  return absl::StrReplaceAll(answer, {{R"(\\)", R"(\)"}, {R"(\n)", "\n"}});
}

absl::StatusOr<std::string> FindProgram(absl::string_view program) {
  absl::string_view repository = "oracles";
  if (absl::ConsumePrefix(&program, "@")) {
    const size_t end = program.find("//:");
    if (end == absl::string_view::npos) {
      return absl::InvalidArgumentError(
          absl::StrCat("find program \"@", program, "\": no //: in its label"));
    }
    repository = program.substr(0, end);
    program.remove_prefix(end + 3);
  }
  return FindData(repository, program);
}

}  // namespace

std::string Hex(absl::string_view bytes) { return absl::BytesToHexString(bytes); }

std::string ErrorAnswer(const absl::Status& error) {
  return absl::StrCat("error: ", error.message());
}

absl::StatusOr<std::vector<std::string>> AskGo(absl::string_view program,
                                               absl::Span<const GoQuestion> questions) {
  const absl::StatusOr<std::string> path = FindProgram(program);
  if (!path.ok()) return path.status();
  std::string input;
  for (const GoQuestion& question : questions) {
    absl::StrAppend(&input, question.function, "\t", Hex(question.text), "\n");
  }
  const absl::StatusOr<std::string> output = RunProgram(*path, {.input = std::move(input)});
  if (!output.ok()) return output.status();
  std::vector<std::string> answers = absl::StrSplit(*output, '\n');
  if (answers.size() != questions.size() + 1) {
    return absl::InternalError(
        absl::StrCat(questions.size(), " questions, ", answers.size() - 1, " answers"));
  }
  answers.pop_back();
  for (std::string& answer : answers) answer = Unescape(answer);
  return answers;
}

void GoCases::Add(absl::string_view function, absl::string_view text, absl::string_view ours) {
  questions_.push_back({.function = std::string(function), .text = std::string(text)});
  ours_.push_back(std::string(ours));
}

void GoCases::Check() const {
  const absl::StatusOr<std::vector<std::string>> answers = AskGo(program_, questions_);
  if (PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_TRUE(answers.ok()) << answers.status();
  size_t refused = 0;
  for (size_t i = 0; i < ours_.size(); ++i) {
    const std::string& answer = (*answers)[i];
    const bool error = absl::StartsWith(answer, "error: ");
    refused += error;
    if (error && ours_[i] == kError) continue;
    EXPECT_EQ(ours_[i], answer) << questions_[i].function << " of \""
                                << absl::CHexEscape(questions_[i].text) << "\"";
  }
  EXPECT_LE(refused, ours_.size() * 19 / 20) << "texts that show little";
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
