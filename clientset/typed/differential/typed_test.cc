// Compares the requests of typed clients and of the pager, and the choice between watches and
// lists, with client-go. docs/typed-clients.md lists the differences.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/pager/pager.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "clientset/typed/watch_list.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace rbacv1 = api::rbac::v1;
using oracle::Dice;
using oracle::GoCases;
using unstructured::Unstructured;
using unstructured::Value;

constexpr uint64_t kSeed = 20261121;

template <ApiStruct T>
Value ToJson(const T& object) {
  return *unstructured::ParseJson(*codec::EncodeJson(object));
}

// A call, in the format of typed_oracle.
struct Call {
  std::string resource;
  std::string namespace_name;
  std::string verb;
  std::string name;
  bool json = false;
  Value object;
  Value options;
  metav1::ListOptions list_options;
  patch::PatchType patch_type = patch::PatchType::kMerge;
  std::string data;
  std::vector<std::string> subresources;

  std::string ToText() const {
    Value text;
    At(text, {"Resource"}) = resource;
    At(text, {"Namespace"}) = namespace_name;
    At(text, {"Verb"}) = verb;
    At(text, {"Name"}) = name;
    At(text, {"JSON"}) = json;
    if (!object.is_null()) At(text, {"Object"}) = object;
    if (!options.is_null()) At(text, {"Options"}) = options;
    At(text, {"ListOptions"}) = ToJson(list_options);
    At(text, {"PatchType"}) = patch::MediaType(patch_type);
    At(text, {"Data"}) = data;
    List<Value> parts;
    for (const std::string& part : subresources) parts.push_back(part);
    At(text, {"Subresources"}) = std::move(parts);
    return *unstructured::EncodeJson(text);
  }

  template <ApiStruct OptionsT>
  OptionsT As(const Value& value) const {
    return value.is_null() ? OptionsT()
                           : *codec::DecodeJson<OptionsT>(*unstructured::EncodeJson(value));
  }
};

template <ApiStruct T, ApiStruct ListT>
absl::Status Do(const Context& ctx, const typed::TypedClient<T, ListT>& all, const Call& call) {
  const auto client = all.Namespace(call.namespace_name);
  const auto sent = [&](const auto& apply) {
    Unstructured configuration;
    if (call.object.object() != nullptr) configuration.object = *call.object.object();
    return apply(configuration, call.As<metav1::ApplyOptions>(call.options)).status();
  };
  if (call.verb == "get") {
    return client.Get(ctx, call.name, call.As<metav1::GetOptions>(call.options)).status();
  }
  if (call.verb == "list") return client.List(ctx, call.list_options).status();
  if (call.verb == "watch") return client.Watch(ctx, call.list_options).status();
  if (call.verb == "create") {
    return client.Create(ctx, call.As<T>(call.object), call.As<metav1::CreateOptions>(call.options))
        .status();
  }
  if (call.verb == "update") {
    return client.Update(ctx, call.As<T>(call.object), call.As<metav1::UpdateOptions>(call.options))
        .status();
  }
  if (call.verb == "updateStatus") {
    return client
        .UpdateStatus(ctx, call.As<T>(call.object), call.As<metav1::UpdateOptions>(call.options))
        .status();
  }
  if (call.verb == "delete") {
    return client.Delete(ctx, call.name, call.As<metav1::DeleteOptions>(call.options));
  }
  if (call.verb == "deleteCollection") {
    return client.DeleteCollection(ctx, call.As<metav1::DeleteOptions>(call.options),
                                   call.list_options);
  }
  if (call.verb == "patch") {
    return client
        .Patch(ctx, call.name, call.patch_type, call.data,
               call.As<metav1::PatchOptions>(call.options), call.subresources)
        .status();
  }
  if (call.verb == "apply") {
    return sent([&](const auto& c, const auto& o) { return client.Apply(ctx, c, o); });
  }
  return sent([&](const auto& c, const auto& o) { return client.ApplyStatus(ctx, c, o); });
}

