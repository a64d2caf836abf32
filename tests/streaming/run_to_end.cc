#include "tests/streaming/run_to_end.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "clientset/remotecommand/run.h"
#include "clientset/remotecommand/session.h"
#include "clientset/remotecommand/streams.h"

namespace kube::streaming {
namespace {

remotecommand::OutputSink AppendTo(std::string& text) {
  return [&text](const Context&, absl::string_view bytes) {
    absl::StrAppend(&text, bytes);
    return absl::OkStatus();
  };
}

}  // namespace

Ended RunToEnd(const Context& ctx, remotecommand::Session& session,
               remotecommand::StdinSource source) {
  Ended ended;
  ended.outcome = remotecommand::Run(ctx, session,
                                     {.stdin_source = std::move(source),
                                      .stdout_sink = AppendTo(ended.out),
                                      .stderr_sink = AppendTo(ended.err)});
  return ended;
}

remotecommand::StdinSource TextSource(std::string text) {
  return [rest = std::move(text)](const Context&) mutable -> absl::StatusOr<std::string> {
    return std::exchange(rest, std::string());
  };
}

}  // namespace kube::streaming
