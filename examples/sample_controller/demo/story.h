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

// The actions of a user of Foos in the demo. The controller is a separate program and is seen only
// by its effects.
class Story {
 public:
  // `screen` must outlive this. The namespace must exist and be empty.
  Story(const kube::kubernetes::Clientset& client, std::string namespace_name, Screen& screen);

  // Starts to show the changes in the namespace.
  absl::Status Watch(const kube::Context& ctx);
  // Creates a Foo, changes it, deletes its Deployment, and creates a second Foo that names a
  // foreign Deployment.
  absl::Status Tell(const kube::Context& ctx);
  // Deletes both Foos.
  absl::Status End(const kube::Context& ctx);

 private:
  // Waits until `reached` returns true; `what` describes it in the error.
  absl::Status Await(const kube::Context& ctx, absl::string_view what,
                     const std::function<bool()>& reached);
  // Returns whether example-foo has exactly `count` pods, all ready, and its status says so.
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
