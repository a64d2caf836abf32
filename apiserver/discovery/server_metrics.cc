#include "apiserver/discovery/server_metrics.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/types/kind_info.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

// Enough for all resources, verbs and codes, including custom resources.
constexpr size_t kMaxLabelSets = 20'000;

template <typename T>
T Made(absl::StatusOr<T> metric) {
  KUBE_CHECK(metric.ok()) << "register server metric: " << metric.status();
  return *std::move(metric);
}

// Returns the scope of the route (kube-apiserver: `APIInstaller`).
absl::string_view ScopeOf(const RequestInfo& info) {
  if (info.names_one() || info.verb == "create") return "resource";
  return info.namespace_name.empty() ? "cluster" : "namespace";
}

// Returns the metrics' name for the method of a request (kube-apiserver: `cleanVerb`).
absl::string_view VerbOf(const httpserver::Request& request, const RequestInfo& info) {
  if (info.verb == "watch") return "WATCH";
  if (request.method != "GET" && request.method != "HEAD") return request.method;
  return info.verb == "list" ? "LIST" : "GET";
}

absl::string_view DryRunOf(const RequestInfo& info) {
  const auto it = info.query.find("dryRun");
  if (it == info.query.end() || it->second.empty()) return "";
  const bool valid = std::all_of(it->second.begin(), it->second.end(),
                                 [](const std::string& each) { return each == "All"; });
  return valid ? "All" : "invalid";
}

bool IsHealth(absl::string_view path) {
  for (absl::string_view name : {"/healthz", "/livez", "/readyz"}) {
    if (path == name || absl::StartsWith(path, absl::StrCat(name, "/"))) return true;
  }
  return false;
}

}  // namespace

ServerMetrics::ServerMetrics() : registry_({.max_label_sets = kMaxLabelSets}) {
  const std::vector<std::string> labels = {"verb",     "dry_run",     "group", "version",
                                           "resource", "subresource", "scope", "component"};
  std::vector<std::string> with_code = labels;
  with_code.push_back("code");
  requests_ = Made(registry_.MakeCounter(
      {.name = "apiserver_request_total",
       .help = "Number of requests, partitioned by verb, dry run, group, version, resource, "
               "subresource, scope, component and HTTP response code.",
       .label_names = std::move(with_code)}));
  durations_ = Made(registry_.MakeHistogram(
      {.name = "apiserver_request_duration_seconds",
       .help = "Response latency distribution in seconds, partitioned by verb, dry run, group, "
               "version, resource, subresource, scope and component.",
       .label_names = labels,
       .buckets = {0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1,  1.25, 1.5, 2,
                   3,     4,     5,    6,   8,   10,  15,  20,  30, 45,   60}}));
  objects_ = Made(registry_.MakeGauge({.name = "apiserver_resource_objects",
                                       .help = "Number of stored objects, partitioned by resource.",
                                       .label_names = {"group", "resource"}}));
  const std::vector<std::string> version = absl::StrSplit(KUBERNETES_VERSION, '.');
  Made(registry_.MakeGauge(
           {.name = "kubernetes_build_info",
            .help = "Constant 1, labeled by the Kubernetes release that this server emulates.",
            .label_names = {"major", "minor", "git_version"}}))
      .WithLabelValues({version[0], version[1], absl::StrCat("v", KUBERNETES_VERSION)})
      .Set(1);
}

void ServerMetrics::Observe(const httpserver::Request& request, const RequestInfo& info,
                            const Resources& resources, int code, absl::Duration elapsed) {
  const std::string code_text = absl::StrCat(code);
  if (!info.is_resource_request) {
    if (!IsHealth(info.path) || code == 404) return;
    requests_.WithLabelValues({"GET", "", "", "", "", info.path, "", "apiserver", code_text})
        .Increment();
    return;
  }
  const Resource* const resource = resources.Find(info.group, info.version, info.resource);
  const bool known =
      resource != nullptr &&
      (info.subresource.empty() || resource->FindSubresource(info.subresource) != nullptr);
  // Clients must not be able to create arbitrary label values.
  if (!known) return;
  const absl::string_view verb = VerbOf(request, info);
  const absl::string_view dry_run = DryRunOf(info);
  const absl::string_view scope = ScopeOf(info);
  requests_
      .WithLabelValues({verb, dry_run, info.group, info.version, info.resource, info.subresource,
                        scope, "apiserver", code_text})
      .Increment();
  if (verb == "WATCH") return;
  durations_
      .WithLabelValues({verb, dry_run, info.group, info.version, info.resource, info.subresource,
                        scope, "apiserver"})
      .Observe(absl::ToDoubleSeconds(elapsed));
}

std::string ServerMetrics::Render(const Storage& storage, const Resources& resources) {
  // Two versions of a resource may be stored apart.
  std::map<std::pair<absl::string_view, absl::string_view>, size_t> counts;
  for (const Resource* resource : resources.Stored()) {
    counts[{resource->kind->group, resource->kind->plural}] += storage.Count(resource->storage, "");
  }
  for (const auto& [name, count] : counts) {
    objects_.WithLabelValues({name.first, name.second}).Set(static_cast<double>(count));
  }
  return registry_.Render();
}

}  // namespace kube::apiserver::internal
