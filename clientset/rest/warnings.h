#ifndef CLIENTSET_REST_WARNINGS_H_
#define CLIENTSET_REST_WARNINGS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"

namespace kube::rest {

// A warning from a Warning header, such as `299 - "v1 ComponentStatus is deprecated in v1.19+"`.
struct Warning {
  int code = 0;
  std::string agent = {};
  std::string text = {};

  friend bool operator==(const Warning&, const Warning&) = default;
};

// Parses the value of one Warning header. Returns the warnings up to the first malformed one. Pure.
// (client-go: `net.ParseWarningHeaders`)
std::vector<Warning> ParseWarnings(absl::string_view header);

// Receives the warnings of a server, which come with successful and with failed responses.
// (client-go: `rest.WarningHandlerWithContext`) Thread-safe.
class WarningHandler {
 public:
  virtual ~WarningHandler() = default;
  // Called on the thread that made the request, before it gets the result. `ctx` is that of the
  // request: log with it, and the line says what the request was for.
  virtual void HandleWarning(const Context& ctx, const Warning& warning) = 0;
};

// Return handlers that log warnings of code 299 with a text. MakeWarningLogger logs each warning.
// MakeDeduplicatingWarningLogger logs each text once; it remembers (as hashes) up to 1000 texts,
// and logs further ones each time. NoWarnings drops all warnings. (client-go: `rest.WarningLogger`,
// `rest.NewWarningWriter` with `Deduplicate`, `rest.NoWarnings`)
std::shared_ptr<WarningHandler> MakeWarningLogger();
std::shared_ptr<WarningHandler> MakeDeduplicatingWarningLogger();
std::shared_ptr<WarningHandler> NoWarnings();

}  // namespace kube::rest

#endif  // CLIENTSET_REST_WARNINGS_H_
