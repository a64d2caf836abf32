// Compares the requests of the dynamic, metadata and scale clients, and the results of the scale
// client, with client-go. docs/clientset.md ("Discovery, dynamic, metadata and scale clients")
// lists the differences.

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
#include "api/autoscaling/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/restmapper/default_rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/metadata/metadata_client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/scale/scale_client.h"
#include "clientset/scale/scale_kind_resolver.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube {
namespace {

namespace autoscalingv1 = api::autoscaling::v1;
namespace metav1 = api::meta::v1;
using oracle::Dice;
using oracle::GoCases;
using unstructured::Unstructured;
using unstructured::Value;

constexpr uint64_t kSeed = 20261121;

// A call, in the format of dynamic_oracle.
struct Call {
  std::string client;
  std::string reply;
  schema::GroupVersionResource resource;
  schema::GroupVersion scale;
  std::string namespace_name;
  std::string verb;
  std::string name;
  Value object;
  Value options;
  metav1::ListOptions list_options;
  patch::PatchType patch_type = patch::PatchType::kMerge;
  std::string data;
  std::vector<std::string> subresources;

  std::string ToText() const {
    Value text;
    At(text, {"Client"}) = client;
    At(text, {"Reply"}) = reply;
    At(text, {"Group"}) = resource.group;
    At(text, {"Version"}) = resource.version;
    At(text, {"Resource"}) = resource.resource;
    At(text, {"ScaleGroup"}) = scale.group;
    At(text, {"ScaleVersion"}) = scale.version;
    At(text, {"Namespace"}) = namespace_name;
    At(text, {"Verb"}) = verb;
    At(text, {"Name"}) = name;
    if (!object.is_null()) At(text, {"Object"}) = object;
    if (!options.is_null()) At(text, {"Options"}) = options;
    At(text, {"ListOptions"}) = *unstructured::ParseJson(*codec::EncodeJson(list_options));
    At(text, {"PatchType"}) = patch::MediaType(patch_type);
    At(text, {"Data"}) = data;
    List<Value> parts;
    for (const std::string& part : subresources) parts.push_back(part);
    At(text, {"Subresources"}) = std::move(parts);
    return *unstructured::EncodeJson(text);
  }

  template <ApiStruct T>
  T As(const Value& value) const {
    return value.is_null() ? T() : *codec::DecodeJson<T>(*unstructured::EncodeJson(value));
  }
  template <ApiStruct T>
  T Options() const {
    return As<T>(options);
  }
};

absl::Status DoDynamic(const dynamic::ResourceClient& client, const Call& call) {
  const Context ctx;
  const auto object = call.As<Unstructured>(call.object);
  const auto& parts = call.subresources;
  if (call.verb == "get") {
    return client.Get(ctx, call.name, call.Options<metav1::GetOptions>(), parts).status();
  }
  if (call.verb == "list") return client.List(ctx, call.list_options).status();
  if (call.verb == "watch") return client.Watch(ctx, call.list_options).status();
  if (call.verb == "create") {
    return client.Create(ctx, object, call.Options<metav1::CreateOptions>(), parts).status();
  }
  if (call.verb == "update") {
    return client.Update(ctx, object, call.Options<metav1::UpdateOptions>(), parts).status();
  }
  if (call.verb == "updateStatus") {
    return client.UpdateStatus(ctx, object, call.Options<metav1::UpdateOptions>()).status();
  }
  if (call.verb == "delete") {
    return client.Delete(ctx, call.name, call.Options<metav1::DeleteOptions>(), parts);
  }
  if (call.verb == "deleteCollection") {
    return client.DeleteCollection(ctx, call.Options<metav1::DeleteOptions>(), call.list_options);
  }
  if (call.verb == "patch") {
    return client
        .Patch(ctx, call.name, call.patch_type, call.data, call.Options<metav1::PatchOptions>(),
               parts)
        .status();
  }
  const auto options = call.Options<metav1::ApplyOptions>();
  return call.verb == "apply" ? client.Apply(ctx, call.name, object, options, parts).status()
                              : client.ApplyStatus(ctx, call.name, object, options).status();
}

absl::Status DoMetadata(const metadata::ResourceClient& client, const Call& call) {
  const Context ctx;
  const auto& parts = call.subresources;
  if (call.verb == "get") {
    return client.Get(ctx, call.name, call.Options<metav1::GetOptions>(), parts).status();
  }
  if (call.verb == "list") return client.List(ctx, call.list_options).status();
  if (call.verb == "watch") return client.Watch(ctx, call.list_options).status();
  if (call.verb == "delete") {
    return client.Delete(ctx, call.name, call.Options<metav1::DeleteOptions>(), parts);
  }
  if (call.verb == "deleteCollection") {
    return client.DeleteCollection(ctx, call.Options<metav1::DeleteOptions>(), call.list_options);
  }
  return client
      .Patch(ctx, call.name, call.patch_type, call.data, call.Options<metav1::PatchOptions>(),
             parts)
      .status();
}

// The fields of the case.
class KindOfScale final : public scale::ScaleKindResolver {
 public:
  explicit KindOfScale(const schema::GroupVersion& version) : version_(version) {}
  absl::StatusOr<schema::GroupVersionKind> ScaleForResource(
      const Context&, const schema::GroupVersionResource&) const override {
    return version_.WithKind("Scale");
  }

