#ifndef CONTROLLER_RECONCILE_INTERNAL_WRITER_CORE_H_
#define CONTROLLER_RECONCILE_INTERNAL_WRITER_CORE_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/object_name.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/watched_core.h"
#include "controller/reconcile/internal/apply_memory.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/writes_options.h"

namespace kube::controller::internal {

// The part of Writer<K> that does not depend on the type of the objects; the copies of a writer
// share it. Thread-safe.
class WriterCore {
 public:
  // `resource` is the plural, for messages. `store` may be null.
  WriterCore(absl::string_view resource, bool namespaced, std::shared_ptr<WatchedCore> store,
             std::string field_manager, WritesOptions options)
      : resource_(resource),
        namespaced_(namespaced),
        store_(std::move(store)),
        field_manager_(std::move(field_manager)),
        options_(std::move(options)) {}

  const std::shared_ptr<WatchedCore>& store() const { return store_; }
  ApplyMemory& applied() { return applied_; }

  // Returns the name with the request's namespace if it has none, or without a namespace if the
  // kind is cluster-scoped.
  meta::ObjectName Complete(const AnyRequest& request, meta::ObjectName name) const;

  // Returns the options of each verb.
  api::meta::v1::CreateOptions create_options() const;
  api::meta::v1::PatchOptions patch_options() const;
  api::meta::v1::ApplyOptions apply_options() const;
  // Deletes only this state of this object.
  api::meta::v1::DeleteOptions delete_options(const api::meta::v1::ObjectMeta& object) const;
  api::meta::v1::DeleteOptions delete_all_options() const;

  // Returns the answer to a request with this verb. If the server has forbidden it, and the
  // writer's options do not declare the verb, the message says so: the program's role comes of
  // them.
  absl::Status Explain(absl::string_view verb, const absl::Status& answer) const;

  // Names the step of the request that does `verb` with this object.
  RequestStep Step(const AnyRequest& request, absl::string_view verb,
                   const meta::ObjectName& name) const;

  // Notes what the server answered to a write.
  void Note(AnyRequest& request, const api::meta::v1::ObjectMeta& answer) const;

  // Returns whether an apply need not be sent, as the store has the object that the last apply of
  // this configuration has left.
  bool IsApplied(const AnyRequest& request, const meta::ObjectName& name,
                 const ApplyFingerprint& configuration, absl::string_view stored_version);
  void NoteApply(const meta::ObjectName& name, const ApplyFingerprint& configuration,
                 absl::string_view resource_version);

  // Returns INVALID_ARGUMENT unless the object still has this name and namespace.
  absl::Status CheckSameObject(const meta::ObjectName& name,
                               const api::meta::v1::ObjectMeta& object) const;

  // What a collection request selects: a namespace, "" for cluster-scoped kinds, and the options.
  struct Selection {
    std::string namespace_name = {};
    api::meta::v1::ListOptions list = {};
  };
  // Returns INVALID_ARGUMENT if a namespaced kind lacks a namespace.
  absl::StatusOr<Selection> Select(const AnyRequest& request, const ListScope& scope) const;

 private:
  const std::string resource_;
  const bool namespaced_;
  const std::shared_ptr<WatchedCore> store_;
  const std::string field_manager_;
  const WritesOptions options_;
  ApplyMemory applied_;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_WRITER_CORE_H_
