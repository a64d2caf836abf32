// Measures receiving alone: makes the requests of pods_informer through the same transport and
// discards the responses. What pods_informer needs beyond that is the cost of the informer. Events
// are separated but not decoded; therefore a list is not counted (n is 0), and an event much
// smaller than any pod is taken for the bookmark at the end of the initial events. pods_run.h
// describes the command line.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/watch/byte_stream.h"
#include "benchmarks/informer/frame_counter.h"
#include "benchmarks/informer/pods_run.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"

namespace kube::benchmarks {
namespace {

constexpr size_t kSmallerThanAnyPod = 1000;
// A version after any list: the server sends no events before the second phase.
constexpr char kAfterTheList[] = "1";

class Drain final : public PodsClient {
 public:
  Drain(rest::Client client, const PodsOptions& options)
      : client_(std::move(client)), options_(options), frames_(options.protobuf) {}

  absl::StatusOr<int64_t> Sync(const Context& ctx) override {
    if (options_.watch_list) return WatchList(ctx);
    KUBE_ASSIGN_OR_RETURN(const auto list,
                          Get(ctx, {{"resourceVersion", {"0"}}}, rest::RetryRule::kDefault));
    while (true) {
      KUBE_ASSIGN_OR_RETURN(const std::string bytes, list->Read(ctx));
      if (bytes.empty()) break;
    }
    KUBE_RETURN_IF_ERROR(Watch(ctx, {{"resourceVersion", {kAfterTheList}}}));
    return 0;
  }

  absl::Status AwaitHandled(const Context&) override { return absl::OkStatus(); }

  absl::StatusOr<PodsUpdates> AwaitEnd(const Context& ctx) override {
    const int64_t before = frames_.count();
    while (frames_.count() <= before + options_.events) KUBE_RETURN_IF_ERROR(ReadMore(ctx));
    return PodsUpdates{.seen = frames_.count() - before - 1};
  }

 private:
  absl::StatusOr<int64_t> WatchList(const Context& ctx) {
    KUBE_RETURN_IF_ERROR(
        Watch(ctx, {{"sendInitialEvents", {"true"}}, {"resourceVersionMatch", {"NotOlderThan"}}}));
    do {
      KUBE_RETURN_IF_ERROR(ReadMore(ctx));
    } while (frames_.count() == 0 || frames_.last_size() >= kSmallerThanAnyPod);
    return frames_.count() - 1;
  }

  absl::StatusOr<std::unique_ptr<watch::ByteStream>> Get(const Context& ctx,
                                                         queryparams::Values params,
                                                         rest::RetryRule retry) {
    KUBE_ASSIGN_OR_RETURN(rest::StreamedResult result,
                          client_.Stream(ctx, {.resource = {.version = "v1", .resource = "pods"},
                                               .params = std::move(params),
                                               .retry = retry}));
    return std::move(result.body);
  }

  absl::Status Watch(const Context& ctx, queryparams::Values params) {
    params.insert({{"watch", {"true"}}, {"allowWatchBookmarks", {"true"}}});
    KUBE_ASSIGN_OR_RETURN(watch_, Get(ctx, std::move(params), rest::RetryRule::kWatch));
    return absl::OkStatus();
  }

  absl::Status ReadMore(const Context& ctx) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, watch_->Read(ctx));
    if (bytes.empty()) return absl::UnavailableError("the watch has ended");
    frames_.Add(bytes);
    return absl::OkStatus();
  }

  const rest::Client client_;
  const PodsOptions options_;
  std::unique_ptr<watch::ByteStream> watch_;
  FrameCounter frames_;
};

absl::StatusOr<std::unique_ptr<PodsClient>> MakeDrain(const Context&,
                                                      const kubernetes::Clientset& clientset,
                                                      const PodsOptions& options) {
  if (options.drop_managed_fields) return absl::UnimplementedError("nothing is decoded");
  return std::make_unique<Drain>(clientset.client(), options);
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char** argv) {
  return kube::benchmarks::RunPods(argc, argv, "client-cpp-drain", kube::benchmarks::MakeDrain);
}
