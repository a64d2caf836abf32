#include "apimachinery/sharding/parse_selector.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/sharding/selector.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::sharding {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::StartsWith;

// behaviour.md: COD-12
TEST(ParseSelector, TextsOfOneField_AreSelectors) {
  const struct {
    const char* name;
    std::string text;
    std::string printed;
  } rows[] = {
      {"one range", "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')",
       "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')"},
      {"up to the top",
       "shardRange(object.metadata.namespace,'0x8000000000000000','0x10000000000000000')",
       "shardRange(object.metadata.namespace, '0x8000000000000000', '0x10000000000000000')"},
      {"three ranges, double quotes, spaces and parentheses",
       " (shardRange(object . metadata . uid, \"0x0000000000000000\", '0x0000000000000001')"
       "||shardRange(object.metadata.uid, '0x0000000000000002', '0x0000000000000003'))"
       " || shardRange(object.metadata.uid, '0x0000000000000004', '0x0000000000000005') ",
       "shardRange(object.metadata.uid, '0x0000000000000000', '0x0000000000000001') || "
       "shardRange(object.metadata.uid, '0x0000000000000002', '0x0000000000000003') || "
       "shardRange(object.metadata.uid, '0x0000000000000004', '0x0000000000000005')"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const absl::StatusOr<Selector> selector = ParseSelector(row.text);
    ASSERT_THAT(selector, IsOk());
    EXPECT_EQ(selector->ToString(), row.printed);
    const absl::StatusOr<Selector> again = ParseSelector(row.printed);
    ASSERT_THAT(again, IsOk());
    EXPECT_EQ(*again, *selector);
  }
}

// Puts arguments into a call.
std::string Call(absl::string_view arguments) {
  return "shardRange(" + std::string(arguments) + ")";
}

TEST(ParseSelector, OtherTexts_AreRefusedWithUpstreamsWords) {
  const struct {
    std::string text;
    const char* message;
  } rows[] = {
      {" ", "empty shard selector is not allowed; omit the parameter for unfiltered lists"},
      {"1", "unexpected expression kind 5; expected shardRange() call or || operator"},
      {"object.metadata.uid",
       "unexpected expression kind 7; expected shardRange() call or || operator"},
      {"size('a')", "unsupported function \"size\"; only shardRange() and || are allowed"},
      {"has(object.metadata)",
       "unsupported function \"has\"; only shardRange() and || are allowed"},
      {Call("object.metadata.uid, '0x0000000000000000', '0x0000000000000001'") + " && true",
       "unsupported function \"_&&_\"; only shardRange() and || are allowed"},
      {Call(""), "shardRange() requires exactly 3 arguments, got 0"},
      {Call("1, '', ''"),
       "shardRange() first argument: expected field path (e.g. object.metadata.uid), got "
       "expression kind 5"},
      {Call("has(object.metadata), '', ''"),
       "shardRange() first argument: expected field path (e.g. object.metadata.uid), got "
       "expression kind 1"},
      {Call("object.metadata.uid, [1].all(x, x > 0), ''"),
       "hexStart must be a string literal (e.g. '0xff'), got expression kind 1"},
      {Call("object.metadata.name, '', ''"),
       "unsupported field path \"object.metadata.name\"; supported: object.metadata.uid, "
       "object.metadata.namespace"},
      {Call("object.metadata.uid, a, ''"),
       "hexStart must be a string literal (e.g. '0xff'), got expression kind 3"},
      {Call("object.metadata.uid, 1, ''"), "hexStart must be a string literal, got int64"},
      {Call("object.metadata.uid, 'ff', ''"), "hexStart must have '0x' prefix, got \"ff\""},
      {Call("object.metadata.uid, '0x', ''"), "hexStart: hex value is required after '0x'"},
      {Call("object.metadata.uid, '0xg', ''"), "hexStart: invalid hex character \"g\" in \"0xg\""},
      {Call("object.metadata.uid, '0x\u00e9', ''"),
       "hexStart: invalid hex character \"\u00e9\" in \"0x\u00e9\""},
      {Call("object.metadata.uid, '0x123456789012345678', ''"),
       "hexStart: hex value too long (18 chars, max 17): \"123456789012345678\""},
      {Call("object.metadata.uid, '0x0000000000000000', '0x20000000000000000'"),
       "hexEnd: 17-digit hex value must be '0x10000000000000000' (2^64), got "
       "\"0x20000000000000000\""},
      {Call("object.metadata.uid, '0x0000000000000000', '0xff'"),
       "hexEnd must be a 0x-prefixed 16-digit hex value, got \"0xff\" (did you mean "
       "\"0x00000000000000ff\"?)"},
      {Call("object.metadata.uid, '0x0000000000000002', '0x0000000000000002'"),
       "shard range start 0x0000000000000002 must be less than end 0x0000000000000002"},
      {Call("object.metadata.uid, '0x10000000000000000', '0x0000000000000002'"),
       "shard range start 0x10000000000000000 must be less than end 0x0000000000000002"},
      {Call("object.metadata.uid, '0x0000000000000000', '0x0000000000000001'") + "||" +
           Call("object.metadata.namespace, '0x0000000000000000', '0x0000000000000001'"),
       "all shard ranges must use the same field, got \"object.metadata.uid\" and "
       "\"object.metadata.namespace\""},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.text);
    EXPECT_THAT(ParseSelector(row.text), StatusIs(absl::StatusCode::kInvalidArgument, row.message));
  }
  EXPECT_THAT(ParseSelector("shardRange("),
              StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("CEL parse error: ")));
}

}  // namespace
}  // namespace kube::sharding
