// Go's answers about selectors of fields: what is parsed, what matches, and every error's text.
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/fields/selector.h"
#include "apimachinery/selection/operator.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::fields {
namespace {

using oracle::ErrorAnswer;
using oracle::GoCases;

constexpr uint64_t kSeed = 20240602;

// As the oracle describes a selector.
std::string Describe(const Selector& selector) {
  std::string text =
      absl::StrCat(selector.ToString(), " empty=", selector.empty() ? "true" : "false");
  for (const Requirement& requirement : selector.requirements()) {
    const auto exact = selector.RequiresExactMatch(requirement.field);
    absl::StrAppend(&text, ";", requirement.field, " ", selection::ToString(requirement.op), " ",
                    requirement.value, " <", exact.value_or(""), "> ",
                    exact.has_value() ? "true" : "false");
  }
  return text;
}

std::string Answer(const absl::StatusOr<Selector>& selector) {
  return selector.ok() ? Describe(*selector) : ErrorAnswer(selector.status());
}

absl::StatusOr<FieldValue> Rename(absl::string_view field, absl::string_view value) {
  if (value == "x") return absl::InvalidArgumentError(absl::StrCat("no x for ", field));
  if (field == "b") return FieldValue();
  if (field == "a") return FieldValue{"metadata.name", absl::StrCat(value, value)};
  return FieldValue{std::string(field), std::string(value)};
}

std::vector<std::string> Texts(size_t count) {
  oracle::TextMaker maker(kSeed,
                          {"",          "a=b",          "metadata.name=web-0,status.phase!=Failed",
                           "a==b,c!=d", "a=b,a=c,a==a", "a",
                           "a=b=c",     "a!b=c",        "a=\\",
                           "a=\\x",     "a=\\\\\\,\\=", "a=b\\,c,d=e",
                           ",",         ",,a=b,",       "=",
                           "!=",        "a!==b",        "a=x,b=y",
                           "b=y",       "a=\\\xff",     "a=\xff\\,\xc3",
                           "\\,a=b",    "a= b ",        "a=\xc3\xa9\\\xc3\xa9"},
                          {"a", "b", "spec.nodeName", "=", "==", "!=", ",", "\\", "\\,",
                           "\\=", "\\\\", "x", "é", "\xff", "!", " "});
  return maker.Make(count);
}

TEST(FieldsAgainstGo, Parse_RandomTexts_AgreesWithGo) {
  std::cout << "seed " << kSeed << std::endl;
  GoCases cases("fields_oracle");
  for (const std::string& text : Texts(10000)) {
    cases.Add("parse", text, Answer(ParseSelector(text)));
    cases.Add("transform", text, Answer(ParseAndTransformSelector(text, Rename)));
    cases.Add("escape", text, EscapeValue(text));
    const absl::StatusOr<std::string> unescaped = UnescapeValue(text);
    cases.Add("unescape", text, unescaped.ok() ? *unescaped : ErrorAnswer(unescaped.status()));
  }
  cases.Check();
}

TEST(FieldsAgainstGo, Matches_RandomSelectorsAndFields_AgreesWithGo) {
  std::cout << "seed " << kSeed << std::endl;
  oracle::Dice dice(kSeed);
  GoCases cases("fields_oracle");
  const std::vector<std::string> words = {"", "a", "b", "a,b", "a=b"};
  const auto word = [&]() -> const std::string& { return words[dice.Below(words.size())]; };
  for (int i = 0; i < 5000; ++i) {
    std::vector<std::string> terms;
    for (size_t n = dice.Below(4); n > 0; --n) {
      terms.push_back(absl::StrCat(dice.Below(2) == 0 ? "a" : "b",
                                   dice.Below(2) == 0 ? "=" : "!=", EscapeValue(word())));
    }
    std::vector<std::string> question = {absl::StrJoin(terms, ",")};
    Map<String> fields;
    for (const char* key : {"a", "b"}) {
      if (dice.Below(3) == 0) continue;
      fields[key] = word();
      question.push_back(key);
      question.push_back(fields[key]);
    }
    const absl::StatusOr<Selector> selector = ParseSelector(question[0]);
    ASSERT_TRUE(selector.ok()) << selector.status();
    cases.Add("matches", absl::StrJoin(question, absl::string_view("\x1f", 1)),
              selector->Matches(fields) ? "true" : "false");
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::fields
