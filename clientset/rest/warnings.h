#ifndef CLIENTSET_REST_WARNINGS_H_
#define CLIENTSET_REST_WARNINGS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::rest {

// Of a header Warning: `299 - "v1 ComponentStatus is deprecated in v1.19+"`.
struct Warning {
  int code = 0;
  std::string agent = {};
  std::string text = {};

  friend bool operator==(const Warning&, const Warning&) = default;
};

// All that one header says; what is malformed is left out. (net.ParseWarningHeaders)
std::vector<Warning> ParseWarnings(absl::string_view header);

// Receives what a server warns of, with a response of success or failure. Called on the thread that
// made the request, before it gets the result. Thread-safe. (rest.WarningHandler)
class WarningHandler {
 public:
  virtual ~WarningHandler() = default;
  virtual void HandleWarning(const Warning& warning) = 0;
};

// Log those of code 299 with a text, as warnings: the first each time, the second each text once,
// as long as there are not more than 1000, of which it remembers a hash each. The last drops all.
// (WarningLogger; NewWarningWriter with Deduplicate; NoWarnings)
std::shared_ptr<WarningHandler> MakeWarningLogger();
std::shared_ptr<WarningHandler> MakeDeduplicatingWarningLogger();
std::shared_ptr<WarningHandler> NoWarnings();

}  // namespace kube::rest

#endif  // CLIENTSET_REST_WARNINGS_H_
