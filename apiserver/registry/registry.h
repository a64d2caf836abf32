#ifndef APISERVER_REGISTRY_REGISTRY_H_
#define APISERVER_REGISTRY_REGISTRY_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/object.h"
#include "apiserver/registry/collector.h"
#include "apiserver/registry/role_aggregator.h"
#include "apiserver/registry/write_admission.h"
#include "apiserver/resources.h"
#include "apiserver/services/service_addresses.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {

// An object, or one of its subresources.
struct Target {
  const Resource* resource = nullptr;
  std::string namespace_name = {};
  std::string name = {};
  std::string subresource = {};  // empty for the object itself

  std::string key() const { return resource->KeyOf(namespace_name, name); }
};

struct WriteOptions {
  // Do everything except storing.
  bool dry_run = false;
  // The update is a patch: a different UID is a forbidden change, not a failed precondition.
  bool patch = false;
  // Is asked about the write. Null: nobody is.
  WriteAdmission* admission = nullptr;
  // Called with the object before the write, which is null for a new one, and with the object that
  // the client wants, after `admission` has changed it and before it is validated. An error refuses
  // the write. May be null.
  std::function<absl::Status(const Object* old, const Object& object)> check = {};
  // Called with the same objects after the validation of a whole object, if that has found nothing.
  // Its errors are those of the validation. May be null.
  std::function<validation::field::ErrorList(const Object* old, const Object& object)> validate =
      {};
  // Gets the warnings of the validation, each once; null drops them.
  std::vector<std::string>* warnings = nullptr;
};

// Returns the Conflict for an update with the UID `sent` of an object that has the UID `stored`,
// which is empty if it does not exist.
absl::Status UidConflict(const Target& target, absl::string_view sent, absl::string_view stored);

struct Written {
  ObjectPtr object = {};
  bool created = false;
  // Whether the storage was changed: not by a dry run, nor if the new object equals the old one.
  bool changed = false;
};

struct Deleted {
  // The object as it was deleted, or as it is while finalizers keep it.
  ObjectPtr object = {};
  bool gone = false;
  // Whether the storage was changed: not by a dry run, nor if the object was being deleted already.
  bool changed = false;
};

// What an API server does with objects, independent of encodings and verbs: system fields,
// strategies, validation, conflicts and deletion (kube-apiserver: `registry.Store`,
// `registry/rest`).
//
// Errors carry the metav1::Status that a client gets. Thread-safe.
class Registry {
 public:
  Registry(Storage& storage, const ResourceTable& resources)
      : storage_(storage),
        collector_(*this, storage, resources),
        aggregator_(*this, storage, resources) {}

  Storage& storage() { return storage_; }
  Collector& collector() { return collector_; }
  // Turns the admission plugin ServiceAccount on or off. Call it before the first request. Default:
  // off.
  void set_account_admission(bool enabled) { account_admission_ = enabled; }
  RoleAggregator& aggregator() { return aggregator_; }

  // Returns NotFound if the object does not exist.
  absl::StatusOr<ObjectPtr> Get(const Target& target) const;

  // Creates an object. Its name is in its metadata, or is generated from generateName.
  absl::StatusOr<ObjectPtr> Create(const Target& target, Object object,
                                   const WriteOptions& options = {});

  // Returns the new object for the current one. Called again if the object was changed meanwhile.
  // If its result has a resourceVersion or a UID, they must be those of the stored object.
  using Change = absl::FunctionRef<absl::StatusOr<Object>(const StoredObject& current)>;
  absl::StatusOr<Written> Update(const Target& target, Change change,
                                 const WriteOptions& options = {});

  absl::StatusOr<Deleted> Delete(const Target& target, const api::meta::v1::DeleteOptions& options,
                                 const WriteOptions& write_options = {});

 private:
  // Returns the object as the strategies need it: in the requested version, or as it is stored; see
  // PreparesStored. Returns NotFound if it does not exist.
  absl::StatusOr<ObjectPtr> Current(const Target& target) const;
  absl::Status CheckNamespace(const Target& target, const Object& object) const;
  // Tells the controllers about a write. `before` is null if the object was created.
  void Observe(const Resource& resource, const std::string& key, const StoredObject* before,
               const StoredObject& after, bool deleted);
  // Fills in what clients leave out.
  absl::Status AdmitNew(const Target& target, Object& object) const;
  // Fill in what clients leave out, and let WriteOptions::admission change the object.
  absl::Status MutateNew(const Target& target, Object& object, const WriteOptions& options);
  absl::Status MutateUpdate(const Target& target, const Object& old, Object& object,
                            const WriteOptions& options);
  // Creates an object that has its name and its internal form.
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
  RoleAggregator aggregator_;
  ServiceAddresses addresses_;
  bool account_admission_ = false;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_REGISTRY_H_
