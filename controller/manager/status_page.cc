#include "controller/manager/status_page.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/utf8.h"
#include "controller/manager/manager_status.h"

// The page is written from the top to the bottom. All that comes from outside goes through
// Page::Text, which escapes it; what goes through Page::Raw is a constant of this file.

namespace kube::controller {

namespace {

// Cells isolate the direction of their text, so that a name cannot turn its neighbours around.
constexpr absl::string_view kHead = R"(<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.4 system-ui, sans-serif; margin: 1rem auto; max-width: 70rem; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; margin: 1.2em 0 0.4em; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8888; overflow-wrap: anywhere; padding: 0.2rem 0.5rem 0.2rem 0;
  text-align: left; unicode-bidi: isolate; vertical-align: top; }
.bad { color: #c22; font-weight: bold; }
@media (max-width: 40rem) {
  tr { display: block; border-bottom: 1px solid #8888; padding: 0.3rem 0; }
  th { display: none; }
  td { border: 0; display: block; padding: 0; }
  td[title]:not(:empty)::before { content: attr(title) ": "; opacity: 0.6; }
}
</style>
)";

constexpr absl::string_view kReplacement = "\xEF\xBF\xBD";

// Escapes a text for the content of an element and for a quoted attribute.
std::string Escape(absl::string_view given) {
  std::string escaped;
  for (const char c : text::ReplaceInvalidUtf8(given)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default: {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) {
          absl::StrAppend(&escaped, kReplacement);
        } else {
          escaped += c;
        }
      }
    }
  }
  return escaped;
}

std::string Bytes(int64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024) return absl::StrCat(bytes, " B");
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return absl::StrFormat("%.1f %s", value, kUnits[unit]);
}

std::string WholeSeconds(absl::Duration duration) {
  return text::GoDuration(absl::Trunc(duration, absl::Seconds(1)));
}

// Returns how long ago `time` was, or "" if it is not known.
std::string Age(absl::Time now, absl::Time time) {
  if (time == absl::InfinitePast() || now == absl::InfinitePast()) return "";
  return WholeSeconds(now > time ? now - time : absl::ZeroDuration());
}

std::string Clock(absl::Time time) {
  if (time == absl::InfinitePast()) return "not known";
  return absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", time, absl::UTCTimeZone());
}

struct Cell {
  std::string text = {};
  bool bad = false;  // to be noticed
};

// A page that grows at its end. Thread-compatible.
class Page {
 public:
  // `html` is a constant.
  void Raw(absl::string_view html) { absl::StrAppend(&out_, html); }
  void Text(absl::string_view value) { out_ += Escape(value); }

  void Heading(absl::string_view tag, absl::string_view value) {
    absl::StrAppend(&out_, "<", tag, ">", Escape(value), "</", tag, ">\n");
  }
  void Paragraph(absl::string_view value, bool bad = false) {
    absl::StrAppend(&out_, bad ? "<p class=\"bad\">" : "<p>", Escape(value), "</p>\n");
  }

  // Begins a table. Each row has a cell for each of `columns`, which are constants.
  void BeginTable(std::vector<absl::string_view> columns) {
    columns_ = std::move(columns);
    Raw("<table>\n<tr>");
    for (const absl::string_view column : columns_) {
      absl::StrAppend(&out_, "<th>", Escape(column), "</th>");
    }
    Raw("</tr>\n");
  }
  void Row(std::initializer_list<Cell> cells) {
    Raw("<tr>");
    size_t i = 0;
    for (const Cell& cell : cells) {
      // The title is shown before the cell where there is no room for a table.
      absl::StrAppend(&out_, "<td title=\"", Escape(columns_[i++]), "\"",
                      cell.bad ? " class=\"bad\">" : ">", Escape(cell.text), "</td>");
    }
    Raw("</tr>\n");
  }
  void EndTable() { Raw("</table>\n"); }

  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
  std::vector<absl::string_view> columns_;
};

void AddSummary(Page& page, const ManagerStatus& status) {
  std::string summary = absl::StrCat("At ", Clock(status.now));
  const std::string age = Age(status.now, status.started);
  if (!age.empty()) absl::StrAppend(&summary, ", running for ", age);
  if (!status.version.empty()) absl::StrAppend(&summary, ", version ", status.version);
  if (status.requests_per_second.has_value()) {
    absl::StrAppend(&summary, ", ", absl::StrFormat("%.1f", *status.requests_per_second),
                    " requests a second to the API server");
  }
  page.Paragraph(absl::StrCat(summary, "."));
  const LeaderStatus& leader = status.leader;
  if (!leader.elected) return page.Paragraph("Works alone: no leader is elected.");
  std::string election = leader.leads ? "Leads" : "Does not lead";
  const std::string term = Age(status.now, leader.since);
  if (!term.empty()) absl::StrAppend(&election, " for ", term);
  absl::StrAppend(&election, "; lease ", leader.lease, ", held by ",
                  leader.holder.empty() ? "nobody known" : leader.holder, "; this is ",
                  leader.identity, ".");
  page.Paragraph(election);
}

