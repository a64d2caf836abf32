// Compares discovery, its caches and its mappers with client-go: the results for a server's
// documents, the requests, and the files that are written.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/version/info.kube.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/disk_cache.h"
#include "clientset/discovery/memory_cache.h"
#include "clientset/discovery/server_resources.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/restmapper/category_expander.h"
#include "clientset/restmapper/deferred_discovery_rest_mapper.h"
#include "clientset/restmapper/shortcut_expander.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube {
namespace {

namespace fs = std::filesystem;
namespace metav1 = api::meta::v1;
using oracle::Dice;
using oracle::GoCases;
using unstructured::Value;

constexpr uint64_t kSeed = 20261121;

struct Reply {
  int status = 200;
  std::string content_type = "application/json";
  std::string body = {};

  Value ToValue() const {
    Value value;
    At(value, {"Status"}) = status;
    At(value, {"ContentType"}) = content_type;
    At(value, {"Body"}) = body;
    return value;
  }
};

struct Step {
  std::string op;
  std::string arg = {};
  Reply reply = {};
};

// A server and the calls for it, in the format of discovery_oracle.
struct Scenario {
  std::string client;
  std::map<std::string, Reply> replies = {};
  std::vector<Step> steps = {};

  std::string ToText() const {
    Value text;
    At(text, {"Client"}) = client;
    At(text, {"Replies"}) = Map<Value>();
    for (const auto& [path, reply] : replies) At(text, {"Replies", path}) = reply.ToValue();
    List<Value> list;
    for (const Step& step : steps) {
      Value one;
      At(one, {"Op"}) = step.op;
      At(one, {"Arg"}) = step.arg;
      At(one, {"Reply"}) = step.reply.ToValue();
      list.push_back(std::move(one));
    }
    At(text, {"Steps"}) = std::move(list);
    return *unstructured::EncodeJson(text);
  }
};

// ---- ours

class Server {
 public:
  explicit Server(std::map<std::string, Reply> replies) : replies_(std::move(replies)) {
    transport_->Handle({}, [this](const rest::RecordedRequest& request) {
      base::MutexLock lock(mutex_);
      asked_.push_back(absl::StrCat(request.url, " ", request.Header("accept")));
      const auto found = replies_.find(request.path);
      if (found == replies_.end()) return rest::StatusReply(404, "NotFound", "");
      rest::ScriptedReply reply = {.status = found->second.status, .body = found->second.body};
      reply.headers.Set("content-type", found->second.content_type);
      return reply;
    });
  }

  void Set(const std::string& path, const Reply& reply) {
    base::MutexLock lock(mutex_);
    replies_[path] = reply;
  }
  std::string Take() {
    base::MutexLock lock(mutex_);
    std::sort(asked_.begin(), asked_.end());
    std::string text = absl::StrJoin(asked_, " ");
    asked_.clear();
    return text;
  }
  const rest::Client& client() const { return client_; }

