// A manager on real threads that is told to end while all its workers are in the middle of their
// work and most of its keys wait.

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/manager_status.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/owned.h"
#include "controller/reconcile/request.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controllers/recorder.h"

namespace kube::controllers {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::MutexLock;
using controller::Request;
using corev1::ConfigMap;
using corev1::Secret;
using testing::SizeIs;

constexpr int kObjects = 2'000;
constexpr int kWorkers = 16;
// How many reconciles end before the workers wait in the middle of the next ones.
constexpr int kBefore = 200;
constexpr char kProgram[] = "operator";
// Ends the test if something hangs.
constexpr absl::Duration kPatience = absl::Minutes(5);

Secret SecretOf(absl::string_view name) { return {.metadata = {.name = name}}; }

// Makes two secrets for each config map, NAME-a and NAME-b: with one alone it is half done.
class PairMaker {
 public:
  PairMaker(controller::Manager& manager, Recorder& recorder)
      : recorder_(recorder),
        controller_(manager, {.name = "pairs", .workers = kWorkers}),
        secrets_(controller_.Owns<Secret>()) {
    controller_.Reconciles([this](Request<ConfigMap>& request) { return Reconcile(request); });
  }

  // Blocks until all workers are in the middle of a pair.
  absl::Status WaitForLoad() { return loaded_.Wait(WithTimeout(Context(), kPatience)); }
  // Lets the workers go on.
  void GoOn() { go_on_.Set(); }

 private:
  absl::Status Reconcile(Request<ConfigMap>& request) {
    const auto running = recorder_.Begin(
        {.program = kProgram, .controller = "pairs", .key = request.name().ToString()}, "");
    // The children enqueue their owner, whose pair is there then.
    if (!Enter(request.name().name)) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(
        secrets_.Create(request, SecretOf(absl::StrCat(request.name().name, "-a"))).status());
    if (WaitsInTheMiddle()) KUBE_RETURN_IF_ERROR(go_on_.Wait(request.context()));
    return secrets_.Create(request, SecretOf(absl::StrCat(request.name().name, "-b"))).status();
  }

  // Returns whether the pair is new.
  bool Enter(const std::string& name) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    return entered_.insert(name).second;
  }

  bool WaitsInTheMiddle() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    ++half_done_;
    if (half_done_ <= kBefore) return false;
    if (half_done_ == kBefore + kWorkers) loaded_.Set();
    return true;
  }

  Recorder& recorder_;
  base::Event loaded_;
  base::Event go_on_;
  base::Mutex mutex_;
  std::set<std::string> entered_ ABSL_GUARDED_BY(mutex_);
  int half_done_ ABSL_GUARDED_BY(mutex_) = 0;
  controller::Controller<ConfigMap> controller_;
  const controller::Owned<Secret> secrets_;
};

// A server with all config maps, and a client of it.
struct World {
  World()
      : server(apiserver::HandlerOptions{.cluster_objects = false, .managed_fields = false}),
        client(*kubernetes::Clientset::Make(envtest::InProcessConfig(server))) {
    const auto maps = client.CoreV1().ConfigMaps("default");
    for (int i = 0; i < kObjects; ++i) {
      ConfigMap map;
      map.metadata.name = absl::StrCat("map-", i);
      EXPECT_THAT(maps.Create(Context(), map), IsOk());
    }
  }

  // Returns how many secrets each config map has.
  std::map<std::string, int> Pairs() const {
    std::map<std::string, int> pairs;
    const absl::StatusOr<corev1::SecretList> secrets =
        client.CoreV1().Secrets("default").List(Context());
    EXPECT_THAT(secrets, IsOk());
    for (const Secret& secret : secrets->items) {
      const absl::string_view name = secret.metadata.name.view();
      ++pairs[std::string(name.substr(0, name.size() - 2))];
    }
    return pairs;
  }

  apiserver::ApiHandler server;
  const kubernetes::Clientset client;
};

// Blocks until the manager has begun to end.
absl::Status WaitUntilStopping(const controller::Manager& manager) {
  return base::PollUntilTimeout(
      Context(), absl::Milliseconds(1), kPatience, base::FirstPoll::kAtOnce,
      [&](const Context&) -> absl::StatusOr<bool> {
        for (const controller::PhaseStatus& phase : manager.status().phases) {
          if (phase.state == "stopping" || phase.state == "ended") return true;
        }
        return false;
      });
}

struct Row {
  std::string name;
  absl::Duration drain_timeout;
  // Whether the workers go on after the stop. If not, they end with their contexts.
  bool goes_on;
  size_t half_done;
};

class ManagerUnderLoadTest : public testing::TestWithParam<Row> {};

TEST_P(ManagerUnderLoadTest, Stop) {
  const log::LogCapture quiet;
  World world;
  Recorder recorder;
  controller::ManagerOptions options;
  options.name = "operator";
  options.health.reset();
  options.drain_timeout = GetParam().drain_timeout;
  options.stop_timeout = kPatience;
  const absl::StatusOr<std::unique_ptr<controller::Manager>> manager =
      controller::Manager::Make(envtest::InProcessConfig(world.server), std::move(options));
  ASSERT_THAT(manager, IsOk());
  {
    PairMaker maker(**manager, recorder);
    absl::Status ended = absl::UnknownError("Run has not returned");
    base::Thread thread;
    ASSERT_THAT(thread.Start(Context(), "manager",
                             [&](const Context& ctx) {
                               ended = (*manager)->Run(ctx);
                               recorder.NoteEnd(kProgram);
                             }),
                IsOk());
    EXPECT_THAT(maker.WaitForLoad(), IsOk());
    thread.RequestStop();
    // From here on no key is taken.
    EXPECT_THAT(WaitUntilStopping(**manager), IsOk());
    if (GetParam().goes_on) maker.GoOn();
    thread.Join();
    EXPECT_THAT(ended, IsOk());
  }

  EXPECT_THAT(recorder.status(), IsOk());
  std::set<std::string> half_done;
  const std::map<std::string, int> pairs = world.Pairs();
  for (const auto& [name, secrets] : pairs) {
    if (secrets != 2) half_done.insert(name);
  }
  EXPECT_THAT(half_done, SizeIs(GetParam().half_done));
  EXPECT_THAT(pairs, SizeIs(kBefore + kWorkers)) << "the keys that waited are left alone";
  EXPECT_EQ(world.server.watches(), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Drains, ManagerUnderLoadTest,
    testing::Values(Row{"WorkEndsInTheDrain_NothingIsHalfDone", kPatience, true, 0},
                    Row{"WorkDoesNotEnd_ItsContextsDo", absl::Milliseconds(10), false, kWorkers}),
    [](const testing::TestParamInfo<Row>& row) { return row.param.name; });

}  // namespace
}  // namespace kube::controllers
