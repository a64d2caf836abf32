// kexec POD [-c CONTAINER] [-i] [-t] [-n NS] -- COMMAND [ARGUMENT]...: runs a command in a
// container, as `kubectl exec`. -i passes standard input on, -t then gives the command a terminal,
// -it does both. The exit code is that of the command.
//
//   $ kexec web-0 -- ls -l /
//   total 64
//   ...
//   $ echo hello | kexec web-0 -i -- cat
//   hello
//   $ kexec web-0 -- sh -c 'exit 3'
//   exec in pod "web-0" of "default": command terminated with exit code 3
#include <unistd.h>

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/run.h"
#include "clientset/remotecommand/session.h"
#include "clientset/remotecommand/streams.h"
#include "clientset/remotecommand/terminal.h"

ABSL_FLAG(std::string, c, "", "the container; needed if the pod has several");
ABSL_FLAG(bool, i, false, "pass standard input to the container");
ABSL_FLAG(bool, t, false, "standard input is a terminal; needs -i");
ABSL_FLAG(bool, it, false, "-i and -t");

namespace remotecommand = kube::remotecommand;

namespace {

remotecommand::ExecOptions OptionsFromFlags(std::vector<std::string> command) {
  remotecommand::ExecOptions options = {
      .container = absl::GetFlag(FLAGS_c),
      .command = std::move(command),
      .with_stdin = absl::GetFlag(FLAGS_i) || absl::GetFlag(FLAGS_it),
      .tty = absl::GetFlag(FLAGS_t) || absl::GetFlag(FLAGS_it)};
  // Nobody would pass on the keys of a raw terminal, not even Ctrl-C.
  if (!options.with_stdin) options.tty = false;
  if (options.tty && !remotecommand::IsTerminal(STDIN_FILENO)) {
    std::cerr << "Unable to use a TTY - input is not a terminal or the right kind of file\n";
    options.tty = false;
  }
  return options;
}

absl::Status Exec(const kube::Context& ctx, const std::string& pod,
                  const remotecommand::ExecOptions& options) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(loaded.config));
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<remotecommand::Session> session,
      remotecommand::StartExec(ctx, client.client(), {loaded.chosen_namespace.name, pod}, options));

  remotecommand::Streams streams = {.stdout_sink = remotecommand::ToDescriptor(STDOUT_FILENO),
                                    .stderr_sink = remotecommand::ToDescriptor(STDERR_FILENO)};
  if (options.with_stdin) streams.stdin_source = remotecommand::FromDescriptor(STDIN_FILENO);
  std::optional<remotecommand::RawTerminal> raw;  // the terminal is itself again at the end
  if (options.tty) {
    streams.sizes = remotecommand::TerminalSizes(STDIN_FILENO);
    KUBE_ASSIGN_OR_RETURN(raw, remotecommand::RawTerminal::Make(STDIN_FILENO));
  }
  return remotecommand::Run(ctx, *session, std::move(streams));
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> arguments = kube::clientcmd::ParseCommandLine(argc, argv);
  if (arguments.size() < 3) {
    std::cerr << "usage: kexec POD [-c CONTAINER] [-i] [-t] [-n NS] -- COMMAND [ARGUMENT]...\n";
    return 2;
  }
  const std::vector<std::string> command(arguments.begin() + 2, arguments.end());
  const absl::Status status = Exec(kube::SignalContext(), arguments[1], OptionsFromFlags(command));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return remotecommand::ExitCodeOf(status).value_or(1);
}
