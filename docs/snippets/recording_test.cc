// The code in docs/recording.md, which //docs:snippets_test compares, and the examples of
// clientset/recording.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/recording/exchange.h"
#include "clientset/recording/load.h"
#include "clientset/recording/recorder.h"
#include "clientset/recording/replay_transport.h"
#include "clientset/recording/sink.h"
#include "clientset/rest/config.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

namespace corev1 = api::core::v1;

using base::IsOk;

// Stands for the program with the bug.
absl::Status RunProgram(const Context& ctx, const kubernetes::Clientset& client) {
  KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMap map,
                        client.CoreV1().ConfigMaps("default").Get(ctx, "settings"));
  if (map.data.contains("colour")) return absl::OkStatus();
  return absl::FailedPreconditionError("there is no colour");
}

absl::Status RunRecorded(const Context& ctx, const rest::Config& config, const std::string& path) {
  KUBE_ASSIGN_OR_RETURN(auto sink, recording::MakeFileSink(path));
  const recording::Recorder recorder(sink);
  KUBE_ASSIGN_OR_RETURN(auto client, kubernetes::Clientset::Make(recorder.Record(config)));
  return RunProgram(ctx, client);
}

absl::Status ReplayBug(const Context& ctx, const std::string& path) {
  KUBE_ASSIGN_OR_RETURN(recording::Recording bug, recording::LoadRecording(path));
  auto replay = std::make_shared<recording::ReplayTransport>(std::move(bug));
  const rest::Config config = recording::ReplayConfig(replay);
  KUBE_ASSIGN_OR_RETURN(auto client, kubernetes::Clientset::Make(config));
  KUBE_RETURN_IF_ERROR(RunProgram(ctx, client));
  return replay->Verify();
}

recording::RecorderOptions WithOurSecrets() {
  return {.redaction = {.headers = {"x-team-key"}, .members = {"dbPassword"}},
          .max_body_bytes = int64_t{1} << 20};
}

// Returns the path of a recording.
std::string RecordedFile() {
  const std::string path = absl::StrCat(testing::TempDir(), "/recording_guide.jsonl");
  std::remove(path.c_str());
  apiserver::ApiHandler server;
  const rest::Config config = envtest::InProcessConfig(server);
  corev1::ConfigMap map = {.metadata = {.name = "settings"}};
  map.data["colour"] = "green";
  const auto client = kubernetes::Clientset::Make(config);
  EXPECT_THAT(client, IsOk());
  EXPECT_THAT(client->CoreV1().ConfigMaps("default").Create(Context(), map), IsOk());
  EXPECT_THAT(RunRecorded(Context(), config, path), IsOk());
  return path;
}

TEST(BugReport, TheProgramFindsTheColour) {
  const std::string path = RecordedFile();
  base::SimRuntime sim;
  absl::Status replayed;
  const absl::Status end = sim.Run([&] { replayed = ReplayBug(Context(), path); });
  EXPECT_THAT(end, IsOk());
  EXPECT_THAT(replayed, IsOk());
}

TEST(RecordingGuide, OptionsRedactWhatTheyName) {
  const auto sink = std::make_shared<recording::MemorySink>();
  apiserver::ApiHandler server;
  const recording::Recorder recorder(sink, WithOurSecrets());
  const auto client =
      kubernetes::Clientset::Make(recorder.Record(envtest::InProcessConfig(server)));
  ASSERT_THAT(client, IsOk());
  corev1::ConfigMap map = {.metadata = {.name = "settings"}};
  map.data["dbPassword"] = "hunter2";
  EXPECT_THAT(client->CoreV1().ConfigMaps("default").Create(Context(), map), IsOk());
  EXPECT_EQ(sink->text().find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace kube
