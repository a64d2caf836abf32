#include "docs/snippets/tutorial/greeter.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/handlers/enqueue.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/run_workers.h"
#include "docs/snippets/tutorial/greeting.client.kube.h"
#include "docs/snippets/tutorial/greeting.informers.kube.h"
#include "docs/snippets/tutorial/greeting.kube.h"
#include "informers/kubernetes/core/v1/informers.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "listers/lister.h"

namespace corev1 = kube::api::core::v1;
namespace v1 = example::greetings::v1;
using kube::Context;
using kube::kubernetes::Clientset;
using kube::meta::ObjectName;

namespace {

const kube::schema::GroupVersionKind kGreeting = {
    .group = "example.com", .version = "v1", .kind = "Greeting"};

// Brings one Greeting's ConfigMap and status to where they should be. Not: does what an event says.
absl::Status Greet(const Context& ctx, const Clientset& client,
                   const kube::listers::Lister<v1::Greeting>& greetings, const ObjectName& name) {
  const auto greeting = greetings.Namespace(name.namespace_).Get(name.name);
  if (!greeting.ok()) return absl::OkStatus();  // it is gone, and so will be its ConfigMap

  const std::string text = absl::StrCat("Hello, ", (*greeting)->spec.name.view(), "!");
  corev1::ConfigMap map = {.metadata = {.name = name.name}, .data = {{"text", text}}};
  map.metadata.owner_references = {kube::meta::NewControllerRef((*greeting)->metadata, kGreeting)};
  const auto maps = client.CoreV1().ConfigMaps(name.namespace_);
  absl::Status written = maps.Create(ctx, map).status();
  if (kube::errors::IsAlreadyExists(written)) written = maps.Update(ctx, map).status();
  KUBE_RETURN_IF_ERROR(written);

  v1::Greeting updated = **greeting;  // the cache's own is const
  updated.status.text = text;
  return v1::GreetingClient(client.client(), name.namespace_).UpdateStatus(ctx, updated).status();
}

}  // namespace

absl::Status RunGreeter(const Context& ctx, const Clientset& client) {
  kube::workqueue::Queue<ObjectName> queue;
  kube::kubernetes::SharedInformerFactory factory(client);  // ends before the queue does
  const v1::GreetingInformer greetings = v1::ExampleV1Informers(factory).Greetings();
  const corev1::ConfigMapInformer maps = factory.Core().V1().ConfigMaps();
  const kube::listers::Lister<v1::Greeting> lister = greetings.Lister();
  KUBE_RETURN_IF_ERROR(
      greetings.Informer().AddEventHandler(kube::controller::EnqueueHandler<v1::Greeting>(queue)));
  KUBE_RETURN_IF_ERROR(maps.Informer().AddEventHandler(
      kube::controller::EnqueueControllerHandler<corev1::ConfigMap>(queue, kGreeting)));
  KUBE_RETURN_IF_ERROR(factory.Start(ctx));
  KUBE_RETURN_IF_ERROR(factory.WaitForCacheSync(ctx, {.fail_fast = true}));
  return kube::workqueue::RunWorkers(ctx, /*workers=*/2, queue,
                                     [&](const Context& work, const ObjectName& name) {
                                       return Greet(work, client, lister, name);
                                     });
}
