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

// Maintains a Deployment for each Foo, and reports in the Foo's status how many replicas are
// available.
class Controller {
 public:
  static constexpr char kName[] = "sample-controller";  // in events, leases and field managers

  // `recorder` must outlive the controller.
  Controller(const kube::kubernetes::Clientset& client, kube::record::EventRecorder& recorder,
             std::shared_ptr<kube::base::MetricsProvider> metrics = kube::base::NoOpMetrics());

  // Runs the controller until `ctx` is done. Returns an error if a resource does not exist or must
  // not be read. Call it once.
  absl::Status Run(const kube::Context& ctx, int workers);

 private:
  absl::Status Sync(const kube::Context& ctx, const kube::meta::ObjectName& name);
  // `cached` is the present Deployment, or null.
  absl::Status SyncDeployment(const kube::Context& ctx, const v1alpha1::Foo& foo,
                              const kube::api::apps::v1::Deployment* cached);

  const kube::kubernetes::Clientset client_;
  kube::record::EventRecorder& recorder_;
  kube::workqueue::Queue<kube::meta::ObjectName> queue_;
  // Declared after the queue, so that its handlers, which use the queue, are stopped first.
  kube::kubernetes::SharedInformerFactory factory_;
  const kube::listers::Lister<v1alpha1::Foo> foos_;
  const kube::listers::Lister<kube::api::apps::v1::Deployment> deployments_;
};

}  // namespace samplecontroller

#endif  // EXAMPLES_SAMPLE_CONTROLLER_CONTROLLER_H_
