#include "apiserver/containers/pod_logs.h"

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "apiserver/container.h"
#include "apiserver/containers/container_log.h"
#include "apiserver/containers/log_reader.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

const ContainerName kApp = {.namespace_name = "default", .pod = "web", .container = "app"};
const absl::Time kNow = absl::UnixEpoch();

std::string TextOf(const std::shared_ptr<ContainerLog>& log) {
  return log == nullptr ? "no log" : LogReader(log, {}).Rest();
}

bool HasEnded(const std::shared_ptr<ContainerLog>& log) { return log->Read(log->Tail(0), 1).ended; }

TEST(PodLogs, AreThoseThatWereSet) {
  PodLogs logs;
  EXPECT_EQ(logs.Current(kApp), nullptr);
  logs.Set(kApp, "one\n", kNow);
  const std::shared_ptr<ContainerLog> first = logs.Current(kApp);
  EXPECT_EQ(TextOf(first), "one\n");
  EXPECT_TRUE(HasEnded(first)) << "what a test sets is complete";
  logs.Append(kApp, "two\n", kNow);
  EXPECT_EQ(TextOf(logs.Current(kApp)), "one\ntwo\n");
  EXPECT_FALSE(HasEnded(first));
  logs.Set(kApp, "three\n", kNow);
  EXPECT_EQ(TextOf(logs.Current(kApp)), "three\n");
  EXPECT_TRUE(HasEnded(first)) << "nobody would write to the old one";
  first->Append("late\n", kNow);
  EXPECT_TRUE(HasEnded(first)) << "nor would those who follow it come to an end";
}

TEST(PodLogs, AreOfContainers) {
  PodLogs logs;
  logs.Append(kApp, "a\n", kNow);
  EXPECT_EQ(logs.Current({.namespace_name = "default", .pod = "web", .container = "b"}), nullptr);
  EXPECT_EQ(logs.Current({.namespace_name = "other", .pod = "web", .container = "app"}), nullptr);
}

TEST(PodLogs, KeepThatOfThePreviousRun) {
  PodLogs logs;
  EXPECT_EQ(logs.Previous(kApp), nullptr);
  logs.Append(kApp, "first run\n", kNow);
  const std::shared_ptr<ContainerLog> first = logs.Current(kApp);
  logs.End(kApp);
  EXPECT_EQ(TextOf(logs.Current(kApp)), "first run\n") << "until the container starts again";
  EXPECT_EQ(logs.Previous(kApp), nullptr);
  logs.Restart(kApp);
  EXPECT_EQ(logs.Previous(kApp), first);
  EXPECT_TRUE(HasEnded(first));
  first->Append("late\n", kNow);
  EXPECT_TRUE(HasEnded(first)) << "a thread may have got it before the restart";
  EXPECT_EQ(TextOf(logs.Current(kApp)), "");
  EXPECT_FALSE(HasEnded(logs.Current(kApp)));
  logs.Append(kApp, "second run\n", kNow);
  logs.Restart(kApp);
  EXPECT_EQ(TextOf(logs.Previous(kApp)), "second run\n");
}

}  // namespace
}  // namespace kube::apiserver::internal
