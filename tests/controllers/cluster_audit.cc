#include "tests/controllers/cluster_audit.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "tests/controllers/operator.h"
#include "tests/controllers/operator_cluster.h"
#include "tests/controllers/recorder.h"

namespace kube::controllers {

namespace corev1 = api::core::v1;
using api::meta::v1::ObjectMeta;
using corev1::ConfigMap;
using corev1::ConfigMapList;
using corev1::Secret;
using corev1::SecretList;

namespace {

template <typename... Text>
absl::Status NotYet(const ObjectMeta& metadata, const Text&... text) {
  return absl::UnavailableError(absl::StrCat(meta::MetaNamespaceKey(metadata), text...));
}

std::string ValueOf(const Map<String>& map, absl::string_view key) {
  const String* value = map.find(key);
  return value == nullptr ? "" : std::string(value->view());
}

bool HasRole(const ObjectMeta& metadata, absl::string_view role) {
  return ValueOf(metadata.labels, kRole) == role;
}

// What the server has.
struct Objects {
  ConfigMapList maps;
  SecretList secrets;
};

absl::Status CheckNothingIsDeleted(const OperatorCluster& cluster, const Objects& objects) {
  KUBE_ASSIGN_OR_RETURN(const corev1::NamespaceList namespaces,
                        cluster.admin().CoreV1().Namespaces().List(Context()));
  for (const corev1::Namespace& each : namespaces.items) {
    if (meta::IsBeingDeleted(each)) return NotYet(each.metadata, ": still there");
  }
  for (const ConfigMap& each : objects.maps.items) {
    if (meta::IsBeingDeleted(each)) return NotYet(each.metadata, ": still there");
  }
  for (const Secret& each : objects.secrets.items) {
    if (meta::IsBeingDeleted(each)) return NotYet(each.metadata, ": still there");
  }
  return absl::OkStatus();
}

absl::Status CheckSets(const Objects& objects) {
  std::map<std::string, std::set<std::string>> slots;  // by the UID of the set
  for (const Secret& child : objects.secrets.items) {
    if (!HasRole(child.metadata, kChild)) continue;
    const auto* const owner = meta::GetControllerOf(child.metadata);
    if (owner == nullptr) return NotYet(child.metadata, ": no owner");
    const std::string slot = ValueOf(child.metadata.labels, kSlot);
    if (!slots[std::string(owner->uid.view())].insert(slot).second) {
      return NotYet(child.metadata, ": the second child in slot ", slot);
    }
  }
  for (const ConfigMap& map : objects.maps.items) {
    if (!HasRole(map.metadata, kSet)) continue;
    int64_t count = 0;
    if (!absl::SimpleAtoi(ValueOf(map.data, kCount), &count)) count = 0;
    std::set<std::string> wanted;
    for (int64_t slot = 0; slot < count; ++slot) wanted.insert(absl::StrCat(slot));
    const std::string uid(map.metadata.uid.view());
    if (slots[uid] != wanted) {
      return NotYet(map.metadata, ": it has ", slots[uid].size(), " children, not ", count);
    }
    slots.erase(uid);
  }
  if (slots.empty()) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("children of a set that is gone, with the UID ", slots.begin()->first));
}

absl::Status CheckMirrors(const Objects& objects) {
  std::map<std::string, std::string> values;
  for (const Secret& source : objects.secrets.items) {
    if (!HasRole(source.metadata, kSource)) continue;
    values[meta::MetaNamespaceKey(source)] = ValueOf(source.metadata.annotations, kValue);
  }
  for (const ConfigMap& map : objects.maps.items) {
    if (!HasRole(map.metadata, kMirror)) continue;
    const auto source = values.find(
        absl::StrCat(map.metadata.namespace_.view(), "/", ValueOf(map.data, kSourceName)));
    const std::string wanted = source == values.end() ? kNoSource : source->second;
    const std::string copy = ValueOf(map.data, kCopy);
    if (copy != wanted) return NotYet(map.metadata, ": it has ", copy, ", not ", wanted);
  }
  return absl::OkStatus();
}

absl::Status CheckRecords(const OperatorCluster& cluster, const Objects& objects) {
  std::map<std::string, std::string> wanted;
  for (const ConfigMap& map : objects.maps.items) {
    if (!HasRole(map.metadata, kRecord)) continue;
    wanted[std::string(map.metadata.uid.view())] = ValueOf(map.data, kAddress);
  }
  const std::map<std::string, std::string> found = cluster.other_system().addresses();
  for (const auto& [uid, address] : found) {
    if (wanted.count(uid) == 0) {
      return absl::UnavailableError(absl::StrCat("the address of a record that is gone: ", uid));
    }
  }
  for (const auto& [uid, address] : wanted) {
    const auto it = found.find(uid);
    if (it == found.end() || it->second != address) {
      return absl::UnavailableError(absl::StrCat("the record ", uid, " has not ", address));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckCensus(const OperatorCluster& cluster, const Objects& objects) {
  std::map<std::string, Versions> wanted;
  for (const ConfigMap& map : objects.maps.items) {
    wanted[std::string(map.metadata.namespace_.view())][std::string(map.metadata.name.view())] =
        std::string(map.metadata.resource_version.view());
  }
  for (size_t i = 0; i < cluster.replicas(); ++i) {
    const std::string program = cluster.replica(i).program();
    if (cluster.recorder().Seen(program) != wanted) {
      return absl::UnavailableError(absl::StrCat("census of ", cluster.replica(i).user(), ": \"",
                                                 program, "\" has not seen all last versions"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckConverged(const OperatorCluster& cluster) {
  Objects objects;
  KUBE_ASSIGN_OR_RETURN(objects.maps, cluster.admin().CoreV1().ConfigMaps("").List(Context()));
  KUBE_ASSIGN_OR_RETURN(objects.secrets, cluster.admin().CoreV1().Secrets("").List(Context()));
  KUBE_RETURN_IF_ERROR(CheckNothingIsDeleted(cluster, objects));
  KUBE_RETURN_IF_ERROR(CheckSets(objects));
  KUBE_RETURN_IF_ERROR(CheckMirrors(objects));
  KUBE_RETURN_IF_ERROR(CheckRecords(cluster, objects));
  return CheckCensus(cluster, objects);
}

absl::Status CheckQuiet(OperatorCluster& cluster) {
  cluster.server().ClearRequests();
  KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), absl::Minutes(1)));
  for (const apiserver::LoggedRequest& request : cluster.server().Requests()) {
    if (!absl::StartsWith(request.user_agent, kAgent)) continue;
    // Leadership may have changed a moment ago, of which an event tells.
    if (request.resource == "leases" || request.resource == "events") continue;
    if (request.verb == "get" || request.verb == "list" || request.verb == "watch") continue;
    return absl::DataLossError(absl::StrCat("a write without a reason: ", request.user, " ",
                                            request.method, " ", request.target, " ",
                                            request.code));
  }
  return absl::OkStatus();
}

}  // namespace kube::controllers
