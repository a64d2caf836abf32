// Requests are seen in the order of the log. A track is kept for each object: counts over a window
// of time, and the last two contents, by which a write that restores what another writer has
// changed is recognized. The main part of an object and its status have tracks of their own,
// because they have writers of their own. A write whose object the log does not have ends the track
// of contents: a new one begins with the next object.
#include "controller/testing/audits.h"

#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/handler.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/audit_options.h"
#include "controller/testing/internal/audit_sink.h"
#include "controller/testing/internal/logged_object.h"
#include "controller/testing/internal/request_count.h"

namespace kube::controller {

using apiserver::LoggedRequest;
using unstructured::Value;

namespace {

// Returns whether a finalizer is the garbage collector's, which works without requests.
bool IsOfCollector(absl::string_view finalizer) {
  return finalizer == "foregroundDeletion" || finalizer == "orphan";
}

class RequestAudit {
 public:
  explicit RequestAudit(const AuditOptions& options)
      : options_(options),
        knows_operator_(!options.user.empty() || !options.user_agent.empty()),
        sink_(options) {}

  void See(const LoggedRequest& request) {
    const bool own = internal::IsOperators(request, options_);
    if (own) {
      Count(request);
      CountEvent(request);
      CheckUpdate(request);
      CheckSettled(request);
    }
    FollowOwners(request, own);
    Follow(request, own);
  }

  std::vector<AuditFinding> Findings() const { return sink_.Findings(); }

 private:
  struct Track {
    internal::RequestCount requests = {};
    internal::RequestCount unchanged = {};
    internal::RequestCount already_exists = {};
    size_t unconditional = 0;
    size_t after_settled = 0;
  };
  // The writes to one part of an object.
  struct Writes {
    std::shared_ptr<const Value> object = {};
    std::string content = {};
    std::string content_before = {};
    bool writer_is_operator = false;
    std::string writer = {};
    size_t restored = 0;
  };

  void Report(AuditKind kind, const LoggedRequest& request, std::string object, size_t count,
              std::string message) {
    sink_.Add({.kind = kind,
               .object = std::move(object),
               .message = std::move(message),
               .time = request.time,
               .count = count});
  }

  std::string Window() const { return absl::FormatDuration(options_.window); }

  void Count(const LoggedRequest& request) {
    if (!internal::NamesObject(request)) return;
    const std::string object = internal::ObjectText(request);
    Track& track = tracks_[object];
    if (!internal::IsEvent(request) && !internal::IsLease(request)) {
      const size_t count = track.requests.Add(request.time, options_.window);
      if (count > options_.max_requests) {
        Report(AuditKind::kHotLoop, request, object, count,
               absl::StrCat(count, " requests within ", Window(),
                            ": return when nothing is to be done, and requeue with a delay"));
      }
    }
    if (request.verb == "create" && request.code == 409 && request.subresource.empty()) {
      const size_t count = track.already_exists.Add(request.time, options_.window);
      if (count > options_.max_already_exists) {
        Report(AuditKind::kCreatedTwice, request, object, count,
               absl::StrCat(count, " creations within ", Window(),
                            " failed because the object exists: a cache that does not see it is "
                            "read again and again"));
      }
    }
  }

  void CountEvent(const LoggedRequest& request) {
    if (!internal::IsEvent(request) || !request.changed) return;
    const std::string object = internal::EventText(request);
    if (object.empty()) return;
    const size_t count = tracks_[object].requests.Add(request.time, options_.window);
    if (count <= options_.max_events) return;
    Report(AuditKind::kEventStorm, request, object, count,
           absl::StrCat(count, " events within ", Window(),
                        ": write an event when something changes, not in each reconcile"));
  }

  void CheckUpdate(const LoggedRequest& request) {
    if (!internal::IsSuccessfulUpdate(request)) return;
    const std::string object = internal::ObjectText(request);
    Track& track = tracks_[object];
    if (!request.changed) {
      const size_t count = track.unchanged.Add(request.time, options_.window);
      if (count > options_.max_writes_without_change) {
        Report(AuditKind::kWriteWithoutChange, request, object, count,
               absl::StrCat(count, " writes within ", Window(),
                            " changed nothing: compare with what was read, and write only if it "
                            "differs"));
      }
    }
    if (request.verb == "update" && request.sent_version.empty()) {
      const size_t count = ++track.unconditional;
      Report(AuditKind::kUnconditionalUpdate, request, object, count,
             absl::StrCat(count,
                          " updates had no resourceVersion, and overwrite what others have "
                          "written meanwhile: update the object that was read"));
    }
  }

  void CheckSettled(const LoggedRequest& request) {
    if (!request.changed || request.time <= options_.settled) return;
    if (internal::IsEvent(request) || internal::IsLease(request)) return;
    const std::string object = internal::ObjectText(request);
    const size_t count = ++tracks_[object].after_settled;
    Report(AuditKind::kReconcileNeverEnds, request, object, count,
           absl::StrCat(count,
                        " writes changed it though nothing had happened any more, the last "
                        "one a ",
                        request.verb, " after ",
                        absl::FormatDuration(request.time - options_.settled)));
  }

