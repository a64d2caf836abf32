#ifndef APISERVER_TESTING_EXTENSION_RUN_H_
#define APISERVER_TESTING_EXTENSION_RUN_H_

#include "absl/strings/string_view.h"

namespace kube::apiserver {

// How many requests of each sort a server has accepted.
struct ExtensionCounts {
  int definitions = 0;
  int policies = 0;
  int mutating_policies = 0;
  int webhooks = 0;
  int objects = 0;
  // Writes of objects that were refused.
  int refused = 0;
};

// Sends the requests that the input means (extension_maker.h) to a new server: definitions,
// policies, webhooks, and reads and writes of objects that are about them. Aborts the program if a
// request is not answered within a minute, or if an object that was created cannot be read although
// no webhook converts it.
ExtensionCounts RunExtensions(absl::string_view input);

}  // namespace kube::apiserver

#endif  // APISERVER_TESTING_EXTENSION_RUN_H_