 private:
  const schema::GroupVersion version_;
};

absl::StatusOr<std::string> DoScale(const rest::Client& rest, const Call& call) {
  auto mapper = std::make_shared<restmapper::DefaultRestMapper>(
      std::vector<schema::GroupVersion>{call.resource.group_version()});
  mapper->AddSpecific(call.resource.group_version().WithKind("Any"), call.resource, call.resource,
                      Scope::kNamespaced);
  const scale::ScaleClient client =
      scale::ScaleClient(rest, std::move(mapper), std::make_shared<KindOfScale>(call.scale))
          .Namespace(call.namespace_name);
  const Context ctx;
  const schema::GroupResource resource = call.resource.group_resource();
  absl::StatusOr<autoscalingv1::Scale> result = absl::UnknownError("no such verb");
  if (call.verb == "get") {
    result = client.Get(ctx, resource, call.name, call.Options<metav1::GetOptions>());
  } else if (call.verb == "update") {
    result = client.Update(ctx, resource, call.As<autoscalingv1::Scale>(call.object),
                           call.Options<metav1::UpdateOptions>());
  } else {
    result = client.Patch(ctx, call.resource, call.name, call.patch_type, call.data,
                          call.Options<metav1::PatchOptions>());
  }
  if (!result.ok()) return result.status();
  return absl::StrCat(" | ", *codec::EncodeJson(*result));
}

std::string Ours(const Call& call) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, rest::JsonReply(call.reply));
  const rest::Client client = rest::MakeScriptedClient(transport);
  absl::StatusOr<std::string> result = std::string();
  if (call.client == "scale") {
    result = DoScale(client, call);
  } else {
    const absl::Status status = call.client == "dynamic"
                                    ? DoDynamic(dynamic::DynamicClient(client)
                                                    .Resource(call.resource)
                                                    .Namespace(call.namespace_name),
                                                call)
                                    : DoMetadata(metadata::MetadataClient(client)
                                                     .Resource(call.resource)
                                                     .Namespace(call.namespace_name),
                                                 call);
    if (!status.ok()) result = status;
  }
  if (!result.ok()) return GoCases::kError;
  const std::vector<rest::RecordedRequest> requests = transport->requests();
  if (requests.size() != 1) return absl::StrCat(requests.size(), " requests");
  const rest::RecordedRequest& request = requests[0];
  return absl::StrCat(absl::StrJoin({request.method, request.url, request.Header("accept"),
                                     request.Header("content-type"), oracle::Hex(request.body)},
                                    " | "),
                      *result);
}

// ---- calls

class CallMaker {
 public:
  explicit CallMaker(uint64_t seed) : dice_(seed) {}

  Call Next() {
    Call call;
    call.client = Pick({"dynamic", "metadata", "scale"});
    call.verb = Verb(call.client);
    call.resource = Resource();
    const bool of_all =
        call.verb == "list" || call.verb == "watch" || call.verb == "deleteCollection";
    call.namespace_name = Pick({"prod", "prod", "a-b", ""});
    // client-go's metadata client does not check names: docs/clientset.md.
    const bool odd = call.client != "metadata" && dice_.Below(6) == 0;
    if (odd && call.client == "dynamic") call.namespace_name = Pick({"..", "a/b", "a%20b", "prod"});
    call.name = odd ? Pick({"", "..", ".", "a/b", "a%b", "a b", "ä:1", "a.b~c"}) : "web-0";
    if (call.client == "metadata" && dice_.Below(9) == 0) call.name = "";
    call.object = call.client == "scale" ? Scale(call) : Object(call);
    if (of_all) call.list_options = ListOptions();
    call.options = Options(call.verb);
    call.patch_type = PatchType();
    call.data = Pick({"{}", R"({"spec":{"replicas":3}})", "[]", "not even JSON\n"});
    if (call.client != "scale" && dice_.Below(3) == 0) {
      call.subresources = {Pick({"status", "scale"})};
      if (dice_.Below(3) == 0) call.subresources = {"proxy", "healthz"};
    }
    call.scale = ScaleVersion();
    call.reply = Reply(call);
    return call;
  }

