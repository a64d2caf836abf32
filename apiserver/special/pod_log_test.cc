// GET pods/NAME/log, without sockets.

#include "apiserver/special/pod_log.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {
namespace {

using testing::HasSubstr;

constexpr char kPods[] = "/api/v1/namespaces/default/pods";

// A server with the pod "web", whose container "app" is on a node.
class World {
 public:
  World() : handler_(Options()) {
    CreatePod("web", R"("nodeName":"n1","containers":[{"name":"app","image":"i"}])");
  }

  ApiHandler& handler() { return handler_; }

  std::shared_ptr<FakeExchange> Send(absl::string_view method, absl::string_view target,
                                     absl::string_view body = "") {
    httpserver::Request request{.method = std::string(method), .target = std::string(target)};
    request.headers = {{"authorization", "Bearer t"}, {"content-type", "application/json"}};
    request.body = std::string(body);
    auto exchange = std::make_shared<FakeExchange>(std::move(request));
    handler_.Handle(exchange);
    return exchange;
  }

  void CreatePod(absl::string_view name, absl::string_view spec) {
    const auto created =
        Send("POST", kPods,
             absl::StrCat(R"({"metadata":{"name":")", name, R"("},"spec":{)", spec, "}}"));
    EXPECT_EQ(created->status(), 201) << created->body();
  }

  // Writes the status of the container of "web": its state and its last state.
  void SetState(absl::string_view state, absl::string_view last_state = "") {
    httpserver::Request request{.method = "PATCH", .target = absl::StrCat(kPods, "/web/status")};
    request.headers = {{"authorization", "Bearer t"},
                       {"content-type", "application/merge-patch+json"}};
    request.body =
        absl::StrCat(R"({"status":{"containerStatuses":[{"name":"app","image":"i","imageID":"",)",
                     R"("ready":false,"restartCount":0,"state":{)", state, R"(},"lastState":{)",
                     last_state, "}}]}}");
    const auto exchange = std::make_shared<FakeExchange>(std::move(request));
    handler_.Handle(exchange);
    EXPECT_EQ(exchange->status(), 200) << exchange->body();
  }

  std::shared_ptr<FakeExchange> Log(absl::string_view query = "") {
    return Send("GET", absl::StrCat(kPods, "/web/log?", query));
  }
  std::string LogText(absl::string_view query = "") {
    const auto exchange = Log(query);
    EXPECT_EQ(exchange->status(), 200) << exchange->body();
    return exchange->body();
  }
  void Append(absl::string_view text) { handler_.AppendPodLog("default", "web", "app", text); }

 private:
  static HandlerOptions Options() {
    HandlerOptions options;
    options.cluster_objects = false;
    options.tokens["t"] = {.name = "tester", .uid = "", .groups = {"testers"}};
    return options;
  }

  ApiHandler handler_;
};

// behaviour.md: ST-55
TEST(PodLog, IsWhatATestSets) {
  World world;
  EXPECT_EQ(world.LogText(), "");
  world.handler().SetPodLog("default", "web", "app", "one\ntwo\n");
  EXPECT_EQ(world.LogText(), "one\ntwo\n");
  EXPECT_EQ(world.Log()->headers().Get("content-type"), "text/plain");
  EXPECT_EQ(world.LogText("container=app&tailLines=1"), "two\n");
  EXPECT_EQ(world.LogText("limitBytes=5"), "one\nt");
  world.Append("three\n");
  EXPECT_EQ(world.LogText("tailLines=2"), "two\nthree\n");
}

TEST(PodLog, KnowsWhenALineWasWritten) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  World world;
  world.Append("old\n");
  clock.Step(absl::Seconds(100));
  world.Append("new\n");
  clock.Step(absl::Seconds(10));
  EXPECT_EQ(world.LogText("sinceSeconds=60"), "new\n");
  EXPECT_EQ(world.LogText("sinceSeconds=110"), "old\nnew\n");
  const absl::Time now = base::WallNow();
  const auto at = [](absl::Time time) {
    return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone());
  };
  EXPECT_EQ(world.LogText(absl::StrCat("sinceTime=", at(now - absl::Seconds(50)))), "new\n");
  EXPECT_EQ(world.LogText("timestamps=true&tailLines=1"),
            absl::StrCat(absl::FormatTime("%Y-%m-%dT%H:%M:%E9SZ", now - absl::Seconds(10),
                                          absl::UTCTimeZone()),
                         " new\n"));
}

