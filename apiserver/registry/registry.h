#ifndef APISERVER_REGISTRY_REGISTRY_H_
#define APISERVER_REGISTRY_REGISTRY_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apiserver/object.h"
#include "apiserver/registry/collector.h"
#include "apiserver/resources.h"
#include "apiserver/services/service_addresses.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {

// Which object, and how much of it.
struct Target {
  const Resource* resource = nullptr;
  std::string namespace_name = {};
  std::string name = {};
  std::string subresource = {};  // "": the object itself

  std::string key() const { return resource->KeyOf(namespace_name, name); }
};

struct WriteOptions {
  // Do all of it but the storing.
  bool dry_run = false;
  // It is a patch: another UID is no precondition that fails, but a change that is refused.
  bool patch = false;
};

// The Conflict of an update whose object has the UID `sent`, where the object that is stored has
// the UID `stored`, which is empty if there is none.
absl::Status UidConflict(const Target& target, absl::string_view sent, absl::string_view stored);

struct Written {
  ObjectPtr object = {};
  bool created = false;
};

struct Deleted {
  // What it was, or is as long as something holds it.
  ObjectPtr object = {};
  bool gone = false;
};

// What an API server does with objects, whatever the encoding and the way they came: system fields,
// strategies, validation, conflicts, deletion. (registry.Store, registry/rest)
//
// Errors carry the metav1::Status that a client gets. Thread-safe.
class Registry {
 public:
  Registry(Storage& storage, const ResourceTable& resources)
      : storage_(storage), collector_(*this, storage, resources) {}

  Storage& storage() { return storage_; }
  Collector& collector() { return collector_; }

  // NotFound.
  absl::StatusOr<ObjectPtr> Get(const Target& target) const;

  // Makes it as `object` says; its name is in its metadata, or generated.
  absl::StatusOr<ObjectPtr> Create(const Target& target, Object object,
                                   const WriteOptions& options = {});

  // What the object shall be, by what it is; called again when somebody else was faster. A
  // resourceVersion and a UID in its result must be those that are stored.
  using Change = absl::FunctionRef<absl::StatusOr<Object>(const StoredObject& current)>;
  absl::StatusOr<Written> Update(const Target& target, Change change,
                                 const WriteOptions& options = {});

  absl::StatusOr<Deleted> Delete(const Target& target, const api::meta::v1::DeleteOptions& options,
                                 const WriteOptions& write_options = {});

 private:
  // The object as the strategies see it: of the requested version, or as it is stored, see
  // PreparesStored. NotFound.
  absl::StatusOr<ObjectPtr> Current(const Target& target) const;
  absl::Status CheckNamespace(const Target& target, const Object& object) const;
  // Create, of an object that has its name and is as strategies see it.
  absl::StatusOr<ObjectPtr> CreateNamed(const Target& target, Object object,
                                        const WriteOptions& options);
  absl::StatusOr<Object> Prepared(const Target& target, const StoredObject& current, Object object,
                                  const WriteOptions& options);
  absl::StatusOr<ObjectPtr> Store(const Target& target, const StoredObject& current, Object object,
                                  const WriteOptions& options);
  absl::StatusOr<Deleted> DeleteOnce(const Target& target, const StoredObject& current,
                                     const api::meta::v1::DeleteOptions& options,
                                     const WriteOptions& write_options);
  absl::StatusOr<ObjectPtr> Remove(const Target& target, const StoredObject& current, Object last,
                                   const WriteOptions& options);

  Storage& storage_;
  Collector collector_;
  ServiceAddresses addresses_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_REGISTRY_H_