 private:
  const std::shared_ptr<rest::ScriptedTransport> transport_ =
      std::make_shared<rest::ScriptedTransport>();
  const rest::Client client_ = rest::MakeScriptedClient(transport_);
  base::Mutex mutex_;
  std::map<std::string, Reply> replies_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> asked_ ABSL_GUARDED_BY(mutex_);
};

std::string GroupsText(const metav1::APIGroupList& groups) {
  std::vector<std::string> all;
  for (const metav1::APIGroup& group : groups.groups) all.push_back(*codec::EncodeJson(group));
  return absl::StrJoin(all, " ");
}

std::string ListsText(const std::vector<discovery::ResourceList>& lists) {
  std::vector<std::string> all;
  for (const discovery::ResourceList& list : lists) {
    metav1::APIResourceList sorted = *list;
    std::sort(sorted.resources.begin(), sorted.resources.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    if (sorted.resources.is_null()) sorted.resources.clear();
    all.push_back(*codec::EncodeJson(sorted));
  }
  std::sort(all.begin(), all.end());
  return absl::StrJoin(all, " ");
}

std::string AllText(const absl::StatusOr<discovery::ServerResources>& all, bool with_groups) {
  if (!all.ok()) return "error";
  std::vector<std::string> failed;
  for (const auto& [group_version, status] : all->failed) {
    failed.push_back(group_version.ToString());
  }
  std::sort(failed.begin(), failed.end());
  return absl::StrCat(with_groups ? GroupsText(*all->groups) : "", " ", ListsText(all->resources),
                      " failed: ", absl::StrJoin(failed, ","));
}

schema::GroupVersionResource Partial(absl::string_view text) {
  const std::vector<std::string> parts = absl::StrSplit(text, '/');
  return {.group = parts[0], .version = parts[1], .resource = parts[2]};
}

template <typename T>
std::string Text(const absl::StatusOr<T>& value) {
  return value.ok() ? value->ToString() : "error";
}

// A client with its caches and mappers.
class Session {
 public:
  Session(const std::string& client, const std::string& directory, const Server& server) {
    const auto plain = std::make_shared<discovery::DiscoveryClient>(
        server.client(), discovery::DiscoveryClientOptions{.legacy = client == "legacy",
                                                           .no_peer = client == "nopeer"});
    cached_ = std::make_shared<discovery::MemoryCache>(
        plain, discovery::MemoryCacheOptions{.negative_ttl = absl::InfiniteDuration()});
    discovery_ = plain;
    if (client == "memory") discovery_ = cached_;
    if (client == "disk") {
      cached_ = std::make_shared<discovery::DiskCache>(
          cached_, discovery::DiskCacheOptions{.directory = directory});
      discovery_ = cached_;
    }
    mapper_ = std::make_unique<restmapper::ShortcutExpander>(
        std::make_shared<restmapper::DeferredDiscoveryRestMapper>(
            cached_,
            restmapper::DeferredRestMapperOptions{.negative_ttl = absl::InfiniteDuration()}),
        cached_);
    categories_ = std::make_unique<restmapper::DiscoveryCategoryExpander>(cached_);
  }

  std::string Do(const Step& step) {
    if (step.op == "fresh") return cached_->Fresh() ? "true" : "false";
    if (step.op == "invalidate") {
      cached_->Invalidate();
      return "";
    }
    if (step.op == "kind") return Text(mapper_->KindFor(ctx_, Partial(step.arg)));
    if (step.op == "resource") return Text(mapper_->ResourceFor(ctx_, Partial(step.arg)));
    if (step.op == "mapping") return Mapping(Partial(step.arg));
    if (step.op == "category") return Category(step.arg);
    return Ask(step);
  }

 private:
  std::string Ask(const Step& step) {
    if (step.op == "groups") {
      const absl::StatusOr<discovery::GroupList> groups = discovery_->ServerGroups(ctx_);
      return groups.ok() ? GroupsText(**groups) : "error";
    }
    if (step.op == "resources") {
      const absl::StatusOr<discovery::ResourceList> list =
          discovery_->ServerResourcesForGroupVersion(ctx_, step.arg);
      return list.ok() ? ListsText({*list}) : "error";
    }
    if (step.op == "all") return AllText(discovery_->ServerGroupsAndResources(ctx_), true);
    if (step.op == "preferred") return AllText(discovery_->ServerPreferredResources(ctx_), false);
    if (step.op == "namespaced") {
      return AllText(discovery_->ServerPreferredNamespacedResources(ctx_), false);
    }
    const absl::StatusOr<version::Info> info = discovery_->ServerVersion(ctx_);
    return info.ok() ? *codec::EncodeJson(*info) : "error";
  }

  std::string Mapping(const schema::GroupVersionResource& of) {
    const absl::StatusOr<restmapper::RestMapping> mapping = mapper_->RestMappingFor(
        ctx_, {.group = of.group, .kind = of.resource}, std::vector<std::string>{of.version});
    if (!mapping.ok()) return "error";
    return absl::StrCat(mapping->resource.ToString(), " ", mapping->kind.ToString(), " ",
                        mapping->scope == Scope::kNamespaced ? "namespace" : "root");
  }

  std::string Category(const std::string& name) {
    const auto resources = categories_->Expand(ctx_, name);
    std::vector<std::string> all;
    if (resources.has_value()) {
      for (const schema::GroupResource& each : *resources) all.push_back(each.ToString());
    }
    std::sort(all.begin(), all.end());
    return absl::StrCat(absl::StrJoin(all, ","), " ", resources.has_value() ? "true" : "false");
  }

  const Context ctx_{};
  std::shared_ptr<discovery::Discovery> discovery_;
  std::shared_ptr<discovery::CachedDiscovery> cached_;
  std::unique_ptr<restmapper::RestMapper> mapper_;
  std::unique_ptr<restmapper::CategoryExpander> categories_;
};

std::string FilesText(const std::string& directory) {
  std::vector<std::string> all;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_directory()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    std::string quoted;
    text::AppendQuoted(quoted, content);
    all.push_back(absl::StrFormat("%s %o %s", fs::relative(entry.path(), directory).string(),
                                  static_cast<unsigned>(entry.status().permissions()), quoted));
  }
  std::sort(all.begin(), all.end());
  return absl::StrJoin(all, " ");
}

std::string Ours(const Scenario& scenario) {
  const char* parent = std::getenv("TEST_TMPDIR");
  std::string directory = absl::StrCat(parent == nullptr ? "/tmp" : parent, "/XXXXXX");
  mkdtemp(directory.data());
  Server server(scenario.replies);
  auto session = std::make_unique<Session>(scenario.client, directory, server);
  std::vector<std::string> results;
  for (const Step& step : scenario.steps) {
    if (step.op == "set") {
      server.Set(step.arg, step.reply);
    } else if (step.op == "reopen") {
      session = std::make_unique<Session>(scenario.client, directory, server);
    } else {
      results.push_back(session->Do(step));
      results.push_back(server.Take());
    }
  }
  results.push_back(FilesText(directory));
  fs::remove_all(directory);
  return absl::StrJoin(results, " | ");
}

// ---- scenarios

class ScenarioMaker {
 public:
  explicit ScenarioMaker(uint64_t seed) : dice_(seed) {}

