// Server-side apply of one object of every kind whose client has Apply, on the embedded server.
// With KUBECONFIG also on that server, by this library and by client-go: all three leave the same
// managedFields, byte by byte but for their times. clientset/kubernetes/differential shows that
// these kinds are those that have Apply in client-go. It has one more, ComponentStatus, which
// servers do not let anybody write.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/managedfields/testing/entry_lines.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/kubernetes/testing/every_kind.h"
#include "clientset/kubernetes/testing/kind_case.h"
#include "clientset/metadata/metadata_client.h"
#include "clientset/rest/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/every_kind/server.h"
#include "tests/oracle/go_cases.h"

namespace kube::every_kind {
namespace {

namespace metav1 = api::meta::v1;

using base::IsOk;
using kubernetes::KindCase;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using unstructured::SetNestedField;
using unstructured::Unstructured;
using unstructured::Value;

constexpr char kManager[] = "m";
// Stands between the entries after the first apply and those after the second one.
constexpr absl::string_view kSeparator = "\n--\n";

// Who applies. Both may do so on one server: their objects are others.
struct Applier {
  std::string name;
  std::string address;  // the name of an IPAddress

  std::string namespace_name() const { return absl::StrCat("apply-", name); }
  std::string object_name() const { return absl::StrCat("applied-by-", name); }
};

const Applier& Ours() {
  static const Applier applier = {"ours", "198.51.100.1"};
  return applier;
}
const Applier& ClientGo() {
  static const Applier applier = {"client-go", "198.51.100.2"};
  return applier;
}

// What the second apply changes of a kind, besides the labels and annotations of all kinds. Paths
// may be empty.
struct Change {
  std::string kind;
  std::vector<absl::string_view> dropped;
  std::vector<absl::string_view> added;
  Value value;
};

const std::vector<Change>& Changes() {
  static const std::vector<Change> changes = {
      {"apps/v1 DaemonSet",
       {"spec", "template", "spec", "nodeSelector"},
       {"spec", "revisionHistoryLimit"},
       3},
      {"apps/v1 Deployment", {"spec", "replicas"}, {"spec", "minReadySeconds"}, 5},
      {"apps/v1 ReplicaSet", {}, {"spec", "minReadySeconds"}, 5},
      {"apps/v1 StatefulSet", {"spec", "replicas"}, {"spec", "minReadySeconds"}, 5},
      {"autoscaling/v1 HorizontalPodAutoscaler", {}, {"spec", "minReplicas"}, 2},
      {"autoscaling/v2 HorizontalPodAutoscaler", {"spec", "metrics"}, {"spec", "minReplicas"}, 2},
      {"batch/v1 CronJob", {"spec", "timeZone"}, {"spec", "suspend"}, true},
      {"batch/v1 Job", {}, {"spec", "backoffLimit"}, 3},
      {"coordination.k8s.io/v1 Lease",
       {"spec", "holderIdentity"},
       {"spec", "leaseDurationSeconds"},
       15},
      {"networking.k8s.io/v1 Ingress", {"spec", "tls"}, {}, {}},
      {"policy/v1 PodDisruptionBudget", {}, {"spec", "unhealthyPodEvictionPolicy"}, "AlwaysAllow"},
      {"storage.k8s.io/v1 StorageClass", {"allowVolumeExpansion"}, {}, {}},
      {"v1 ConfigMap", {}, {"data", "key"}, "value"},
      {"v1 ResourceQuota", {"spec", "hard", "limits.cpu"}, {"spec", "hard", "pods"}, "10"},
      {"v1 Service", {"spec", "externalIPs"}, {"spec", "sessionAffinity"}, "ClientIP"},
  };
  return changes;
}

std::string NameOf(const KindCase& kind) {
  return absl::StrCat(ApiVersionOf(kind), " ", kind.resource.kind);
}

// Returns the kinds that have Apply and that the server serves.
std::vector<KindCase> AppliedKinds() {
  std::vector<KindCase> kinds;
  std::set<std::string> group_versions;
  for (KindCase& kind : kubernetes::EveryKind()) {
    if (std::find(kind.methods.begin(), kind.methods.end(), "Apply") == kind.methods.end()) {
      continue;
    }
    group_versions.insert(ApiVersionOf(kind));
    kinds.push_back(std::move(kind));
  }
  const Served served = Discover(group_versions);
  std::erase_if(kinds, [&served](const KindCase& kind) {
    const auto group_version = served.find(ApiVersionOf(kind));
    return group_version == served.end() ||
           group_version->second.count(std::string(kind.resource.plural)) == 0;
  });
  return kinds;
}

// An object that is applied twice and then deleted.
struct Life {
  std::string name;
  std::string namespace_name;  // empty if the kind is cluster-scoped
  Value first;
  Value second;
};

// Returns the name of the applier's object, after a spec that has to fit the name was changed.
absl::StatusOr<std::string> NameObject(const KindCase& kind, const Applier& applier,
                                       Map<Value>& object) {
  const std::string name = applier.object_name();
  if (kind.resource.kind == "IPAddress") return applier.address;
  // A server makes an APIService for the group of a definition, so they are of two groups.
  const bool is_service = kind.resource.kind == "APIService";
  const std::string group = absl::StrCat(name, is_service ? ".example.org" : ".example.com");
  if (is_service) {
    KUBE_RETURN_IF_ERROR(SetNestedField(object, group, {"spec", "group"}));
    return absl::StrCat("v1.", group);
  }
  if (kind.resource.kind == "CustomResourceDefinition") {
    KUBE_RETURN_IF_ERROR(SetNestedField(object, group, {"spec", "group"}));
    return absl::StrCat("kites.", group);
  }
  return name;
}

// Makes the second configuration of the first one: drops one field and adds another, at least.
absl::Status ChangeConfiguration(const KindCase& kind, Map<Value>& object) {
  unstructured::RemoveNestedField(object, {"metadata", "labels", "dropped"});
  KUBE_RETURN_IF_ERROR(SetNestedField(object, "yes", {"metadata", "annotations", "added"}));
  for (const Change& change : Changes()) {
    if (change.kind != NameOf(kind)) continue;
    if (!change.dropped.empty()) unstructured::RemoveNestedField(object, change.dropped);
    if (change.added.empty()) continue;
    KUBE_RETURN_IF_ERROR(SetNestedField(object, change.value, change.added));
  }
  return absl::OkStatus();
}

absl::StatusOr<Life> MakeLife(const KindCase& kind, const Applier& applier) {
  KUBE_ASSIGN_OR_RETURN(const std::string manifest,
                        ManifestOf(ApiVersionOf(kind), kind.resource.kind));
  // References to the namespace of the other tests.
  const std::string text =
      absl::StrReplaceAll(manifest, {{absl::StrCat("\"", kubernetes::kNamespace, "\""),
                                      absl::StrCat("\"", applier.namespace_name(), "\"")}});
  Life life;
  if (kind.resource.namespaced) life.namespace_name = applier.namespace_name();
  KUBE_ASSIGN_OR_RETURN(life.first, unstructured::ParseJson(text));
  Map<Value>& object = *life.first.object();
  object["apiVersion"] = ApiVersionOf(kind);
  KUBE_ASSIGN_OR_RETURN(life.name, NameObject(kind, applier, object));
  KUBE_RETURN_IF_ERROR(SetNestedField(object, life.name, {"metadata", "name"}));
  KUBE_RETURN_IF_ERROR(SetNestedField(object, Map<Value>{{"dropped", "yes"}, {"kept", "yes"}},
                                      {"metadata", "labels"}));
  life.second = life.first;
  KUBE_RETURN_IF_ERROR(ChangeConfiguration(kind, *life.second.object()));
  return life;
}

// Returns a line for each entry, without its time. Leaves out those of subresources: the
// controllers of a real server write a status meanwhile.
std::string TextOf(const List<metav1::ManagedFieldsEntry>& entries) {
  List<metav1::ManagedFieldsEntry> compared;
  for (const metav1::ManagedFieldsEntry& entry : entries) {
    if (!entry.subresource.empty()) continue;
    compared.push_back(entry).time.reset();
  }
  return absl::StrJoin(managedfields::EntryLines(compared), "\n");
}

// Returns the entries after each apply.
absl::StatusOr<std::string> Live(const rest::Client& client, const KindCase& kind,
                                 const Life& life) {
  const schema::GroupVersionResource resource = {.group = std::string(kind.resource.group),
                                                 .version = std::string(kind.resource.version),
                                                 .resource = std::string(kind.resource.plural)};
  const dynamic::ResourceClient objects =
      dynamic::DynamicClient(client).Resource(resource).Namespace(life.namespace_name);
  // It receives the entries as the server has them; a Value would have their fields in another
  // order.
  const metadata::ResourceClient stored =
      metadata::MetadataClient(client).Resource(resource).Namespace(life.namespace_name);
  std::vector<std::string> texts;
  for (const Value* configuration : {&life.first, &life.second}) {
    const Unstructured sent = {.object = *configuration->object()};
    KUBE_RETURN_IF_ERROR(
        objects.Apply(Soon(), life.name, sent, {.field_manager = kManager}).status());
    KUBE_ASSIGN_OR_RETURN(const metav1::PartialObjectMetadata object,
                          stored.Get(Soon(), life.name));
    texts.push_back(TextOf(object.metadata.managed_fields));
  }
  KUBE_RETURN_IF_ERROR(objects.Delete(Soon(), life.name));
  return absl::StrJoin(texts, kSeparator);
}

// Returns the same as a question to apply_oracle/main.go.
std::string QuestionOf(const KindCase& kind, const Life& life) {
  const Value question = Map<Value>{{"configurations", List<Value>{life.first, life.second}},
                                    {"group", kind.resource.group},
                                    {"kubeconfig", std::string(std::getenv("KUBECONFIG"))},
                                    {"manager", kManager},
                                    {"name", life.name},
                                    {"namespace", life.namespace_name},
                                    {"resource", kind.resource.plural},
                                    {"version", kind.resource.version}};
  return unstructured::EncodeJson(question).value_or("");
}

void MakeNamespace(const kubernetes::Clientset& client, const Applier& applier) {
  const absl::Status created = client.CoreV1()
                                   .Namespaces()
                                   .Create(Soon(), {.metadata = {.name = applier.namespace_name()}})
                                   .status();
  EXPECT_TRUE(created.ok() || errors::IsAlreadyExists(created)) << created;
}

// Expects one entry after each apply, of which the second has what was added and not what was
// dropped.
void ExpectOwnershipToFollow(const std::string& entries, const KindCase& kind) {
  const std::string start = absl::StrCat(kManager, " Apply ", ApiVersionOf(kind), " - - {\"f:");
  const std::vector<std::string> applies = absl::StrSplit(entries, kSeparator);
  EXPECT_THAT(
      applies,
      ElementsAre(
          AllOf(StartsWith(start), HasSubstr(R"("f:dropped":{})"), HasSubstr(R"("f:kept":{})"),
                Not(HasSubstr(R"("f:added":{})")), Not(HasSubstr("\n"))),
          AllOf(StartsWith(start), HasSubstr(R"("f:added":{})"), HasSubstr(R"("f:kept":{})"),
                Not(HasSubstr(R"("f:dropped":{})")), Not(HasSubstr("\n")))));
}

TEST(Apply, LeavesTheManagedFieldsThatClientGosApplyLeavesOnARealServer) {
  oracle::GoCases cases("apply_oracle");
  MakeNamespace(EmbeddedClient(), Ours());
  if (IsReal()) {
    MakeNamespace(Client(), Ours());
    MakeNamespace(Client(), ClientGo());
  }
  size_t count = 0;
  for (const KindCase& kind : AppliedKinds()) {
    SCOPED_TRACE(NameOf(kind));
    const absl::StatusOr<Life> life = MakeLife(kind, Ours());
    ASSERT_THAT(life, IsOk());
    const absl::StatusOr<std::string> embedded = Live(EmbeddedClient().client(), kind, *life);
    EXPECT_THAT(embedded, IsOk());
    if (embedded.ok()) ExpectOwnershipToFollow(*embedded, kind);
    ++count;
    if (!IsReal()) continue;
    const absl::StatusOr<std::string> real = Live(Client().client(), kind, *life);
    EXPECT_THAT(real, IsOk());
    if (!real.ok()) continue;
    EXPECT_EQ(embedded.value_or(""), *real);
    const absl::StatusOr<Life> of_client_go = MakeLife(kind, ClientGo());
    ASSERT_THAT(of_client_go, IsOk());
    cases.Add("apply", QuestionOf(kind, *of_client_go), *real);
  }
  std::cout << count << " kinds applied\n";
  EXPECT_EQ(count, 60u);
  if (IsReal()) cases.Check();
}

}  // namespace
}  // namespace kube::every_kind
