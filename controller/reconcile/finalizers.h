#ifndef CONTROLLER_RECONCILE_FINALIZERS_H_
#define CONTROLLER_RECONCILE_FINALIZERS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/finalizers.h"
#include "clientset/rest/client.h"
#include "clientset/typed/options.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "controller/cache/watched_core.h"
#include "controller/reconcile/client_of.h"
#include "controller/reconcile/internal/uid_of.h"
#include "controller/reconcile/request.h"
#include "controller/workqueue/run_workers.h"
#include "listers/stored_object.h"

namespace kube::controller {

namespace internal {

// Returns INVALID_ARGUMENT unless `finalizer` is a qualified name, such as "example.com/dns", that
// is not among `registered`, and has a function.
absl::Status CheckFinalizer(absl::string_view finalizer, absl::Span<const std::string> registered,
                            bool has_function);

}  // namespace internal

// What a controller does before an object disappears: functions by the name of their finalizer. The
// server keeps a deleted object until its list of finalizers is empty. (controller-runtime:
// `finalizer.Finalizers`, which writes nothing and leaves that to its caller)
//
// Used by Controller, whose Finalizes is Add: each object gets all finalizers before its first
// reconcile. When it is deleted, the functions of the finalizers that it has run in the order of
// their registration. One that fails does not stop the others: the finalizers of those that
// returned OK are removed at once, and the others are tried again with the key.
//
// A function may be called again after it has returned OK, for instance if the program ended before
// the finalizer was removed, so it must take what is already gone as success.
//
// Objects are changed with Edit, so the finalizers and all else that others write meanwhile stay.
// Build, then run: Add is called before the other methods, which are thread-safe.
template <listers::StoredObject T>
class Finalizers {
 public:
  using Function = std::function<absl::Status(Request<T>&)>;

  // `store` is the watch of the objects, whose writes requests are told of.
  Finalizers(const rest::Client& client, const typed::Resource& resource,
             std::shared_ptr<WatchedCore> store, std::string field_manager)
      : client_(ClientOf<T>(client, resource)), store_(std::move(store)) {
    edit_.patch.field_manager = field_manager;
  }

  // Registers a function. If the name is not qualified or is registered already, or the function is
  // null, it is not registered, and status() returns the error.
  void Add(std::string finalizer, Function function) {
    const absl::Status checked =
        internal::CheckFinalizer(finalizer, names_, /*has_function=*/function != nullptr);
    if (!checked.ok()) {
      if (status_.ok()) status_ = checked;
      return;
    }
    names_.push_back(std::move(finalizer));
    functions_.push_back(std::move(function));
  }

  // Returns the first error of Add. EnsureOn and Run return it, too, marked as terminal.
  const absl::Status& status() const { return status_; }

  // Adds the finalizers that the request's object lacks, and returns the object with all of them:
  // the request's own if it has them, so that usually nothing is sent. Blocks. Returns a conflict
  // (errors::IsConflict) if the object is being deleted, which the cache does not know yet, or
  // NOT_FOUND if it is gone.
  absl::StatusOr<std::shared_ptr<const T>> EnsureOn(Request<T>& request) const {
    if (!status_.ok()) return workqueue::TerminalError(status_);
    if (HasAll(*request.object())) return request.object();
    const RequestStep step = request.Step("add finalizers");
    absl::StatusOr<T> edited = Objects(request).Edit(
        request.context(), request.name().name,
        [&](T& current) { return AddAll(request, current); }, edit_);
    KUBE_RETURN_IF_ERROR(edited.status(), "add finalizers");
    request.NoteWrite(store_, request.name().namespace_name, listers::ResourceVersionOf(*edited));
    return std::make_shared<const T>(*std::move(edited));
  }

  // Calls the functions of the finalizers that the request's object has, and removes those that
  // returned OK. The object is being deleted. Blocks. Returns the errors, each as
  // "finalizer \"example.com/dns\" failed: …". A function that has to wait returns
  // workqueue::RetryAfter. If several fail, their errors are joined and such marks are lost.
  absl::Status Run(Request<T>& request) const {
    if (!status_.ok()) return workqueue::TerminalError(status_);
    std::vector<absl::Status> failed;
    std::vector<std::string> done;
    for (size_t i = 0; i < names_.size(); ++i) {
      if (!meta::ContainsFinalizer(*request.object(), names_[i])) continue;
      const RequestStep step = request.Step(absl::StrCat("finalizer \"", names_[i], "\""));
      const absl::Status ended = functions_[i](request);
      if (ended.ok()) {
        done.push_back(names_[i]);
      } else {
        failed.push_back(
            base::Annotate(ended, absl::StrCat("finalizer \"", names_[i], "\" failed")));
      }
    }
    if (!done.empty()) failed.push_back(Remove(request, done));
    return base::JoinErrors(failed);
  }

 private:
  using Client = typed::TypedClient<T, ListOf<T>>;

  Client Objects(const Request<T>& request) const {
    return client_.Namespace(request.name().namespace_name);
  }

  bool HasAll(const T& object) const {
    for (const std::string& name : names_) {
      if (!meta::ContainsFinalizer(object, name)) return false;
    }
    return true;
  }

  // Adds the finalizers to the object as the server has it. A server refuses that for an object
  // that is being deleted.
  absl::Status AddAll(const Request<T>& request, T& current) const {
    if (meta::IsBeingDeleted(current) || internal::UidOf(current) != request.uid()) {
      return errors::Conflict(client_.core().resource().group_resource(), request.name().name,
                              "the object is being deleted");
    }
    for (const std::string& name : names_) meta::AddFinalizer(current, name);
    return absl::OkStatus();
  }

  absl::Status Remove(Request<T>& request, const std::vector<std::string>& finalizers) const {
    const auto change = [&](T& current) {
      // Another object of this name has its own finalizers.
      if (internal::UidOf(current) != request.uid()) return absl::OkStatus();
      for (const std::string& name : finalizers) meta::RemoveFinalizer(current, name);
      return absl::OkStatus();
    };
    const RequestStep step = request.Step("remove finalizers");
    const absl::StatusOr<T> edited =
        Objects(request).Edit(request.context(), request.name().name, change, edit_);
    // Somebody else has removed the last finalizer.
    if (errors::IsNotFound(edited.status())) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(edited.status(), "remove finalizers");
    request.NoteWrite(store_, request.name().namespace_name, listers::ResourceVersionOf(*edited));
    return absl::OkStatus();
  }

  Client client_;
  std::shared_ptr<WatchedCore> store_;
  typed::EditOptions edit_;
  // The names and their functions, in the order of registration.
  std::vector<std::string> names_;
  std::vector<Function> functions_;
  absl::Status status_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_FINALIZERS_H_
