#include "apimachinery/base/log/log_record.h"

#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/source_location.h"
#include "gtest/gtest.h"

namespace kube::log {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr base::SourceLocation kHere = {"a/informers/file.cc", 42};

// 2023-11-21T03:53:39.123456789Z
absl::Time Now() { return absl::FromUnixNanos(1700538819123456789); }

class LogRecord : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    setenv("TZ", "UTC", 1);
    tzset();
  }
};

// ---- klog's text. The expectations are what klog's textlogger wrote for the same calls.

TEST_F(LogRecord, FormatText_Record_HasKlogHeaderMessageAndFields) {
  const std::vector<Field> fields = {{"resource", "pods"}, {"count", 3}};
  const Record record = {
      .time = Now(), .where = kHere, .message = "synced \"informer\"\n", .fields = fields};
  EXPECT_EQ(FormatText(record), absl::StrFormat("I1121 03:53:39.123456 %7d file.cc:42] "
                                                R"("synced \"informer\"\n" resource="pods" count=3)"
                                                "\n",
                                                getpid()));
}

TEST_F(LogRecord, FormatText_SeverityAndTime_AreInTheHeader) {
  const struct {
    const char* name;
    Severity severity;
    absl::Time time;
    const char* want;
  } kRows[] = {
      {"warning", Severity::kWarning, Now(), "W1121 03:53:39.123456 "},
      {"error", Severity::kError, Now(), "E1121 03:53:39.123456 "},
      {"padded", Severity::kInfo, absl::FromUnixMicros(1), "I0101 00:00:00.000001 "},
      {"before 1970", Severity::kInfo, absl::FromUnixMicros(-1), "I1231 23:59:59.999999 "},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    const Record record = {.severity = row.severity, .time = row.time};
    EXPECT_EQ(FormatText(record).substr(0, 22), row.want);
  }
}

struct FieldsRow {
  const char* name;
  std::vector<Field> fields;
  std::string want;
};

TEST_F(LogRecord, FormatTextBody_FieldsOfEachKind_AreFormattedAsByKlog) {
  const absl::Status status = absl::NotFoundError("x \"y\"");
  absl::Status answer = absl::NotFoundError("pods \"web-0\" not found");
  absl::Status silent = absl::NotFoundError("");
  for (absl::Status* each : {&answer, &silent}) {
    each->SetPayload("kubernetes.io/metav1.Status", absl::Cord("{}"));
  }
  const absl::Status two_lines = absl::NotFoundError("x \"y\"\nz");
  const std::vector<FieldsRow> kRows = {
      {"none", {}, ""},
      {"strings", {{"q", "a \"b\""}, {"e", ""}}, R"( q="a \"b\"" e="")"},
      {"odd characters",
       {{"key with space", absl::string_view("v\0\u200b\xff", 6)}},
       R"( key with space="v\x00\u200b\xff")"},
      {"lines", {{"m", "one\ntwo"}}, " m=<\n\tone\n\ttwo\n >"},
      {"lines, the last one ended",
       {{"m", "one\ntwo\n"}, {"next", 1}},
       " m=<\n\tone\n\ttwo\n > next=1"},
      {"an empty line", {{"m", "\n"}}, " m=<\n\t\n >"},
      {"an empty line between", {{"m", "a\n\nb"}}, " m=<\n\ta\n\t\n\tb\n >"},
      {"numbers",
       {{"b", true},
        {"f", 1.5},
        {"big", 1e21},
        {"small", 1e-7},
        {"neg", -3},
        {"u", std::numeric_limits<uint64_t>::max()}},
       " b=true f=1.5 big=1e+21 small=1e-7 neg=-3 u=18446744073709551615"},
      {"not finite",
       {{"nan", kNan}, {"inf", kInf}, {"ninf", -kInf}},
       R"( nan="<internal error: json: unsupported value: NaN>")"
       R"( inf="<internal error: json: unsupported value: +Inf>")"
       R"( ninf="<internal error: json: unsupported value: -Inf>")"},
      {"times",
       {{"d", absl::Seconds(90)},
        {"t", absl::FromUnixMicros(1700538819123456)},
        {"t0", absl::FromUnixSeconds(1700538819)}},
       R"( d="1m30s" t="2023-11-21 03:53:39.123456 +0000 UTC" t0="2023-11-21 03:53:39 +0000 UTC")"},
      {"objects",
       {{"ref", KRef("ns", "web")}, {"cluster", KRef("", "node-1")}},
       R"( ref="ns/web" cluster="node-1")"},
      {"status", {{"err", status}}, R"( err="NOT_FOUND: x \"y\"")"},
      {"the API server's answer", {{"err", answer}}, R"( err="pods \"web-0\" not found")"},
      {"an answer without a message", {{"err", silent}}, R"( err="NOT_FOUND: ")"},
      {"status of two lines", {{"err", two_lines}}, " err=<\n\tNOT_FOUND: x \"y\"\n\tz\n >"},
      {"the last of a key counts", {{"k", 1}, {"j", 2}, {"k", 3}}, " j=2 k=3"},
      {"the first of the same", {{"k", 1}, {"j", 2}, {"k", 1}}, " k=1 j=2"},
      {"three of a key", {{"k", 1}, {"k", 2}, {"k", 3}}, " k=3"},
      {"and back again", {{"k", 1}, {"k", 2}, {"j", 5}, {"k", 1}}, " j=5 k=1"},
  };
  for (const FieldsRow& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(FormatTextBody({.message = "m", .fields = row.fields}),
              absl::StrCat("\"m\"", row.want));
  }
}

