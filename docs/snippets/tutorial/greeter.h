#ifndef DOCS_SNIPPETS_TUTORIAL_GREETER_H_
#define DOCS_SNIPPETS_TUTORIAL_GREETER_H_

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "clientset/kubernetes/clientset.h"

// Keeps a ConfigMap with a text for each Greeting, until `ctx` ends.
absl::Status RunGreeter(const kube::Context& ctx, const kube::kubernetes::Clientset& client);

#endif  // DOCS_SNIPPETS_TUTORIAL_GREETER_H_
