#include "clientset/remotecommand/run.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/session.h"
#include "clientset/remotecommand/streams.h"
#include "clientset/rest/client.h"

namespace kube::remotecommand {

namespace {

// Copies stdin to the command. Returns the error of the source if the command could still have read
// what is missing.
absl::Status CopyStdin(const Context& ctx, Session& session, StdinSource& source) {
  while (true) {
    const absl::StatusOr<std::string> bytes = source(ctx);
    if (ctx.done()) return absl::OkStatus();  // the command has ended
    if (!bytes.ok() || bytes->empty()) {
      // Protocols that cannot end stdin end it with the session.
      session.CloseStdin(ctx).IgnoreError();
      return base::Annotate(bytes.status(), "read stdin");
    }
    // A command need not read all of its input; if something else is wrong, Read tells it.
    if (!session.WriteStdin(ctx, *bytes).ok()) return absl::OkStatus();
  }
}

// Passes on the sizes of the terminal. A size that is lost is no reason to end the command, as in
// client-go.
void CopySizes(const Context& ctx, Session& session, SizeSource& source) {
  while (!ctx.done()) {
    const absl::StatusOr<std::optional<TerminalSize>> size = source(ctx);
    if (!size.ok() || !size->has_value()) return;
    session.Resize(ctx, **size).IgnoreError();
  }
}

struct CopiedOutput {
  // What Session::Wait returns, or the error of Session::Read.
  absl::Status outcome = {};
  absl::Status sink_error = {};
};

// Hands on what the command writes until it has ended.
CopiedOutput CopyOutput(const Context& ctx, Session& session, Streams& streams) {
  CopiedOutput copied;
  while (true) {
    const absl::StatusOr<std::optional<Output>> read = session.Read(ctx);
    if (!read.ok() || !read->has_value()) {
      copied.outcome = read.ok() ? session.Wait(ctx) : read.status();
      return copied;
    }
    const Output& output = **read;
    OutputSink& sink =
        output.channel == Channel::kStderr ? streams.stderr_sink : streams.stdout_sink;
    if (sink == nullptr) continue;
    const absl::Status status = sink(ctx, output.data);
    if (status.ok()) continue;
    sink = nullptr;  // what follows is dropped
    if (copied.sink_error.ok()) copied.sink_error = base::Annotate(status, "write output");
  }
}

}  // namespace

absl::Status Run(const Context& ctx, Session& session, Streams streams) {
  absl::Status stdin_error;
  // The threads are the first to be destroyed: they use what stands before them.
  base::Thread stdin_thread;
  base::Thread sizes_thread;
  if (streams.stdin_source != nullptr) {
    KUBE_RETURN_IF_ERROR(
        stdin_thread.Start(ctx, "remotecommand-stdin", [&](const Context& thread_ctx) {
          stdin_error = CopyStdin(thread_ctx, session, streams.stdin_source);
        }));
  }
  if (streams.sizes != nullptr) {
    KUBE_RETURN_IF_ERROR(sizes_thread.Start(
        ctx, "remotecommand-sizes",
        [&](const Context& thread_ctx) { CopySizes(thread_ctx, session, streams.sizes); }));
  }
  const CopiedOutput copied = CopyOutput(ctx, session, streams);
  session.Close();
  for (base::Thread* thread : {&stdin_thread, &sizes_thread}) {
    if (!thread->joinable()) continue;
    thread->RequestStop();
    thread->Join();
  }
  KUBE_RETURN_IF_ERROR(copied.outcome);
  KUBE_RETURN_IF_ERROR(copied.sink_error);
  return stdin_error;
}

absl::StatusOr<CommandOutput> CollectOutput(const Context& ctx, const rest::Client& client,
                                            const PodTarget& pod, ExecOptions options,
                                            size_t max_bytes) {
  options.with_stdin = false;
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<Session> session,
                        StartExec(ctx, client, pod, options));
  CommandOutput collected;
  size_t bytes = 0;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<Output> output, session->Read(ctx));
    if (!output.has_value()) break;
    bytes += output->data.size();
    if (bytes > max_bytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat("exec in pod \"", pod.name, "\" of \"", pod.namespace_name,
                       "\": the command has written more than ", max_bytes, " bytes"));
    }
    std::string& text =
        output->channel == Channel::kStderr ? collected.stderr_text : collected.stdout_text;
    absl::StrAppend(&text, output->data);
  }
  collected.outcome = session->Wait(ctx);
  return collected;
}

}  // namespace kube::remotecommand