// behaviour.md: ST-54, ST-57
TEST(PodLog, RefusesOptionsInUpstreamsWords) {
  World world;
  world.CreatePod("two", R"("nodeName":"n1","initContainers":[{"name":"init","image":"i"}],)"
                         R"("containers":[{"name":"a","image":"i"},{"name":"b","image":"i"}])");
  struct Case {
    const char* name;
    const char* target;
    int code;
    const char* text;
  };
  const Case cases[] = {
      {"no such pod", "/none/log", 404, R"(pods \"none\" not found)"},
      {"no container named", "/two/log", 400,
       "a container name must be specified for pod two, choose one of: [init a b]"},
      {"unknown container", "/two/log?container=c", 400, "container c is not valid for pod two"},
      {"not a number", "/web/log?tailLines=many", 400, "strconv.ParseInt"},
      {"a negative tail", "/web/log?tailLines=-1", 422,
       R"(PodLogOptions \"web\" is invalid: tailLines: Invalid value: -1: must be greater than or )"
       "equal to 0"},
      {"no bytes", "/web/log?limitBytes=0", 422,
       "limitBytes: Invalid value: 0: must be greater than 0"},
      {"no seconds", "/web/log?sinceSeconds=0", 422,
       "sinceSeconds: Invalid value: 0: must be greater than 0"},
      {"both since", "/web/log?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z", 422,
       "[]: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified"},
      {"a stream", "/web/log?stream=Stdout", 422, "stream: Forbidden: may not be specified"},
      {"invalid options of no pod", "/none/log?limitBytes=0", 422, "is invalid"},
      {"no previous run", "/web/log?previous=true", 400,
       R"(previous terminated container \"app\" in pod \"web\" not found)"},
  };
  for (const Case& each : cases) {
    const auto exchange = world.Send("GET", absl::StrCat(kPods, each.target));
    EXPECT_EQ(exchange->status(), each.code) << each.name;
    EXPECT_THAT(exchange->body(), HasSubstr(each.text)) << each.name;
  }
}

// behaviour.md: ST-57
TEST(PodLog, LooksAtTheStateOfTheContainer) {
  struct Case {
    const char* name;
    const char* state;
    const char* last_state;
    const char* query;
    const char* error;  // "" if there is none
  };
  const char kEnded[] = R"("terminated":{"exitCode":1,"containerID":"c://1"})";
  const char kNeverStarted[] = R"("terminated":{"exitCode":1})";
  const Case cases[] = {
      {"it runs", R"("running":{})", "", "", ""},
      {"it has ended", kEnded, "", "", ""},
      {"it has ended without a container", kNeverStarted, "", "",
       R"(container \"app\" in pod \"web\" is terminated)"},
      {"it waits after it has ended", R"("waiting":{"reason":"CrashLoopBackOff"})", kEnded, "", ""},
      {"it waits", R"("waiting":{"reason":"ContainerCreating"})", "", "",
       R"(container \"app\" in pod \"web\" is waiting to start: ContainerCreating)"},
      {"it waits for its image", R"("waiting":{"reason":"ErrImagePull"})", "", "",
       "is waiting to start: image can't be pulled"},
      {"it waits longer", R"("waiting":{"reason":"ImagePullBackOff"})", "", "",
       "is waiting to start: trying and failing to pull image"},
      {"no state", "", "", "", "is waiting to start - no logs yet"},
      {"its last run", R"("running":{})", kEnded, "previous=true", ""},
      {"there was none", R"("running":{})", "", "previous=true", "previous terminated container"},
      {"its last run had no container", R"("running":{})", kNeverStarted, "previous=true",
       "previous terminated container"},
  };
  for (const Case& each : cases) {
    World world;
    world.SetState(each.state, each.last_state);
    const auto exchange = world.Log(each.query);
    const bool fails = each.error[0] != '\0';
    EXPECT_EQ(exchange->status(), fails ? 400 : 200) << each.name << ": " << exchange->body();
    EXPECT_THAT(exchange->body(), HasSubstr(each.error)) << each.name;
    // What a test sets is there, whatever the state is.
    world.Append("line\n");
    if (each.query[0] == '\0') {
      EXPECT_EQ(world.LogText(), "line\n") << each.name;
    }
  }
}

