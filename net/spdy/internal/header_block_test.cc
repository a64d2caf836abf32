#include "net/spdy/internal/header_block.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/io/big_endian.h"
#include "net/spdy/frame.h"

namespace kube::spdy::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using ::testing::HasSubstr;

constexpr HeaderKind kRequest = HeaderKind::kRequest;

// A text behind its length.
std::string Text(absl::string_view text) {
  std::string out;
  io::AppendBigEndian(text.size(), 4, out);
  return absl::StrCat(out, text);
}

std::string Number(uint32_t number) {
  std::string out;
  io::AppendBigEndian(number, 4, out);
  return out;
}

// Pairs of names and values.
std::string Block(const std::vector<std::string>& texts) {
  std::string out = Number(static_cast<uint32_t>(texts.size() / 2));
  for (const std::string& text : texts) out += Text(text);
  return out;
}

// behaviour.md: ST-82
TEST(HeaderBlockTest, HeadersAreWrittenAndRead) {
  struct Row {
    std::string name;
    http::Headers headers;
    std::string block;
  };
  for (const Row& row : std::vector<Row>{
           {"nothing", {}, std::string(4, '\0')},
           {"one", {{"streamtype", "data"}}, Block({"streamtype", "data"})},
           {"several",
            {{"streamtype", "error"}, {"port", "80"}, {"requestid", "0"}},
            Block({"streamtype", "error", "port", "80", "requestid", "0"})},
           {"empty value", {{"a", ""}}, Block({"a", ""})},
           {"several values",
            {{"a", "1"}, {"a", ""}, {"a", "3"}, {"b", "4"}},
            Block({"a", std::string("1\0\0003", 4), "b", "4"})},
           {"any bytes in values", {{"a", "\x80\xFF\n"}}, Block({"a", "\x80\xFF\n"})},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(EncodeHeaders(row.headers, kRequest, {}), IsOkAndHolds(row.block));
    EXPECT_THAT(DecodeHeaders(row.block, kRequest, {}), IsOkAndHolds(row.headers));
  }
}

// behaviour.md: ST-82
TEST(HeaderBlockTest, ValuesOfOneNameAreWrittenTogether) {
  EXPECT_THAT(EncodeHeaders({{"a", "1"}, {"b", "2"}, {"A", "3"}}, kRequest, {}),
              IsOkAndHolds(Block({"a", std::string("1\0003", 3), "b", "2"})));
}

TEST(HeaderBlockTest, WhatMayNotBeSentIsRefused) {
  const auto invalid = [](const std::string& message) {
    return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(message));
  };
  EXPECT_THAT(EncodeHeaders({{"", "x"}}, kRequest, {}), invalid("invalid name"));
  EXPECT_THAT(EncodeHeaders({{"a b", "x"}}, kRequest, {}), invalid("invalid name"));
  EXPECT_THAT(EncodeHeaders({{":path", "x"}}, kRequest, {}), invalid("invalid name"));
  EXPECT_THAT(EncodeHeaders({{"a", std::string("1\0002", 3)}}, kRequest, {}),
              invalid("a: the value contains NUL"));
  for (const std::string name :
       {"Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "Host"}) {
    EXPECT_THAT(EncodeHeaders({{name, "x"}}, kRequest, {}), invalid("belongs to the connection"))
        << name;
  }
  EXPECT_THAT(EncodeHeaders({{"host", "x"}}, HeaderKind::kResponse, {}), IsOk());
  EXPECT_THAT(EncodeHeaders({{"connection", "x"}}, HeaderKind::kResponse, {}),
              invalid("belongs to the connection"));
}

TEST(HeaderBlockTest, MalformedBlocksAreErrors) {
  struct Row {
    std::string name;
    std::string block;
    std::string message;
    HeaderKind kind = HeaderKind::kRequest;
  };
  const std::string incorrect = "spdy: compressed payload size was incorrect";
  const std::string whole = Block({"a", "1"});
  for (const Row& row : std::vector<Row>{
           {"nothing", "", incorrect},
           {"part of the number", std::string(3, '\0'), incorrect},
           {"fewer pairs", Number(1), incorrect},
           {"part of a length", whole.substr(0, 7), incorrect},
           {"part of a name", Number(1) + Number(2) + "a", incorrect},
           {"name without a value", whole.substr(0, 9), incorrect},
           {"part of a value", whole.substr(0, whole.size() - 1), incorrect},
           {"more than the pairs", whole + "x", incorrect},
           {"capital letter", Block({"aB", "1"}), "spdy: header was not lowercased"},
           {"empty name", Block({"", "1"}), "spdy: invalid header name"},
           {"name with a blank", Block({"a b", "1"}), "spdy: invalid header name"},
           {"name with NUL", Block({std::string("a\0b", 3), "1"}), "spdy: invalid header name"},
           {"name that is not ASCII", Block({"\xC3\xA9", "1"}), "spdy: invalid header name"},
           {"name twice", Block({"a", "1", "b", "2", "a", "3"}),
            "spdy: multiple headers with same name"},
           {"connection", Block({"connection", "x"}), "spdy: frame contained invalid header"},
           {"keep-alive", Block({"keep-alive", "x"}), "spdy: frame contained invalid header"},
           {"host", Block({"host", "x"}), "spdy: frame contained invalid header"},
           {"transfer-encoding of a response", Block({"transfer-encoding", "x"}),
            "spdy: frame contained invalid header", HeaderKind::kResponse},
       }) {
    EXPECT_THAT(DecodeHeaders(row.block, row.kind, {}),
                StatusIs(absl::StatusCode::kDataLoss, row.message))
        << row.name;
  }
  EXPECT_THAT(DecodeHeaders(Block({"host", "x"}), HeaderKind::kResponse, {}), IsOk());
  EXPECT_THAT(DecodeHeaders(Block({":method", "x"}), kRequest, {}), IsOk());
}

TEST(HeaderBlockTest, EveryCutIsAnError) {
  const std::string block = Block({"streamtype", "data", "port", "8080"});
  for (size_t size = 0; size < block.size(); ++size) {
    EXPECT_THAT(DecodeHeaders(block.substr(0, size), kRequest, {}),
                StatusIs(absl::StatusCode::kDataLoss))
        << size;
  }
}

TEST(HeaderBlockTest, LimitsHoldInBothDirections) {
  const Limits limits = {.max_headers = 3, .max_header_bytes = 10, .max_block_bytes = 60};
  struct Row {
    std::string name;
    http::Headers headers;
    bool fits;
  };
  for (const Row& row : std::vector<Row>{
           {"as many as may be", {{"a", ""}, {"b", ""}, {"c", ""}}, true},
           {"too many", {{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}}, false},
           {"too many values", {{"a", ""}, {"a", ""}, {"a", ""}, {"a", ""}}, false},
           {"longest name", {{std::string(10, 'n'), ""}}, true},
           {"too long a name", {{std::string(11, 'n'), ""}}, false},
           {"longest value", {{"a", std::string(10, 'v')}}, true},
           {"too long a value", {{"a", std::string(11, 'v')}}, false},
           {"too long values of one name", {{"a", "12345"}, {"a", "12345"}}, false},
       }) {
    SCOPED_TRACE(row.name);
    const auto block = EncodeHeaders(row.headers, kRequest, limits);
    EXPECT_EQ(block.ok(), row.fits);
    if (!row.fits) {
      EXPECT_THAT(block, StatusIs(absl::StatusCode::kInvalidArgument));
    }
    const auto headers =
        DecodeHeaders(EncodeHeaders(row.headers, kRequest, {}).value(), kRequest, limits);
    EXPECT_EQ(headers.ok(), row.fits);
    if (!row.fits) {
      EXPECT_THAT(headers, StatusIs(absl::StatusCode::kResourceExhausted));
    }
  }
  const std::string ten(10, 'n');
  EXPECT_THAT(
      EncodeHeaders({{ten, ten}, {"a", ten}, {"b", ten}}, kRequest, limits),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("send headers: headers too long")));
}

// A megabyte of separators would be a million lines.
TEST(HeaderBlockTest, SeparatorsCountAsValues) {
  EXPECT_THAT(DecodeHeaders(Block({"a", std::string(1 << 20, '\0')}), kRequest, {}),
              StatusIs(absl::StatusCode::kResourceExhausted, "spdy: too many headers"));
  EXPECT_THAT(DecodeHeaders(Block({"a", std::string(999, '\0')}), kRequest, {}), IsOk());
}

}  // namespace
}  // namespace kube::spdy::internal