TEST_F(LogRecord, FormatTextBody_Error_IsTheFieldErr) {
  const absl::Status status = absl::UnavailableError("connection refused");
  const absl::Status ok;
  const std::vector<Field> attempt = {{"attempt", 2}};
  const std::vector<Field> same = {{"err", "UNAVAILABLE: connection refused"}};
  const std::vector<Field> other = {{"err", "b"}, {"c", 1}};
  const struct {
    const char* name;
    const absl::Status* error;
    const std::vector<Field>& fields;
    const char* want;
  } kRows[] = {
      {"comes first", &status, attempt,
       R"("list pods" err="UNAVAILABLE: connection refused" attempt=2)"},
      {"OK is left out", &ok, attempt, R"("list pods" attempt=2)"},
      {"none", nullptr, attempt, R"("list pods" attempt=2)"},
      {"a field of the same key and text", &status, same,
       R"("list pods" err="UNAVAILABLE: connection refused")"},
      {"a field of the same key", &status, other, R"("list pods" err="b" c=1)"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(FormatTextBody({.severity = Severity::kError,
                              .message = "list pods",
                              .error = row.error,
                              .fields = row.fields}),
              row.want);
  }
}

// ---- JSON. The expectations are what component-base's JSON logger wrote for the same calls.

TEST_F(LogRecord, FormatJson_Record_HasTimeCallerMessageAndFields) {
  const std::vector<Field> fields = {{"resource", "pods"}, {"count", 3}};
  EXPECT_EQ(
      FormatJson(
          {.time = Now(), .where = kHere, .message = "synced \"informer\"\n", .fields = fields}),
      R"({"ts":1700538819123.4568,"caller":"informers/file.cc:42",)"
      R"("msg":"synced \"informer\"\n","v":0,"resource":"pods","count":3})"
      "\n");
}

TEST_F(LogRecord, FormatJson_Caller_IsFileWithItsFolder) {
  const struct {
    const char* file;
    const char* want;
  } kRows[] = {{"a/b/c.cc", "b/c.cc:1"},
               {"b/c.cc", "b/c.cc:1"},
               {"/c.cc", "/c.cc:1"},
               {"c.cc", "c.cc:1"},
               {"", ":1"}};
  for (const auto& row : kRows) {
    EXPECT_EQ(FormatJson({.time = absl::UnixEpoch(), .where = {row.file, 1}}),
              absl::StrCat(R"({"ts":0,"caller":")", row.want, R"(","msg":"","v":0})", "\n"));
  }
}

