#include "clientset/podlogs/follow.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/podlogs/targets.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_stream.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/transport_error.h"

namespace kube::podlogs {
namespace {

using base::IsOk;
using base::StatusIs;
using rest::ScriptedStream;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr char kStamp[] = "2026-01-01T00:00:0";

// Returns a line with its timestamp; `second` has one digit.
std::string Stamped(int second, absl::string_view text) {
  return absl::StrCat(kStamp, second, ".5Z ", text, "\n");
}

absl::Status Reset() {
  return httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kReset},
                                        "connection reset");
}

Target Of(const std::string& pod, const std::string& container = "app") {
  return {.namespace_name = "prod", .pod = pod, .container = container};
}

rest::RequestMatcher LogOf(const std::string& pod, const std::string& container = "app") {
  return {.method = "GET",
          .path = absl::StrCat("/api/v1/namespaces/prod/pods/", pod, "/log"),
          .query = {{"container", {container}}}};
}

// A server, and the lines that were read.
struct Logs {
  Logs()
      : transport(std::make_shared<rest::ScriptedTransport>()),
        client(rest::MakeScriptedClient(transport)) {}

  absl::Status Run(const std::vector<Target>& targets, const FollowOptions& options) {
    return Follow(ctx, client, targets, options, [this](absl::string_view line) {
      lines.emplace_back(line);
      return absl::OkStatus();
    });
  }

  Context ctx = WithTimeout(Context(), absl::Hours(1));
  const std::shared_ptr<rest::ScriptedTransport> transport;
  const rest::Client client;
  std::vector<std::string> lines;
};

// Runs a test in virtual time, with threads in different orders.
void Simulate(const std::function<void(Logs&)>& body) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    base::SimRuntime sim({.seed = seed});
    ASSERT_THAT(sim.Run([&body] {
      Logs test;
      body(test);
      EXPECT_THAT(test.transport->Verify(), IsOk());
    }),
                IsOk());
  }
}

TEST(Follow, ReadsOneLogAfterTheOther) {
  Simulate([](Logs& test) {
    test.transport->Expect(LogOf("web-0"), {.body = "a\nb\n"});
    test.transport->Expect(LogOf("web-1"), {.body = "c"});
    test.transport->Expect(LogOf("web-1", "proxy"), {.body = "d\n"});
    EXPECT_THAT(test.Run({Of("web-0"), Of("web-1"), Of("web-1", "proxy")}, {}), IsOk());
    EXPECT_THAT(test.lines, ElementsAre("a\n", "b\n", "c\n", "d\n"));
  });
}

// behaviour.md: ST-58
TEST(Follow, WritesPrefixes) {
  Simulate([](Logs& test) {
    test.transport->Expect(LogOf("web-0"), {.body = "a\nb\n"});
    test.transport->Expect(LogOf("web-1", "proxy"), {.body = "c"});
    EXPECT_THAT(test.Run({Of("web-0"), Of("web-1", "proxy")}, {.prefix = true}), IsOk());
    EXPECT_THAT(test.lines,
                ElementsAre("[pod/web-0/app] a\n", "[pod/web-0/app] b\n", "[pod/web-1/proxy] c\n"));
  });
}

TEST(Follow, LeavesTheEndOfASingleLogAsItIs) {
  Simulate([](Logs& test) {
    test.transport->Expect(LogOf("web-0"), {.body = "a\nb"});
    EXPECT_THAT(test.Run({Of("web-0")}, {}), IsOk());
    EXPECT_THAT(test.lines, ElementsAre("a\n", "b"));
    EXPECT_THAT(test.Run({}, {}), IsOk());
  });
}

// behaviour.md: ST-54
TEST(Follow, PassesOptionsOn) {
  Simulate([](Logs& test) {
    test.transport->Expect(LogOf("web-0"), {.body = Stamped(1, "a")});
    EXPECT_THAT(test.Run({Of("web-0")}, {.log = {.container = "ignored",
                                                 .previous = true,
                                                 .since_seconds = 60,
                                                 .timestamps = true,
                                                 .tail_lines = 5,
                                                 .limit_bytes = 1000}}),
                IsOk());
    const rest::RecordedRequest request = test.transport->requests()[0];
    EXPECT_EQ(request.Param("previous"), "true");
    EXPECT_EQ(request.Param("sinceSeconds"), "60");
    EXPECT_EQ(request.Param("timestamps"), "true");
    EXPECT_EQ(request.Param("tailLines"), "5");
    EXPECT_EQ(request.Param("limitBytes"), "1000");
    EXPECT_EQ(request.Param("follow"), "");
    EXPECT_THAT(test.lines, ElementsAre(Stamped(1, "a")));
  });
}

