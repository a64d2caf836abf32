#include "net/websocket/close.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::websocket {
namespace {

using base::StatusIs;
using ::testing::Optional;

// The rows are sections 7.4.1 and 7.4.2 of RFC 6455, and IANA's registry.
TEST(CloseCodeTest, OnlyRegisteredAndPrivateCodesAreAllowedInFrames) {
  const auto allowed = [](int number) {
    return (number >= 1000 && number <= 1003) || (number >= 1007 && number <= 1014) ||
           (number >= 3000 && number <= 4999);
  };
  for (int number = 0; number <= UINT16_MAX; ++number) {
    ASSERT_EQ(IsAllowedInFrame(static_cast<CloseCode>(number)), allowed(number)) << number;
  }
}

TEST(CloseCodeTest, TextsAreThoseOfGorilla) {
  struct Row {
    CloseCode code;
    std::string text;
  };
  for (const Row& row : std::vector<Row>{
           {CloseCode::kNormal, "1000 (normal)"},
           {CloseCode::kGoingAway, "1001 (going away)"},
           {CloseCode::kProtocolError, "1002 (protocol error)"},
           {CloseCode::kUnsupportedData, "1003 (unsupported data)"},
           {CloseCode::kNoStatus, "1005 (no status)"},
           {CloseCode::kAbnormal, "1006 (abnormal closure)"},
           {CloseCode::kInvalidPayload, "1007 (invalid payload data)"},
           {CloseCode::kPolicyViolation, "1008 (policy violation)"},
           {CloseCode::kMessageTooBig, "1009 (message too big)"},
           {CloseCode::kMissingExtension, "1010 (mandatory extension missing)"},
           {CloseCode::kInternalError, "1011 (internal server error)"},
           {CloseCode::kTlsHandshake, "1015 (TLS handshake error)"},
           {static_cast<CloseCode>(4711), "4711"},
       }) {
    EXPECT_EQ(ToString(row.code), row.text);
  }
}

TEST(CloseTest, TextHasTheReasonIfThereIsOne) {
  EXPECT_EQ(ToString(Close{.code = CloseCode::kNormal}), "close 1000 (normal)");
  EXPECT_EQ(ToString(Close{.code = CloseCode::kGoingAway, .reason = "restart"}),
            "close 1001 (going away): restart");
}

TEST(CloseErrorTest, StatusCodeFollowsTheCloseCode) {
  EXPECT_THAT(MakeError(CloseCode::kProtocolError, "bad opcode 3"),
              StatusIs(absl::StatusCode::kDataLoss, "websocket: bad opcode 3"));
  EXPECT_THAT(MakeError(CloseCode::kMessageTooBig, "read limit exceeded"),
              StatusIs(absl::StatusCode::kResourceExhausted, "websocket: read limit exceeded"));
  EXPECT_THAT(MakeError(CloseCode::kAbnormal, "unexpected EOF"),
              StatusIs(absl::StatusCode::kUnavailable, "websocket: unexpected EOF"));
  EXPECT_THAT(
      MakeClosedError({.code = CloseCode::kGoingAway, .reason = "restart"}),
      StatusIs(absl::StatusCode::kUnavailable, "websocket: close 1001 (going away): restart"));
}

TEST(CloseErrorTest, AnnotatedErrorsKeepTheCloseCode) {
  const absl::Status error = MakeError(CloseCode::kInvalidPayload, "invalid UTF-8");
  EXPECT_THAT(CloseCodeOf(error), Optional(CloseCode::kInvalidPayload));
  EXPECT_THAT(CloseCodeOf(base::Annotate(error, "read stdout")),
              Optional(CloseCode::kInvalidPayload));
  EXPECT_THAT(CloseCodeOf(MakeClosedError({.code = static_cast<CloseCode>(3001)})),
              Optional(static_cast<CloseCode>(3001)));
  EXPECT_FALSE(CloseCodeOf(absl::UnavailableError("connection reset")).has_value());
  EXPECT_FALSE(CloseCodeOf(absl::OkStatus()).has_value());
}

TEST(CloseErrorTest, PeerIsToldTheReasonWithoutThePrefix) {
  EXPECT_EQ(CloseFor(MakeError(CloseCode::kProtocolError, "bad MASK")),
            (Close{.code = CloseCode::kProtocolError, .reason = "bad MASK"}));
}

TEST(CloseErrorTest, LongReasonsAreCutBetweenCharacters) {
  const std::string almost(kMaxReasonBytes - 1, 'x');
  EXPECT_EQ(CloseFor(MakeError(CloseCode::kProtocolError, absl::StrCat(almost, "yz"))).reason,
            absl::StrCat(almost, "y"));
  EXPECT_EQ(CloseFor(MakeError(CloseCode::kProtocolError, absl::StrCat(almost, "é"))).reason,
            almost);
}

TEST(CloseErrorTest, PeerIsToldNothingOfOtherErrors) {
  const Close internal = {.code = CloseCode::kInternalError};
  EXPECT_EQ(CloseFor(absl::UnknownError("secret")), internal);
  // No frame may have this code.
  EXPECT_EQ(CloseFor(MakeError(CloseCode::kAbnormal, "unexpected EOF")), internal);
}

}  // namespace
}  // namespace kube::websocket
