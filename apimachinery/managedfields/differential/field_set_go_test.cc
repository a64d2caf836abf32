// Go's package fieldpath is the judge of field sets: of what they contain, how they are combined,
// and how they are written and read.

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/managedfields/differential/go_answers.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"
#include "tests/oracle/oracle.h"

namespace kube::managedfields {
namespace {

using unstructured::Value;

int64_t Count() { return Setting("MANAGED_CASES", 3000); }
uint64_t Seed() {
  const int64_t seed = Setting("MANAGED_SEED", 20261126);
  std::cout << "seed: " << seed << "\n";
  return static_cast<uint64_t>(seed);
}

constexpr absl::string_view kTexts[] = {
    "a",     "b",      "spec", "replicas",     "",     ".",      "f:a",  "a.b/c", "\"quoted\"",
    "<b>&",  "\\back", "\t\n", "\u00e4\u2028", "\x7f", "\u200b", "null", "1",     "\U0001f600",
    "\x01x", "[a]",    "k:{}", "a=b,c",        " ",    "-"};
constexpr int64_t kIntegers[] = {0, 1, -1, 80, 443, 2147483648, 9007199254740993};
constexpr double kDoubles[] = {0.5, 1.0, 80.0, -2.25, 1e21, 1e-7, 1.5e300, 123456789.125};

// A path element, and what a question says of it.
struct Element {
  PathElement element;
  Value description;
};
using ElementPath = std::vector<Element>;

class SetMaker {
 public:
  explicit SetMaker(uint64_t seed) : dice_(seed) {}

  // Chooses elements, of which paths are made until the next call.
  void ChooseElements() {
    pool_.clear();
    for (size_t i = 2 + dice_.Below(6); i > 0; --i) pool_.push_back(MakeElement());
  }
  std::vector<ElementPath> MakePaths(size_t most) {
    std::vector<ElementPath> paths;
    for (size_t i = dice_.Below(most + 1); i > 0; --i) paths.push_back(MakePath());
    return paths;
  }
  ElementPath MakePath() {
    ElementPath path;
    for (size_t i = 1 + dice_.Below(4); i > 0; --i) {
      path.push_back(pool_[dice_.Below(pool_.size())]);
    }
    return path;
  }
  bool OneIn(size_t n) { return dice_.Below(n) == 0; }

 private:
  absl::string_view Text() { return kTexts[dice_.Below(std::size(kTexts))]; }
  Value Scalar() {
    switch (dice_.Below(6)) {
      case 0:
        return Value(kIntegers[dice_.Below(std::size(kIntegers))]);
      case 1:
        return Value(kDoubles[dice_.Below(std::size(kDoubles))]);
      case 2:
        return Value(OneIn(2));
      case 3:
        return OneIn(4) ? Value() : Value("a");
      default:
        return Value(Text());
    }
  }
  Value Any() {
    if (!OneIn(8)) return Scalar();
    // Upstream prints the members of a map in random order.
    if (OneIn(2)) return Map<Value>{{Text(), Scalar()}};
    List<Value> list = List<Value>::Empty();
    for (size_t i = dice_.Below(3); i > 0; --i) list.push_back(Scalar());
    return list;
  }
  Element MakeElement() {
    switch (dice_.Below(6)) {
      case 0: {
        Map<Value> key = Map<Value>::Empty();
        for (size_t i = 1 + dice_.Below(3); i > 0; --i) key[Text()] = Any();
        return {PathElement::Key(key), Map<Value>{{"k", key}}};
      }
      case 1: {
        const Value item = Any();
        return {PathElement::Item(item), Map<Value>{{"v", item}}};
      }
      case 2: {
        const auto index = static_cast<int64_t>(dice_.Below(12));
        return {PathElement::Index(index), Map<Value>{{"i", index}}};
      }
      default: {
        const absl::string_view name = Text();
        return {PathElement::Field(name), Map<Value>{{"f", name}}};
      }
    }
  }