// behaviour.md: ST-58
TEST(Follow, FollowsSeveralContainersAtATime) {
  Simulate([](Logs& test) {
    const std::shared_ptr<ScriptedStream> first = test.transport->ExpectStream(LogOf("web-0"));
    const std::shared_ptr<ScriptedStream> second = test.transport->ExpectStream(LogOf("web-1"));
    first->Write(absl::StrCat(Stamped(1, "a"), kStamp));
    first->Pause(absl::Seconds(2));
    first->Write("2.5Z b\n");
    second->Pause(absl::Seconds(1));
    second->Write(Stamped(1, "c"));
    second->Pause(absl::Seconds(2));
    second->Write(Stamped(3, "d"));
    first->End();
    second->End();
    EXPECT_THAT(test.Run({Of("web-0"), Of("web-1")}, {.log = {.follow = true}, .prefix = true}),
                IsOk());
    EXPECT_THAT(test.lines, ElementsAre("[pod/web-0/app] a\n", "[pod/web-1/app] c\n",
                                        "[pod/web-0/app] b\n", "[pod/web-1/app] d\n"));
    for (const rest::RecordedRequest& request : test.transport->requests()) {
      EXPECT_EQ(request.Param("follow"), "true");
      EXPECT_EQ(request.Param("timestamps"), "true");
    }
  });
}

// behaviour.md: ST-56
TEST(Follow, ReadsABrokenStreamAgain) {
  for (const bool timestamps : {false, true}) {
    Simulate([timestamps](Logs& test) {
      const std::shared_ptr<ScriptedStream> first = test.transport->ExpectStream(LogOf("web-0"));
      const std::shared_ptr<ScriptedStream> second = test.transport->ExpectStream(LogOf("web-0"));
      const std::shared_ptr<ScriptedStream> third = test.transport->ExpectStream(LogOf("web-0"));
      first->Write(absl::StrCat(Stamped(1, "a"), Stamped(2, "b"), kStamp, "3.5Z half a li"));
      first->End(Reset());
      // The server repeats what was written in that second.
      second->Write(absl::StrCat(Stamped(2, "b"), Stamped(3, "half a line is no line")));
      second->End(Reset());
      third->Write(absl::StrCat(Stamped(3, "half a line is no line"), Stamped(4, "c")));
      third->End();
      EXPECT_THAT(test.Run({Of("web-0")}, {.log = {.follow = true,
                                                   .since_seconds = 60,
                                                   .timestamps = timestamps,
                                                   .tail_lines = 2}}),
                  IsOk());
      if (timestamps) {
        EXPECT_THAT(test.lines, ElementsAre(Stamped(1, "a"), Stamped(2, "b"),
                                            Stamped(3, "half a line is no line"), Stamped(4, "c")));
      } else {
        EXPECT_THAT(test.lines, ElementsAre("a\n", "b\n", "half a line is no line\n", "c\n"));
      }
      const std::vector<rest::RecordedRequest> requests = test.transport->requests();
      ASSERT_THAT(requests, SizeIs(3));
      EXPECT_EQ(requests[0].Param("sinceTime"), "");
      EXPECT_EQ(requests[0].Param("sinceSeconds"), "60");
      EXPECT_EQ(requests[0].Param("tailLines"), "2");
      EXPECT_EQ(requests[1].Param("sinceTime"), "2026-01-01T00:00:02Z");
      EXPECT_EQ(requests[1].Param("sinceSeconds"), "");
      EXPECT_EQ(requests[1].Param("tailLines"), "");
      EXPECT_EQ(requests[2].Param("sinceTime"), "2026-01-01T00:00:03Z");
    });
  }
}

// Only the first of its pieces has a timestamp.
TEST(Follow, PassesOnAVeryLongLineOnce) {
  Simulate([](Logs& test) {
    const std::string text(size_t{3} << 19, 'x');
    const std::shared_ptr<ScriptedStream> first = test.transport->ExpectStream(LogOf("web-0"));
    const std::shared_ptr<ScriptedStream> second = test.transport->ExpectStream(LogOf("web-0"));
    first->Write(Stamped(1, text));
    first->End(Reset());
    second->Write(absl::StrCat(Stamped(1, text), Stamped(2, "b")));
    second->End();
    EXPECT_THAT(test.Run({Of("web-0")}, {.log = {.follow = true}}), IsOk());
    EXPECT_THAT(test.lines, SizeIs(3));
    EXPECT_TRUE(absl::StrJoin(test.lines, "") == absl::StrCat(text, "\nb\n"));
  });
}

