#ifndef TESTS_CONFORMANCE_SCRIPT_H_
#define TESTS_CONFORMANCE_SCRIPT_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::conformance {

// A request, and what its answer must be.
struct Step {
  int line = 0;
  std::string method = {};
  std::string target = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};

  int code = 0;
  bool exactly = false;     // the body has no more members than `expected`
  bool eventually = false;  // asked again for a while until it is so
  int lines = 0;            // so many lines are read, each a JSON of its own; 0: to the end
  std::vector<std::pair<std::string, std::string>> expected_headers = {};
  std::string expected = {};  // "": anything
  // Variables by what they are called and where they are: {"rv", "metadata.resourceVersion"}.
  std::vector<std::pair<std::string, std::string>> saves = {};
};

// Something that a server of the Kubernetes API does.
struct Behaviour {
  std::string name = {};  // a sentence
  int line = 0;
  bool needs_controllers = false;
  bool needs_definitions = false;
  std::vector<Step> steps = {};
};

// Reads behaviours from the text of a file; README.md describes the form. INVALID_ARGUMENT names
// the line.
absl::StatusOr<std::vector<Behaviour>> ParseScript(absl::string_view text);

}  // namespace kube::conformance

#endif  // TESTS_CONFORMANCE_SCRIPT_H_
