#ifndef CONTROLLER_MANAGER_STATUS_PAGE_H_
#define CONTROLLER_MANAGER_STATUS_PAGE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "controller/manager/manager_status.h"

// Renders the status of a manager. Pure functions: thread-safe.
namespace kube::controller {

inline constexpr absl::string_view kStatusPageType = "text/html; charset=utf-8";
// Value of the header "content-security-policy" of the page: a browser then loads nothing and runs
// nothing, whatever the page contains.
inline constexpr absl::string_view kStatusPagePolicy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";
inline constexpr absl::string_view kStatusJsonType = "application/json";

// Returns a page for people: complete in itself, without scripts and without anything to load, so
// that it is shown also where only the program can be reached. All texts are escaped, whatever
// names and messages contain; bytes that are not UTF-8 are replaced. Long texts are broken, so the
// page can be read on a phone, and it is light or dark as the reader's system is.
//
// The page has a bound: of each table it shows 200 rows, and of each text 2000 bytes, and it says
// how many more there are. Informers that have not synced come first, and workers whose reconcile
// has run longest. RenderStatusJson leaves nothing out.
std::string RenderStatusPage(const ManagerStatus& status);

// Returns one JSON object for programs. The names of its members are those of the structs in
// camelCase ("whyNotSynced"), in their order, and stay the same; new ones may be added. Times are
// RFC 3339 in UTC, or null if they are not known; durations are seconds. `requestsPerSecond` is
// null if it is not known.
std::string RenderStatusJson(const ManagerStatus& status);

}  // namespace kube::controller

#endif  // CONTROLLER_MANAGER_STATUS_PAGE_H_