// A stream that breaks before its first line is requested as it was.
TEST(Follow, ReadsAStreamAgainThatHadNoLine) {
  Simulate([](Logs& test) {
    test.transport->ExpectStream(LogOf("web-0"))->End(Reset());
    test.transport->Expect(LogOf("web-0"), {.body = Stamped(1, "a")});
    EXPECT_THAT(test.Run({Of("web-0")}, {.log = {.follow = true, .tail_lines = 2}}), IsOk());
    EXPECT_THAT(test.lines, ElementsAre("a\n"));
    EXPECT_EQ(test.transport->requests()[1].Param("tailLines"), "2");
  });
}

TEST(Follow, WaitsBetweenAttempts) {
  Simulate([](Logs& test) {
    const base::MonotonicTime start = base::Now();
    for (int i = 0; i < 5; ++i) test.transport->ExpectStream(LogOf("web-0"))->End(Reset());
    test.transport->Expect(LogOf("web-0"), {.body = Stamped(1, "a")});
    EXPECT_THAT(test.Run({Of("web-0")}, {.log = {.follow = true}}), IsOk());
    // 0.5, 1, 2, 4 and 8 seconds, each longer by at most a fifth.
    EXPECT_GE(base::Now() - start, absl::Milliseconds(15'500));
    EXPECT_LE(base::Now() - start, absl::Milliseconds(18'600));
  });
}

// The connection is lost for a while, and with it the server.
TEST(Follow, GoesOnWhileTheServerCannotBeReached) {
  Simulate([](Logs& test) {
    const std::shared_ptr<ScriptedStream> first = test.transport->ExpectStream(LogOf("web-0"));
    first->Write(Stamped(1, "a"));
    first->End(Reset());
    for (int i = 0; i < 8; ++i) {
      test.transport->Expect(LogOf("web-0"),
                             {.error = httpclient::MakeTransportError(
                                  {.kind = httpclient::TransportErrorKind::kConnect}, "refused")});
    }
    test.transport->Expect(LogOf("web-0"), {.body = Stamped(2, "b")});
    EXPECT_THAT(test.Run({Of("web-0")}, {.log = {.follow = true}}), IsOk());
    EXPECT_THAT(test.lines, ElementsAre("a\n", "b\n"));
  });
}

TEST(Follow, EndsIfThePodIsGoneAfterALoss) {
  Simulate([](Logs& test) {
    const std::shared_ptr<ScriptedStream> first = test.transport->ExpectStream(LogOf("web-0"));
    first->Write(Stamped(1, "a"));
    first->End(Reset());
    test.transport->Expect(LogOf("web-0"), rest::StatusReply(404, "NotFound", "no such pod"));
    EXPECT_THAT(test.Run({Of("web-0")}, {.log = {.follow = true}}), IsOk());
    EXPECT_THAT(test.lines, ElementsAre("a\n"));
  });
}

TEST(Follow, WaitsForAContainerToStart) {
  Simulate([](Logs& test) {
    for (int i = 0; i < 3; ++i) {
      test.transport->Expect(
          LogOf("web-0"),
          rest::StatusReply(400, "BadRequest",
                            "container \"app\" in pod \"web-0\" is waiting to start"));
    }
    test.transport->Expect(LogOf("web-0"), {.body = Stamped(1, "a")});
    EXPECT_THAT(test.Run({Of("web-0")}, {.log = {.follow = true}}), IsOk());
    EXPECT_THAT(test.lines, ElementsAre("a\n"));
  });
}

TEST(Follow, DoesNotWaitForEver) {
  Simulate([](Logs& test) {
    test.transport->Always(
        LogOf("web-0"),
        rest::StatusReply(400, "BadRequest",
                          "container \"app\" in pod \"web-0\" is waiting to start"));
    const base::MonotonicTime start = base::Now();
    const absl::Status status = test.Run({Of("web-0")}, {.log = {.follow = true}});
    EXPECT_TRUE(errors::IsBadRequest(status)) << status;
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("log of container \"app\" of pod \"web-0\" in \"prod\": "),
                      HasSubstr("is waiting to start")));
    EXPECT_GE(base::Now() - start, absl::Seconds(20));
    EXPECT_LE(base::Now() - start, absl::Minutes(1));
  });
}

TEST(Follow, DoesNotRepeatWhatWillFailAgain) {
  struct Case {
    std::string name;
    FollowOptions options;
    rest::ScriptedReply reply;
  };
  const std::vector<Case> cases = {
      {"not allowed",
       {.log = {.follow = true}},
       rest::StatusReply(403, "Forbidden", "not allowed")},
      {"no such pod", {.log = {.follow = true}}, rest::StatusReply(404, "NotFound", "no such pod")},
      {"waiting, not followed", {}, rest::StatusReply(400, "BadRequest", "is waiting to start")},
      {"no connection",
       {.log = {.follow = true}},
       {.error = httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kConnect},
                                                "refused")}},
  };
  for (const Case& each : cases) {
    Simulate([&each](Logs& test) {
      test.transport->Expect(LogOf("web-0"), each.reply);
      EXPECT_FALSE(test.Run({Of("web-0")}, each.options).ok()) << each.name;
      EXPECT_THAT(test.transport->requests(), SizeIs(1)) << each.name;
    });
  }
}

