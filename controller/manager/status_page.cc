#include "controller/manager/status_page.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
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
body { font: 16px/1.4 system-ui, sans-serif; margin: 1rem auto; max-width: 70rem;
  overflow-wrap: anywhere; padding: 0 1rem; }
h1, h2, h3, h4 { line-height: 1.2; margin: 1.2em 0 0.4em; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8888; min-width: 7ch; padding: 0.2rem 0.5rem 0.2rem 0;
  text-align: left; unicode-bidi: isolate; vertical-align: top; }
th { white-space: nowrap; }
.bad { color: #c22; font-weight: bold; }
@media (prefers-color-scheme: dark) { .bad { color: #f88; } }
@media (max-width: 40rem) {
  tr { display: block; border-bottom: 1px solid #8888; padding: 0.3rem 0; }
  th { display: none; }
  td { border: 0; display: block; padding: 0; }
  td[title]:not(:empty)::before { content: attr(title) ": "; opacity: 0.6; }
}
</style>
)";

// The bounds of the page: rows of a table, and bytes of a text.
constexpr size_t kMostRows = 200;
constexpr size_t kMostText = 2000;

constexpr absl::string_view kReplacement = "\xEF\xBF\xBD";

// Escapes a text for the content of an element and for a quoted attribute.
std::string Escape(absl::string_view given) {
  std::string escaped;
  for (const char c : text::ReplaceInvalidUtf8(given.substr(0, kMostText))) {
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
  if (given.size() > kMostText) {
    absl::StrAppend(&escaped, " ... and ", given.size() - kMostText, " bytes more");
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
  // Begins a part of the page. `id`, a constant, is what links to it end in.
  void Section(absl::string_view id, absl::string_view title) {
    absl::StrAppend(&out_, "<h2 id=\"", id, "\">", Escape(title), "</h2>\n");
  }
  void Paragraph(absl::string_view value, bool bad = false) {
    absl::StrAppend(&out_, bad ? "<p class=\"bad\">" : "<p>", Escape(value), "</p>\n");
  }

  // Begins a table. Each row has a cell for each of `columns`, which are constants.
  void BeginTable(std::vector<absl::string_view> columns) {
    columns_ = std::move(columns);
    rows_ = 0;
    Raw("<table>\n<tr>");
    for (const absl::string_view column : columns_) {
      absl::StrAppend(&out_, "<th>", Escape(column), "</th>");
    }
    Raw("</tr>\n");
  }
  // Adds a row, or only counts it if the table has all that it may have.
  void Row(std::initializer_list<Cell> cells) {
    if (++rows_ > kMostRows) return;
    Raw("<tr>");
    size_t i = 0;
    for (const Cell& cell : cells) {
      // The title is shown before the cell where there is no room for a table.
      absl::StrAppend(&out_, "<td title=\"", Escape(columns_[i++]), "\"",
                      cell.bad ? " class=\"bad\">" : ">", Escape(cell.text), "</td>");
    }
    Raw("</tr>\n");
  }
  void EndTable() {
    Raw("</table>\n");
    if (rows_ > kMostRows) Paragraph(absl::StrCat("and ", rows_ - kMostRows, " more"));
  }

  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
  std::vector<absl::string_view> columns_;
  size_t rows_ = 0;  // of the table that was begun last
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
}

void AddLeader(Page& page, const ManagerStatus& status) {
  page.Section("leader", "Leader");
  const LeaderStatus& leader = status.leader;
  if (!leader.elected) return page.Paragraph("Works alone: no leader is elected.");
  std::string election = leader.leads ? "Leads" : "Does not lead";
  const std::string term = Age(status.now, leader.since);
  if (!term.empty()) absl::StrAppend(&election, " for ", term);
  absl::StrAppend(&election, "; lease ", leader.lease, ", held by ",
                  leader.holder.empty() ? "nobody known" : leader.holder, "; this is ",
                  leader.identity);
  const std::string renewed = Age(status.now, leader.last_renewal);
  if (!renewed.empty()) {
    absl::StrAppend(&election, ", which has renewed it ", leader.renewals, " times, last ", renewed,
                    " ago");
  }
  page.Paragraph(absl::StrCat(election, "."));
}

void AddPhases(Page& page, const ManagerStatus& status) {
  if (status.phases.empty()) return;
  page.Section("phases", "Phases");
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
  // Each with its number, so that it keeps it wherever it stands.
  std::vector<std::pair<size_t, const WorkerStatus*>> workers;
  for (const WorkerStatus& worker : controller.workers) {
    workers.emplace_back(workers.size() + 1, &worker);
  }
  std::stable_sort(workers.begin(), workers.end(), [](const auto& a, const auto& b) {
    if (a.second->key.empty() != b.second->key.empty()) return b.second->key.empty();
    return !a.second->key.empty() && a.second->since < b.second->since;
  });
  for (const auto& [number, worker] : workers) {
    page.Row({{absl::StrCat(number)},
              {worker->key.empty() ? "waits for a key" : worker->key},
              {Age(status.now, worker->since)},
              {worker->where}});
  }
  page.EndTable();
}

void AddOldestKeys(Page& page, const QueueStatus& queue) {
  if (queue.oldest_keys.empty()) return;
  page.Heading("h4", "Keys that wait longest");
  page.BeginTable({"key", "for"});
  for (const QueuedKey& key : queue.oldest_keys) page.Row({{key.key}, {WholeSeconds(key.age)}});
  page.EndTable();
  const auto shown = static_cast<int64_t>(queue.oldest_keys.size());
  if (queue.ready > shown) page.Paragraph(absl::StrCat("and ", queue.ready - shown, " more"));
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
  AddOldestKeys(page, queue);
  AddErrors(page, status, controller);
}

void AddControllers(Page& page, const ManagerStatus& status) {
  if (status.controllers.empty()) return;
  page.Section("controllers", "Controllers");
  size_t shown = 0;
  for (const ControllerStatus& controller : status.controllers) {
    if (++shown > kMostRows) {
      page.Paragraph(absl::StrCat("and ", status.controllers.size() - kMostRows, " more"));
      return;
    }
    AddController(page, status, controller);
  }
}

void AddInformers(Page& page, const ManagerStatus& status) {
  if (status.informers.empty()) return;
  page.Section("informers", "Informers");
  page.BeginTable(
      {"resource", "cluster", "namespace", "selector", "objects", "last event", "synced"});
  std::vector<const InformerStatus*> informers;
  for (const InformerStatus& informer : status.informers) informers.push_back(&informer);
  std::stable_partition(informers.begin(), informers.end(),
                        [](const InformerStatus* informer) { return !informer->synced; });
  for (const InformerStatus* each : informers) {
    const InformerStatus& informer = *each;
    std::string synced = "yes";
    if (!informer.synced) {
      synced =
          informer.why_not_synced.empty() ? "no" : absl::StrCat("no: ", informer.why_not_synced);
    }
    const std::string heard = Age(status.now, informer.last_event);
    page.Row({{informer.resource},
              {informer.cluster},
              {informer.namespace_name.empty() ? "all" : informer.namespace_name},
              {informer.selector},
              {absl::StrCat(informer.objects)},
              {heard.empty() ? "" : absl::StrCat(heard, " ago")},
              {synced, !informer.synced}});
  }
  page.EndTable();
}

void AddRunnables(Page& page, const ManagerStatus& status) {
  if (status.runnables.empty()) return;
  page.Section("runnables", "Runnables");
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

void AddRequests(Page& page, const ManagerStatus& status) {
  if (status.request_rates.empty()) return;
  page.Section("requests", "Requests to the API server");
  page.BeginTable({"verb", "resource", "a second", "all"});
  for (const RequestRateStatus& rate : status.request_rates) {
    page.Row({{rate.verb},
              {rate.resource},
              {absl::StrFormat("%.2f", rate.per_second)},
              {absl::StrCat(rate.requests)}});
  }
  page.EndTable();
}

// The objects of all informers of one resource, as what takes the memory.
void AddObjects(Page& page, const ManagerStatus& status) {
  std::map<std::string, int64_t> by_resource;
  for (const InformerStatus& each : status.informers) by_resource[each.resource] += each.objects;
  if (by_resource.empty()) return;
  std::vector<std::pair<std::string, int64_t>> sorted(by_resource.begin(), by_resource.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  page.BeginTable({"objects of", "number"});
  for (const auto& [resource, objects] : sorted) page.Row({{resource}, {absl::StrCat(objects)}});
  page.EndTable();
}

void AddMemory(Page& page, const ManagerStatus& status) {
  if (status.memory.empty() && status.informers.empty()) return;
  page.Section("memory", "Memory");
  if (!status.memory.empty()) {
    page.BeginTable({"of", "bytes"});
    for (const MemoryStatus& memory : status.memory) {
      page.Row({{memory.what}, {Bytes(memory.bytes)}});
    }
    page.EndTable();
  }
  AddObjects(page, status);
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
  AddLeader(page, status);
  AddPhases(page, status);
  AddControllers(page, status);
  AddInformers(page, status);
  AddRequests(page, status);
  AddRunnables(page, status);
  AddMemory(page, status);
  page.Raw("</body>\n</html>\n");
  return page.Take();
}

}  // namespace kube::controller