  oracle::Dice dice_;
  ElementPath pool_;
};

Path PathOf(const ElementPath& elements) {
  Path path;
  for (const Element& each : elements) path.push_back(each.element);
  return path;
}

FieldSet SetOf(const std::vector<ElementPath>& paths) {
  FieldSet set;
  for (const ElementPath& path : paths) set.Insert(PathOf(path));
  return set;
}

Value Describe(const std::vector<ElementPath>& paths) {
  List<Value> described = List<Value>::Empty();
  for (const ElementPath& path : paths) {
    List<Value> elements = List<Value>::Empty();
    for (const Element& each : path) elements.push_back(each.description);
    described.push_back(Value(std::move(elements)));
  }
  return Value(std::move(described));
}

// A filter, and what a question says of it.
struct Filter {
  FieldFilter filter;
  Value excluded;
  Value included;
};

Filter MakeFilter(SetMaker& maker) {
  Filter made;
  if (maker.OneIn(2)) {
    const std::vector<ElementPath> paths = maker.MakePaths(3);
    made.filter.excluded = SetOf(paths);
    made.excluded = Describe(paths);
    return made;
  }
  // Upstream does not unite patterns of which one has a wildcard where another has none.
  std::vector<ElementPath> patterns = {maker.MakePath()};
  const bool has_wildcards = maker.OneIn(2);
  if (!has_wildcards && maker.OneIn(2)) patterns.push_back(maker.MakePath());
  for (ElementPath& elements : patterns) {
    PathPattern pattern;
    for (Element& each : elements) {
      const bool any = has_wildcards && maker.OneIn(2);
      if (any) each.description = Map<Value>{{"any", true}};
      pattern.push_back({.element = each.element, .any = any});
    }
    made.filter.included_patterns.push_back(std::move(pattern));
  }
  made.included = Describe(patterns);
  return made;
}

struct Case {
  std::string question;
  std::vector<std::pair<absl::string_view, Value>> ours;
};

Case MakeCase(SetMaker& maker) {
  maker.ChooseElements();
  const std::vector<ElementPath> a_paths = maker.MakePaths(8);
  const std::vector<ElementPath> b_paths = maker.MakePaths(8);
  const std::vector<ElementPath> asked = maker.MakePaths(4);
  const Filter filter = MakeFilter(maker);
  const FieldSet a = SetOf(a_paths);
  const FieldSet b = SetOf(b_paths);
  List<Value> has = List<Value>::Empty();
  for (const ElementPath& path : asked) has.push_back(Value(a.Has(PathOf(path))));
  return {.question = ExactJson(Map<Value>{{"a", Describe(a_paths)},
                                           {"b", Describe(b_paths)},
                                           {"excluded", filter.excluded},
                                           {"included", filter.included},
                                           {"paths", Describe(asked)}}),
          .ours = {{"a", EncodeFieldsV1(a)},
                   {"b", EncodeFieldsV1(b)},
                   {"text", a.ToString()},
                   {"size", static_cast<int64_t>(a.size())},
                   {"has", Value(std::move(has))},
                   {"union", EncodeFieldsV1(a.Union(b))},
                   {"intersection", EncodeFieldsV1(a.Intersection(b))},
                   {"difference", EncodeFieldsV1(a.Difference(b))},
                   {"recursive difference", EncodeFieldsV1(a.RecursiveDifference(b))},
                   {"leaves", EncodeFieldsV1(a.Leaves())},
                   {"filtered", EncodeFieldsV1(filter.filter.Apply(a))},
                   {"equal", a == b}}};
}

TEST(FieldSetGoTest, Sets) {
  SetMaker maker(Seed());
  std::vector<Case> cases;
  std::vector<Question> questions;
  for (int64_t i = 0; i < Count(); ++i) {
    cases.push_back(MakeCase(maker));
    questions.push_back({"sets", cases.back().question});
  }
  const absl::StatusOr<std::vector<Value>> answers = AskGo(questions);
  if (oracle::PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_TRUE(answers.ok()) << answers.status();
  for (size_t i = 0; i < cases.size(); ++i) {
    ASSERT_EQ((*answers)[i].list()->size(), cases[i].ours.size());
    for (size_t j = 0; j < cases[i].ours.size(); ++j) {
      const auto& [what, ours] = cases[i].ours[j];
      ASSERT_EQ(ExactJson(ours), ExactJson((*(*answers)[i].list())[j]))
          << what << " of " << cases[i].question;
    }
  }
}

// Every encoded set is read again as itself, although all numbers are doubles then.
TEST(FieldSetGoTest, EncodedSetsAreRead) {
  SetMaker maker(Seed() + 1);
  for (int64_t i = 0; i < Count(); ++i) {
    maker.ChooseElements();
    const FieldSet set = SetOf(maker.MakePaths(8));
    const std::string json = EncodeFieldsV1(set);
    const absl::StatusOr<FieldSet> read = DecodeFieldsV1(json);
    ASSERT_TRUE(read.ok()) << read.status() << "\n" << json;
    EXPECT_EQ(*read, set) << json;
  }
}

// Asks about texts that are more or less valid, and compares what is read. Upstream's reader also
// accepts texts that are not JSON: of these some are refused here.
void CheckTexts(const std::string& function, const std::vector<std::string>& texts,
                Value (*answer_to)(absl::string_view)) {
  std::vector<Question> questions;
  for (const std::string& each : texts) {
    // Invalid UTF-8 does not reach a field set: the JSON around it replaces it.
    if (text::IsValidUtf8(each)) questions.push_back({function, each});
  }
  const absl::StatusOr<std::vector<Value>> answers = AskGo(questions);
  if (oracle::PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_TRUE(answers.ok()) << answers.status();
  int accepted = 0;
  int lenient = 0;
  for (size_t i = 0; i < questions.size(); ++i) {
    List<Value> go = *(*answers)[i].list();
    const bool is_strict = go.back().boolean() == true;
    go.pop_back();
    const Value ours = answer_to(questions[i].text);
    const Value& first = (*ours.list())[0];
    accepted += go[0].is_null() ? 0 : 1;
    if (!is_strict) {
      lenient += go[0].is_null() ? 0 : 1;
      EXPECT_FALSE(go[0].is_null() && !first.is_null())
          << "only ours reads " << absl::CHexEscape(questions[i].text) << " as " << ours;
      continue;
    }
    EXPECT_EQ(ExactJson(Value(go)), ExactJson(ours)) << absl::CHexEscape(questions[i].text);
  }
  std::cout << questions.size() << " texts, " << accepted << " read by Go, of which " << lenient
            << " are not JSON\n";
  EXPECT_GT(accepted, static_cast<int>(questions.size() / 10));
}

Value ReadSet(absl::string_view text) {
  const absl::StatusOr<FieldSet> set = DecodeFieldsV1(text);
  List<Value> answer = List<Value>::Empty();
  answer.push_back(set.ok() ? Value(EncodeFieldsV1(*set)) : Value());
  return answer;
}

TEST(FieldSetGoTest, HostileSets) {
  oracle::TextMaker maker(
      Seed() + 2,
      {R"({"f:metadata":{"f:labels":{".":{},"f:a":{}}},"f:spec":{"f:replicas":{}}})",
       R"({"f:b":{},"f:a":{"f:c":{}},"f:a":{"f:d":{}}})",
       R"({"k:{\"name\":\"c\",\"port\":80}":{".":{},"f:image":{}},"v:\"x\"":{},"i:3":{}})",
       R"({"x:unknown":{"f:a":{}},"f:a":{"y:b":{}}})", R"({".":{},"f:a":{".":{}}})",
       R"({"v:1.0":{},"v:1":{"f:a":{}},"v:1e3":{},"v:true":{},"v:null":{}})",
       R"({"f:\u00e4\n\ud83d\ude00":{}, "f:b" : { } })", "{}", "null", R"({"f:a":null})"},
      {"{", "}", "\"", ":",     ",", "f:", "k:", "v:", "i:",   ".",  "{}",  "null",
       "[", "]", "\\", "\\u00", " ", "1",  "-",  "e",  "true", "x:", "\\\""});
  CheckTexts("decode", maker.Make(static_cast<size_t>(Count())), ReadSet);
}

Value ReadElement(absl::string_view text) {
  const absl::StatusOr<PathElement> element = PathElement::Parse(text);
  List<Value> answer = List<Value>::Empty();
  if (element.ok()) {
    answer.push_back(Value(element->Serialize()));
    answer.push_back(Value(element->ToString()));
  } else {
    answer.push_back(absl::IsNotFound(element.status()) ? Value("unknown") : Value());
    answer.push_back(Value(""));
  }
  return answer;
}

TEST(FieldSetGoTest, HostileElements) {
  oracle::TextMaker maker(
      Seed() + 3,
      {"f:replicas",
       "f:",
       "f:a.b/c\"<&>",
       "k:{\"name\":\"web\"}",
       "k:{\"containerPort\":80,\"protocol\":\"TCP\"}",
       "k:{\"b\":1.5,\"a\":null,\"c\":[1,{}]}",
       "k:{}",
       "v:\"a\"",
       "v:1",
       "v:1.50",
       "v:1e21",
       "v:-0.001",
       "v:true",
       "v:null",
       "v:{\"a\":[1]}",
       "v:9007199254740993",
       "i:0",
       "i:-7",
       "i:+3",
       "i:1_000",
       "i:99999999999999999999",
       "x:y",
       ":",
       "f",
       ""},
      {"f:", "k:", "v:", "i:", "{", "}", "\"",   "\\",   "[",   "]",       ",", ":",
       "1",  "0",  ".",  "e",  "-", "+", "true", "null", "\\n", "\\u2028", " ", "a"});
  CheckTexts("element", maker.Make(static_cast<size_t>(Count())), ReadElement);
}

}  // namespace
}  // namespace kube::managedfields