 private:
  bool Maybe() { return dice_.Below(4) == 0; }

  std::string Pick(const std::vector<std::string>& texts) {
    return texts[dice_.Below(texts.size())];
  }

  std::string Verb(const std::string& client) {
    if (client == "scale") return Pick({"get", "update", "patch"});
    if (client == "metadata") {
      return Pick({"get", "list", "watch", "delete", "deleteCollection", "patch"});
    }
    return Pick({"get", "list", "watch", "create", "update", "updateStatus", "delete",
                 "deleteCollection", "patch", "apply", "applyStatus"});
  }

  schema::GroupVersionResource Resource() {
    const schema::GroupVersionResource resources[] = {
        {.group = "", .version = "v1", .resource = "pods"},
        {.group = "apps", .version = "v1", .resource = "deployments"},
        {.group = "example.com", .version = "v1alpha1", .resource = "widgets"}};
    return resources[dice_.Below(3)];
  }

  schema::GroupVersion ScaleVersion() {
    const schema::GroupVersion versions[] = {{.group = "autoscaling", .version = "v1"},
                                             {.group = "extensions", .version = "v1beta1"},
                                             {.group = "apps", .version = "v1beta1"},
                                             {.group = "apps", .version = "v1beta2"}};
    return versions[dice_.Below(4)];
  }

  std::string Selector() {
    return Pick({"", "a=b", "b=c,a=b", "a in (c,b),b", "!a", "a notin (x)", "a!=b", "=="});
  }

  Value Scale(const Call& call) {
    Value scale;
    At(scale, {"metadata", "name"}) = call.name;
    At(scale, {"spec", "replicas"}) = static_cast<int64_t>(dice_.Below(4));
    if (Maybe()) At(scale, {"metadata", "resourceVersion"}) = "7";
    At(scale, {"status", "replicas"}) = 2;
    At(scale, {"status", "selector"}) = Selector();
    return scale;
  }

  std::string Reply(const Call& call) {
    if (call.client == "dynamic") {
      return R"({"kind":"AnyList","apiVersion":"v1","metadata":{"name":"x"},"items":[]})";
    }
    if (call.client == "metadata") {
      return call.verb == "list"
                 ? R"({"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1"})"
                 : R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",)"
                   R"("metadata":{"name":"x"}})";
    }
    const schema::GroupVersion version = ScaleVersion();
    Value scale = Scale(call);
    At(scale, {"kind"}) = "Scale";
    At(scale, {"apiVersion"}) = version.ToString();
    if (version.group != "autoscaling") {
      Value status;
      At(status, {"replicas"}) = 2;
      if (Maybe()) At(status, {"selector", "b"}) = "c";
      if (Maybe()) At(status, {"selector", "a"}) = "b";
      if (Maybe()) At(status, {"targetSelector"}) = Selector();
      At(scale, {"status"}) = std::move(status);
    }
    return *unstructured::EncodeJson(scale);
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

  patch::PatchType PatchType() {
    constexpr patch::PatchType kTypes[] = {patch::PatchType::kJson, patch::PatchType::kMerge,
                                           patch::PatchType::kStrategicMerge};
    return kTypes[dice_.Below(3)];
  }

  Value Object(const Call& call) {
    Value object;
    At(object, {"metadata", "name"}) = call.name;
    if (!Maybe()) {
      At(object, {"kind"}) = "Widget";
      At(object, {"apiVersion"}) = "example.com/v1";
    }
    if (Maybe()) At(object, {"metadata", "labels", "app<&>"}) = "web";
    if (Maybe()) At(object, {"metadata", "resourceVersion"}) = "7";
    if (Maybe()) At(object, {"spec", "list"}) = List<Value>{"a", 1, 1.5, true, nullptr};
    if (dice_.Below(20) == 0) {
      Value entry;
      At(entry, {"manager"}) = "me";
      At(object, {"metadata", "managedFields"}) = List<Value>{std::move(entry), Map<Value>()};
    }
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

TEST(AnyResourceAndGo, ResourceClient_RandomCalls_SendsTheRequestsOfClientGo) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  CallMaker maker(kSeed);
  GoCases cases("dynamic_oracle");
  for (int i = 0; i < 3000; ++i) {
    const Call call = maker.Next();
    cases.Add("call", call.ToText(), Ours(call));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube
