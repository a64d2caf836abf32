#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/handler.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/audit_options.h"
#include "controller/testing/audits.h"
#include "controller/testing/internal/audit_sink.h"
#include "controller/testing/internal/logged_object.h"

namespace kube::controller {

using apiserver::LoggedRequest;
using unstructured::Value;

namespace {

// Returns "Deployment.apps" for the owner's kind and apiVersion.
std::string KindOf(const Value& owner) {
  const absl::string_view version = owner["apiVersion"].text().value_or("");
  const size_t slash = version.find('/');
  const absl::string_view group =
      slash == absl::string_view::npos ? absl::string_view() : version.substr(0, slash);
  return internal::ResourceName(owner["kind"].text().value_or(""), group);
}

std::string OwnerText(const Value& owner) {
  return absl::StrCat(owner["kind"].text().value_or(""), " ", owner["name"].text().value_or(""));
}

void FindOrphan(const AuditedObject& audited, const AuditedState& state,
                const std::set<std::string>& uids, internal::AuditSink& sink) {
  const List<Value>* const owners = audited.object["metadata"]["ownerReferences"].list();
  if (owners == nullptr || owners->empty()) return;
  // An object that is being deleted is no orphan any more.
  if (!internal::MetadataText(audited.object, "deletionTimestamp").empty()) return;
  for (const Value& owner : *owners) {
    if (!absl::c_linear_search(state.complete_kinds, KindOf(owner))) return;
    if (uids.count(std::string(owner["uid"].text().value_or(""))) != 0) return;
  }
  sink.Add({.kind = AuditKind::kOrphan,
            .object = internal::ObjectText(audited.resource, audited.object),
            .message = absl::StrCat("its owner, the ", OwnerText((*owners)[0]),
                                    ", does not exist: the owner was deleted or the reference has "
                                    "the wrong UID, and nothing deletes this object")});
}

void FindMissingOwner(const AuditedObject& audited, const std::set<std::string>& created,
                      const AuditOptions& options, internal::AuditSink& sink) {
  if (!absl::c_linear_search(options.owned, audited.resource)) return;
  const std::string object = internal::ObjectText(audited.resource, audited.object);
  if (created.count(object) == 0 || internal::ControllerOf(audited.object) != nullptr) return;
  sink.Add({.kind = AuditKind::kMissingOwner,
            .object = object,
            .message = "the operator created it without a controller owner: set the owner "
                       "reference before the creation, so that it is deleted with its owner and "
                       "its changes are noticed"});
}

void FindStuckFinalizer(const AuditedObject& audited, const AuditedState& state,
                        const AuditOptions& options, internal::AuditSink& sink) {
  const std::string text = internal::MetadataText(audited.object, "deletionTimestamp");
  absl::Time deleted;
  std::string error;
  if (text.empty() || !absl::ParseTime(absl::RFC3339_full, text, &deleted, &error)) return;
  if (state.time - deleted <= options.max_deletion) return;
  for (const std::string& each : internal::Finalizers(audited.object)) {
    if (!absl::c_linear_search(options.finalizers, each)) continue;
    sink.Add({.kind = AuditKind::kStuckFinalizer,
              .object = internal::ObjectText(audited.resource, audited.object),
              .message = absl::StrCat("it was deleted ", absl::FormatDuration(state.time - deleted),
                                      " ago and still has the operator's finalizer ", each)});
  }
}

// Returns the objects that the operator has created.
std::set<std::string> CreatedObjects(const std::vector<LoggedRequest>& log,
                                     const AuditOptions& options) {
  std::set<std::string> created;
  for (const LoggedRequest& request : log) {
    if (internal::IsCreation(request) && internal::IsOperators(request, options)) {
      created.insert(internal::ObjectText(request));
    }
  }
  return created;
}

}  // namespace

std::vector<AuditFinding> AuditState(const AuditedState& state,
                                     const std::vector<LoggedRequest>& log,
                                     const AuditOptions& options) {
  internal::AuditSink sink(options);
  std::set<std::string> uids;
  for (const AuditedObject& each : state.objects) {
    uids.insert(internal::MetadataText(each.object, "uid"));
  }
  const std::set<std::string> created = CreatedObjects(log, options);
  for (const AuditedObject& each : state.objects) {
    FindOrphan(each, state, uids, sink);
    FindMissingOwner(each, created, options, sink);
    FindStuckFinalizer(each, state, options, sink);
  }
  return sink.Findings();
}

}  // namespace kube::controller
