// "kubectl create -f x.yaml && kubectl replace -f x.yaml", for each built-in kind: the manifest
// with which an object was made replaces it, although the server has filled in much of it since.
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/all_kinds.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/server_resources.h"
#include "clientset/rest/client.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "tests/conformance/server_under_test.h"

namespace kube::conformance {
namespace {

namespace metav1 = api::meta::v1;

using unstructured::Value;

// What becomes of the object.
enum class After {
  kSame,     // it stays as it was, to the resource version
  kChanged,  // it loses what a server adds to new objects alone, such as a taint
  kRefused,  // 422: the server has filled in what must not change
};

// An object of a kind, as a user writes it. "${NS}" is its namespace, and a unique name of those
// that are in none.
struct Row {
  std::string group_version;
  std::string resource;
  std::string manifest;
  After after = After::kSame;
  // Set for kinds whose names have another form.
  std::string name = "a";
};

constexpr char kTemplate[] =
    R"("template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}})";
constexpr char kJob[] =
    R"({"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}})";
constexpr char kClaim[] =
    R"("spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}})";
constexpr char kHook[] =
    R"("webhooks":[{"name":"a.b.c","clientConfig":{"url":"https://a.b"},"sideEffects":"None","admissionReviewVersions":["v1"]}])";
constexpr char kRole[] =
    R"("roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"r"})";
constexpr char kScaler[] =
    R"("spec":{"maxReplicas":3,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"}})";
constexpr char kValidates[] =
    R"("spec":{"matchConstraints":{"resourceRules":[{"apiGroups":["x.y"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["z"]}]},"validations":[{"expression":"true"}]})";
constexpr char kMutates[] =
    R"("spec":{"reinvocationPolicy":"Never","matchConstraints":{"resourceRules":[{"apiGroups":["x.y"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["z"]}]},"mutations":[{"patchType":"ApplyConfiguration","applyConfiguration":{"expression":"Object{}"}}]})";

std::string Workload(absl::string_view more = "") {
  return absl::StrCat(R"("spec":{"selector":{"matchLabels":{"a":"b"}},)", more, kTemplate, "}");
}

