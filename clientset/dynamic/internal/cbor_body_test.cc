#include "clientset/dynamic/internal/cbor_body.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/watch/byte_stream.h"
#include "gtest/gtest.h"

namespace kube::dynamic::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

// Gives one byte at a time.
class OneByteAtATime final : public watch::ByteStream {
 public:
  explicit OneByteAtATime(std::string bytes) : bytes_(std::move(bytes)) {}
  absl::StatusOr<std::string> Read(const Context& ctx) override {
    if (ctx.done()) return ctx.status();
    if (next_ == bytes_.size()) return std::string();
    return std::string(1, bytes_[next_++]);
  }
  void Close() override { next_ = bytes_.size(); }

 private:
  const std::string bytes_;
  size_t next_ = 0;
};

std::unique_ptr<watch::ByteStream> Body(const std::string& bytes, bool sequence) {
  return MakeCborBody(std::make_unique<OneByteAtATime>(bytes), sequence);
}

TEST(CborBodyTest, OneItem) {
  const auto body = Body("\xd9\xd9\xf7\x82\x01\xf9\x3c", false);
  EXPECT_THAT(body->Read(Context()), StatusIs(absl::StatusCode::kInvalidArgument));
  const auto whole = Body(std::string("\xd9\xd9\xf7\x82\x01\xf9\x3c\x00", 8), false);
  EXPECT_THAT(whole->Read(Context()), IsOkAndHolds(std::string("[1,1.0]")));
  EXPECT_THAT(whole->Read(Context()), IsOkAndHolds(std::string()));
  EXPECT_THAT(Body("", false)->Read(Context()), IsOkAndHolds(std::string()));
  EXPECT_THAT(Body("\x01\x01", false)->Read(Context()),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(CborBodyTest, Sequence) {
  const auto body = Body(
      "\x81\x61"
      "a"
      "\x9f\x01\xff"
      "\x41",
      true);
  EXPECT_THAT(body->Read(Context()), IsOkAndHolds(std::string("[\"a\"]\n")));
  EXPECT_THAT(body->Read(Context()), IsOkAndHolds(std::string("[1]\n")));
  EXPECT_THAT(body->Read(Context()), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(Body("\xff", true)->Read(Context()), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Body("\x61\xff", true)->Read(Context()),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(CborBodyTest, Ends) {
  const auto body = Body("\x01\x02", true);
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  EXPECT_THAT(body->Read(scope.context()), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(body->Read(Context()), IsOkAndHolds(std::string("1\n")));
  body->Close();
  EXPECT_THAT(body->Read(Context()), IsOkAndHolds(std::string()));
}

}  // namespace
}  // namespace kube::dynamic::internal
