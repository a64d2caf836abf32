#ifndef APISERVER_CONTAINERS_POD_LOGS_H_
#define APISERVER_CONTAINERS_POD_LOGS_H_

#include <map>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/container.h"
#include "apiserver/containers/container_log.h"

namespace kube::apiserver::internal {

// The logs of all containers, for the current run of each and for its previous run. ApiHandler has
// the meaning of the methods that change them. Thread-safe.
class PodLogs {
 public:
  void Set(const ContainerName& name, absl::string_view text, absl::Time now);
  void Append(const ContainerName& name, absl::string_view text, absl::Time now);
  void End(const ContainerName& name);
  void Restart(const ContainerName& name);

  // Return null if there is no such log.
  std::shared_ptr<ContainerLog> Current(const ContainerName& name) const;
  std::shared_ptr<ContainerLog> Previous(const ContainerName& name) const;
  // Returns the log of the current run, which is empty and new if the container had no log yet.
  std::shared_ptr<ContainerLog> CurrentOrNew(const ContainerName& name);

 private:
  struct Runs {
    std::shared_ptr<ContainerLog> current = {};
    std::shared_ptr<ContainerLog> previous = {};
  };

  mutable base::Mutex mutex_;
  std::map<ContainerName, Runs> logs_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CONTAINERS_POD_LOGS_H_
