#ifndef DOCS_SNIPPETS_MIRROR_CONTROLLER_H_
#define DOCS_SNIPPETS_MIRROR_CONTROLLER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/kubernetes/clientset.h"
#include "controller/events/event_recorder.h"
#include "controller/workqueue/queue.h"
#include "docs/snippets/mirror/mirror.informers.kube.h"
#include "docs/snippets/mirror/mirror.kube.h"
#include "informers/kubernetes/core/v1/informers.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "listers/lister.h"

namespace example::mirrors {

// Keeps copies of ConfigMaps for Mirrors. Run it once.
class Controller {
 public:
  Controller(const kube::kubernetes::Clientset& client, kube::events::EventRecorder& recorder);

  // Works until `ctx` ends.
  absl::Status Run(const kube::Context& ctx);

 private:
  absl::Status Watch(const kube::Context& ctx);
  void EnqueueMirrorsOf(const kube::api::core::v1::ConfigMap& map, int16_t priority);
  absl::Status Reconcile(const kube::Context& ctx, const kube::meta::ObjectName& name);
  absl::Status Copy(const kube::Context& ctx, const v1::Mirror& mirror);
  absl::Status CopyTo(const kube::Context& ctx, const v1::Mirror& mirror,
                      const kube::api::core::v1::ConfigMap& source, absl::string_view target);
  absl::Status Delete(const kube::Context& ctx, const kube::api::core::v1::ConfigMap& copy);
  absl::Status CleanUp(const kube::Context& ctx, const v1::Mirror& mirror);

  const kube::kubernetes::Clientset client_;
  kube::events::EventRecorder& recorder_;
  kube::workqueue::Queue<kube::meta::ObjectName> queue_;
  kube::kubernetes::SharedInformerFactory factory_;  // its handlers use the queue: it ends first
  const v1::MirrorInformer mirrors_;
  const kube::api::core::v1::ConfigMapInformer maps_;
  const kube::listers::Lister<v1::Mirror> mirror_lister_;
  const kube::listers::Lister<kube::api::core::v1::ConfigMap> map_lister_;
};

}  // namespace example::mirrors

#endif  // DOCS_SNIPPETS_MIRROR_CONTROLLER_H_
