#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/testing/decoded_object.h"
#include "simdjson.h"
#include "tests/dice.h"
#include "tests/kitchen_sink/cases.h"
#include "tests/kitchen_sink/kitchen_messages.h"
#include "tests/kitchen_sink/kitchen_oracle.h"
#include "tests/oracle/oracle.h"

// Compares with Go: random objects of every type, whose JSON is changed at random. Go says for each
// text whether it is an object of the type, what it means, and what strict mode reports.

namespace kube::codec::internal {
namespace {

using oracle::KitchenOracle;

// The type's name in tests/kitchen_sink.
class KitchenObject : public DecodedObject {
 public:
  explicit KitchenObject(absl::string_view type) : DecodedObject(oracle::KitchenMessage(type)) {}
};

std::string Recode(absl::string_view type, const std::vector<std::string>& texts) {
  return internal::Recode(oracle::KitchenMessage(type), texts);
}

constexpr uint32_t kSeed = 20260105;

struct Text {
  std::string type;
  std::string json;
};

class Mutator {
 public:
  explicit Mutator(oracle::Dice& dice) : dice_(dice) {}

  std::string Mutate(std::string json) {
    for (size_t times = 1 + Pick(3); times > 0; --times) MutateOnce(json);
    return json;
  }

 private:
  size_t Pick(size_t count) { return dice_.Below(count); }

  void MutateOnce(std::string& json) {
    const size_t at = Pick(json.size() + 1);
    switch (Pick(8)) {
      case 0:  // a byte
        if (at < json.size()) json[at] = static_cast<char>(dice_.Next());
        break;
      case 1:
        json.erase(at, 1 + Pick(3));
        break;
      case 2:  // ends early
        if (Pick(4) == 0) json.resize(at);
        break;
      case 3:
        json.insert(at, Snippet());
        break;
      default:
        ChangeToken(json);
        break;
    }
  }

  // Replaces a value by another one, repeats a member, or adds white space.
  void ChangeToken(std::string& json) {
    std::vector<std::pair<size_t, size_t>> tokens;  // offset and size of values
    std::vector<std::pair<size_t, size_t>> members;
    size_t name = std::string::npos;
    for (size_t i = 0; i < json.size();) {
      size_t end = i + 1;
      if (json[i] == '"') {
        while (end < json.size() && json[end] != '"') end += json[end] == '\\' ? 2 : 1;
        end = std::min(end + 1, json.size());
        if (end < json.size() && json[end] == ':') {
          name = i;
          i = end + 1;
          continue;
        }
      } else if (absl::StrContains("{}[],: \n", json.substr(i, 1))) {
        if (json[i] != ',' && json[i] != ':') name = std::string::npos;
        ++i;
        continue;
      } else {
        end = std::min(json.find_first_of(",]} ", i), json.size());
      }
      tokens.emplace_back(i, end - i);
      if (name != std::string::npos) members.emplace_back(name, end - name);
      name = std::string::npos;
      i = std::max(end, i + 1);
    }
    if (tokens.empty()) return;
    const auto [at, size] = tokens[Pick(tokens.size())];
    switch (Pick(4)) {
      case 0:
        json.insert(at, Pick(2) == 0 ? " " : "\n\t");
        break;
      case 1:
        if (!members.empty()) {
          const auto& from = members[Pick(members.size())];
          const auto& to = members[Pick(members.size())];
          json.insert(to.first, absl::StrCat(json.substr(from.first, from.second), ","));
        }
        break;
      default:
        json.replace(at, size, Snippet());
        break;
    }
  }

  std::string Snippet() {
    static constexpr absl::string_view kSnippets[] = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1",
        "-1",
        "1.0",
        "1.5",
        "1e2",
        "1e400",
        "1e-400",
        "01",
        "-",
        "255",
        "256",
        "2147483647",
        "2147483648",
        "-2147483649",
        "9223372036854775807",
        "9223372036854775808",
        "12345678901234567890123",
        "\"\"",
        "\"a\"",
        "\"\\u0041\"",
        "\"\\ud800\"",
        "\"\\n\"",
        "\"\xff\"",
        "\"1Gi\"",
        "\" 1 \"",
        "\"1e3\"",
        "\"YWI=\"",
        "\"2020-01-01T00:00:00Z\"",
        "\"2020-02-30T00:00:00Z\"",
        "\"2020-01-01T00:00:00.5+01:00\"",
        "\"1h2m\"",
        "\"50%\"",
        "[]",
        "{}",
        "[null]",
        "[1]",
        "[\"a\",\"b\"]",
        "[{}]",
        "[{},{}]",
        "{\"x\":1}",
        "{\"a\":null}",
        "{\"a\":\"1\",\"a\":\"2\"}",
        "{\"a\":[1,{\"b\":2}]}",
        ",",
        "\"x\":1,",
        "\\",
        "\"",
        ":",
        "{",
        "}",
        "[",
        "]",
    };
    return std::string(kSnippets[Pick(std::size(kSnippets))]);
  }

