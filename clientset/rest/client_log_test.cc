// What a client logs about a request says for which work it was: each line has the log fields of
// the request's context.
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/context_fields.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/log/log_record.h"
#include "apimachinery/base/log/log_sink.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest {
namespace {

using base::IsOk;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

Request Pod() {
  return {.resource = {"", "v1", "pods"}, .namespace_name = "prod", .name = "web-0"};
}

// Runs `test` in virtual time, in which a scripted reply takes no time.
void InSimulation(const std::function<void()>& test) {
  base::SimRuntime sim({.seed = 1});
  const absl::Status status = sim.Run([&test] { test(); });
  EXPECT_THAT(status, IsOk());
}

// Collects the lines of FormatJson from the message on, without the line feed.
class JsonLines final : public log::Sink {
 public:
  void Write(const log::Record& record) override {
    const std::string line = log::FormatJson(record);
    const size_t begin = line.find("\"msg\"");
    lines.push_back(line.substr(begin, line.size() - begin - 1));
  }
  std::vector<std::string> lines;
};

class ClientLogTest : public testing::Test {
 protected:
  ~ClientLogTest() override { log::SetVerbosity(0); }

  const Context ctx_ =
      WithLogFields(Context(), {{"controller", "widget"}, {"reconcileID", "6f1c"}});
};

TEST_F(ClientLogTest, Do_TextSink_ResponseLineHasTheFieldsOfTheContext) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, {});
  const Client client = MakeScriptedClient(transport, {.host = "https://h"});
  const log::LogCapture capture;
  log::SetVerbosity(6);
  InSimulation([&] { EXPECT_THAT(client.Do(ctx_, Pod()), IsOk()); });
  EXPECT_THAT(capture.Lines(),
              ElementsAre(R"(I "response" controller="widget" reconcileID="6f1c" verb="GET" )"
                          R"(url="https://h/api/v1/namespaces/prod/pods/web-0" )"
                          R"(status="200 OK" milliseconds=0)"));
}

TEST_F(ClientLogTest, Do_JsonSink_ResponseLineHasTheFieldsOfTheContext) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, {});
  const Client client = MakeScriptedClient(transport, {.host = "https://h"});
  const auto sink = std::make_shared<JsonLines>();
  std::shared_ptr<log::Sink> previous = log::SetSink(sink);
  log::SetVerbosity(6);
  InSimulation([&] { EXPECT_THAT(client.Do(ctx_, Pod()), IsOk()); });
  log::SetSink(std::move(previous));
  EXPECT_THAT(sink->lines,
              ElementsAre(R"("msg":"response","v":6,"controller":"widget","reconcileID":"6f1c",)"
                          R"("verb":"GET","url":"https://h/api/v1/namespaces/prod/pods/web-0",)"
                          R"("status":"200 OK","milliseconds":0})"));
}

// The lines of a try, of the rate limiter, of a retry, of bodies and of the server's warnings.
TEST_F(ClientLogTest, Do_AllLevels_EachLineHasTheFieldsOfTheContext) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, {.status = 429, .headers = {{"retry-after", "0"}}});
  transport->Expect({}, {.headers = {{"warning", "299 - \"deprecated\""}}, .body = "{}"});
  const log::LogCapture capture;
  log::SetVerbosity(10);
  InSimulation([&] {
    const Client client = MakeScriptedClient(transport, {.qps = 0.5, .burst = 1});
    EXPECT_THAT(client.Do(ctx_, Pod()), IsOk());
  });
  EXPECT_THAT(capture.Lines(), Each(HasSubstr(R"( controller="widget" reconcileID="6f1c")")));
  for (const char* const message :
       {"I \"request\"", "I \"response\"", "I \"waited before sending request\"",
        "I \"retrying request\"", "I \"response body\"", "W \"deprecated\""}) {
    EXPECT_THAT(capture.Lines(), Contains(HasSubstr(message)));
  }
}

TEST_F(ClientLogTest, Stream_ContextWithFields_LineOfTheRequestHasThem) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, {});
  const Client client = MakeScriptedClient(transport);
  const log::LogCapture capture;
  log::SetVerbosity(6);
  EXPECT_THAT(client.Stream(ctx_, Pod()).status(), IsOk());
  EXPECT_THAT(capture.Lines(),
              AllOf(SizeIs(1), Each(HasSubstr(R"("response" controller="widget")"))));
}

TEST_F(ClientLogTest, Do_ContextWithoutFields_LineHasThoseOfTheRequestAlone) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, {});
  const Client client = MakeScriptedClient(transport);
  const log::LogCapture capture;
  log::SetVerbosity(6);
  EXPECT_THAT(client.Do(Context(), Pod()), IsOk());
  EXPECT_THAT(capture.Lines(), AllOf(SizeIs(1), Each(HasSubstr(R"("response" verb="GET")"))));
}

}  // namespace
}  // namespace kube::rest
