#ifndef TESTS_SIMULATION_FOO_APPLIER_H_
#define TESTS_SIMULATION_FOO_APPLIER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/kubernetes/clientset.h"
#include "controller/events/record/event_recorder.h"
#include "examples/sample_controller/foo.kube.h"

namespace kube::simulation {

// The field manager of the controller's requests.
inline constexpr char kApplier[] = "foo-applier";
// A label of the pods, and of the selector, with the UID of the Foo.
inline constexpr char kFooUidLabel[] = "samplecontroller.k8s.io/foo-uid";

// Runs the sample controller as one writes it with nothing but server-side apply, until `ctx` is
// done. It compares nothing: each time it applies all that the Foo asks for, by force, and the
// server finds out what that changes. What a Foo no longer asks for, it no longer applies, and the
// server removes it. A Deployment has the labels of its Foo; the sample controller's has none.
//
// An apply creates or changes, and by force it takes over what somebody else has made. As the cache
// may lag, two things keep the controller from that:
//   * The selector of a Deployment contains the UID of the Foo, and cannot be changed. So the
//     server refuses to apply it to a Deployment that was not made for this Foo.
//   * The status is applied first, to the version of the Foo that the cache has. So a Foo that is
//     gone, or was made anew, gets no Deployment.
//
// Returns an error if a resource does not exist or must not be read.
absl::Status RunFooApplier(const Context& ctx, const kubernetes::Clientset& client,
                           record::EventRecorder& recorder);

// Return what it applies: to the Deployment, and to the status of the Foo.
unstructured::Unstructured DesiredDeployment(const samplecontroller::v1alpha1::Foo& foo);
unstructured::Unstructured DesiredStatus(const samplecontroller::v1alpha1::Foo& foo,
                                         int32_t available_replicas);

}  // namespace kube::simulation

#endif  // TESTS_SIMULATION_FOO_APPLIER_H_