// behaviour.md: ST-57
TEST(PodLog, HasThatOfThePreviousRun) {
  World world;
  world.Append("first\n");
  world.handler().RestartPodLog("default", "web", "app");
  world.Append("second\n");
  EXPECT_EQ(world.LogText(), "second\n");
  EXPECT_EQ(world.LogText("previous=true"), "first\n");
  const auto followed = world.Log("previous=true&follow=true");
  EXPECT_EQ(followed->body(), "first\n");
  EXPECT_TRUE(followed->finished());
}

TEST(PodLog, IsEmptyWithoutANode) {
  World world;
  world.CreatePod("pending", R"("containers":[{"name":"app","image":"i"}])");
  EXPECT_EQ(world.Send("GET", absl::StrCat(kPods, "/pending/log"))->status(), 204);
  world.handler().SetPodLog("default", "pending", "app", "set\n");
  EXPECT_EQ(world.Send("GET", absl::StrCat(kPods, "/pending/log"))->body(), "set\n");
}

// ---- A log that is followed

// behaviour.md: ST-55
TEST(PodLog, IsFollowed) {
  World world;
  world.Append("one\n");
  const auto followed = world.Log("follow=true");
  EXPECT_EQ(followed->status(), 200);
  EXPECT_EQ(followed->body(), "one\n");
  world.Append("two\nth");
  world.Append("ree\n");
  EXPECT_EQ(followed->body(), "one\ntwo\nthree\n");
  EXPECT_FALSE(followed->finished());
  const auto tail = world.Log("follow=true&tailLines=1");
  EXPECT_EQ(tail->body(), "three\n");
  world.handler().EndPodLog("default", "web", "app");
  EXPECT_TRUE(followed->finished());
  EXPECT_TRUE(tail->finished());
  EXPECT_EQ(world.LogText(), "one\ntwo\nthree\n");
}

TEST(PodLog, IsFollowedBeforeItsFirstLine) {
  World world;
  EXPECT_TRUE(world.Log("follow=true")->finished()) << "nobody says that the container runs";
  world.SetState(R"("running":{})");
  const auto running = world.Log("follow=true");
  EXPECT_FALSE(running->finished());
  World other;
  other.handler().SetContainer("default", "web", "app", {});
  const auto provided = other.Log("follow=true");
  EXPECT_FALSE(provided->finished());
  world.Append("first\n");
  other.Append("first\n");
  EXPECT_EQ(running->body(), "first\n");
  EXPECT_EQ(provided->body(), "first\n");
}

// behaviour.md: ST-55
TEST(PodLog, EndsForThoseWhoFollow) {
  struct Case {
    const char* name;
    void (*end)(World&);
  };
  const Case cases[] = {
      {"the test says so", [](World& w) { w.handler().EndPodLog("default", "web", "app"); }},
      {"another log is set", [](World& w) { w.handler().SetPodLog("default", "web", "app", "x"); }},
      {"the container restarts",
       [](World& w) { w.handler().RestartPodLog("default", "web", "app"); }},
      {"its status says so",
       [](World& w) { w.SetState(R"("terminated":{"exitCode":0,"containerID":"c://1"})"); }},
      {"the pod is deleted",
       [](World& w) {
         const auto deleted = w.Send("DELETE", absl::StrCat(kPods, "/web?gracePeriodSeconds=0"));
         EXPECT_EQ(deleted->status(), 200) << deleted->body();
       }},
  };
  for (const Case& each : cases) {
    World world;
    world.Append("line\n");
    const auto followed = world.Log("follow=true");
    EXPECT_FALSE(followed->finished()) << each.name;
    each.end(world);
    EXPECT_TRUE(followed->finished()) << each.name;
    EXPECT_EQ(followed->body(), "line\n") << each.name;
  }
}

TEST(PodLog, EndsWithItsClientAndTheServer) {
  World world;
  world.Append("one\n");
  const auto first = world.Log("follow=true");
  const auto second = world.Log("follow=true");
  first->Cancel();
  world.Append("two\n");
  EXPECT_EQ(first->body(), "one\n");
  EXPECT_EQ(second->body(), "one\ntwo\n");
  world.handler().Restart();
  world.Append("three\n");
  EXPECT_EQ(second->body(), "one\ntwo\n");
  EXPECT_TRUE(second->finished());
  EXPECT_EQ(world.LogText(), "one\ntwo\nthree\n") << "logs are data";
  world.handler().Restart({.keep_data = false});
  EXPECT_EQ(world.Log()->status(), 404);
}

}  // namespace
}  // namespace kube::apiserver