  Scenario Next() {
    Scenario scenario = {
        .client = Pick({"plain", "plain", "legacy", "nopeer", "memory", "memory", "disk", "disk"})};
    aggregated_ = scenario.client != "legacy" && dice_.Below(3) != 0;
    beta_ = dice_.Below(3) == 0;
    scenario.replies["/version"] = {
        .body = R"({"major":"1","minor":"36","gitVersion":"v1.36.2","platform":"a/b"})"};
    SetDocuments(scenario.replies);
    if (Maybe(4)) Break(scenario.replies);
    const size_t count = 2 + dice_.Below(6);
    for (size_t i = 0; i < count; ++i) AddStep(scenario);
    return scenario;
  }

 private:
  bool Maybe(size_t n) { return dice_.Below(n) == 0; }
  std::string Pick(const std::vector<std::string>& texts) {
    return texts[dice_.Below(texts.size())];
  }

  static Value KindValue(const std::string& group, const std::string& version,
                         const std::string& kind) {
    Value value;
    At(value, {"group"}) = group;
    At(value, {"version"}) = version;
    At(value, {"kind"}) = kind;
    return value;
  }

  // Returns a resource of the group. `number` makes the resources of a version different.
  Value AggregatedResource(const std::string& group, const std::string& version, size_t number) {
    Value resource;
    const std::string name = absl::StrCat("things", number);
    At(resource, {"resource"}) = name;
    At(resource, {"singularResource"}) = Maybe(3) ? "" : absl::StrCat("thing", number);
    At(resource, {"scope"}) = Pick({"Namespaced", "Cluster"});
    At(resource, {"verbs"}) = List<Value>{"get", "list"};
    if (!Maybe(6)) {
      At(resource, {"responseKind"}) = KindValue(group, version, absl::StrCat("Thing", number));
    }
    // No two groups share a short name: client-go chooses between them at random.
    if (Maybe(2)) At(resource, {"shortNames"}) = List<Value>{absl::StrCat("t", number, group)};
    if (Maybe(2)) At(resource, {"categories"}) = List<Value>{"all", Pick({"x", "y"})};
    if (Maybe(2)) {
      Value scale;
      At(scale, {"subresource"}) = "scale";
      At(scale, {"verbs"}) = List<Value>{"get"};
      if (!Maybe(4)) At(scale, {"responseKind"}) = KindValue("autoscaling", "v1", "Scale");
      At(resource, {"subresources"}) = List<Value>{std::move(scale), Map<Value>()};
    }
    return resource;
  }