// What the limit counts would be other bytes.
// behaviour.md: ST-56
TEST(Follow, DoesNotResumeALogWithALimit) {
  Simulate([](Logs& test) {
    const std::shared_ptr<ScriptedStream> first = test.transport->ExpectStream(LogOf("web-0"));
    first->Write("a\nb");
    first->End(Reset());
    EXPECT_THAT(test.Run({Of("web-0")}, {.log = {.follow = true, .limit_bytes = 1000}}),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr("connection reset")));
    EXPECT_THAT(test.lines, ElementsAre("a\n", "b"));
    EXPECT_EQ(test.transport->requests()[0].Param("timestamps"), "");
  });
}

// behaviour.md: ST-58
TEST(Follow, RefusesMoreThanTheLimit) {
  Logs test;
  const std::vector<Target> targets(6, Of("web-0"));
  EXPECT_THAT(test.Run(targets, {.log = {.follow = true}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "you are attempting to follow 6 log streams, but maximum allowed "
                       "concurrency is 5, use --max-log-requests to increase the limit"));
  EXPECT_THAT(test.transport->requests(), IsEmpty());
}

TEST(Follow, TheFirstErrorEndsAll) {
  Simulate([](Logs& test) {
    const std::shared_ptr<ScriptedStream> first = test.transport->ExpectStream(LogOf("web-0"));
    first->Write(Stamped(1, "a"));  // and does not end
    test.transport->Expect(LogOf("web-1"), {.status = 403,
                                            .headers = {{"content-type", "application/json"}},
                                            .body = rest::StatusReply(403, "Forbidden", "no").body,
                                            .delay = absl::Seconds(5)});
    const absl::Status status = test.Run({Of("web-0"), Of("web-1")}, {.log = {.follow = true}});
    EXPECT_TRUE(errors::IsForbidden(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("pod \"web-1\""));
    EXPECT_THAT(test.lines, ElementsAre("a\n"));
    EXPECT_THAT(first->WaitUntilClosed(test.ctx), IsOk());
  });
}

// behaviour.md: ST-58
TEST(Follow, IgnoresErrorsIfTheOptionSaysSo) {
  for (const bool follow : {false, true}) {
    Simulate([follow](Logs& test) {
      test.transport->Expect(LogOf("web-0"), rest::StatusReply(404, "NotFound", "no such pod"));
      test.transport->Expect(LogOf("web-1"), {.body = Stamped(1, "a")});
      std::vector<std::string> failed;
      EXPECT_THAT(test.Run({Of("web-0"), Of("web-1")},
                           {.log = {.follow = follow, .timestamps = true},
                            .ignore_errors = true,
                            .on_error =
                                [&failed](const Target& target, const absl::Status& error) {
                                  EXPECT_TRUE(errors::IsNotFound(error)) << error;
                                  failed.push_back(target.pod);
                                }}),
                  IsOk());
      EXPECT_THAT(failed, ElementsAre("web-0"));
      EXPECT_THAT(test.lines, ElementsAre(Stamped(1, "a")));
    });
  }
}

TEST(Follow, LogsIgnoredErrorsWithoutACallback) {
  const log::LogCapture capture;
  Logs test;
  test.transport->Expect(LogOf("web-0"), rest::StatusReply(404, "NotFound", "no such pod"));
  EXPECT_THAT(test.Run({Of("web-0")}, {.ignore_errors = true}), IsOk());
  EXPECT_THAT(capture.Lines(), ElementsAre(AllOf(HasSubstr("failed to read a log"),
                                                 HasSubstr("web-0"), HasSubstr("no such pod"))));
}

TEST(Follow, EndsWithTheErrorOfTheSink) {
  for (const bool follow : {false, true}) {
    Simulate([follow](Logs& test) {
      for (const char* const pod : {"web-0", "web-1"}) {
        const auto stream = std::make_shared<ScriptedStream>();
        stream->Write(Stamped(1, pod));
        // When the sink fails, the thread of the other log may not have asked for it yet.
        test.transport->Always(LogOf(pod), {.stream = stream});
      }
      int calls = 0;
      const std::vector<Target> targets = {Of("web-0"), Of("web-1")};
      EXPECT_THAT(
          Follow(test.ctx, test.client, targets, {.log = {.follow = follow}, .ignore_errors = true},
                 [&calls](absl::string_view) {
                   ++calls;
                   return absl::ResourceExhaustedError("disk full");
                 }),
          StatusIs(absl::StatusCode::kResourceExhausted, "disk full"));
      EXPECT_EQ(calls, 1);
      if (!follow) {
        EXPECT_THAT(test.transport->requests(), SizeIs(1));
      }
    });
  }
}

TEST(Follow, EndsWithItsContext) {
  Simulate([](Logs& test) {
    for (const char* const pod : {"web-0", "web-1"}) {
      test.transport->ExpectStream(LogOf(pod))->Write(Stamped(1, pod));
    }
    test.ctx = WithTimeout(Context(), absl::Seconds(10));
    EXPECT_THAT(test.Run({Of("web-0"), Of("web-1")}, {.log = {.follow = true}}),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT(test.lines, UnorderedElementsAre("web-0\n", "web-1\n"));
  });
}

// A slow reader slows the server down: nothing is dropped.
TEST(Follow, KeepsAllLinesForASlowSink) {
  Simulate([](Logs& test) {
    std::string many;
    for (int i = 0; i < 300; ++i) many += Stamped(1, absl::StrCat(i));
    for (const char* const pod : {"web-0", "web-1"}) {
      test.transport->Expect(LogOf(pod), {.body = many});
    }
    int lines = 0;
    const std::vector<Target> targets = {Of("web-0"), Of("web-1")};
    EXPECT_THAT(Follow(test.ctx, test.client, targets, {.log = {.follow = true}},
                       [&](absl::string_view) {
                         ++lines;
                         return base::SleepFor(test.ctx, absl::Milliseconds(1));
                       }),
                IsOk());
    EXPECT_EQ(lines, 600);
  });
}

// Prints logs. This is the example of follow.h.
absl::Status Print(const Context& ctx, const rest::Client& client,
                   const std::vector<Target>& targets) {
  const auto print = [](absl::string_view line) {
    std::cout << line << std::flush;
    return absl::OkStatus();
  };
  return podlogs::Follow(ctx, client, targets, {.log = {.follow = true}, .prefix = true}, print);
}

TEST(Follow, PrintsToAStream) {
  Simulate([](Logs& test) {
    test.transport->Expect(LogOf("web-0"), {.body = Stamped(1, "a")});
    testing::internal::CaptureStdout();
    EXPECT_THAT(Print(test.ctx, test.client, {Of("web-0")}), IsOk());
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "[pod/web-0/app] a\n");
  });
}

// behaviour.md: ST-58
TEST(FollowSelector, TakesTheLastLinesOfEachPod) {
  Simulate([](Logs& test) {
    test.transport->Always({.path = "/api/v1/namespaces/prod/pods"}, rest::JsonReply(R"({"items":[
      {"metadata":{"name":"web-0","namespace":"prod"},"spec":{"containers":[{"name":"app"}]}}]})"));
    test.transport->Always(LogOf("web-0"), {.body = "a\n"});
    const LineSink sink = [&test](absl::string_view line) {
      test.lines.emplace_back(line);
      return absl::OkStatus();
    };
    EXPECT_THAT(FollowSelector(test.ctx, test.client, "prod", "app=web", {}, {}, sink), IsOk());
    EXPECT_EQ(test.transport->requests()[1].Param("tailLines"), "10");
    EXPECT_THAT(FollowSelector(test.ctx, test.client, "prod", "app=web", {},
                               {.log = {.tail_lines = 0}}, sink),
                IsOk());
    EXPECT_EQ(test.transport->requests()[3].Param("tailLines"), "0");
    EXPECT_THAT(test.lines, ElementsAre("a\n", "a\n"));
  });
}

}  // namespace
}  // namespace kube::podlogs