std::string Ours(const Call& call) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, rest::JsonReply("{}"));
  const rest::Client client =
      rest::MakeScriptedClient(transport, {.content_type = call.json ? "application/json" : ""});
  const Context ctx;
  absl::Status status;
  typed::Resource resource = {.version = "v1", .plural = call.resource, .built_in = true};
  if (call.resource == "pods") {
    resource.kind = "Pod";
    status = Do(ctx, typed::TypedClient<corev1::Pod, corev1::PodList>(client, resource), call);
  } else if (call.resource == "nodes") {
    resource.kind = "Node";
    resource.namespaced = false;
    status = Do(ctx, typed::TypedClient<corev1::Node, corev1::NodeList>(client, resource), call);
  } else if (call.resource == "deployments") {
    resource.group = "apps";
    resource.kind = "Deployment";
    status =
        Do(ctx, typed::TypedClient<appsv1::Deployment, appsv1::DeploymentList>(client, resource),
           call);
  } else {
    resource.group = "rbac.authorization.k8s.io";
    resource.kind = "ClusterRole";
    resource.namespaced = false;
    status =
        Do(ctx, typed::TypedClient<rbacv1::ClusterRole, rbacv1::ClusterRoleList>(client, resource),
           call);
  }
  if (!status.ok()) return GoCases::kError;
  const std::vector<rest::RecordedRequest> requests = transport->requests();
  if (requests.size() != 1) return absl::StrCat(requests.size(), " requests");
  const rest::RecordedRequest& request = requests[0];
  return absl::StrJoin({request.method, request.url, request.Header("accept"),
                        request.Header("content-type"), oracle::Hex(request.body)},
                       " | ");
}

// ---- calls

class CallMaker {
 public:
  explicit CallMaker(uint64_t seed) : dice_(seed) {}

  Call Next() {
    Call call;
    call.resource = Pick({"pods", "nodes", "deployments", "clusterroles"});
    const bool namespaced = call.resource == "pods" || call.resource == "deployments";
    call.verb = Pick({"get", "list", "watch", "create", "update", "updateStatus", "delete",
                      "deleteCollection", "patch", "apply", "applyStatus"});
    if (call.resource == "clusterroles" && (call.verb == "updateStatus")) call.verb = "update";
    if (call.resource == "clusterroles" && (call.verb == "applyStatus")) call.verb = "apply";
    const bool of_all =
        call.verb == "list" || call.verb == "watch" || call.verb == "deleteCollection";
    if (namespaced) {
      call.namespace_name = Pick({"prod", "a-b", "kube-system", "..", "a/b", "a%20b"});
      if (dice_.Below(3) != 0) call.namespace_name = "prod";
      if (of_all && dice_.Below(3) == 0) call.namespace_name = "";
    }
    call.name =
        dice_.Below(8) == 0 ? Pick({"", "..", ".", "a/b", "a%b", "a b", "ä:1", "a.b~c"}) : "web-0";
    call.json = dice_.Below(3) == 0;
    call.object = Object(call);
    if (of_all) call.list_options = ListOptions();
    call.options = Options(call.verb);
    call.patch_type = PatchType();
    call.data = Pick({"{}", R"({"spec":{"replicas":3}})", "[]", "not even JSON\n"});
    if (dice_.Below(3) == 0) call.subresources = {Pick({"status", "scale", "a/b", ""})};
    if (dice_.Below(9) == 0) call.subresources = {"proxy", "healthz"};
    return call;
  }

  metav1::ListOptions ListOptions() {
    metav1::ListOptions options;
    if (Maybe()) options.label_selector = Pick({"app=web", "app in (a, b),!c", "a=ä&b+c"});
    if (Maybe()) options.field_selector = Pick({"metadata.name=web", "spec.nodeName!=n1"});
    if (Maybe()) options.resource_version = Pick({"0", "7", "123456789"});
    if (Maybe()) options.resource_version_match = Pick({"Exact", "NotOlderThan", "Else"});
    if (Maybe()) options.limit = static_cast<int64_t>(dice_.Below(3));
    if (Maybe()) options.continue_ = Pick({"next", "a/b=="});
    if (Maybe()) options.allow_watch_bookmarks = true;
    if (Maybe()) options.send_initial_events = dice_.Below(2) == 0;
    if (Maybe()) options.timeout_seconds = static_cast<int64_t>(dice_.Below(4) * 1800);
    return options;
  }

 private:
  bool Maybe() { return dice_.Below(4) == 0; }

  std::string Pick(const std::vector<std::string>& texts) {
    return texts[dice_.Below(texts.size())];
  }