void AddPhases(Page& page, const ManagerStatus& status) {
  if (status.phases.empty()) return;
  page.Heading("h2", "Phases");
  page.BeginTable({"phase", "state", "for", "waits for"});
  for (const PhaseStatus& phase : status.phases) {
    page.Row({{phase.name},
              {phase.state},
              {Age(status.now, phase.since)},
              {phase.waits_for, !phase.waits_for.empty()}});
  }
  page.EndTable();
}

void AddWorkers(Page& page, const ManagerStatus& status, const ControllerStatus& controller) {
  if (controller.workers.empty()) return;
  page.BeginTable({"worker", "key", "for", "in"});
  int number = 0;
  for (const WorkerStatus& worker : controller.workers) {
    page.Row({{absl::StrCat(++number)},
              {worker.key.empty() ? "waits for a key" : worker.key},
              {Age(status.now, worker.since)},
              {worker.where}});
  }
  page.EndTable();
}

void AddErrors(Page& page, const ManagerStatus& status, const ControllerStatus& controller) {
  if (controller.last_errors.empty()) return;
  page.Heading("h4", "Last errors");
  page.BeginTable({"ago", "key", "in a row", "error"});
  for (const ReconcileError& error : controller.last_errors) {
    page.Row({{Age(status.now, error.time)},
              {error.key},
              {absl::StrCat(error.failures)},
              {error.message}});
  }
  page.EndTable();
}

void AddController(Page& page, const ManagerStatus& status, const ControllerStatus& controller) {
  page.Heading("h3", controller.kind.empty()
                         ? controller.name
                         : absl::StrCat(controller.name, " (", controller.kind, ")"));
  if (!controller.running) {
    page.Paragraph(controller.waits_for.empty()
                       ? "Does not run."
                       : absl::StrCat("Does not run: waits for ", controller.waits_for),
                   /*bad=*/!controller.waits_for.empty());
  }
  const QueueStatus& queue = controller.queue;
  std::string keys = absl::StrCat(queue.ready, " keys ready, ", queue.in_work, " in work, ",
                                  queue.delayed, " delayed, ", queue.parked, " parked");
  if (!queue.oldest_key.empty()) {
    absl::StrAppend(&keys, "; ", queue.oldest_key, " waits for ", WholeSeconds(queue.oldest_age));
  }
  page.Paragraph(absl::StrCat(keys, ". ", controller.reconciles, " reconciles, of which ",
                              controller.failed_reconciles, " failed."));
  AddWorkers(page, status, controller);
  AddErrors(page, status, controller);
}

void AddInformers(Page& page, const ManagerStatus& status) {
  if (status.informers.empty()) return;
  page.Heading("h2", "Informers");
  page.BeginTable({"resource", "cluster", "namespace", "selector", "objects", "synced"});
  for (const InformerStatus& informer : status.informers) {
    std::string synced = "yes";
    if (!informer.synced) {
      synced =
          informer.why_not_synced.empty() ? "no" : absl::StrCat("no: ", informer.why_not_synced);
    }
    page.Row({{informer.resource},
              {informer.cluster},
              {informer.namespace_name.empty() ? "all" : informer.namespace_name},
              {informer.selector},
              {absl::StrCat(informer.objects)},
              {synced, !informer.synced}});
  }
  page.EndTable();
}

void AddRunnables(Page& page, const ManagerStatus& status) {
  if (status.runnables.empty()) return;
  page.Heading("h2", "Runnables");
  page.BeginTable({"runnable", "phase", "state", "for", "error"});
  for (const RunnableStatus& runnable : status.runnables) {
    page.Row({{runnable.name},
              {runnable.phase},
              {runnable.state},
              {Age(status.now, runnable.since)},
              {runnable.error, !runnable.error.empty()}});
  }
  page.EndTable();
}

void AddMemory(Page& page, const ManagerStatus& status) {
  if (status.memory.empty()) return;
  page.Heading("h2", "Memory");
  page.BeginTable({"of", "bytes"});
  for (const MemoryStatus& memory : status.memory) {
    page.Row({{memory.what}, {Bytes(memory.bytes)}});
  }
  page.EndTable();
}

}  // namespace

std::string RenderStatusPage(const ManagerStatus& status) {
  Page page;
  page.Raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n");
  page.Raw(kHead);
  page.Raw("<title>");
  page.Text(status.name);
  page.Raw("</title>\n</head>\n<body>\n");
  page.Heading("h1", status.name);
  AddSummary(page, status);
  AddPhases(page, status);
  if (!status.controllers.empty()) page.Heading("h2", "Controllers");
  for (const ControllerStatus& controller : status.controllers) {
    AddController(page, status, controller);
  }
  AddInformers(page, status);
  AddRunnables(page, status);
  AddMemory(page, status);
  page.Raw("</body>\n</html>\n");
  return page.Take();
}

}  // namespace kube::controller