  static Value Listed(const std::string& group, const std::string& version) {
    Value value;
    At(value, {"groupVersion"}) = group.empty() ? version : absl::StrCat(group, "/", version);
    At(value, {"version"}) = version;
    return value;
  }

  std::string LegacyList(const std::string& group, const std::string& version) {
    Value list;
    At(list, {"kind"}) = "APIResourceList";
    if (!Maybe(3)) At(list, {"apiVersion"}) = "v1";
    At(list, {"groupVersion"}) = Listed(group, version)["groupVersion"];
    List<Value> resources;
    for (size_t number = 0; number < 1 + dice_.Below(3); ++number) {
      Value resource;
      At(resource, {"name"}) = absl::StrCat("things", number);
      At(resource, {"singularName"}) = Maybe(3) ? "" : absl::StrCat("thing", number);
      At(resource, {"namespaced"}) = Maybe(2);
      At(resource, {"kind"}) = absl::StrCat("Thing", number);
      At(resource, {"verbs"}) = List<Value>{"get", "list"};
      if (Maybe(2)) At(resource, {"shortNames"}) = List<Value>{absl::StrCat("t", number, group)};
      if (Maybe(2)) At(resource, {"categories"}) = List<Value>{"all", Pick({"x", "y"})};
      if (Maybe(2)) At(resource, {"storageVersionHash"}) = "a+b/c=";
      resources.push_back(resource);
      if (!Maybe(3)) continue;
      Value scale;
      At(scale, {"name"}) = absl::StrCat("things", number, "/scale");
      At(scale, {"singularName"}) = "";
      At(scale, {"namespaced"}) = true;
      At(scale, {"group"}) = "autoscaling";
      At(scale, {"version"}) = "v1";
      At(scale, {"kind"}) = "Scale";
      At(scale, {"verbs"}) = List<Value>{"get"};
      resources.push_back(std::move(scale));
    }
    At(list, {"resources"}) = std::move(resources);
    return *unstructured::EncodeJson(list);
  }

  void SetDocuments(std::map<std::string, Reply>& replies) {
    Value core = AggregatedGroup("", {"v1"}, /*may_be_stale=*/false);
    Value all;
    At(all, {"items"}) = List<Value>{std::move(core)};
    Value groups;
    List<Value> items;
    List<Value> listed;
    for (const std::string group : {"apps", "batch", "metrics.k8s.io"}) {
      if (Maybe(4)) continue;
      std::vector<std::string> versions = {"v1"};
      if (Maybe(2)) versions.insert(versions.begin() + static_cast<long>(dice_.Below(2)), "v2");
      items.push_back(AggregatedGroup(group, versions, true));
      Value one;
      At(one, {"name"}) = group;
      List<Value> list;
      for (const std::string& version : versions) {
        list.push_back(Listed(group, version));
        replies[absl::StrCat("/apis/", group, "/", version)] = {.body = LegacyList(group, version)};
      }
      At(one, {"versions"}) = std::move(list);
      At(one, {"preferredVersion"}) = Listed(group, versions[dice_.Below(versions.size())]);
      if (Maybe(3)) {
        Value address;
        At(address, {"clientCIDR"}) = "0.0.0.0/0";
        At(address, {"serverAddress"}) = "10.0.0.1:6443";
        At(one, {"serverAddressByClientCIDRs"}) = List<Value>{std::move(address)};
      }
      listed.push_back(std::move(one));
    }
    replies["/api/v1"] = {.body = LegacyList("", "v1")};
    replies["/api"] = {.body = R"({"kind":"APIVersions","versions":["v1"]})"};
    At(groups, {"kind"}) = "APIGroupList";
    At(groups, {"apiVersion"}) = "v1";
    At(groups, {"groups"}) = std::move(listed);
    replies["/apis"] = {.body = *unstructured::EncodeJson(groups)};
    if (!aggregated_) return;
    Value named;
    At(named, {"items"}) = std::move(items);
    // Sometimes one of the two documents has the old form.
    if (!Maybe(8)) replies["/api"] = Aggregated(all);
    if (!Maybe(8)) replies["/apis"] = Aggregated(named);
  }

