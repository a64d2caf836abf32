#ifndef EXAMPLES_SAMPLE_CONTROLLER_CONTROLLER_H_
#define EXAMPLES_SAMPLE_CONTROLLER_CONTROLLER_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/kubernetes/clientset.h"
#include "controller/events/record/event_recorder.h"
#include "controller/workqueue/queue.h"
#include "examples/sample_controller/foo.kube.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "listers/lister.h"

namespace samplecontroller {

// Keeps a Deployment for each Foo, and says in the Foo's status how much of it is available.
class Controller {
 public:
  static constexpr char kName[] = "sample-controller";  // of events, leases and writes

  // `recorder` outlives it.
  Controller(const kube::kubernetes::Clientset& client, kube::record::EventRecorder& recorder,
             std::shared_ptr<kube::base::MetricsProvider> metrics = kube::base::NoOpMetrics());

  // Works until `ctx` ends. An error says what it may not read, or what is not there. Once.
  absl::Status Run(const kube::Context& ctx, int workers);

 private:
  absl::Status Sync(const kube::Context& ctx, const kube::meta::ObjectName& name);
  // Null: it has none.
  absl::Status SyncDeployment(const kube::Context& ctx, const v1alpha1::Foo& foo,
                              const kube::api::apps::v1::Deployment* cached);

  const kube::kubernetes::Clientset client_;
  kube::record::EventRecorder& recorder_;
  kube::workqueue::Queue<kube::meta::ObjectName> queue_;
  // Behind the queue: it ends first, and its handlers with it, which add to the queue.
  kube::kubernetes::SharedInformerFactory factory_;
  const kube::listers::Lister<v1alpha1::Foo> foos_;
  const kube::listers::Lister<kube::api::apps::v1::Deployment> deployments_;
};

}  // namespace samplecontroller

#endif  // EXAMPLES_SAMPLE_CONTROLLER_CONTROLLER_H_
