#include "controller/testing/story.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/internal/logged_object.h"

namespace kube::controller {

using apiserver::LoggedRequest;
using unstructured::Value;

namespace {

// Maximum length of a value in a story.
constexpr size_t kMaxValue = 60;

std::string Shown(const Value& value) {
  if (value.is_null()) return "none";
  const absl::StatusOr<std::string> json = unstructured::EncodeJson(value);
  std::string text = json.ok() ? *json : "?";
  if (text.size() > kMaxValue) text = absl::StrCat(text.substr(0, kMaxValue - 3), "...");
  return text;
}

bool IsNoise(absl::string_view field) {
  return field == "managedFields" || field == "resourceVersion" || field == "generation";
}

// Appends "spec.replicas: 2 -> 3" for each field that differs.
void AddChanges(const Value& before, const Value& after, const std::string& path, bool secret,
                std::vector<std::string>& changes) {
  if (before == after) return;
  if (!before.is_object() || !after.is_object()) {
    changes.push_back(secret ? absl::StrCat(path, ": changed")
                             : absl::StrCat(path, ": ", Shown(before), " -> ", Shown(after)));
    return;
  }
  std::set<std::string> fields;
  for (const auto& [key, value] : *before.object()) fields.insert(std::string(key.view()));
  for (const auto& [key, value] : *after.object()) fields.insert(std::string(key.view()));
  for (const std::string& each : fields) {
    if (IsNoise(each)) continue;
    const bool hidden = secret || (path.empty() && after["kind"].text().value_or("") == "Secret" &&
                                   (each == "data" || each == "stringData"));
    AddChanges(before[each], after[each], path.empty() ? each : absl::StrCat(path, ".", each),
               hidden, changes);
  }
}

class Teller {
 public:
  Teller(const AuditFinding& finding, const StoryOptions& options)
      : finding_(finding), options_(options) {}

  void See(const LoggedRequest& request) {
    if (!IsAbout(request)) return;
    std::string line = Line(request);
    if (IsInTime(request)) lines_.push_back(std::move(line));
  }

  void SetBegin(absl::Time begin) { begin_ = begin; }

  std::string Text() const {
    const size_t kept = std::min(options_.max_lines, lines_.size());
    const size_t left_out = lines_.size() - kept;
    std::string text;
    if (left_out > 0) text = absl::StrCat("(", left_out, " earlier requests)\n");
    for (size_t i = left_out; i < lines_.size(); ++i) absl::StrAppend(&text, lines_[i], "\n");
    return text;
  }

 private:
  bool IsAbout(const LoggedRequest& request) const {
    if (finding_.object.empty()) return true;
    // A right is a verb and a resource; everything else an object, or an event about one.
    if (finding_.kind == AuditKind::kMissingRight || finding_.kind == AuditKind::kUnusedRight) {
      const std::string resource = internal::ResourceName(request.resource, request.group);
      for (const std::string& verb : {request.verb, request.denied_verb}) {
        const std::string right = absl::StrCat(verb, " ", resource);
        if (finding_.object == right) return true;
        if (finding_.object == absl::StrCat(right, "/", request.subresource)) return true;
      }
      return false;
    }
    return internal::ObjectText(request) == finding_.object ||
           internal::EventText(request) == finding_.object;
  }

  bool IsInTime(const LoggedRequest& request) const {
    if (finding_.time == absl::InfinitePast()) return true;
    return request.time >= finding_.time - options_.before &&
           request.time <= finding_.time + options_.after;
  }

  // Returns the line, with the changes since the last line about the same object.
  std::string Line(const LoggedRequest& request) {
    const std::string object = internal::ObjectText(request);
    std::string line = absl::StrCat("+", absl::FormatDuration(request.time - begin_), " ",
                                    internal::WriterText(request), " ", request.verb, " ",
                                    object.empty() ? request.target : object);
    if (!request.subresource.empty()) absl::StrAppend(&line, " (", request.subresource, ")");
    absl::StrAppend(&line, " ", request.code);
    if (!request.fault.empty()) absl::StrAppend(&line, " fault: ", request.fault);
    if (request.object == nullptr) {
      // What it has changed must not be told of the next write.
      const bool forgets = request.changed && objects_.erase(object) > 0;
      return forgets ? absl::StrCat(line, " object not logged") : line;
    }
    std::shared_ptr<const Value>& before = objects_[object];
    const std::shared_ptr<const Value> known = std::exchange(before, request.object);
    if (!request.changed) {
      absl::StrAppend(&line, " unchanged");
    } else if (known != nullptr) {
      AppendChanges(*known, *request.object, line);
    }
    return line;
  }

  void AppendChanges(const Value& before, const Value& after, std::string& line) const {
    std::vector<std::string> changes;
    AddChanges(before, after, "", /*secret=*/false, changes);
    for (size_t i = 0; i < changes.size() && i < options_.max_changes; ++i) {
      absl::StrAppend(&line, "\n    ", changes[i]);
    }
    if (changes.size() > options_.max_changes) {
      absl::StrAppend(&line, "\n    and ", changes.size() - options_.max_changes, " more fields");
    }
  }

  const AuditFinding& finding_;
  const StoryOptions& options_;
  absl::Time begin_ = absl::UnixEpoch();
  std::map<std::string, std::shared_ptr<const Value>> objects_;
  std::vector<std::string> lines_;
};

}  // namespace

std::string TellStory(const std::vector<LoggedRequest>& log, const AuditFinding& finding,
                      const StoryOptions& options) {
  Teller teller(finding, options);
  if (!log.empty()) teller.SetBegin(log.front().time);
  for (const LoggedRequest& request : log) teller.See(request);
  return teller.Text();
}

}  // namespace kube::controller
