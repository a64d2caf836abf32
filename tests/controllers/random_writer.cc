#include "tests/controllers/random_writer.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "tests/controllers/fault_kinds.h"
#include "tests/controllers/operator.h"
#include "tests/controllers/operator_cluster.h"

namespace kube::controllers {

namespace corev1 = api::core::v1;
using corev1::ConfigMap;
using corev1::Secret;

namespace {

std::string Any(absl::string_view prefix, int64_t number) {
  return absl::StrCat(prefix, base::UniformInt(0, number));
}

// Writes in one namespace. Errors are ignored: the namespace may be missing or on its way out.
class Writer {
 public:
  Writer(const Context& ctx, const kubernetes::Clientset& client, absl::string_view namespace_name,
         int writer)
      : ctx_(ctx),
        maps_(client.CoreV1().ConfigMaps(namespace_name)),
        secrets_(client.CoreV1().Secrets(namespace_name)),
        writer_(absl::StrCat("-", writer)) {}

  void Act() const {
    switch (base::UniformInt(0, 10)) {
      case 0:
      case 1:
      case 2:
        return ChangeMap(absl::StrCat("set", writer_), kSet, kCount, Any("", 4));
      case 3:
        return DeleteAChild();
      case 4:
      case 5:
        return ChangeMap(absl::StrCat("mirror", writer_), kMirror, kSourceName, Any("source-", 3));
      case 6:
      case 7:
        return ChangeSource(Any("source-", 3));
      default:
        return ChangeMap(absl::StrCat("record", writer_), kRecord, kAddress, Any("10.0.0.", 100));
    }
  }

 private:
  // Creates the config map, or deletes it, or changes a value of its data.
  void ChangeMap(const std::string& name, absl::string_view role, absl::string_view key,
                 const std::string& value) const {
    const absl::StatusOr<ConfigMap> found = maps_.Get(ctx_, name);
    if (errors::IsNotFound(found.status())) {
      ConfigMap made;
      made.metadata.name = name;
      made.metadata.labels[kRole] = role;
      made.data[key] = value;
      return maps_.Create(ctx_, made).status().IgnoreError();
    }
    if (Chance(0.3)) return maps_.Delete(ctx_, name).IgnoreError();
    const auto change = [key, &value](ConfigMap& map) {
      map.data[key] = value;
      return absl::OkStatus();
    };
    maps_.Edit(ctx_, name, change).status().IgnoreError();
  }

  void ChangeSource(const std::string& name) const {
    const std::string value = Any("v", 1000);
    const absl::StatusOr<Secret> found = secrets_.Get(ctx_, name);
    if (errors::IsNotFound(found.status())) {
      Secret made;
      made.metadata.name = name;
      made.metadata.labels[kRole] = kSource;
      made.metadata.annotations[kValue] = value;
      return secrets_.Create(ctx_, made).status().IgnoreError();
    }
    if (Chance(0.3)) return secrets_.Delete(ctx_, name).IgnoreError();
    const auto change = [&value](Secret& secret) {
      secret.metadata.annotations[kValue] = value;
      return absl::OkStatus();
    };
    secrets_.Edit(ctx_, name, change).status().IgnoreError();
  }

  void DeleteAChild() const {
    api::meta::v1::ListOptions options;
    options.label_selector = absl::StrCat(kRole, "=", kChild);
    const absl::StatusOr<corev1::SecretList> children = secrets_.List(ctx_, options);
    if (!children.ok() || children->items.empty()) return;
    secrets_.Delete(ctx_, children->items[0].metadata.name.view()).IgnoreError();
  }

  const Context ctx_;
  const corev1::ConfigMapClient maps_;
  const corev1::SecretClient secrets_;
  const std::string writer_;
};

// Creates the namespace, or deletes it sometimes.
void ChangeNamespace(const Context& ctx, const kubernetes::Clientset& client,
                     const std::string& name) {
  const auto namespaces = client.CoreV1().Namespaces();
  const absl::StatusOr<corev1::Namespace> found = namespaces.Get(ctx, name);
  if (errors::IsNotFound(found.status())) {
    corev1::Namespace made;
    made.metadata.name = name;
    namespaces.Create(ctx, made).status().IgnoreError();
  } else if (Chance(0.4)) {
    namespaces.Delete(ctx, name).IgnoreError();
  }
}

}  // namespace

absl::Status WriteAtRandom(const Context& ctx, const OperatorCluster& cluster, int writer) {
  while (true) {
    KUBE_RETURN_IF_ERROR(
        base::SleepFor(ctx, UpTo(Chance(0.3) ? absl::Milliseconds(20) : absl::Seconds(8))));
    const std::string namespace_name = Any("team-", 3);
    if (Chance(0.2)) {
      ChangeNamespace(ctx, cluster.admin(), namespace_name);
    } else {
      Writer(ctx, cluster.admin(), Chance(0.3) ? "default" : namespace_name, writer).Act();
    }
  }
}

}  // namespace kube::controllers
