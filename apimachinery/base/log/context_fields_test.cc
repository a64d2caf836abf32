#include "apimachinery/base/log/context_fields.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/log/log_record.h"
#include "apimachinery/base/log/log_sink.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/thread.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::log {
namespace {

using testing::ElementsAre;

// Collects the lines of FormatJson from the message on, without the line feed.
class JsonLines : public Sink {
 public:
  void Write(const Record& record) override {
    const std::string line = FormatJson(record);
    const size_t begin = line.find("\"msg\"");
    lines.push_back(line.substr(begin, line.size() - begin - 1));
  }

  std::vector<std::string> lines;
};

class ContextFieldsTest : public testing::Test {
 protected:
  ~ContextFieldsTest() override { SetVerbosity(0); }
};

TEST_F(ContextFieldsTest, AFieldOfTheContextPrecedesThoseOfTheCall_AsInTheHeader) {
  LogCapture capture;
  const Context parent;
  const std::string name = "web-0";
  const kube::Context ctx = kube::WithLogFields(parent, {{"namespace", "prod"}, {"name", name}});
  kube::log::Info(ctx, "scaling", {{"replicas", 3}});
  EXPECT_THAT(capture.Lines(),
              ElementsAre(R"(I "scaling" namespace="prod" name="web-0" replicas=3)"));
}

TEST_F(ContextFieldsTest, EachFunctionLogsTheFieldsOfItsContext) {
  LogCapture capture;
  SetVerbosity(4);
  const Context ctx = WithLogFields(Context(), {{"name", "web-0"}});
  Info(ctx, "started");
  Warning(ctx, "slow", {{"took", absl::Seconds(2)}});
  Error(ctx, absl::NotFoundError("gone"), "get failed", {{"attempt", 2}});
  Error(ctx, absl::OkStatus(), "odd");
  KUBE_VLOG_CTX(ctx, 4, "details", {"a", 1}, {"b", 2});
  KUBE_VLOG_CTX(ctx, 4, "bare");
  KUBE_VLOG_CTX(ctx, 5, "off");
  Info("without");
  EXPECT_THAT(capture.Lines(),
              ElementsAre(R"(I "started" name="web-0")", R"(W "slow" name="web-0" took="2s")",
                          R"(E "get failed" err="NOT_FOUND: gone" name="web-0" attempt=2)",
                          R"(E "odd" name="web-0")", R"(I "details" name="web-0" a=1 b=2)",
                          R"(I "bare" name="web-0")", R"(I "without")"));
}

TEST_F(ContextFieldsTest, JsonHasTheFieldsInTheSameOrder) {
  const auto sink = std::make_shared<JsonLines>();
  std::shared_ptr<Sink> previous = SetSink(sink);
  const Context ctx = WithLogFields(Context(), {{"Foo", KRef("prod", "web-0")},
                                                {"namespace", "prod"},
                                                {"reconcileID", "6f1c"},
                                                {"attempt", 1},
                                                {"dryRun", true}});
  Info(ctx, "synced", {{"took", absl::Seconds(2)}});
  Error(ctx, absl::NotFoundError("gone"), "failed", {{"attempt", 2}});
  SetSink(std::move(previous));
  EXPECT_THAT(sink->lines,
              ElementsAre(R"("msg":"synced","v":0,"Foo":{"name":"web-0","namespace":"prod"},)"
                          R"("namespace":"prod","reconcileID":"6f1c","attempt":1,"dryRun":true,)"
                          R"("took":"2s"})",
                          R"("msg":"failed","Foo":{"name":"web-0","namespace":"prod"},)"
                          R"("namespace":"prod","reconcileID":"6f1c","dryRun":true,"attempt":2,)"
                          R"("err":"NOT_FOUND: gone"})"));
}

TEST_F(ContextFieldsTest, AnEqualKeyReplacesTheInheritedField) {
  const Context parent = WithLogFields(Context(), {{"a", 1}, {"b", 2}});
  const struct {
    const char* name;
    Context ctx;
    const char* want;
  } kRows[] = {
      {"parent", parent, R"(I "m" a=1 b=2 call=0)"},
      {"child with another key", WithLogFields(parent, {{"c", 3}}), R"(I "m" a=1 b=2 c=3 call=0)"},
      {"child with the same key", WithLogFields(parent, {{"a", 4}}), R"(I "m" b=2 a=4 call=0)"},
      {"key of the call", WithLogFields(parent, {{"call", 5}}), R"(I "m" a=1 b=2 call=0)"},
      {"no fields", WithLogFields(parent, {}), R"(I "m" a=1 b=2 call=0)"},
      {"no fields at all", WithLogFields(Context(), {}), R"(I "m" call=0)"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    LogCapture capture;
    Info(row.ctx, "m", {{"call", 0}});
    EXPECT_THAT(capture.Lines(), ElementsAre(row.want));
  }
}

TEST_F(ContextFieldsTest, TheErrorOfTheCallReplacesTheFieldErrOfTheContext) {
  LogCapture capture;
  const Context ctx = WithLogFields(Context(), {{"err", "old"}, {"name", "web-0"}});
  Error(ctx, absl::NotFoundError("gone"), "failed");
  Error(ctx, absl::OkStatus(), "odd");
  EXPECT_THAT(capture.Lines(), ElementsAre(R"(E "failed" err="NOT_FOUND: gone" name="web-0")",
                                           R"(E "odd" err="old" name="web-0")"));
}

TEST_F(ContextFieldsTest, ContextsBelowInheritTheFields) {
  const Context top = WithLogFields(Context(), {{"name", "web-0"}});
  CancelScope scope = WithCancel(top);
  const StopTokenScope stop(top, std::stop_token());
  const struct {
    const char* name;
    Context ctx;
  } kRows[] = {
      {"WithCancel", scope.context()},
      {"WithTimeout", WithTimeout(scope.context(), absl::Hours(1))},
      {"WithDeadline", WithDeadline(top, absl::InfiniteFuture())},
      {"StopTokenScope", stop.context()},
      {"WithoutCancel", WithoutCancel(scope.context())},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    LogCapture capture;
    Info(row.ctx, "m");
    EXPECT_THAT(capture.Lines(), ElementsAre(R"(I "m" name="web-0")"));
  }
  scope.Cancel();
  LogCapture capture;
  Info(scope.context(), "a context that is done keeps its fields");
  Info(WithTimeout(scope.context(), absl::Seconds(1)), "as does a child of it");
  EXPECT_THAT(capture.Lines(),
              ElementsAre(R"(I "a context that is done keeps its fields" name="web-0")",
                          R"(I "as does a child of it" name="web-0")"));
}

TEST_F(ContextFieldsTest, AThreadInheritsTheFieldsOfItsContext) {
  LogCapture capture;
  base::Thread thread;
  ASSERT_TRUE(thread
                  .Start(WithLogFields(Context(), {{"name", "web-0"}}), "worker",
                         [](const Context& ctx) { Info(ctx, "working"); })
                  .ok());
  thread.Join();
  EXPECT_THAT(capture.Lines(), ElementsAre(R"(I "working" name="web-0")"));
}

TEST_F(ContextFieldsTest, FieldsEndNothing) {
  CancelScope parent = WithCancel(Context());
  const Context ctx = WithLogFields(parent.context(), {{"name", "web-0"}});
  const Context detached = WithoutCancel(ctx);
  EXPECT_FALSE(ctx.done());
  EXPECT_TRUE(ctx.deadline().is_infinite());
  parent.Cancel(absl::AbortedError("enough"));
  EXPECT_EQ(ctx.cause(), absl::AbortedError("enough"));
  EXPECT_FALSE(detached.done());
}

TEST_F(ContextFieldsTest, AFieldOutlivesWhatItWasMadeOf) {
  LogCapture capture;
  Context ctx;
  {
    const std::string key(100, 'k');
    const std::string text(100, 't');
    const std::string name(100, 'n');
    const absl::Status status = absl::NotFoundError(std::string(100, 's'));
    const base::Secret secret("hunter2");
    ctx = WithLogFields(WithLogFields(Context(), {{key, text}, {"ref", KRef(name, name)}}),
                        {{"status", status}, {"token", secret}});
  }
  Info(ctx, "m");
  const std::string n(100, 'n');
  EXPECT_THAT(capture.Lines(), ElementsAre("I \"m\" " + std::string(100, 'k') + "=\"" +
                                           std::string(100, 't') + "\" ref=\"" + n + "/" + n +
                                           "\" status=\"NOT_FOUND: " + std::string(100, 's') +
                                           "\" token=\"<redacted>\""));
}

TEST_F(ContextFieldsTest, VlogEvaluatesNothingWhileItsLevelIsOff) {
  LogCapture capture;
  int evaluated = 0;
  const auto make = [&evaluated] {
    ++evaluated;
    return WithLogFields(Context(), {{"name", "web-0"}});
  };
  KUBE_VLOG_CTX(make(), 1, "off");
  EXPECT_EQ(evaluated, 0);
  SetVerbosity(1);
  KUBE_VLOG_CTX(make(), 1, "on");
  EXPECT_EQ(evaluated, 1);
  SetVerbosity(-1);
  Info(make(), "off");
  EXPECT_THAT(capture.Lines(), ElementsAre(R"(I "on" name="web-0")"));
}

}  // namespace
}  // namespace kube::log
