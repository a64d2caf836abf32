#ifndef TESTS_CONFORMANCE_SCRIPT_H_
#define TESTS_CONFORMANCE_SCRIPT_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::conformance {

// A request and the expected answer.
struct Step {
  int line = 0;
  std::string method = {};
  std::string target = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};

  int code = 0;
  bool exactly = false;     // the body has no members besides `expected`
  bool eventually = false;  // repeated for a while until the answer is as expected
  int lines = 0;            // number of JSON lines to read; 0: until the end
  std::vector<std::pair<std::string, std::string>> expected_headers = {};
  std::string expected = {};  // empty: any body
  // Variables to save, by name and path: {"rv", "metadata.resourceVersion"}.
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

// Parses behaviours; README.md describes the format. Returns INVALID_ARGUMENT with the line of an
// error.
absl::StatusOr<std::vector<Behaviour>> ParseScript(absl::string_view text);

}  // namespace kube::conformance

#endif  // TESTS_CONFORMANCE_SCRIPT_H_