  // Counts the objects of resources of which each owner has one.
  void FollowOwners(const LoggedRequest& request, bool own) {
    const std::string resource = internal::ResourceName(request.resource, request.group);
    if (!absl::c_linear_search(options_.one_per_owner, resource) || !request.changed) return;
    const std::string object = internal::ObjectText(request);
    if (request.verb == "delete" || request.verb == "deletecollection") {
      // The text of a collection is the beginning of those of its objects.
      for (auto& [owner, objects] : by_owner_) {
        for (auto it = objects.begin(); it != objects.end();) {
          const bool gone =
              request.verb == "delete" ? *it == object : absl::StartsWith(*it, object);
          it = gone ? objects.erase(it) : std::next(it);
        }
      }
      return;
    }
    if (!own || !internal::IsCreation(request) || request.object == nullptr) return;
    const Value* const owner = internal::ControllerOf(*request.object);
    if (owner == nullptr) return;
    std::set<std::string>& objects =
        by_owner_[absl::StrCat(resource, " ", (*owner)["uid"].text().value_or(""))];
    objects.insert(object);
    if (objects.size() < 2) return;
    Report(AuditKind::kCreatedTwice, request, object, objects.size(),
           absl::StrCat("the ", (*owner)["kind"].text().value_or("owner"), " ",
                        (*owner)["name"].text().value_or(""), " has ", objects.size(),
                        " of them: a stale cache was read before the second one was created; use "
                        "a name that follows from the owner's"));
  }

  // Keeps the last contents of each object.
  void Follow(const LoggedRequest& request, bool own) {
    if (!request.changed || internal::IsEvent(request)) return;
    if (!internal::IsCreation(request) && !internal::IsSuccessfulUpdate(request)) return;
    const bool status = request.subresource == "status";
    const std::string object = internal::ObjectText(request);
    if (request.object == nullptr) {
      // It is too large for the log. What this write has changed must not be put down to the next.
      writes_.erase(std::pair(object, status));
      return;
    }
    Writes& writes = writes_[{object, status}];
    if (own && !status) CheckFinalizers(request, object, writes.object.get());
    const std::string writer = internal::WriterText(request);
    std::string content = internal::ContentText(*request.object, status);
    // The replicas of an operator are one writer, and so are its programs, one after another.
    const bool is_operator_again = knows_operator_ && own && writes.writer_is_operator;
    const bool restores = !writes.writer.empty() && writer != writes.writer && !is_operator_again &&
                          content == writes.content_before;
    writes.restored = restores ? writes.restored + 1 : 0;
    if (writes.restored > options_.max_restored && (own || writes.writer_is_operator)) {
      Report(AuditKind::kWriterFight, request, object, writes.restored,
             absl::StrCat(writer, " and ", writes.writer, " undo each other's writes, ",
                          writes.restored,
                          " times in succession: let one of them own the fields, or apply only "
                          "one's own"));
    }
    writes.content_before = std::exchange(writes.content, std::move(content));
    writes.writer = writer;
    writes.writer_is_operator = own;
    writes.object = request.object;
  }

  void CheckFinalizers(const LoggedRequest& request, const std::string& object,
                       const Value* before) {
    if (before == nullptr || !internal::IsSuccessfulUpdate(request)) return;
    // A new object of the same name has finalizers of its own.
    if (internal::MetadataText(*before, "uid") != internal::MetadataText(*request.object, "uid")) {
      return;
    }
    const std::vector<std::string> left = internal::Finalizers(*request.object);
    for (const std::string& each : internal::Finalizers(*before)) {
      if (absl::c_linear_search(left, each) || IsOfCollector(each)) continue;
      if (absl::c_linear_search(options_.finalizers, each)) continue;
      Report(AuditKind::kLostFinalizer, request, object, 1,
             absl::StrCat("the ", request.verb, " removed the finalizer ", each,
                          ", which is somebody else's: change the list that was read, and do not "
                          "replace it"));
    }
  }

  const AuditOptions& options_;
  // Otherwise all requests are the operator's.
  const bool knows_operator_;
  internal::AuditSink sink_;
  std::map<std::string, Track> tracks_;
  // By object, and whether it is the status.
  std::map<std::pair<std::string, bool>, Writes> writes_;
  // By resource and UID of the owner.
  std::map<std::string, std::set<std::string>> by_owner_;
};

}  // namespace

std::vector<AuditFinding> AuditRequests(const std::vector<LoggedRequest>& log,
                                        const AuditOptions& options) {
  RequestAudit audit(options);
  for (const LoggedRequest& request : log) audit.See(request);
  return audit.Findings();
}

}  // namespace kube::controller
