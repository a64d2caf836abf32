// Go's answers about selectors of labels: what is parsed, what matches, and every error's text.
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/labels/requirement.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/labels/set.h"
#include "apimachinery/selection/operator.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_path.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::labels {
namespace {

using oracle::Dice;
using oracle::ErrorAnswer;
using oracle::GoCases;

constexpr uint64_t kSeed = 20240601;
constexpr absl::string_view kSeparator("\x1f", 1);

template <typename T>
const T& PickOf(Dice& dice, const std::vector<T>& from) {
  return from[dice.Below(from.size())];
}

std::string Join(const std::vector<std::string>& parts) { return absl::StrJoin(parts, kSeparator); }

// As the oracle describes a selector.
std::string Describe(const Selector& selector) {
  std::string text =
      absl::StrCat(selector.ToString(), " empty=", selector.empty() ? "true" : "false",
                   " selectable=", selector.MatchesNothing() ? "false" : "true");
  for (const Requirement& requirement : selector.requirements()) {
    std::vector<std::string> values;
    for (const String& value : requirement.values()) {
      if (values.empty() || value != values.back()) values.push_back(value);
    }
    const auto exact = selector.RequiresExactMatch(requirement.key());
    absl::StrAppend(&text, ";", requirement.key().view(), " ",
                    selection::ToString(requirement.op()), " [", absl::StrJoin(values, ","), "] \"",
                    exact.value_or(""), "\" ", exact.has_value() ? "true" : "false");
  }
  return text;
}

template <typename T, typename Text>
std::string Answer(const absl::StatusOr<T>& value, Text text) {
  return value.ok() ? text(*value) : ErrorAnswer(value.status());
}

std::vector<std::string> Samples() {
  return {
      "",
      " ",
      "a=b",
      "app=web,tier in (front, back),!canary",
      "a==b,c!=d,e>5,f<-5,g>+5,h>x",
      "x in (foo,,baz),y,z notin ()",
      "x notin (a),x in (b),x",
      "!a,b,in,notin in (in,notin)",
      "example.com/name=value",
      "/name=v",
      "a/b/c=v",
      "Example.com/name",
      "a=-,b=_,c=.,d=" + std::string(64, 'x'),
      std::string(64, 'k') + "=v," + std::string(254, 'd') + "/k",
      "a in (,)",
      "a in (,,)",
      "a in (b,)",
      "a in (b c)",
      "a in b",
      "a in",
      "a in (",
      "a in (b",
      "a in (=)",
      "a b",
      "a,",
      ",a",
      ",",
      "a,,b",
      "a===b",
      "a=!b",
      "!",
      "!!a",
      "!a=b",
      "a>",
      "a>5,a<10",
      "a>9223372036854775807,b>9223372036854775808",
      "a=b\tc",
      "a\n=\r\nb",
      std::string("a\0b", 3),
      std::string("a=\0b", 4),
      std::string("a=b,\0", 5),
      "a=\xff",
      "\xc3\xa9=b",
      "a='\"\\",
      "metadata.name in (a,b,c,a)",
  };
}

std::vector<std::string> Pieces() {
  return {"a",   "b",     "app",  "x.y/z", "=",  "==", "!=", "!",    "in",      "notin", "(",
          ")",   ",",     " ",    ">",     "<",  "5",  "-3", "in (", "notin (", "a,b)",  "=web",
          "a=b", "A_b-c", "-bad", "\t",    "\n", "/",  ".",  "_",    "é",       "\xff"};
}

TEST(LabelsAgainstGo, Parse_RandomTexts_AgreesWithGo) {
  std::cout << "seed " << kSeed << std::endl;
  const validation::field::Path path = validation::field::Path("spec").Child("selector");
  oracle::TextMaker maker(kSeed, Samples(), Pieces());
  GoCases cases("labels_oracle");
  for (const std::string& text : maker.Make(4000)) {
    cases.Add("parse", text, Answer(Parse(text), Describe));
    cases.Add("parse_at", text, Answer(Parse(text, path), Describe));
    cases.Add("parse_set", text,
              Answer(ParseSet(text), [](const Set& set) { return ToString(set); }));
    cases.Add("to_label_selector", text,
              Answer(ParseToLabelSelector(text),
                     [](const auto& selector) { return codec::EncodeJson(selector).value(); }));
  }
  cases.Check();
}

// Selectors of a small vocabulary, so that most parse and about half of them match.
std::string RandomSelector(Dice& dice) {
  const std::vector<std::string> keys = {"a", "b", "app", "example.com/long-key-of-labels"};
  const std::vector<std::string> values = {"", "1", "2", "10", "web", "a-value-of-many-letters"};
  std::vector<std::string> requirements;
  for (size_t n = dice.Below(4); n > 0; --n) {
    const std::string& key = PickOf(dice, keys);
    const std::string list =
        absl::StrCat(" (", PickOf(dice, values), ",", PickOf(dice, values), ")");
    switch (dice.Below(9)) {
      case 0:
        requirements.push_back(key);
        break;
      case 1:
        requirements.push_back("!" + key);
        break;
      case 2:
        requirements.push_back(absl::StrCat(key, " in", list));
        break;
      case 3:
        requirements.push_back(absl::StrCat(key, " notin", list));
        break;
      default:
        requirements.push_back(absl::StrCat(
            key, PickOf<std::string>(dice, {"=", "==", "!=", ">", "<"}), PickOf(dice, values)));
    }
  }
  return absl::StrJoin(requirements, ",");
}

std::vector<std::string> RandomLabels(Dice& dice) {
  std::vector<std::string> parts;
  for (const char* key : {"a", "b", "app", "example.com/long-key-of-labels", "zone"}) {
    if (dice.Below(3) == 0) continue;
    parts.push_back(key);
    parts.push_back(PickOf<std::string>(dice, {"", "1", "2", "10", "+7", "-3", "x1", "web",
                                               "a-value-of-many-letters", "99999999999999999999"}));
  }
  return parts;
}

Set SetOf(const std::vector<std::string>& parts) {
  Set set = Set::Empty();
  for (size_t i = 0; i + 1 < parts.size(); i += 2) set[parts[i]] = parts[i + 1];
  return set;
}

TEST(LabelsAgainstGo, Matches_RandomSelectorsAndLabels_AgreesWithGo) {
  std::cout << "seed " << kSeed << std::endl;
  Dice dice(kSeed);
  GoCases cases("labels_oracle");
  size_t matched = 0;
  for (int i = 0; i < 10000; ++i) {
    const std::string text = RandomSelector(dice);
    const std::vector<std::string> parts = RandomLabels(dice);
    const Set set = SetOf(parts);
    std::vector<std::string> question = parts;
    question.insert(question.begin(), text);
    const absl::StatusOr<Selector> selector = Parse(text);
    cases.Add("matches", Join(question), Answer(selector, [&](const Selector& s) {
                matched += s.Matches(set);
                const bool looked_up = s.Matches([&](absl::string_view key) {
                  const String* value = set.find(key);
                  return value == nullptr ? std::nullopt : std::make_optional(value->view());
                });
                EXPECT_EQ(looked_up, s.Matches(set)) << text;
                return s.Matches(set) ? "true" : "false";
              }));
  }
  cases.Check();
  EXPECT_GT(matched, 1000u);
}

TEST(LabelsAgainstGo, MakeRequirement_RandomArguments_AgreesWithGo) {
  const std::vector<std::pair<std::string, Operator>> operators = {
      {"in", Operator::kIn},          {"notin", Operator::kNotIn},
      {"=", Operator::kEquals},       {"==", Operator::kDoubleEquals},
      {"!=", Operator::kNotEquals},   {"exists", Operator::kExists},
      {"gt", Operator::kGreaterThan}, {"lt", Operator::kLessThan},
      {"!", Operator::kDoesNotExist}};
  const std::vector<std::vector<std::string>> value_lists = {
      {},           {"a"},  {"b", "a", "b"},       {""}, {"5"}, {"-5"}, {"x", "1", "-"}, {"\xff"},
      {"a", "é<>"}, {"+5"}, {std::string(70, 'v')}};
  GoCases cases("labels_oracle");
  for (const std::string key : {"a", "", "-a", "x/y", "X/y", "a/b/c", "é"}) {
    for (const auto& [name, op] : operators) {
      for (const std::vector<std::string>& values : value_lists) {
        std::vector<std::string> question = {key, name};
        question.insert(question.end(), values.begin(), values.end());
        cases.Add("requirement", Join(question),
                  Answer(Requirement::Make(key, op, values),
                         [](const Requirement& r) { return r.ToString(); }));
      }
    }
  }
  cases.Check();
}

TEST(LabelsAgainstGo, Set_RandomTexts_AgreesWithGo) {
  std::cout << "seed " << kSeed << std::endl;
  Dice dice(kSeed);
  GoCases cases("labels_oracle");
  std::vector<std::vector<std::string>> sets = {
      {}, {"a", "-"}, {"/", "v"}, {"a", "1", "a-b", "2"}, {"a.b", "1", "a", "x=y"}, {"", ""}};
  for (int i = 0; i < 200; ++i) sets.push_back(RandomLabels(dice));
  for (const std::vector<std::string>& parts : sets) {
    const Set set = SetOf(parts);
    std::string ours =
        absl::StrCat(ToString(set), ";", FormatLabels(set), ";", Describe(SelectorFromSet(set)));
    const absl::Status valid = ValidatedSelectorFromSet(set).status();
    if (set.size() <= 1 && !valid.ok()) absl::StrAppend(&ours, ";", valid.message());
    cases.Add("set", Join(parts), ours);
    const std::vector<std::string>& other_parts = PickOf(dice, sets);
    const Set other = SetOf(other_parts);
    const auto word = [](bool value) { return value ? "true " : "false "; };
    cases.Add("sets", absl::StrCat(Join(parts), kSeparator, "|", kSeparator, Join(other_parts)),
              absl::StrCat(word(Conflicts(set, other)), word(set == other),
                           word(SetMatches(set, other)), ToString(Merge(set, other))));
  }
  cases.Check();
}

TEST(LabelsAgainstGo, LabelSelector_RandomSelectors_AgreesWithGo) {
  std::cout << "seed " << kSeed << std::endl;
  Dice dice(kSeed);
  GoCases cases("labels_oracle");
  const std::vector<std::string> texts = {"a", "b", "", "-", "x/y", "é", "1"};
  for (int i = 0; i < 2000; ++i) {
    api::meta::v1::LabelSelector selector;
    // With two labels Go may meet either error first.
    if (dice.Below(2) == 0) selector.match_labels[PickOf(dice, texts)] = PickOf(dice, texts);
    for (size_t n = dice.Below(3); n > 0; --n) {
      api::meta::v1::LabelSelectorRequirement expression = {
          .key = PickOf(dice, texts),
          .operator_ = PickOf<std::string>(
              dice, {"In", "In", "NotIn", "Exists", "DoesNotExist", "in", "", "<\"\n"})};
      for (size_t k = dice.Below(3); k > 0; --k) expression.values.push_back(PickOf(dice, texts));
      selector.match_expressions.push_back(std::move(expression));
    }
    const bool null = dice.Below(50) == 0;
    const std::string json = null ? "null" : codec::EncodeJson(selector).value();
    const auto* pointer = null ? nullptr : &selector;
    cases.Add("label_selector", json, Answer(LabelSelectorAsSelector(pointer), Describe));
    cases.Add("selector_map", json, Answer(LabelSelectorAsMap(pointer), [](const Set& set) {
                return absl::StrCat(set.is_null() ? "true " : "false ", ToString(set));
              }));
    cases.Add("format", json, FormatLabelSelector(pointer));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::labels
