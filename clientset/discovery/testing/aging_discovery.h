#ifndef CLIENTSET_DISCOVERY_TESTING_AGING_DISCOVERY_H_
#define CLIENTSET_DISCOVERY_TESTING_AGING_DISCOVERY_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/version/info.kube.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/server_resources.h"

namespace kube::discovery {

// A cache whose server has changed since the cache was filled: the kind Job is in batch/v1beta1
// until Invalidate, and in batch/v1 afterwards. The two functions stand for another thread that
// acts exactly at the moment that a test is about.
//
// For one thread, which may also call it from these functions.
class AgingDiscovery final : public CachedDiscovery {
 public:
  // Each function is called once: the first when an answer is ready but not yet returned, the
  // second when Invalidate was called but nothing is forgotten yet.
  void SetAfterAnswer(std::function<void()> function) { after_answer_ = std::move(function); }
  void SetBeforeInvalidate(std::function<void()> function) {
    before_invalidate_ = std::move(function);
  }

  absl::StatusOr<GroupList> ServerGroups(const Context&) const override {
    const std::string version(group_version());
    api::meta::v1::APIGroupList list;
    list.groups = {{.name = "batch",
                    .versions = {{.group_version = version, .version = version.substr(6)}},
                    .preferred_version = {.group_version = version, .version = version.substr(6)}}};
    RunOnce(after_answer_);
    return std::make_shared<const api::meta::v1::APIGroupList>(std::move(list));
  }

  absl::StatusOr<ResourceList> ServerResourcesForGroupVersion(
      const Context&, absl::string_view asked) const override {
    if (asked != group_version()) return absl::NotFoundError("no such group-version");
    api::meta::v1::APIResourceList list;
    list.group_version = asked;
    list.resources = {{.name = "jobs", .singular_name = "job", .namespaced = true, .kind = "Job"}};
    RunOnce(after_answer_);
    return std::make_shared<const api::meta::v1::APIResourceList>(std::move(list));
  }

  absl::StatusOr<version::Info> ServerVersion(const Context&) const override {
    return absl::UnimplementedError("no version");
  }

  bool Fresh() const override { return is_new_; }
  void Invalidate() override {
    RunOnce(before_invalidate_);
    is_new_ = true;
  }

 private:
  absl::string_view group_version() const { return is_new_ ? "batch/v1" : "batch/v1beta1"; }

  static void RunOnce(std::function<void()>& function) {
    const std::function<void()> run = std::exchange(function, nullptr);
    if (run != nullptr) run();
  }

  mutable std::function<void()> after_answer_;
  mutable std::function<void()> before_invalidate_;
  bool is_new_ = false;
};

}  // namespace kube::discovery

#endif  // CLIENTSET_DISCOVERY_TESTING_AGING_DISCOVERY_H_