  oracle::Dice& dice_;
};

// Objects of every type as Go writes them, and the texts of the tables.
std::vector<Text> Seeds(const absl::Status& ran, const KitchenOracle& go,
                        const std::vector<std::string>& types) {
  std::vector<Text> seeds;
  for (size_t i = 0; ran.ok() && i < types.size(); ++i) {
    if (!go[i].ok()) continue;
    for (size_t j = 0; j < go[i]->size(); j += 2) {
      if ((*go[i])[j].size() < 20000) seeds.push_back({types[i], (*go[i])[j]});
    }
  }
  for (const oracle::KitchenCase& c : oracle::KitchenCases()) {
    if (c.json.size() < 20000) seeds.push_back({std::string(c.type), std::string(c.json)});
  }
  return seeds;
}

TEST(DecodeJsonGoTest, MutatedTexts) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  oracle::Dice dice(kSeed);
  KitchenOracle types_of;
  types_of.Ask("types", "", {});
  const absl::Status ran_types = types_of.Run();
  if (oracle::PrintSkipped(ran_types)) GTEST_SKIP();
  ASSERT_TRUE(ran_types.ok()) << ran_types;
  const std::vector<std::string> types = *types_of[0];

  KitchenOracle objects;
  for (const std::string& type : types) {
    objects.Ask("random", type, {absl::StrCat(dice.Below(1000000)), "6"});
  }
  const absl::Status ran_objects = objects.Run();
  ASSERT_TRUE(ran_objects.ok()) << ran_objects;

  Mutator mutator(dice);
  std::vector<Text> texts = Seeds(ran_objects, objects, types);
  ASSERT_GT(texts.size(), 700u);
  for (size_t i = 0, seeds = texts.size(); i < 8 * seeds; ++i) {
    const Text seed = texts[i % seeds];
    texts.push_back({seed.type, mutator.Mutate(seed.json)});
  }
  KitchenOracle go;
  for (const Text& text : texts) go.Ask("strict_json", text.type, {text.json});
  const absl::Status ran = go.Run();
  ASSERT_TRUE(ran.ok()) << ran;

  simdjson::dom::parser parser;
  size_t accepted = 0;
  int failures = 0;
  for (size_t i = 0; i < texts.size() && failures < 20; ++i) {
    KitchenObject object(texts[i].type);
    std::vector<std::string> got;
    const absl::Status status = object.Decode(texts[i].json, {}, &got);
    if (!go[i].ok()) {
      failures += status.ok();
      EXPECT_FALSE(status.ok()) << texts[i].type << " " << texts[i].json << "\n" << go.Output(i);
      continue;
    }
    ++accepted;
    got.insert(got.begin(), object.Json());
    failures += !status.ok() || got != *go[i];
    ASSERT_TRUE(status.ok()) << texts[i].type << " " << texts[i].json << "\n" << status;
    EXPECT_EQ(got, *go[i]) << texts[i].type << " " << texts[i].json;

    const std::string json = object.Json();
    KitchenObject plain(texts[i].type);
    EXPECT_TRUE(plain.Decode(texts[i].json).ok());
    EXPECT_EQ(plain.Json(), json);
    // Raw values may contain text that only Go accepts as JSON: any bytes in a string.
    const simdjson::error_code error = parser.parse(json.data(), json.size()).error();
    EXPECT_TRUE(error == simdjson::SUCCESS || error == simdjson::UTF8_ERROR ||
                error == simdjson::NUMBER_ERROR || error == simdjson::STRING_ERROR)
        << json << error;
  }
  // Some texts must be accepted, and some refused.
  EXPECT_GT(accepted, texts.size() / 4);
  EXPECT_LT(accepted, texts.size() * 9 / 10);
}

// Decodes two texts of one type into one object.
TEST(DecodeJsonGoTest, MergedTexts) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  oracle::Dice dice(kSeed);
  KitchenOracle types_of;
  types_of.Ask("types", "", {});
  const absl::Status ran_types = types_of.Run();
  if (oracle::PrintSkipped(ran_types)) GTEST_SKIP();
  ASSERT_TRUE(ran_types.ok()) << ran_types;
  const std::vector<std::string> types = *types_of[0];
  KitchenOracle objects;
  for (const std::string& type : types) {
    objects.Ask("random", type, {absl::StrCat(dice.Below(1000000)), "40"});
  }
  const absl::Status ran_objects = objects.Run();
  ASSERT_TRUE(ran_objects.ok()) << ran_objects;
  KitchenOracle go;
  std::vector<std::pair<std::string, std::vector<std::string>>> pairs;
  for (size_t i = 0; i < types.size(); ++i) {
    ASSERT_TRUE(objects[i].ok()) << types[i] << objects[i].status();
    for (size_t j = 0; j + 2 < objects[i]->size(); j += 2) {
      const std::vector<std::string> two = {(*objects[i])[j], (*objects[i])[j + 2]};
      go.Ask("json_into_json", types[i], two);
      pairs.emplace_back(types[i], two);
    }
  }
  const absl::Status ran = go.Run();
  ASSERT_TRUE(ran.ok()) << ran;
  for (size_t i = 0; i < pairs.size(); ++i) {
    ASSERT_EQ(Recode(pairs[i].first, pairs[i].second), go.Output(i)) << pairs[i].first << "\n"
                                                                     << pairs[i].second[0] << "\n"
                                                                     << pairs[i].second[1];
  }
}

}  // namespace
}  // namespace kube::codec::internal
