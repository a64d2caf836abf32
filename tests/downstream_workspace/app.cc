// Links client_cpp into a program of another workspace. Prints the status of a cancelled context,
// an object of an API that is defined here, and an apply configuration of it.

#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "gadget.applies.kube.h"
#include "gadget.kube.h"

#ifndef DOWNSTREAM_ABSEIL
#error "client_cpp's libraries are compiled against another Abseil than this workspace's"
#endif

int main() {
  kube::CancelScope scope = kube::WithCancel(kube::Context());
  scope.Cancel(absl::AbortedError("closed"));
  const absl::Status status = kube::base::Annotate(scope.context().cause(), "watch pods");
  std::cout << std::string(status.message()) << std::endl;
  const downstream::gadget::v1::Gadget gadget{.metadata = {.name = "web"}, .size = 3};
  std::cout << gadget << std::endl;
  const downstream::gadget::v1::GadgetApplyConfiguration applied{.metadata = {{.name = "web"}},
                                                                 .size = 0};
  std::cout << applied << std::endl;
  return status == absl::AbortedError("watch pods: closed") ? 0 : 1;
}
