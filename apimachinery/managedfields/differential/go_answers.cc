#include "apimachinery/managedfields/differential/go_answers.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value_json.h"
#include "tests/oracle/oracle.h"

namespace kube::managedfields {
namespace {

using unstructured::Value;

std::string Json(const Value& value) { return unstructured::EncodeJson(value).value(); }

// The mistakes that the text of an error names, each with the beginning that they share.
std::set<std::string> MistakesOf(absl::string_view text) {
  constexpr absl::string_view kSeveral = "errors:\n";
  const size_t at = text.find(kSeveral);
  if (at == absl::string_view::npos) return {std::string(text)};
  std::set<std::string> mistakes;
  for (const absl::string_view line : absl::StrSplit(text.substr(at + kSeveral.size()), '\n')) {
    mistakes.insert(absl::StrCat(text.substr(0, at), absl::StripPrefix(line, "  ")));
  }
  return mistakes;
}

std::string Unescape(absl::string_view answer) {
  return absl::StrReplaceAll(answer, {{R"(\\)", R"(\)"}, {R"(\n)", "\n"}});
}

}  // namespace

int64_t Setting(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  int64_t value = 0;
  return text != nullptr && absl::SimpleAtoi(text, &value) ? value : otherwise;
}

std::string ExactJson(const Value& value) {
  std::string json;
  absl::string_view separator;
  if (const List<Value>* list = value.list(); list != nullptr) {
    for (const Value& element : *list) {
      absl::StrAppend(&json, separator, ExactJson(element));
      separator = ",";
    }
    return absl::StrCat("[", json, "]");
  }
  if (const Map<Value>* object = value.object(); object != nullptr) {
    for (const auto& [name, member] : *object) {
      absl::StrAppend(&json, separator, Json(Value(name.view())), ":", ExactJson(member));
      separator = ",";
    }
    return absl::StrCat("{", json, "}");
  }
  json = Json(value);
  const bool whole = value.is_double() && json.find_first_of(".e") == std::string::npos;
  return absl::StrCat(json, whole ? ".0" : "");
}

absl::StatusOr<std::vector<Value>> AskGo(absl::Span<const Question> questions, bool clock) {
  KUBE_ASSIGN_OR_RETURN(const std::string program,
                        oracle::FindData("oracles", "managedfields_oracle"));
  std::string input;
  for (const Question& question : questions) {
    absl::StrAppend(&input, question.function, "\t", absl::BytesToHexString(question.text), "\n");
  }
  oracle::RunOptions options;
  if (clock) options.args = {"clock"};
  options.input = std::move(input);
  options.timeout = absl::Hours(1);
  KUBE_ASSIGN_OR_RETURN(const std::string output, oracle::RunProgram(program, options));
  const std::vector<absl::string_view> lines = absl::StrSplit(output, '\n');
  if (lines.size() != questions.size() + 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("ask Go: ", lines.size() - 1, " answers to ", questions.size(), " questions"));
  }
  std::vector<Value> answers;
  answers.reserve(questions.size());
  for (size_t i = 0; i < questions.size(); ++i) {
    const std::string answer = Unescape(lines[i]);
    if (absl::StartsWith(answer, "error: ")) {
      return absl::InvalidArgumentError(
          absl::StrCat("ask Go: ", answer, "\n", questions[i].function, "\n", questions[i].text));
    }
    KUBE_ASSIGN_OR_RETURN(Value value, unstructured::ParseJson(answer), "read Go's answer");
    answers.push_back(std::move(value));
  }
  return answers;
}

bool IsPlausible(absl::string_view ours, const List<Value>& go) {
  const std::set<std::string> mistakes = MistakesOf(ours);
  std::set<std::string> all;
  for (size_t i = 1; i < go.size(); ++i) {
    const std::set<std::string> one = MistakesOf(go[i].text().value_or(""));
    if (one == mistakes) return true;
    all.insert(one.begin(), one.end());
  }
  return go.size() > 2 && std::includes(all.begin(), all.end(), mistakes.begin(), mistakes.end());
}

}  // namespace kube::managedfields
