#include <iostream>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/rest/config.h"
#include "docs/snippets/tutorial/greeter.h"

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(const kube::rest::Config config,
                        kube::clientcmd::LoadDefaultConfig(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(config));
  return RunGreeter(ctx, client);
}

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::SignalContext());
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
