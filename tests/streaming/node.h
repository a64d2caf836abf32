#ifndef TESTS_STREAMING_NODE_H_
#define TESTS_STREAMING_NODE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "tests/integration/line_program.h"

namespace kube::streaming {

// The Go program clientset/remotecommand/differential/node, which its main.go describes: a node,
// with pods that do what tests ask for, and API servers in front of it. A mode names an API server,
// such as "translating". Immutable, and thread-safe.
class Node {
 public:
  // Starts the program. Blocks until it is ready. Returns UNAVAILABLE with the reason only if Go
  // could not provide it: see oracle::PrintSkipped. One at a time per test program.
  static absl::StatusOr<std::unique_ptr<Node>> Start();
  // Use Start.
  Node(std::string folder, std::unique_ptr<integration::LineProgram> program)
      : folder_(std::move(folder)), program_(std::move(program)) {}

  // Returns the configuration for an API server. Its connections are cut that many bytes after the
  // header of an upgrade request, if `cut_after` is set. Aborts if there is no such mode.
  rest::Config ConfigFor(absl::string_view mode, std::optional<size_t> cut_after = {}) const;
  // Returns a new client with this configuration.
  rest::Client ClientFor(absl::string_view mode, std::optional<size_t> cut_after = {}) const;

  // Returns the folder with the program's files.
  const std::string& folder() const { return folder_; }

 private:
  const std::string folder_;
  // Ends the program.
  const std::unique_ptr<integration::LineProgram> program_;
};

}  // namespace kube::streaming

#endif  // TESTS_STREAMING_NODE_H_
