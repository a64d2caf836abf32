#include "apimachinery/remotecommand/protocol.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::remotecommand {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr absl::StatusCode kInternal = absl::StatusCode::kInternal;
constexpr absl::StatusCode kUnknown = absl::StatusCode::kUnknown;

std::vector<TerminalSize> SizesIn(TerminalSizeReader& reader) {
  std::vector<TerminalSize> sizes;
  while (const std::optional<TerminalSize> size = reader.Next()) sizes.push_back(*size);
  return sizes;
}

std::vector<TerminalSize> SizesIn(absl::string_view bytes) {
  TerminalSizeReader reader;
  reader.Receive(bytes);
  return SizesIn(reader);
}

// behaviour.md: ST-6
TEST(ProtocolTest, StreamTypesNameChannels) {
  for (const absl::string_view type : {"stdin", "stdout", "stderr", "error", "resize"}) {
    const std::optional<Channel> channel = ChannelOf(type);
    ASSERT_TRUE(channel.has_value()) << type;
    EXPECT_EQ(StreamTypeOf(*channel), type);
  }
  EXPECT_EQ(ChannelOf("stdout"), Channel::kStdout);
  EXPECT_EQ(ChannelOf("Stdout"), std::nullopt);
  EXPECT_EQ(ChannelOf(""), std::nullopt);
  EXPECT_EQ(StreamTypeOf(Channel::kClose), "");
}

// behaviour.md: ST-22
TEST(ProtocolTest, EncodesSizes) {
  EXPECT_EQ(EncodeTerminalSize({.width = 80, .height = 24}), "{\"Width\":80,\"Height\":24}\n");
  EXPECT_EQ(EncodeTerminalSize({.width = 65535}), "{\"Width\":65535,\"Height\":0}\n");
}

// behaviour.md: ST-23
TEST(TerminalSizeReaderTest, ReadsWhatGoReads) {
  const struct {
    const char* name;
    absl::string_view bytes;
    std::vector<TerminalSize> sizes;
  } rows[] = {
      {"nothing", "", {}},
      {"blanks", " \n\t", {}},
      {"one", "{\"Width\":80,\"Height\":24}\n", {{80, 24}}},
      {"two in one message", R"({"Width":1,"Height":2}{"Width":3,"Height":4})", {{1, 2}, {3, 4}}},
      {"names in other cases", R"({"width":1,"HEIGHT":2})", {{1, 2}}},
      {"members that are missing, null or others", R"({"Width":null,"Depth":{"a":"}"}})", {{0, 0}}},
      {"an object without an end", R"({"Width":1)", {}},
      {"an invalid byte ends it", R"({"Width":1,"Height":2} x {"Width":3,"Height":4})", {{1, 2}}},
      {"too large", R"({"Width":65536}{"Width":3})", {}},
      {"negative", R"({"Width":-1}{"Width":3})", {}},
      {"with a fraction", R"({"Width":1.5}{"Width":3})", {}},
      {"a text", R"({"Width":"1"}{"Width":3})", {}},
      {"no object", R"([1]{"Width":3})", {}},
      {"no JSON", R"({Width:1}{"Width":3})", {}},
  };
  for (const auto& row : rows) EXPECT_EQ(SizesIn(row.bytes), row.sizes) << row.name;
}

// behaviour.md: ST-23
TEST(TerminalSizeReaderTest, BytesMayBeCutAnywhere) {
  const std::string bytes =
      absl::StrCat(EncodeTerminalSize({80, 24}), EncodeTerminalSize({100, 30}));
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    TerminalSizeReader reader;
    std::vector<TerminalSize> sizes;
    for (const absl::string_view part :
         {absl::string_view(bytes).substr(0, cut), absl::string_view(bytes).substr(cut)}) {
      reader.Receive(part);
      for (const TerminalSize& size : SizesIn(reader)) sizes.push_back(size);
    }
    EXPECT_THAT(sizes, ElementsAre(TerminalSize{80, 24}, TerminalSize{100, 30})) << cut;
  }
}

// behaviour.md: ST-23
TEST(TerminalSizeReaderTest, ReadsNothingAfterAnError) {
  TerminalSizeReader reader;
  reader.Receive("x");
  EXPECT_EQ(reader.Next(), std::nullopt);
  reader.Receive(EncodeTerminalSize({80, 24}));
  EXPECT_EQ(reader.Next(), std::nullopt);
}

TEST(TerminalSizeReaderTest, KeepsLittle) {
  TerminalSizeReader reader;
  reader.Receive(EncodeTerminalSize({80, 24}));
  reader.Receive(std::string(100'000, ' '));
  reader.Receive(EncodeTerminalSize({100, 30}));
  EXPECT_THAT(SizesIn(reader), ElementsAre(TerminalSize{80, 24}));
}

TEST(ExitErrorTest, CodeAndText) {
  EXPECT_THAT(MakeExitError(3), StatusIs(kUnknown, "command terminated with exit code 3"));
  for (const int code : {1, 3, 127, 255}) {
    EXPECT_EQ(ExitCodeOf(MakeExitError(static_cast<uint8_t>(code))), code);
  }
  EXPECT_EQ(ExitCodeOf(base::Annotate(MakeExitError(7), "exec in pod \"web-0\"")), 7);
  EXPECT_EQ(ExitCodeOf(absl::OkStatus()), 0);
  EXPECT_EQ(ExitCodeOf(absl::UnknownError("command terminated with exit code 3")), std::nullopt);
}

// behaviour.md: ST-3, ST-24
TEST(OutcomeTest, ExitCodes) {
  const struct {
    const char* name;
    absl::string_view data;
    std::optional<uint8_t> code;
    const char* message;
  } rows[] = {
      {"empty", "", 0, ""},
      {"success", R"({"metadata":{},"status":"Success"})", 0, ""},
      {"code 3",
       R"({"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[
           {"reason":"Other","message":"9"},{"reason":"ExitCode","message":"3"}]}})",
       3, "command terminated with exit code 3"},
      {"code 255",
       R"({"status":"Failure","reason":"NonZeroExitCode",
           "details":{"causes":[{"reason":"ExitCode","message":"255"}]}})",
       255, "command terminated with exit code 255"},
  };
  for (const auto& row : rows) {
    const absl::Status outcome = ParseOutcome(row.data);
    EXPECT_EQ(ExitCodeOf(outcome), row.code) << row.name;
    EXPECT_EQ(outcome.message(), row.message) << row.name;
  }
}

