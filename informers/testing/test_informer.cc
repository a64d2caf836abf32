#include "informers/testing/test_informer.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "informers/lister_watcher.h"
#include "informers/shared_informer_options.h"
#include "informers/testing/test_cluster.h"

namespace kube::informers {
namespace {

std::string ValueOf(const ConfigMap& object) {
  const String* value = object.data.find("v");
  return value == nullptr ? "none" : std::string(value->view());
}

std::string NameAndValue(const ConfigMap& object) {
  return absl::StrCat(object.metadata.name.view(), "=", ValueOf(object));
}

}  // namespace

void Simulate(const std::function<void()>& body) {
  base::SimRuntime sim;
  const absl::Status end = sim.Run([&] { body(); });
  EXPECT_THAT(end, base::IsOk());
}

void Await(const std::function<bool()>& condition, absl::Duration patience) {
  const absl::Status status =
      base::PollUntilTimeout(Context(), absl::Milliseconds(100), patience, base::FirstPoll::kAtOnce,
                             [&](const Context&) -> absl::StatusOr<bool> { return condition(); });
  EXPECT_THAT(status, base::IsOk()) << "what was waited for does not come";
}

void Pass(absl::Duration time) { base::SleepFor(Context(), time).IgnoreError(); }

// ---- Recorder

EventHandler<ConfigMap> Recorder::Handler() {
  return {.on_add =
              [this](const AddEvent<ConfigMap>& event) {
                Record(absl::StrCat("add ", NameAndValue(*event.object),
                                    event.is_in_initial_list ? " initial" : ""));
              },
          .on_update =
              [this](const UpdateEvent<ConfigMap>& event) {
                Record(absl::StrCat("update ", NameAndValue(*event.old_object), ">",
                                    ValueOf(*event.object), event.is_resync ? " resync" : "",
                                    event.is_recreated ? " recreated" : ""));
              },
          .on_delete =
              [this](const DeleteEvent<ConfigMap>& event) {
                Record(absl::StrCat("delete ", NameAndValue(*event.object),
                                    event.final_state_unknown ? " unknown" : ""));
              }};
}

void Recorder::SetGate(const base::Event* gate) {
  base::MutexLock lock(mutex_);
  gate_ = gate;
}

void Recorder::Record(std::string text) {
  const base::Event* gate;
  {
    base::MutexLock lock(mutex_);
    told_.push_back(std::move(text));
    gate = gate_;
  }
  if (gate != nullptr) gate->Wait(Context()).IgnoreError();
}

std::vector<std::string> Recorder::told() const {
  base::MutexLock lock(mutex_);
  return told_;
}

std::vector<std::string> Recorder::Take() {
  base::MutexLock lock(mutex_);
  return std::exchange(told_, {});
}

void Recorder::Await(size_t count) const {
  informers::Await([&] { return told().size() >= count; });
}

// ---- TestInformer

TestInformer::TestInformer(const TestCluster& cluster, SharedInformerOptions options,
                           const ListerWatcherOptions& source)
    : informer(*MakeListerWatcher(cluster.config_maps(), source), std::move(options)) {}

void TestInformer::Start() {
  const absl::Status status = thread.Start(
      Context(), "informer", [this](const Context& ctx) { informer.Run(ctx).IgnoreError(); });
  EXPECT_THAT(status, base::IsOk());
}

void TestInformer::StartAndSync() {
  Start();
  Await([this] { return informer.HasSynced(); });
}

void TestInformer::Stop() {
  if (!thread.joinable()) return;
  thread.RequestStop();
  thread.Join();
}

void TestInformer::AwaitContent(const TestCluster& cluster) {
  Await([&] { return ContentOf(*informer.store()) == cluster.Content(); });
}

}  // namespace kube::informers