  patch::PatchType PatchType() {
    constexpr patch::PatchType kTypes[] = {patch::PatchType::kJson, patch::PatchType::kMerge,
                                           patch::PatchType::kStrategicMerge,
                                           patch::PatchType::kMerge};
    return kTypes[dice_.Below(4)];
  }

  Value Object(const Call& call) {
    Value object;
    At(object, {"metadata", "name"}) = call.name;
    // Go's apply configurations do not add them.
    const bool apply = call.verb.starts_with("apply");
    if (apply) {
      At(object, {"kind"}) = "Kind";
      At(object, {"apiVersion"}) = "group/v1";
    } else if (Maybe()) {
      At(object, {"kind"}) = "Wrong";
      At(object, {"apiVersion"}) = "wrong/v7";
    }
    if (Maybe()) At(object, {"metadata", "generateName"}) = "web-";
    if (Maybe()) At(object, {"metadata", "labels", "app<&>"}) = "web";
    if (Maybe()) At(object, {"metadata", "resourceVersion"}) = "7";
    if (Maybe()) At(object, {"metadata", "finalizers"}) = List<Value>{"a", "b"};
    if (call.resource == "deployments" && Maybe()) At(object, {"spec", "replicas"}) = 3;
    if (call.resource == "pods" && Maybe()) At(object, {"spec", "nodeName"}) = "n1";
    if (call.resource == "nodes" && Maybe()) At(object, {"spec", "unschedulable"}) = true;
    return object;
  }

  Value Options(const std::string& verb) {
    Value options;
    if (verb == "get") {
      if (Maybe()) At(options, {"resourceVersion"}) = "7";
      return options;
    }
    if (Maybe()) At(options, {"dryRun"}) = List<Value>{"All"};
    if (verb.starts_with("delete")) {
      if (Maybe()) At(options, {"gracePeriodSeconds"}) = static_cast<int64_t>(dice_.Below(2) * 30);
      if (Maybe()) At(options, {"propagationPolicy"}) = Pick({"Orphan", "Foreground"});
      if (Maybe()) At(options, {"preconditions", "uid"}) = "u1";
      if (Maybe()) At(options, {"preconditions", "resourceVersion"}) = "7";
      if (Maybe()) At(options, {"orphanDependents"}) = false;
      return options;
    }
    if (Maybe()) At(options, {"fieldManager"}) = "me & you";
    if (verb.starts_with("apply")) {
      if (Maybe()) At(options, {"force"}) = true;
      return options;
    }
    if (Maybe()) At(options, {"fieldValidation"}) = "Strict";
    if (verb == "patch" && Maybe()) At(options, {"force"}) = dice_.Below(2) == 0;
    return options;
  }

  Dice dice_;
};

// behaviour.md: COD-9
TEST(TypedClientsAndGo, TypedClient_RandomCalls_SendsTheRequestsOfClientGo) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  CallMaker maker(kSeed);
  GoCases cases("typed_oracle");
  for (int i = 0; i < 3000; ++i) {
    const Call call = maker.Next();
    cases.Add("call", call.ToText(), Ours(call));
  }
  cases.Check();
}

// ---- pages

struct ScriptedPage {
  int items = 0;
  std::string continue_ = {};
  std::string version = {};
  std::string error = {};
};

class PagerCase {
 public:
  explicit PagerCase(Dice& dice) {
    const size_t count = 1 + dice.Below(4);
    for (size_t i = 0; i < count; ++i) {
      pages_.push_back({.items = static_cast<int>(dice.Below(3)),
                        .continue_ = dice.Below(4) == 0 ? "" : absl::StrCat("c", i),
                        .version = absl::StrCat(10 + i)});
      if (dice.Below(5) == 0) pages_.back().error = dice.Below(3) == 0 ? "other" : "expired";
    }
    each_ = dice.Below(3) == 0;
    pager_.page_buffer_size = dice.Below(3);
    pager_.full_list_if_expired = dice.Below(3) != 0;
    if (dice.Below(2) == 0) pager_.page_size = 2;
    if (dice.Below(3) == 0) options_.limit = 3;
    if (dice.Below(3) == 0) options_.label_selector = "a=b";
    if (dice.Below(6) == 0) options_.continue_ = "start";
    // client-go's EachListItem sends these together with the token of the next page:
    // docs/typed-clients.md.
    if (!each_ && dice.Below(2) == 0) options_.resource_version = "5";
    if (!each_ && dice.Below(3) == 0) options_.resource_version_match = "NotOlderThan";
  }

