#include "apimachinery/codec/internal/decode_error.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "tests/kitchen_sink/kitchen_messages.h"

namespace kube::codec::internal {
namespace {

TEST(DecodeErrorTest, PositionsCountFromOne) {
  struct Row {
    const char* text;
    size_t offset;
    size_t line;
    size_t column;
  };
  const Row rows[] = {
      {"", 0, 1, 1},     {"abc", 0, 1, 1},    {"abc", 3, 1, 4},
      {"a\nb", 1, 1, 2}, {"a\nb", 2, 2, 1},   {"a\nb", 3, 2, 2},
      {"\n\n", 2, 3, 1}, {"a\r\nb", 3, 2, 1}, {"\xc3\xa9x", 2, 1, 3},
  };
  for (const Row& row : rows) {
    const TextPosition position = PositionOf(row.text, row.offset);
    EXPECT_EQ(position.line, row.line) << row.text << row.offset;
    EXPECT_EQ(position.column, row.column) << row.text << row.offset;
  }
}

TEST(DecodeErrorTest, Messages) {
  const kube::table::Message& message = *oracle::KitchenMessage("Point");
  DecodeError error;
  error.cause = "expected a string";
  EXPECT_EQ(JsonErrorStatus(message, error, {3, 14}),
            absl::InvalidArgumentError("decode Point: expected a string (line 3, column 14)"));
  error.path = "a.b\n";
  EXPECT_EQ(
      JsonErrorStatus(message, error, {3, 14}),
      absl::InvalidArgumentError("decode Point: a.b\\n: expected a string (line 3, column 14)"));
  error.path = std::string(1000, 'p');
  EXPECT_EQ(JsonErrorStatus(message, error, {1, 1}),
            absl::InvalidArgumentError("decode Point: " + std::string(300, 'p') +
                                       "...: expected a string (line 1, column 1)"));
}

TEST(DecodeErrorTest, StrictErrorsAreOneMessage) {
  const kube::table::Message& message = *oracle::KitchenMessage("Point");
  EXPECT_TRUE(StrictStatus(message, {}).ok());
  EXPECT_EQ(StrictStatus(message, {"unknown field \"a\"", "duplicate field \"b\""}),
            absl::InvalidArgumentError("decode Point: unknown field \"a\", duplicate field \"b\""));
}

}  // namespace
}  // namespace kube::codec::internal