std::vector<Row> Rows() {
  const std::string admission = "admissionregistration.k8s.io/v1";
  const std::string rbac = "rbac.authorization.k8s.io/v1";
  const std::string storage = "storage.k8s.io/v1";
  const std::string dra = "resource.k8s.io/v1";
  const std::string flow = "flowcontrol.apiserver.k8s.io/v1";
  return {
      {"v1", "configmaps", R"("data":{"x":"y"})"},
      {"v1", "endpoints", R"("subsets":[{"addresses":[{"ip":"1.2.3.4"}],"ports":[{"port":80}]}])"},
      {"v1", "events", R"("involvedObject":{"namespace":"${NS}"},"message":"m")"},
      {"v1", "limitranges", R"("spec":{"limits":[{"type":"Container","max":{"cpu":"1"}}]})"},
      {"v1", "namespaces", ""},
      {"v1", "nodes", "", After::kChanged},
      {"v1", "persistentvolumeclaims", kClaim},
      {"v1", "persistentvolumes",
       R"("spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/x"}})"},
      {"v1", "pods", R"("spec":{"containers":[{"name":"c","image":"i"}]})"},
      {"v1", "podtemplates", kTemplate},
      {"v1", "replicationcontrollers", absl::StrCat(R"("spec":{)", kTemplate, "}")},
      {"v1", "resourcequotas", R"("spec":{"hard":{"pods":"100"}})"},
      {"v1", "secrets", R"("stringData":{"x":"y"})"},
      {"v1", "serviceaccounts", ""},
      {"v1", "services", R"("spec":{"type":"NodePort","ports":[{"port":80}]})"},
      {"events.k8s.io/v1", "events",
       R"("eventTime":"2026-01-02T03:04:05.000000Z","regarding":{"namespace":"${NS}"},"reason":"R","type":"Normal","action":"A","reportingController":"a.b/c","reportingInstance":"i")",
       After::kSame, "b"},
      {"apps/v1", "controllerrevisions", R"("data":{},"revision":1)"},
      {"apps/v1", "daemonsets", Workload()},
      {"apps/v1", "deployments", Workload()},
      {"apps/v1", "replicasets", Workload()},
      {"apps/v1", "statefulsets",
       Workload(
           absl::StrCat(R"("serviceName":"s","volumeClaimTemplates":[{"metadata":{"name":"v"},)",
                        kClaim, "}],"))},
      {"autoscaling/v2", "horizontalpodautoscalers", kScaler},
      {"autoscaling/v1", "horizontalpodautoscalers", kScaler, After::kSame, "b"},
      {"batch/v1", "cronjobs",
       absl::StrCat(R"("spec":{"schedule":"* * * * *","jobTemplate":{"spec":)", kJob, "}}")},
      // Its selector, and the labels of its pods, have its UID in them.
      {"batch/v1", "jobs", absl::StrCat(R"("spec":)", kJob), After::kRefused},
      {"networking.k8s.io/v1", "ingresses",
       R"("spec":{"defaultBackend":{"service":{"name":"s","port":{"number":80}}}})"},
      {"networking.k8s.io/v1", "ingressclasses", R"("spec":{"controller":"a.b/c"})"},
      {"networking.k8s.io/v1", "ipaddresses",
       R"("spec":{"parentRef":{"resource":"services","namespace":"n","name":"s"}})", After::kSame,
       "192.0.2.77"},
      {"networking.k8s.io/v1", "networkpolicies",
       R"("spec":{"podSelector":{},"ingress":[{"ports":[{"port":80}]}]})"},
      {"networking.k8s.io/v1", "servicecidrs", R"("spec":{"cidrs":["192.0.2.0/24"]})"},
      {"policy/v1", "poddisruptionbudgets", R"("spec":{"minAvailable":1})"},
      {rbac, "clusterrolebindings",
       absl::StrCat(R"("subjects":[{"kind":"User","name":"u"}],)", kRole)},
      {rbac, "clusterroles", R"("rules":[])"},
      {rbac, "rolebindings", absl::StrCat(R"("subjects":[{"kind":"User","name":"u"}],)", kRole)},
      {rbac, "roles", R"("rules":[])"},
      {storage, "csidrivers", R"("spec":{})"},
      {storage, "csinodes", R"("spec":{"drivers":[]})"},
      {storage, "csistoragecapacities", R"("storageClassName":"s")"},
      {storage, "storageclasses", R"("provisioner":"a.b/c")"},
      {storage, "volumeattachments",
       R"("spec":{"attacher":"a.b","nodeName":"n","source":{"persistentVolumeName":"v"}})"},
      {storage, "volumeattributesclasses", R"("driverName":"a.b","parameters":{"x":"y"})"},
      {admission, "mutatingwebhookconfigurations", kHook},
      {admission, "validatingwebhookconfigurations", kHook},
      {admission, "validatingadmissionpolicies", kValidates},
      {admission, "validatingadmissionpolicybindings",
       R"("spec":{"policyName":"p","validationActions":["Deny"]})"},
      {admission, "mutatingadmissionpolicies", kMutates},
      {admission, "mutatingadmissionpolicybindings", R"("spec":{"policyName":"p"})"},
      {"apiextensions.k8s.io/v1", "customresourcedefinitions",
       R"("spec":{"group":"${NS}.example.com","scope":"Namespaced","names":{"plural":"xs","kind":"X"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]})",
       After::kSame, "xs.${NS}.example.com"},
      {"apiregistration.k8s.io/v1", "apiservices",
       R"("spec":{"group":"aggregated.${NS}.example.com","version":"v1","groupPriorityMinimum":10,"versionPriority":10,"insecureSkipTLSVerify":true,"service":{"namespace":"n","name":"s"}})",
       After::kSame, "v1.aggregated.${NS}.example.com"},
      {"scheduling.k8s.io/v1", "priorityclasses", R"("value":7)"},
      {"coordination.k8s.io/v1", "leases", R"("spec":{"holderIdentity":"h"})"},
      {"node.k8s.io/v1", "runtimeclasses", R"("handler":"h")"},
      {"discovery.k8s.io/v1", "endpointslices",
       R"("addressType":"IPv4","endpoints":[{"addresses":["1.2.3.4"]}],"ports":[{"port":80}])"},
      {dra, "deviceclasses", R"("spec":{})"},
      {dra, "resourceclaims",
       R"("spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"d"}}]}})"},
      {dra, "resourceclaimtemplates",
       R"("spec":{"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"d"}}]}}})"},
      {dra, "resourceslices",
       R"("spec":{"driver":"a.b","nodeName":"n","pool":{"name":"p","generation":1,"resourceSliceCount":1},"devices":[{"name":"d"}]})"},
      {flow, "flowschemas",
       R"("spec":{"priorityLevelConfiguration":{"name":"global-default"},"matchingPrecedence":9000})"},
      {flow, "prioritylevelconfigurations",
       R"("spec":{"type":"Limited","limited":{"limitResponse":{"type":"Reject"}}})"},
  };
}

// Objects whose requests are signed, or which need a request that is: behaviours/updates.txt has
// it.
const std::set<std::string>& TriedElsewhere() {
  static const std::set<std::string> all = {"certificates.k8s.io/v1 certificatesigningrequests"};
  return all;
}

Context Soon() { return WithTimeout(Context(), absl::Minutes(1)); }

