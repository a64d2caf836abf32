#include "apimachinery/base/log/log.h"

#include <unistd.h>

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/internal/leaf_mutex.h"
#include "apimachinery/base/log/internal/field_list.h"
#include "apimachinery/base/log/log_record.h"
#include "apimachinery/base/log/log_sink.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/source_location.h"

namespace kube::log {
namespace {

using base::NoDestructor;
using base::internal::LeafLock;
using base::internal::LeafMutex;

struct Target {
  LeafMutex mutex;
  std::shared_ptr<Sink> sink ABSL_GUARDED_BY(mutex);
};

constinit NoDestructor<Target> target;
thread_local bool writing = false;

std::shared_ptr<Sink> CurrentSink() {
  LeafLock lock(target->mutex);
  return target->sink;
}

void WriteDefault(const Record& record) {
  static NoDestructor<TextSink> standard_error(STDERR_FILENO);
  standard_error->Write(record);
}

void Deliver(const Record& record) {
  if (writing) return WriteDefault(record);
  const std::shared_ptr<Sink> sink = CurrentSink();
  if (sink == nullptr) return WriteDefault(record);
  writing = true;
  sink->Write(record);
  writing = false;
}

// Returns the fields of the context without "err" if the record has an error, which is that field.
std::vector<Field> Inherited(absl::Span<const Field> of_context, const Record& record) {
  std::vector<Field> inherited(of_context.begin(), of_context.end());
  if (record.error != nullptr && !record.error->ok()) {
    std::erase_if(inherited, [](const Field& field) { return field.key == "err"; });
  }
  return inherited;
}

void Write(const Context& ctx, Record record, std::initializer_list<Field> fields) {
  record.time = base::WallNow();
  record.fields = absl::MakeConstSpan(fields.begin(), fields.size());
  const absl::Span<const Field> of_context = internal::FieldList::Of(ctx);
  if (of_context.empty()) return Deliver(record);
  const std::vector<Field> all = internal::Merge(Inherited(of_context, record), record.fields);
  record.fields = all;
  Deliver(record);
}

}  // namespace

void Info(absl::string_view message, std::initializer_list<Field> fields,
          base::SourceLocation where) {
  Info(Context(), message, fields, where);
}

void Info(const Context& ctx, absl::string_view message, std::initializer_list<Field> fields,
          base::SourceLocation where) {
  if (!V(0)) return;
  Write(ctx, {.severity = Severity::kInfo, .where = where, .message = message}, fields);
}

void Warning(absl::string_view message, std::initializer_list<Field> fields,
             base::SourceLocation where) {
  Warning(Context(), message, fields, where);
}

void Warning(const Context& ctx, absl::string_view message, std::initializer_list<Field> fields,
             base::SourceLocation where) {
  Write(ctx, {.severity = Severity::kWarning, .where = where, .message = message}, fields);
}

void Error(const absl::Status& error, absl::string_view message,
           std::initializer_list<Field> fields, base::SourceLocation where) {
  Error(Context(), error, message, fields, where);
}

void Error(const Context& ctx, const absl::Status& error, absl::string_view message,
           std::initializer_list<Field> fields, base::SourceLocation where) {
  Write(ctx, {.severity = Severity::kError, .where = where, .message = message, .error = &error},
        fields);
}

void internal::Verbose(const Context& ctx, int level, absl::string_view message,
                       std::initializer_list<Field> fields, base::SourceLocation where) {
  Write(ctx, {.severity = Severity::kInfo, .verbosity = level, .where = where, .message = message},
        fields);
}

std::shared_ptr<Sink> SetSink(std::shared_ptr<Sink> sink) {
  LeafLock lock(target->mutex);
  return std::exchange(target->sink, std::move(sink));
}

}  // namespace kube::log
