#include "clientset/remotecommand/internal/channels.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/remotecommand/protocol.h"

namespace kube::remotecommand::internal {

namespace {

int VersionOf(absl::string_view protocol) {
  if (protocol == kProtocolV5) return 5;
  if (protocol == kProtocolV4) return 4;
  if (protocol == kProtocolV3) return 3;
  if (protocol == kProtocolV2) return 2;
  return 1;
}

}  // namespace

Channels::Channels(const ChannelsOptions& options, Events& events)
    : options_(options), version_(VersionOf(options.protocol)), events_(events) {}

// ---- Receiving

absl::Status Channels::Receive(absl::string_view bytes) {
  if (ended_) return absl::OkStatus();
  KUBE_RETURN_IF_ERROR(failure_);
  absl::Status status = ReceiveBytes(bytes);
  // What an event has found counts before what the carrier says of it.
  if (ended_) return absl::OkStatus();
  if (!status.ok()) Fail(std::move(status));
  return failure_;
}

absl::Status Channels::EndOfInput(const absl::Status& cause) {
  if (ended_) return absl::OkStatus();
  EndEarly(cause.ok() ? absl::UnavailableError(
                            "the connection was closed before the server told the outcome")
                      : cause);
  return failure_;
}

void Channels::Take(Channel channel, absl::string_view data) {
  if (data.empty() || ended_ || !failure_.ok()) return;
  switch (channel) {
    case Channel::kStdout:
      if (options_.with_stdout) events_.OnOutput(channel, data);
      return;
    case Channel::kStderr:
      if (options_.with_stderr) events_.OnOutput(channel, data);
      return;
    case Channel::kError:
      if (error_stream_.size() + data.size() > kMaxErrorBytes) {
        return Fail(absl::ResourceExhaustedError(
            absl::StrCat("the error stream has more than ", kMaxErrorBytes, " bytes")));
      }
      absl::StrAppend(&error_stream_, data);
      return;
    case Channel::kStdin:
    case Channel::kResize:
    case Channel::kClose:
      return;
  }
  // A channel that nobody knows is ignored, as in client-go.
}

void Channels::TakePong(uint64_t number) {
  if (!ended_ && failure_.ok()) events_.OnPong(number);
}

absl::Status Channels::Outcome() const {
  return version_ >= 4 ? ParseOutcome(error_stream_) : ParseTextOutcome(error_stream_);
}

std::optional<absl::Status> Channels::Verdict() const {
  if (error_stream_.empty()) return std::nullopt;
  absl::Status outcome = Outcome();
  // Half a Status is not one: it could not be parsed.
  const bool complete = version_ < 4 || outcome.ok() || ExitCodeOf(outcome).has_value() ||
                        errors::StatusOf(outcome).has_value();
  if (!complete) return std::nullopt;
  return outcome;
}

void Channels::End() { EndWith(Outcome()); }

void Channels::EndEarly(absl::Status status) {
  if (ended_ || !failure_.ok()) return;
  // Servers send the outcome behind all output, so none is missing.
  if (const std::optional<absl::Status> outcome = Verdict()) return EndWith(*outcome);
  Fail(std::move(status));
}

void Channels::EndWith(const absl::Status& outcome) {
  if (ended_ || !failure_.ok()) return;
  ended_ = true;
  events_.OnEnd(outcome);
}

void Channels::Fail(absl::Status status) {
  if (failure_.ok() && !ended_) failure_ = std::move(status);
}

// ---- Sending

absl::Status Channels::CheckCanSend(Channel channel) const {
  KUBE_RETURN_IF_ERROR(failure_);
  if (ended_) return absl::FailedPreconditionError("the command has ended");
  if (channel == Channel::kResize) {
    if (!options_.tty) return absl::FailedPreconditionError("the command has no terminal");
    if (version_ >= 3) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat(options_.protocol, " has no sizes of terminals"));
  }
  if (!options_.with_stdin) return absl::FailedPreconditionError("stdin was not asked for");
  if (stdin_closed_) return absl::FailedPreconditionError("stdin was closed");
  return absl::OkStatus();
}

absl::Status Channels::Send(Channel channel, absl::string_view data, std::string& out) {
  KUBE_RETURN_IF_ERROR(CheckCanSend(channel));
  return SendData(channel, data, out);
}

absl::Status Channels::CloseStdin(std::string& out) {
  if (stdin_closed_ && failure_.ok() && !ended_) return absl::OkStatus();
  KUBE_RETURN_IF_ERROR(CheckCanSend(Channel::kStdin));
  if (!CanEndStdin()) {
    return absl::FailedPreconditionError(
        absl::StrCat(options_.protocol, " cannot end stdin on this connection"));
  }
  KUBE_RETURN_IF_ERROR(EndStdin(out));
  stdin_closed_ = true;
  return absl::OkStatus();
}

}  // namespace kube::remotecommand::internal
