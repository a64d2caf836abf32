#ifndef EXAMPLES_SAMPLE_CONTROLLER_DEMO_STORY_H_
#define EXAMPLES_SAMPLE_CONTROLLER_DEMO_STORY_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "examples/sample_controller/demo/screen.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "informers/kubernetes/shared_informer_factory.h"

namespace samplecontroller {

// What the demo does as a user of Foos, and shows. The controller is somebody else: it is only seen
// by what happens.
class Story {
 public:
  // `screen` outlives it. The namespace is there, and empty.
  Story(const kube::kubernetes::Clientset& client, std::string namespace_name, Screen& screen);

  // Shows from now on what happens in the namespace.
  absl::Status Watch(const kube::Context& ctx);
  // A Foo is made, changed, robbed of its Deployment; another one wants what is not its own.
  absl::Status Tell(const kube::Context& ctx);
  // Both Foos go.
  absl::Status End(const kube::Context& ctx);

 private:
  // Waits until it is so; `what` is what the error says.
  absl::Status Await(const kube::Context& ctx, absl::string_view what,
                     const std::function<bool()>& reached);
  // So many pods of example-foo are ready, by the Foo's own account, and there are no others.
  bool HasPods(int count);
  absl::Status CreateFoo(const kube::Context& ctx, absl::string_view name,
                         absl::string_view deployment, int replicas);
  absl::Status MakeFooOfForeignDeployment(const kube::Context& ctx);

  const std::string namespace_name_;
  const kube::api::apps::v1::DeploymentClient deployments_;
  const v1alpha1::FooClient foos_;
  Screen& screen_;
  kube::kubernetes::SharedInformerFactory factory_;  // last: its handlers use the screen
};

}  // namespace samplecontroller

#endif  // EXAMPLES_SAMPLE_CONTROLLER_DEMO_STORY_H_
