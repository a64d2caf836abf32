#include "clientset/podlogs/follow.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread_group.h"
#include "clientset/podlogs/internal/log_stream.h"
#include "clientset/podlogs/targets.h"
#include "clientset/rest/client.h"

// Logs that are followed are read by a thread each. The threads put lines into one queue, and the
// calling thread takes them out and calls the sink: so the sink needs no lock, and a slow one slows
// the servers down. The last thread to end closes the queue.
namespace kube::podlogs {
namespace {

constexpr size_t kQueuedLines = 64;

std::string PrefixOf(const Target& target, const FollowOptions& options) {
  if (!options.prefix) return "";
  return absl::StrCat("[pod/", target.pod, "/", target.container, "] ");
}

std::string TextOf(const Target& target) {
  return absl::StrCat("log of container \"", target.container, "\" of pod \"", target.pod,
                      "\" in \"", target.namespace_name, "\"");
}

void Report(const Context& ctx, const FollowOptions& options, const Target& target,
            const absl::Status& error) {
  if (options.on_error) return options.on_error(target, error);
  log::Error(
      ctx, error, "failed to read a log",
      {{"pod", log::KRef(target.namespace_name, target.pod)}, {"container", target.container}});
}

// ---- One log after the other

absl::Status ReadInTurn(const Context& ctx, const rest::Client& client,
                        absl::Span<const Target> targets, const FollowOptions& options,
                        const LineSink& sink) {
  for (const Target& target : targets) {
    const std::string prefix = PrefixOf(target, options);
    const absl::string_view missing_end = targets.size() > 1 ? "\n" : "";
    absl::Status failed_sink;
    const auto pass = [&](absl::string_view line) {
      const absl::string_view end = absl::EndsWith(line, "\n") ? "" : missing_end;
      failed_sink =
          prefix.empty() && end.empty() ? sink(line) : sink(absl::StrCat(prefix, line, end));
      return failed_sink;
    };
    const absl::Status status = internal::LogStream(client, target, options).Run(ctx, pass);
    KUBE_RETURN_IF_ERROR(ctx.status());
    KUBE_RETURN_IF_ERROR(failed_sink);
    if (status.ok()) continue;
    const absl::Status error = base::Annotate(status, TextOf(target));
    if (!options.ignore_errors) return error;
    Report(ctx, options, target, error);
  }
  return absl::OkStatus();
}

// ---- All logs at the same time

class Merger {
 public:
  Merger(const rest::Client& client, absl::Span<const Target> targets, const FollowOptions& options)
      : client_(client), targets_(targets), options_(options) {}

  absl::Status Run(const Context& ctx, const LineSink& sink) {
    base::ThreadGroup group(ctx);
    auto closer = std::make_shared<Closer>(queue_);
    for (const Target& target : targets_) {
      group.Go("podlogs", [this, &target, closer](const Context& thread_ctx) mutable {
        const absl::Status status = Read(thread_ctx, target);
        closer.reset();
        return status;
      });
    }
    closer.reset();
    const absl::Status consumed = Consume(ctx, sink);
    group.Cancel();
    const absl::Status read = group.Wait();
    KUBE_RETURN_IF_ERROR(ctx.status());
    KUBE_RETURN_IF_ERROR(consumed);
    return read;
  }

 private:
  // A line, or an error that is ignored.
  struct Item {
    std::string line = {};
    const Target* target = nullptr;
    absl::Status error = {};
  };

  // Closes the queue when no thread can add to it any more. A thread that could not be started
  // gives up its share, too.
  class Closer {
   public:
    explicit Closer(base::BoundedQueue<Item>& queue) : queue_(queue) {}
    ~Closer() { queue_.Close(); }
    Closer(const Closer&) = delete;
    Closer& operator=(const Closer&) = delete;

   private:
    base::BoundedQueue<Item>& queue_;
  };

  // The body of a thread.
  absl::Status Read(const Context& ctx, const Target& target) {
    const std::string prefix = PrefixOf(target, options_);
    const absl::string_view missing_end = targets_.size() > 1 ? "\n" : "";
    const auto pass = [&](absl::string_view line) {
      return queue_.Push(
          ctx, {.line = absl::StrCat(prefix, line, absl::EndsWith(line, "\n") ? "" : missing_end)});
    };
    const absl::Status status = internal::LogStream(client_, target, options_).Run(ctx, pass);
    if (status.ok() || ctx.done()) return ctx.status();
    const absl::Status error = base::Annotate(status, TextOf(target));
    if (!options_.ignore_errors) return error;
    return queue_.Push(ctx, {.target = &target, .error = error});
  }

  // Hands on what is queued, until the queue is closed or `ctx` is done. Returns the error of the
  // sink.
  absl::Status Consume(const Context& ctx, const LineSink& sink) {
    while (true) {
      const absl::StatusOr<Item> item = queue_.Pop(ctx);
      if (!item.ok()) return absl::OkStatus();
      if (item->target != nullptr) {
        Report(ctx, options_, *item->target, item->error);
        continue;
      }
      KUBE_RETURN_IF_ERROR(sink(item->line));
    }
  }

  const rest::Client& client_;
  const absl::Span<const Target> targets_;
  const FollowOptions& options_;
  base::BoundedQueue<Item> queue_{kQueuedLines, base::WhenFull::kBlock};
};

}  // namespace

absl::Status Follow(const Context& ctx, const rest::Client& client,
                    absl::Span<const Target> targets, const FollowOptions& options,
                    const LineSink& sink) {
  if (!options.log.follow || targets.size() <= 1) {
    return ReadInTurn(ctx, client, targets, options, sink);
  }
  if (targets.size() > static_cast<size_t>(std::max(options.max_concurrent, 0))) {
    return absl::InvalidArgumentError(
        absl::StrCat("you are attempting to follow ", targets.size(),
                     " log streams, but maximum allowed concurrency is ", options.max_concurrent,
                     ", use --max-log-requests to increase the limit"));
  }
  return Merger(client, targets, options).Run(ctx, sink);
}

absl::Status FollowSelector(const Context& ctx, const rest::Client& client,
                            absl::string_view namespace_name, absl::string_view label_selector,
                            const ContainerChoice& choice, const FollowOptions& options,
                            const LineSink& sink) {
  KUBE_ASSIGN_OR_RETURN(const std::vector<Target> targets,
                        SelectTargets(ctx, client, namespace_name, label_selector, choice));
  FollowOptions with_tail = options;
  if (!with_tail.log.tail_lines.has_value()) with_tail.log.tail_lines = kSelectorTailLines;
  return Follow(ctx, client, targets, with_tail, sink);
}

}  // namespace kube::podlogs