TEST_F(LogRecord, FormatJson_FieldsOfEachKind_AreFormattedAsByZap) {
  const absl::Status status = absl::NotFoundError("x");
  absl::Status answer = absl::NotFoundError("pods \"web-0\" not found");
  answer.SetPayload("kubernetes.io/metav1.Status", absl::Cord("{}"));
  const std::vector<FieldsRow> kRows = {
      {"none", {}, ""},
      {"strings", {{"q\"", "a \"b\"\n\xff"}, {"e", ""}}, R"(,"q\"":"a \"b\"\n\ufffd","e":"")"},
      {"numbers",
       {{"b", false},
        {"f", 1.5},
        {"big", 1e21},
        {"small", 1e-7},
        {"neg", -3},
        {"u", std::numeric_limits<uint64_t>::max()}},
       R"(,"b":false,"f":1.5,"big":1000000000000000000000,"small":0.0000001,"neg":-3,)"
       R"("u":18446744073709551615)"},
      {"not finite",
       {{"nan", kNan}, {"inf", kInf}, {"ninf", -kInf}},
       R"(,"nan":"NaN","inf":"+Inf","ninf":"-Inf")"},
      {"times",
       {{"d", absl::Seconds(90)}, {"t", absl::FromUnixMicros(1700538819123456)}},
       R"(,"d":"1m30s","t":"2023-11-21T03:53:39.123456Z")"},
      {"objects",
       {{"ref", KRef("ns", "web")}, {"cluster", KRef("", "node-1")}},
       R"(,"ref":{"name":"web","namespace":"ns"},"cluster":{"name":"node-1"})"},
      {"status", {{"reason", status}}, R"(,"reason":"NOT_FOUND: x")"},
      {"the API server's answer", {{"err", answer}}, R"(,"err":"pods \"web-0\" not found")"},
      {"equal keys stay", {{"k", 1}, {"k", 2}}, R"(,"k":1,"k":2)"},
  };
  for (const FieldsRow& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(FormatJson({.verbosity = 4,
                          .time = absl::UnixEpoch(),
                          .where = {"c.cc", 1},
                          .message = "m",
                          .fields = row.fields}),
              absl::StrCat(R"({"ts":0,"caller":"c.cc:1","msg":"m","v":4)", row.want, "}\n"));
  }
}

TEST_F(LogRecord, FormatJson_ErrorAndWarning_HaveErrAndSeverity) {
  const absl::Status status = absl::UnavailableError("connection refused");
  const std::vector<Field> fields = {{"attempt", 2}};
  Record record = {.severity = Severity::kError,
                   .time = absl::UnixEpoch(),
                   .where = {"c.cc", 1},
                   .message = "list pods",
                   .error = &status,
                   .fields = fields};
  EXPECT_EQ(FormatJson(record), R"({"ts":0,"caller":"c.cc:1","msg":"list pods","attempt":2,)"
                                R"("err":"UNAVAILABLE: connection refused"})"
                                "\n");
  record.error = nullptr;
  EXPECT_EQ(FormatJson(record), R"({"ts":0,"caller":"c.cc:1","msg":"list pods","attempt":2})"
                                "\n");
  record.severity = Severity::kWarning;
  EXPECT_EQ(FormatJson(record), R"({"ts":0,"caller":"c.cc:1","msg":"list pods","v":0,)"
                                R"("severity":"warning","attempt":2})"
                                "\n");
}

// ---- Neither format contains these.

TEST_F(LogRecord, SecretsAndPayloadsDoNotAppear) {
  absl::Status status = absl::UnauthenticatedError("no");
  status.SetPayload("url", absl::Cord("hunter2"));
  const base::Secret secret("hunter2");
  const std::vector<Field> fields = {{"token", secret}, {"status", status}};
  const Record record = {.error = &status, .fields = fields};
  EXPECT_EQ(FormatTextBody(record),
            R"("" err="UNAUTHENTICATED: no" token="<redacted>" status="UNAUTHENTICATED: no")");
  EXPECT_EQ(FormatJson(record).find("hunter2"), std::string::npos);
}

TEST_F(LogRecord, Field_ValuesOfEachCppType_AreFormatted) {
  const std::string text = "s";
  const char array[] = "a";
  const uint8_t small = 200;
  const std::vector<Field> fields = {
      {"string", text},     {"view", absl::string_view(text)},
      {"array", array},     {"uint8", small},
      {"short", short{-2}}, {"size", text.size()},
      {"float", 0.5f},      {"long", -5L},
  };
  EXPECT_EQ(FormatTextBody({.fields = fields}),
            R"("" string="s" view="s" array="a" uint8=200 short=-2 size=1 float=0.5 long=-5)");
}

}  // namespace
}  // namespace kube::log
