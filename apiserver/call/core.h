#ifndef APISERVER_CALL_CORE_H_
#define APISERVER_CALL_CORE_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/managedfields/fields_v1_cache.h"
#include "apiserver/openapi/openapi.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/registry/definitions.h"
#include "apiserver/registry/registry.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {

// The state that the verbs work on: all data of a server. Thread-safe.
struct Core {
  // `printer` must outlive the core.
  Core(StorageOptions options, const printers::TablePrinter& printer)
      : tables(printer),
        resources(Resources::BuiltIn()),
        storage(options),
        registry(storage, resources),
        definitions(registry, storage, resources) {}

  // Carries out what the latest writes entail: garbage collection, the deletion of namespaces, and
  // changes of definitions. If another thread is doing so, it may return earlier.
  void Settle();

  const printers::TablePrinter& tables;
  ResourceTable resources;
  Storage storage;
  Registry registry;
  Definitions definitions;
  OpenApi openapi;

  // Whether the fields of objects that were never applied are tracked: see
  // HandlerOptions::managed_fields.
  bool managed_fields = true;
  managedfields::FieldsV1Cache fields_cache;

  // Looks up the user of a token, and whether a user may send a request. Set before the first
  // request.
  std::function<std::optional<User>(absl::string_view token)> find_user;
  std::function<bool(const User& user, const RequestInfo& info)> allows;

  // The responses of GET pods/log by namespace, pod and container.
  base::Mutex mutex;
  std::map<std::tuple<std::string, std::string, std::string>, std::string> logs
      ABSL_GUARDED_BY(mutex);
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_CORE_H_
