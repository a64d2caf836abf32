#ifndef APIMACHINERY_CRON_CRON_SCHEDULE_H_
#define APIMACHINERY_CRON_CRON_SCHEDULE_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::cron {

// When a CronJob runs: "*/5 * * * *", "0 9 * * mon-fri", "@daily", "@every 1h30m". Syntax and
// errors are those of robfig/cron, the library that Kubernetes uses (Go: `cron.ParseStandard`).
//
//   KUBE_ASSIGN_OR_RETURN(const CronSchedule nightly, CronSchedule::Parse("0 3 * * *"));
//   const std::optional<absl::Time> next = nightly.Next(now);
//
// An immutable value.
class CronSchedule {
 public:
  // Parses a schedule. Its times are in `zone`, unless the text begins with "TZ=NAME " or
  // "CRON_TZ=NAME ". Returns INVALID_ARGUMENT with the reason if the text is not a schedule.
  static absl::StatusOr<CronSchedule> Parse(absl::string_view text,
                                            absl::TimeZone zone = absl::UTCTimeZone());

  // Returns the first time of the schedule after `after`, in whole seconds. Returns nullopt if no
  // time within five years matches, as for "0 0 31 2 *".
  std::optional<absl::Time> Next(absl::Time after) const;

 private:
  // A set of values, with one bit for each.
  using Values = uint64_t;

  CronSchedule() = default;
  absl::Status ParseFields(absl::string_view text);
  bool IsDay(const absl::TimeZone::CivilInfo& day) const;

  absl::TimeZone zone_;
  // The interval of "@every". Zero if the schedule has fields.
  absl::Duration interval_ = absl::ZeroDuration();
  Values minutes_ = 0;
  Values hours_ = 0;
  Values days_ = 0;
  Values months_ = 0;
  Values weekdays_ = 0;
};

}  // namespace kube::cron

#endif  // APIMACHINERY_CRON_CRON_SCHEDULE_H_