  Reply Aggregated(const Value& document) {
    return {.content_type = absl::StrCat("application/json;g=apidiscovery.k8s.io;v=",
                                         beta_ ? "v2beta1" : "v2", ";as=APIGroupDiscoveryList"),
            .body = *unstructured::EncodeJson(document)};
  }

  Value AggregatedGroup(const std::string& group, const std::vector<std::string>& versions,
                        bool may_be_stale) {
    Value value;
    At(value, {"metadata", "name"}) = group;
    List<Value> list;
    for (const std::string& version : versions) {
      Value one;
      At(one, {"version"}) = version;
      At(one, {"freshness"}) = may_be_stale && Maybe(4) ? "Stale" : "Current";
      List<Value> resources;
      for (size_t number = 0; number < 1 + dice_.Below(3); ++number) {
        resources.push_back(AggregatedResource(group, version, number));
      }
      At(one, {"resources"}) = std::move(resources);
      list.push_back(std::move(one));
    }
    At(value, {"versions"}) = std::move(list);
    return value;
  }

  std::string AnyPath(const std::map<std::string, Reply>& replies) {
    auto at = replies.begin();
    std::advance(at, static_cast<long>(dice_.Below(replies.size())));
    return at->first;
  }

  Reply Broken() {
    const std::string status = R"({"kind":"Status","apiVersion":"v1","status":"Failure","code":)";
    switch (dice_.Below(6)) {
      case 0:
        return {.status = 404, .body = status + "404,\"reason\":\"NotFound\"}"};
      case 1:
        return {.status = 503, .body = status + "503,\"reason\":\"ServiceUnavailable\"}"};
      case 2:
        return {.status = 403, .body = status + "403,\"reason\":\"Forbidden\"}"};
      case 3:
        return {.status = 429, .body = status + "429,\"reason\":\"TooManyRequests\"}"};
      case 4:
        return {.status = 502, .content_type = "text/html", .body = "<html>"};
      default:
        return {.body = "{"};
    }
  }

  void Break(std::map<std::string, Reply>& replies) { replies[AnyPath(replies)] = Broken(); }

  void AddStep(Scenario& scenario) {
    std::vector<std::string> ops = {"groups",     "resources", "all",  "preferred",
                                    "namespaced", "version",   "kind", "resource",
                                    "mapping",    "category",  "all",  "set"};
    if (scenario.client == "memory" || scenario.client == "disk") {
      ops.insert(ops.end(), {"fresh", "invalidate"});
    }
    if (scenario.client == "disk") ops.insert(ops.end(), {"reopen", "reopen"});
    Step step = {.op = Pick(ops)};
    const std::string thing = absl::StrCat(dice_.Below(4));
    const std::string group = Pick({"", "apps", "batch", "metrics.k8s.io", "app", "none"});
    if (step.op == "resources") {
      step.arg = Pick({"v1", "apps/v1", "batch/v1", "metrics.k8s.io/v1", "apps/v2", "none/v1"});
    } else if (step.op == "category") {
      step.arg = Pick({"all", "x", "none"});
    } else if (step.op == "kind" || step.op == "resource") {
      step.arg = absl::StrCat(
          group, "/", Pick({"", "", "v1", "v2"}), "/",
          Pick({"things" + thing, "thing" + thing, "t" + thing + group, "t" + thing + "apps"}));
    } else if (step.op == "mapping") {
      step.arg = absl::StrCat(group, "/", Pick({"", "v1", "v2"}), "/",
                              Pick({"Thing", "thing", "Things"}), thing);
    } else if (step.op == "set") {
      step.arg = AnyPath(scenario.replies);
      if (Maybe(2)) {
        step.reply = Broken();
      } else {
        std::map<std::string, Reply> others;
        SetDocuments(others);
        const auto other = others.find(step.arg);
        step.reply = other != others.end() ? other->second : scenario.replies[step.arg];
      }
    }
    scenario.steps.push_back(std::move(step));
  }

  Dice dice_;
  bool aggregated_ = false;
  bool beta_ = false;
};

TEST(DiscoveryAndGo, Discovery_RandomServers_FindsTheSameAsClientGo) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  ScenarioMaker maker(kSeed);
  GoCases cases("discovery_oracle");
  for (int i = 0; i < 400; ++i) {
    const Scenario scenario = maker.Next();
    cases.Add("discover", scenario.ToText(), Ours(scenario));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube
