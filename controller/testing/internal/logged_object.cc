#include "controller/testing/internal/logged_object.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "controller/testing/audit_options.h"

namespace kube::controller::internal {

using apiserver::LoggedRequest;
using unstructured::Value;

namespace {

bool IsDryRun(const LoggedRequest& request) { return absl::StrContains(request.target, "dryRun="); }

bool ChangesWithEachWrite(absl::string_view field) {
  return field == "resourceVersion" || field == "generation" || field == "managedFields" ||
         field == "lastTransitionTime" || field == "lastUpdateTime" ||
         field == "lastHeartbeatTime" || field == "lastProbeTime" || field == "observedGeneration";
}

// Returns the value without the members that change with each write.
Value Lasting(const Value& value) {
  if (const Map<Value>* const members = value.object(); members != nullptr) {
    Map<Value> left = Map<Value>::Empty();
    for (const auto& [key, member] : *members) {
      if (!ChangesWithEachWrite(key.view())) left[key.view()] = Lasting(member);
    }
    return Value(std::move(left));
  }
  if (const List<Value>* const elements = value.list(); elements != nullptr) {
    List<Value> left;
    for (const Value& each : *elements) left.push_back(Lasting(each));
    return Value(std::move(left));
  }
  return value;
}

std::string TextWith(absl::string_view resource, absl::string_view namespace_name,
                     absl::string_view name) {
  if (resource == "namespaces" || namespace_name.empty()) return absl::StrCat(resource, " ", name);
  return absl::StrCat(resource, " ", namespace_name, "/", name);
}

const std::string& NameOf(const LoggedRequest& request) {
  return request.name.empty() ? request.object_name : request.name;
}

}  // namespace

bool IsOperators(const LoggedRequest& request, const AuditOptions& options) {
  if (!options.user.empty() && request.user != options.user) return false;
  return absl::StartsWith(request.user_agent, options.user_agent);
}

bool IsSuccessfulUpdate(const LoggedRequest& request) {
  return (request.verb == "update" || request.verb == "patch") && request.code == 200 &&
         (request.subresource.empty() || request.subresource == "status") && !IsDryRun(request);
}

bool IsCreation(const LoggedRequest& request) {
  return request.code == 201 && request.changed && request.subresource.empty();
}

bool IsEvent(const LoggedRequest& request) {
  return request.resource == "events" &&
         (request.group.empty() || request.group == "events.k8s.io");
}

bool IsLease(const LoggedRequest& request) {
  return request.resource == "leases" && request.group == "coordination.k8s.io";
}

std::string ResourceName(absl::string_view resource, absl::string_view group) {
  return group.empty() ? std::string(resource) : absl::StrCat(resource, ".", group);
}

std::string ObjectText(const LoggedRequest& request) {
  if (request.resource.empty()) return "";
  return TextWith(ResourceName(request.resource, request.group), request.namespace_name,
                  NameOf(request));
}

std::string ObjectText(absl::string_view resource, const Value& object) {
  return TextWith(resource, MetadataText(object, "namespace"), MetadataText(object, "name"));
}

bool NamesObject(const LoggedRequest& request) {
  return !request.resource.empty() && !NameOf(request).empty() && request.verb != "list" &&
         request.verb != "watch";
}

std::string EventText(const LoggedRequest& request) {
  if (!IsEvent(request) || request.object == nullptr) return "";
  const Value& event = *request.object;
  const Value& about =
      event["involvedObject"].is_object() ? event["involvedObject"] : event["regarding"];
  if (!about.is_object()) return "";
  const std::string name(about["name"].text().value_or(""));
  const std::string kind(about["kind"].text().value_or(""));
  return TextWith(absl::StrCat("events ", kind), about["namespace"].text().value_or(""), name);
}

std::string WriterText(const LoggedRequest& request) {
  const std::string user = request.user.empty() ? "unknown user" : request.user;
  if (request.user_agent.empty()) return user;
  return absl::StrCat(user, " (", request.user_agent, ")");
}

std::string MetadataText(const Value& object, absl::string_view field) {
  return std::string(object["metadata"][field].text().value_or(""));
}

std::vector<std::string> Finalizers(const Value& object) {
  std::vector<std::string> finalizers;
  const List<Value>* const list = object["metadata"]["finalizers"].list();
  if (list == nullptr) return finalizers;
  for (const Value& each : *list) finalizers.push_back(std::string(each.text().value_or("")));
  return finalizers;
}

const Value* ControllerOf(const Value& object) {
  const List<Value>* const owners = object["metadata"]["ownerReferences"].list();
  if (owners == nullptr) return nullptr;
  for (const Value& each : *owners) {
    if (each["controller"].boolean().value_or(false)) return &each;
  }
  return nullptr;
}

std::string ContentText(const Value& object, bool status) {
  Value content;
  if (status) {
    content = Lasting(object["status"]);
  } else {
    content = Lasting(object);
    if (Map<Value>* const members = content.object(); members != nullptr) members->erase("status");
  }
  const absl::StatusOr<std::string> text = unstructured::EncodeJson(content);
  return text.ok() ? *text : "";
}

}  // namespace kube::controller::internal