  std::string ToText() const {
    Value text;
    List<Value> pages;
    for (const ScriptedPage& page : pages_) {
      Value one;
      At(one, {"Items"}) = page.items;
      At(one, {"Continue"}) = page.continue_;
      At(one, {"Version"}) = page.version;
      At(one, {"Error"}) = page.error;
      pages.push_back(std::move(one));
    }
    At(text, {"Pages"}) = std::move(pages);
    At(text, {"Options"}) = ToJson(options_);
    At(text, {"PageSize"}) = pager_.page_size;
    At(text, {"NoFullList"}) = !pager_.full_list_if_expired;
    At(text, {"Each"}) = each_;
    At(text, {"PageBufferSize"}) = static_cast<int64_t>(pager_.page_buffer_size);
    return *unstructured::EncodeJson(text);
  }

  std::string Ours() const {
    std::vector<std::string> words;
    size_t next = 0;
    const pager::ListPager<corev1::PodList> lists(
        [&](const Context&, const metav1::ListOptions& options) -> absl::StatusOr<corev1::PodList> {
          words.push_back(*codec::EncodeJson(options));
          if (next == pages_.size()) return absl::InternalError("no more pages");
          const ScriptedPage& page = pages_[next++];
          if (page.error == "expired") return errors::ResourceExpired("too old");
          if (page.error == "other") return errors::BadRequest("no");
          corev1::PodList list;
          list.metadata.resource_version = page.version;
          list.metadata.continue_ = page.continue_;
          for (int i = 0; i < page.items; ++i) {
            list.items.push_back({.metadata = {.name = absl::StrCat(next, "-", i)}});
          }
          return list;
        },
        pager_);
    std::string result = each_ ? Each(lists) : Whole(lists);
    words.push_back(std::move(result));
    return absl::StrJoin(words, " | ");
  }

 private:
  std::string Each(const pager::ListPager<corev1::PodList>& lists) const {
    std::vector<std::string> names;
    const absl::Status status = lists.EachItem({}, options_, [&](const corev1::Pod& pod) {
      names.push_back(pod.metadata.name);
      return absl::OkStatus();
    });
    return absl::StrCat(absl::StrJoin(names, ","), " error=", status.ok() ? "false" : "true");
  }

  std::string Whole(const pager::ListPager<corev1::PodList>& lists) const {
    const auto listed = lists.List({}, options_);
    if (!listed.ok()) {
      return absl::StrCat("error expired=",
                          errors::IsResourceExpired(listed.status()) ? "true" : "false");
    }
    std::vector<std::string> names;
    for (const corev1::Pod& pod : listed->list.items) names.push_back(pod.metadata.name);
    const metav1::ListMeta& metadata = listed->list.metadata;
    return absl::StrCat(absl::StrJoin(names, ","), " version=", metadata.resource_version.view(),
                        " continue=", metadata.continue_.view(),
                        " paginated=", listed->paginated ? "true" : "false");
  }

  std::vector<ScriptedPage> pages_;
  metav1::ListOptions options_;
  pager::PagerOptions pager_;
  bool each_ = false;
};

// behaviour.md: PG-1
TEST(PagerAndGo, Pager_RandomPages_SendsTheRequestsOfClientGo) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  Dice dice(kSeed);
  GoCases cases("typed_oracle");
  for (int i = 0; i < 3000; ++i) {
    const PagerCase one(dice);
    cases.Add("pager", one.ToText(), one.Ours());
  }
  cases.Check();
}

// ---- watches for lists

TEST(WatchListAndGo, WatchListOptions_RandomOptions_AreThoseOfClientGo) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  CallMaker maker(kSeed + 1);
  Dice dice(kSeed + 2);
  GoCases cases("typed_oracle");
  for (int i = 0; i < 3000; ++i) {
    metav1::ListOptions options = maker.ListOptions();
    options.watch = dice.Below(4) == 0;
    // Values that client-go parses and we leave to the server.
    if (!options.label_selector.empty()) options.label_selector = "app=web";
    const auto ours = typed::WatchListOptions(options);
    cases.Add("watchlist", *codec::EncodeJson(options),
              ours.has_value() ? *codec::EncodeJson(*ours) : "none");
  }
  cases.Check();
}

}  // namespace
}  // namespace kube