// Those whose objects are created, read and updated, with whether they are in namespaces.
std::map<std::string, bool> ReplaceableResources(const ServerUnderTest& server) {
  std::set<std::string> built_in;
  for (const KindInfo* kind : api::AllKinds()) {
    built_in.insert(kind->group.empty() ? std::string(kind->version)
                                        : absl::StrCat(kind->group, "/", kind->version));
  }
  std::map<std::string, bool> found;
  const auto all = discovery::DiscoveryClient(*rest::MakeClient(server.Config()))
                       .ServerGroupsAndResources(Soon());
  EXPECT_THAT(all.status(), base::IsOk());
  if (!all.ok()) return found;
  for (const discovery::ResourceList& list : all->resources) {
    // Other tests of the same server have their definitions.
    if (built_in.count(std::string(list->group_version.view())) == 0) continue;
    for (const metav1::APIResource& each : list->resources) {
      const std::set<std::string> verbs(each.verbs.begin(), each.verbs.end());
      const bool is_object = verbs.count("create") != 0 && verbs.count("update") != 0 &&
                             verbs.count("get") != 0 && verbs.count("list") != 0;
      if (!is_object) continue;
      found[absl::StrCat(list->group_version.view(), " ", each.name.view())] = each.namespaced;
    }
  }
  return found;
}

class ReplaceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (ServerUnderTest::variant().empty()) return;
    std::cout << "SKIPPED: not of this variant\n";
    GTEST_SKIP();
  }

  HttpAnswer Send(const std::string& method, const std::string& target,
                  const std::string& body = "") const {
    http::Headers headers = {{"authorization", "Bearer admin-token"}};
    if (!body.empty()) headers.Set("content-type", "application/json");
    return server_.Send(method, target, headers, body);
  }

  // Creates, replaces and deletes an object.
  void Replace(const Row& row, bool namespaced) const;

  const ServerUnderTest& server_ = ServerUnderTest::Get();
  const std::string namespace_name_ = server_.MakeNamespace();
};

// Without what each write changes, and the finalizers that a real server gives to new volumes and
// claims, which a manifest takes back.
Value Comparable(absl::string_view json) {
  absl::StatusOr<Value> value = unstructured::ParseJson(json);
  EXPECT_THAT(value.status(), base::IsOk()) << json;
  if (!value.ok()) return Value();
  if (Value* const metadata = value->Find("metadata"); metadata != nullptr) {
    for (const char* member : {"resourceVersion", "managedFields", "finalizers"}) {
      metadata->object()->erase(member);
    }
  }
  // Others write it, such as the controllers of definitions.
  value->object()->erase("status");
  return *std::move(value);
}

std::string VersionOf(absl::string_view json) {
  const absl::StatusOr<Value> value = unstructured::ParseJson(json);
  if (!value.ok()) return "";
  const Value* const metadata = value->Find("metadata");
  const Value* const version = metadata == nullptr ? nullptr : metadata->Find("resourceVersion");
  return version == nullptr ? "" : std::string(version->text().value_or(""));
}

void ReplaceTest::Replace(const Row& row, bool namespaced) const {
  const bool core = row.group_version == "v1";
  const std::string name = absl::StrReplaceAll(namespaced || row.name != "a" ? row.name : "${NS}-a",
                                               {{"${NS}", namespace_name_}});
  const std::string path = absl::StrCat(
      core ? "/api/" : "/apis/", row.group_version,
      namespaced ? absl::StrCat("/namespaces/", namespace_name_) : "", "/", row.resource);
  const auto manifest = [&](absl::string_view version) {
    const std::string at =
        version.empty() ? "" : absl::StrCat(R"(,"resourceVersion":")", version, "\"");
    return absl::StrReplaceAll(absl::StrCat(R"({"metadata":{"name":")", name, "\"", at, "}",
                                            row.manifest.empty() ? "" : ",", row.manifest, "}"),
                               {{"${NS}", namespace_name_}});
  };
  const HttpAnswer created = Send("POST", path, manifest(""));
  EXPECT_EQ(created.status, 201) << created.body;
  if (created.status != 201) return;
  const std::string object = absl::StrCat(path, "/", name);
  // As kubectl, which sends the version that is there. A controller may write in between.
  HttpAnswer before, replaced;
  for (int tries = 0; tries < 5; ++tries) {
    before = Send("GET", object);
    replaced = Send("PUT", object, manifest(VersionOf(before.body)));
    if (replaced.status != 409) break;
  }
  EXPECT_EQ(replaced.status, row.after == After::kRefused ? 422 : 200) << replaced.body;
  if (replaced.status == 200) {
    const bool same = Comparable(before.body) == Comparable(replaced.body);
    EXPECT_EQ(same, row.after == After::kSame)
        << "before: " << before.body << "\nafter: " << replaced.body;
  }
  Send("DELETE", object);
}

TEST_F(ReplaceTest, ObjectsAreReplacedWithTheirManifests) {
  const std::map<std::string, bool> resources = ReplaceableResources(server_);
  std::set<std::string> tried = TriedElsewhere();
  for (const Row& row : Rows()) {
    const std::string key = absl::StrCat(row.group_version, " ", row.resource);
    SCOPED_TRACE(key);
    tried.insert(key);
    const auto found = resources.find(key);
    ASSERT_NE(found, resources.end()) << "no such resource";
    Replace(row, found->second);
  }
  for (const auto& [key, namespaced] : resources) {
    EXPECT_EQ(tried.count(key), 1u) << key << " has no row";
  }
}

}  // namespace
}  // namespace kube::conformance
