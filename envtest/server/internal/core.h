#ifndef ENVTEST_SERVER_INTERNAL_CORE_H_
#define ENVTEST_SERVER_INTERNAL_CORE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/validation/field_error.h"
#include "envtest/server/internal/definitions.h"
#include "envtest/server/internal/output.h"
#include "envtest/server/internal/read_faults.h"
#include "envtest/server/internal/registry.h"
#include "envtest/server/internal/watch_stream.h"
#include "envtest/server/request_info.h"
#include "envtest/server/resources.h"
#include "envtest/server/storage.h"
#include "envtest/server/user.h"
#include "net/httpserver/exchange.h"

// What the verbs share: a request that was read, and what it works on. (endpoints/handlers)
namespace kube::envtest::internal {

// Nothing can be answered before the storage has this revision.
struct NotYet {
  int64_t revision = 0;
};
using Answer = std::variant<httpserver::Response, std::unique_ptr<WatchStream>, NotYet>;

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

// One request about a resource.
struct Call {
  const httpserver::Request* request = nullptr;
  RequestInfo info = {};
  User user = {};
  Output output = {};
  // As they were when it began.
  std::shared_ptr<const Resources> resources = {};
  const Resource* resource = nullptr;
  const SubresourceInfo* subresource = nullptr;  // null: the resource itself
  // It has been waited for the revision that it asked for.
  bool has_waited = false;
  // May be null.
  ReadFaults* faults = nullptr;
  // For Warning headers of the answer.
  std::vector<std::string> warnings = {};

  Target target() const {
    return {.resource = resource,
            .namespace_name = info.namespace_name,
            .name = info.name,
            .subresource = info.subresource};
  }
};

using Response = absl::StatusOr<httpserver::Response>;

// ---- verbs: each answers one call. Errors carry the Status for the client.

absl::StatusOr<Answer> ServeGet(Core& core, Call& call);
absl::StatusOr<Answer> ServeList(Core& core, Call& call);
absl::StatusOr<Answer> ServeWatch(Core& core, Call& call);
Response ServeCreate(Core& core, Call& call);
Response ServeUpdate(Core& core, Call& call);
Response ServePatch(Core& core, Call& call);
Response ServeDelete(Core& core, Call& call);
Response ServeDeleteCollection(Core& core, Call& call);

// Those of subresources that are more than a part of the object, and of kinds that are not stored.
// Nothing: it is none of these.
std::optional<Response> ServeSpecial(Core& core, Call& call);

// ---- what they share

// The value of a Warning header.
std::string WarningHeader(absl::string_view text);
// The answer with an object.
Response RespondObject(int code, const StoredObject& object, const Call& call);
// An error before which the call's warnings were said. Others are returned without an answer.
httpserver::Response RespondError(const absl::Status& error, const Call& call);
// An error for options that are not valid: of "CreateOptions", for example.
absl::Status InvalidOptions(absl::string_view kind, const validation::field::ErrorList& wrong);
// The answer to a deletion of one object: it, or a Status.
Response RespondDeleted(const Deleted& deleted, const Call& call);
// The DeleteOptions of the body, or of the query.
absl::StatusOr<api::meta::v1::DeleteOptions> DeleteOptionsOf(const Call& call);
// An object that a client sent, with defaults, of the namespace that the request names.
absl::StatusOr<Object> ObjectOf(Call& call, absl::string_view field_validation);
// Whether an object says the name that stands in the path.
absl::Status CheckName(const api::meta::v1::ObjectMeta& metadata, const Call& call);
// What a PATCH says beside its body: its type, which is not kApply, and its options. 415, or 422
// for options that are not valid.
struct PatchHead {
  patch::PatchType type = patch::PatchType::kMerge;
  api::meta::v1::PatchOptions options = {};
};
absl::StatusOr<PatchHead> PatchHeadOf(const Call& call);
// Whether the query asks for a dry run.
absl::StatusOr<bool> IsDryRun(const Call& call);

// The ListOptions of the query, valid for a list or a watch.
absl::StatusOr<api::meta::v1::ListOptions> ListOptionsOf(const Call& call, bool watch);
// A page of objects.
struct Page {
  std::vector<ObjectPtr> items = {};
  api::meta::v1::ListMeta metadata = {};
};
Response RespondPage(const Page& page, const Call& call);
absl::StatusOr<Page> ListPage(const Core& core, const Call& call,
                              const api::meta::v1::ListOptions& options);
// Which revision the storage must have before such a list can be answered.
absl::StatusOr<int64_t> RevisionFor(const api::meta::v1::ListOptions& options);
// It has not come in time. 504.
absl::Status TooLargeRevision(int64_t wanted, int64_t current);
// What upstream says of a resource or subresource that is not there.
absl::Status NoSuchResource();
absl::Status NoSuchMethod();

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_INTERNAL_CORE_H_
