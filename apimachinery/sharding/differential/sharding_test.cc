// Go's answers about shard selectors: what is parsed, which objects match, and every error's text.
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/sharding/parse_selector.h"
#include "apimachinery/sharding/selector.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::sharding {
namespace {

using oracle::GoCases;

constexpr uint64_t kSeed = 20260901;

// The texts of our parser's errors are its own.
std::string Answer(const absl::StatusOr<Selector>& selector) {
  if (selector.ok()) return selector->ToString();
  if (absl::StartsWith(selector.status().message(), "CEL parse error")) return GoCases::kError;
  return oracle::ErrorAnswer(selector.status());
}

TEST(ShardingAgainstGo, Hash_OfRandomTexts_AgreesWithGo) {
  std::cout << "seed " << kSeed << std::endl;
  GoCases cases("sharding_oracle");
  oracle::TextMaker maker(kSeed, {"", "default", "kube-system"},
                          {"a", "-", "0123456789", "\xc3\xa9", "\xff"});
  for (const std::string& text : maker.Make(2000)) cases.Add("hash", text, HashField(text));
  cases.Check();
}

// Concatenates parts of selectors. There are no macros among them: ours expands them, and
// upstream's parser does not know them.
TEST(ShardingAgainstGo, Parse_RandomSelectors_AgreesWithGo) {
  std::cout << "seed " << kSeed << std::endl;
  GoCases cases("sharding_oracle");
  oracle::Dice dice(kSeed);
  const std::vector<std::string> fields = {"object.metadata.uid",
                                           "object.metadata.namespace",
                                           "object.metadata.name",
                                           "object",
                                           "1",
                                           "f(a)"};
  const std::vector<std::string> bounds = {"'0x0000000000000000'",
                                           "'0x8000000000000000'",
                                           "\"0xffffffffffffffff\"",
                                           "'0x10000000000000000'",
                                           "'0x20000000000000000'",
                                           "'0xff'",
                                           "'0x'",
                                           "'ff'",
                                           "'0x000000000000000G'",
                                           "'0x123456789012345678'",
                                           "'0x\\u00e9'",
                                           "1",
                                           "1u",
                                           "1.5",
                                           "true",
                                           "null",
                                           "b'0x'",
                                           "a",
                                           "[]",
                                           "{}"};
  const auto pick = [&dice](const std::vector<std::string>& from) -> const std::string& {
    return dice.Below(2) == 0 ? from[dice.Below(2)] : from[dice.Below(from.size())];
  };
  for (int i = 0; i < 5000; ++i) {
    std::vector<std::string> calls;
    const std::string field = fields[dice.Below(2)];
    for (size_t n = 1 + dice.Below(4); n > 0; --n) {
      // Most calls are valid and all of one field, so that enough selectors are.
      std::vector<std::string> arguments = {field, bounds[0], bounds[1]};
      if (dice.Below(4) == 0) arguments = {pick(fields), pick(bounds), pick(bounds)};
      if (dice.Below(20) == 0) arguments.pop_back();
      const absl::string_view function = dice.Below(20) == 0 ? "size" : "shardRange";
      calls.push_back(absl::StrCat(function, "(", absl::StrJoin(arguments, ", "), ")"));
    }
    const std::string text = absl::StrJoin(calls, dice.Below(20) == 0   ? " && "
                                                  : dice.Below(20) == 0 ? " | "
                                                                        : " || ");
    cases.Add("parse", text, Answer(ParseSelector(text)));
  }
  cases.Check();
}

TEST(ShardingAgainstGo, Matches_SharesOfRandomObjects_AgreesWithGo) {
  std::cout << "seed " << kSeed << std::endl;
  GoCases cases("sharding_oracle");
  oracle::Dice dice(kSeed);
  for (int i = 0; i < 2000; ++i) {
    const int count = 1 + static_cast<int>(dice.Below(9));
    const absl::StatusOr<Selector> selector =
        ShardOf(static_cast<int>(dice.Below(count)), count,
                dice.Below(2) == 0 ? ShardField::kUid : ShardField::kNamespace);
    ASSERT_TRUE(selector.ok()) << selector.status();
    const std::string uid = absl::StrCat("uid-", dice.Below(1000));
    const std::string namespace_name = absl::StrCat("namespace-", dice.Below(1000));
    const std::vector<std::string> question = {selector->ToString(), uid, namespace_name};
    cases.Add("matches", absl::StrJoin(question, absl::string_view("\x1f", 1)),
              selector->Matches(uid, namespace_name) ? "true" : "false");
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::sharding
