#ifndef TESTS_STREAMING_RUN_TO_END_H_
#define TESTS_STREAMING_RUN_TO_END_H_

#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "clientset/remotecommand/session.h"
#include "clientset/remotecommand/streams.h"

namespace kube::streaming {

// How a command has ended, and what it has written.
struct Ended {
  std::string out = {};
  std::string err = {};
  absl::Status outcome = {};
};

// Runs a session to its end, and keeps all of its output. Without a source stdin stays as it is.
Ended RunToEnd(const Context& ctx, remotecommand::Session& session,
               remotecommand::StdinSource source = {});

// Returns a source of a text, after which stdin ends.
remotecommand::StdinSource TextSource(std::string text);

}  // namespace kube::streaming

#endif  // TESTS_STREAMING_RUN_TO_END_H_