// behaviour.md: ST-3, ST-25
TEST(OutcomeTest, ErrorsOfTheProtocol) {
  constexpr absl::string_view kWithCode =
      R"({"status":"Failure","reason":"NonZeroExitCode",
          "details":{"causes":[{"reason":"ExitCode","message":"$0"}]}})";
  const auto with_code = [&](absl::string_view code) {
    std::string data(kWithCode);
    return data.replace(data.find("$0"), 2, code.data(), code.size());
  };
  const struct {
    const char* name;
    std::string data;
    std::string message;
  } rows[] = {
      {"no status", "{}", "unknown error"},
      {"another status", R"({"status":"Maybe"})", "unknown error"},
      {"no details", R"({"status":"Failure","reason":"NonZeroExitCode"})", "details must be set"},
      {"no cause", R"({"status":"Failure","reason":"NonZeroExitCode","details":{}})",
       "no ExitCode cause given"},
      {"too large", with_code("256"), "invalid exit code value \"256\""},
      {"negative", with_code("-1"), "invalid exit code value \"-1\""},
      {"with a sign", with_code("+1"), "invalid exit code value \"+1\""},
      {"blank", with_code(" 1"), "invalid exit code value \" 1\""},
      {"empty", with_code(""), "invalid exit code value \"\""},
  };
  for (const auto& row : rows) {
    const absl::Status outcome = ParseOutcome(row.data);
    EXPECT_THAT(outcome,
                StatusIs(kInternal, absl::StrCat("error stream protocol error: ", row.message)))
        << row.name;
    EXPECT_EQ(ExitCodeOf(outcome), std::nullopt) << row.name;
  }
  EXPECT_THAT(ParseOutcome("not \"json\""),
              StatusIs(kInternal, AllOf(StartsWith("error stream protocol error: "),
                                        HasSubstr(R"(in "not \"json\"")"))));
}

// behaviour.md: ST-24
TEST(OutcomeTest, ErrorsOfTheServer) {
  const absl::Status outcome = ParseOutcome(
      R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"BadRequest","code":400,
          "message":"container app is not valid for pod web-0"})");
  EXPECT_THAT(outcome, StatusIs(absl::StatusCode::kInvalidArgument,
                                "container app is not valid for pod web-0"));
  EXPECT_TRUE(errors::IsBadRequest(outcome));
  EXPECT_EQ(ExitCodeOf(outcome), std::nullopt);
}

// behaviour.md: ST-26
TEST(OutcomeTest, TextOfOldVersions) {
  EXPECT_THAT(ParseTextOutcome(""), IsOk());
  EXPECT_THAT(ParseTextOutcome("no such file"),
              StatusIs(kUnknown, "error executing remote command: no such file"));
}

// behaviour.md: ST-3, ST-28
TEST(OutcomeTest, EncodesWhatServersSend) {
  EXPECT_EQ(EncodeOutcome(absl::OkStatus()), R"({"metadata":{},"status":"Success"})");
  EXPECT_EQ(EncodeOutcome(MakeExitError(3)),
            R"({"metadata":{},"status":"Failure","message":"command terminated with non-zero exit )"
            R"(code: command terminated with exit code 3","reason":"NonZeroExitCode",)"
            R"("details":{"causes":[{"reason":"ExitCode","message":"3"}]}})");
}

// behaviour.md: ST-31
TEST(OutcomeTest, ReadsWhatItEncodes) {
  const struct {
    const char* name;
    absl::Status outcome;
    absl::Status read;
  } rows[] = {
      {"success", absl::OkStatus(), absl::OkStatus()},
      {"an exit code", MakeExitError(255), MakeExitError(255)},
      {"an exit code with context", base::Annotate(MakeExitError(1), "exec"), MakeExitError(1)},
      {"an error of an API server", errors::BadRequest("no such container"),
       errors::BadRequest("no such container")},
      {"another error", absl::UnavailableError("runtime is down"),
       errors::InternalError("runtime is down")},
  };
  for (const auto& row : rows) {
    const absl::Status read = ParseOutcome(EncodeOutcome(row.outcome));
    EXPECT_EQ(read.code(), row.read.code()) << row.name;
    EXPECT_EQ(read.message(), row.read.message()) << row.name;
    EXPECT_EQ(ExitCodeOf(read), ExitCodeOf(row.read)) << row.name;
    EXPECT_EQ(errors::StatusOf(read).has_value(), errors::StatusOf(row.read).has_value())
        << row.name;
  }
}

TEST(OutcomeTest, AnErrorIsAlwaysAFailure) {
  api::meta::v1::Status status;
  status.message = "strange";
  EXPECT_THAT(EncodeOutcome(errors::FromStatus(status)), HasSubstr(R"("status":"Failure")"));
}

}  // namespace
}  // namespace kube::remotecommand
