#ifndef ENVTEST_SERVER_CALL_CORE_H_
#define ENVTEST_SERVER_CALL_CORE_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "envtest/server/registry/definitions.h"
#include "envtest/server/registry/registry.h"
#include "envtest/server/request_info.h"
#include "envtest/server/resources.h"
#include "envtest/server/storage.h"
#include "envtest/server/user.h"

namespace kube::envtest::internal {

// What verbs work on. Thread-safe.
struct Core {
  explicit Core(StorageOptions options)
      : resources(Resources::BuiltIn()),
        storage(options),
        registry(storage, resources),
        definitions(registry, storage, resources) {}

  // Does what follows from what was written: garbage, namespaces, definitions.
  void Settle();

  ResourceTable resources;
  Storage storage;
  Registry registry;
  Definitions definitions;

  // Who has a token, and whether a user may do something. Set before the first request.
  std::function<std::optional<User>(absl::string_view token)> find_user;
  std::function<bool(const User& user, const RequestInfo& info)> allows;

  // What GET pods/log answers, by namespace, pod and container.
  base::Mutex mutex;
  std::map<std::tuple<std::string, std::string, std::string>, std::string> logs
      ABSL_GUARDED_BY(mutex);
};

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_CALL_CORE_H_
