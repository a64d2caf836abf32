#include "clientset/discovery/testing/scripted_server.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"

namespace kube::discovery {
namespace {

constexpr char kAggregatedCore[] = R"({"kind":"APIGroupDiscoveryList","items":[
  {"metadata":{"name":""},"versions":[{"version":"v1","resources":[
    {"resource":"pods","responseKind":{"group":"","version":"v1","kind":"Pod"},
     "scope":"Namespaced","singularResource":"pod","verbs":["get","list"],"shortNames":["po"],
     "categories":["all"],"subresources":[
       {"subresource":"status","responseKind":{"group":"","version":"v1","kind":"Pod"},
        "verbs":["get"]}]},
    {"resource":"nodes","responseKind":{"group":"","version":"v1","kind":"Node"},
     "scope":"Cluster","singularResource":"node","verbs":["get"],"shortNames":["no"]}]}]}]})";

constexpr char kAggregatedGroups[] = R"({"kind":"APIGroupDiscoveryList","items":[
  {"metadata":{"name":"apps"},"versions":[
    {"version":"v1","resources":[
      {"resource":"deployments","responseKind":{"group":"apps","version":"v1","kind":"Deployment"},
       "scope":"Namespaced","singularResource":"deployment","verbs":["get"],
       "shortNames":["deploy"],"categories":["all"]}]},
    {"version":"v1beta1","resources":[
      {"resource":"deployments",
       "responseKind":{"group":"apps","version":"v1beta1","kind":"Deployment"},
       "scope":"Namespaced","singularResource":"deployment","verbs":["get"]},
      {"resource":"controllers",
       "responseKind":{"group":"apps","version":"v1beta1","kind":"Controller"},
       "scope":"Namespaced","singularResource":"controller","verbs":["get"]}]}]},
  {"metadata":{"name":"metrics.k8s.io"},"versions":[{"version":"v1beta1","resources":[
      {"resource":"nodes",
       "responseKind":{"group":"metrics.k8s.io","version":"v1beta1","kind":"NodeMetrics"},
       "scope":"Cluster","singularResource":"","verbs":["get"],"shortNames":["no"]}]}]}]})";

constexpr char kGroups[] = R"({"kind":"APIGroupList","apiVersion":"v1","groups":[
  {"name":"apps","versions":[{"groupVersion":"apps/v1","version":"v1"},
                             {"groupVersion":"apps/v1beta1","version":"v1beta1"}],
   "preferredVersion":{"groupVersion":"apps/v1","version":"v1"}},
  {"name":"metrics.k8s.io",
   "versions":[{"groupVersion":"metrics.k8s.io/v1beta1","version":"v1beta1"}],
   "preferredVersion":{"groupVersion":"metrics.k8s.io/v1beta1","version":"v1beta1"}}]})";

constexpr char kCore[] = R"({"kind":"APIResourceList","groupVersion":"v1","resources":[
  {"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["get","list"],
   "shortNames":["po"],"categories":["all"]},
  {"name":"pods/status","singularName":"","namespaced":true,"kind":"Pod","verbs":["get"]},
  {"name":"nodes","singularName":"node","namespaced":false,"kind":"Node","verbs":["get"],
   "shortNames":["no"]}]})";

constexpr char kApps[] = R"({"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1",
  "resources":[{"name":"deployments","singularName":"deployment","namespaced":true,
  "kind":"Deployment","verbs":["get"],"shortNames":["deploy"],"categories":["all"]}]})";

constexpr char kAppsBeta[] = R"({"kind":"APIResourceList","apiVersion":"v1",
  "groupVersion":"apps/v1beta1","resources":[
  {"name":"deployments","singularName":"","namespaced":true,"kind":"Deployment","verbs":["get"]},
  {"name":"controllers","singularName":"","namespaced":true,"kind":"Controller",
   "verbs":["get"]}]})";

constexpr char kMetrics[] = R"({"kind":"APIResourceList","apiVersion":"v1",
  "groupVersion":"metrics.k8s.io/v1beta1","resources":[
  {"name":"nodes","singularName":"","namespaced":false,"kind":"NodeMetrics","verbs":["get"],
   "shortNames":["no"]}]})";

}  // namespace

ScriptedServer::ScriptedServer(Mode mode)
    : transport_(std::make_shared<rest::ScriptedTransport>()),
      client_(rest::MakeScriptedClient(transport_)) {
  if (mode == Mode::kAggregated) {
    SetAggregated("/api", kAggregatedCore);
    SetAggregated("/apis", kAggregatedGroups);
  } else {
    Set("/api", rest::JsonReply(R"({"kind":"APIVersions","versions":["v1"]})"));
    Set("/apis", rest::JsonReply(kGroups));
  }
  Set("/api/v1", rest::JsonReply(kCore));
  Set("/apis/apps/v1", rest::JsonReply(kApps));
  Set("/apis/apps/v1beta1", rest::JsonReply(kAppsBeta));
  Set("/apis/metrics.k8s.io/v1beta1", rest::JsonReply(kMetrics));
  Set("/version", rest::JsonReply(R"({"major":"1","minor":"36","gitVersion":"v1.36.2"})"));
  transport_->Handle({}, [this](const rest::RecordedRequest& request) {
    base::MutexLock lock(mutex_);
    paths_.push_back(request.path);
    if (auto once = once_.extract(request.path); !once.empty()) return std::move(once.mapped());
    const auto reply = replies_.find(request.path);
    return reply != replies_.end() ? reply->second
                                   : rest::StatusReply(404, "NotFound", "no such path");
  });
}

void ScriptedServer::Set(absl::string_view path, rest::ScriptedReply reply) {
  base::MutexLock lock(mutex_);
  replies_.insert_or_assign(std::string(path), std::move(reply));
}

void ScriptedServer::SetOnce(absl::string_view path, rest::ScriptedReply reply) {
  base::MutexLock lock(mutex_);
  once_.insert_or_assign(std::string(path), std::move(reply));
}

void ScriptedServer::SetAggregated(absl::string_view path, absl::string_view json) {
  rest::ScriptedReply reply = rest::JsonReply(json);
  reply.headers.Set("content-type",
                    "application/json;as=APIGroupDiscoveryList;g=apidiscovery.k8s.io;v=v2");
  Set(path, std::move(reply));
}

std::vector<std::string> ScriptedServer::TakePaths() {
  base::MutexLock lock(mutex_);
  std::vector<std::string> paths = std::move(paths_);
  paths_.clear();
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace kube::discovery
