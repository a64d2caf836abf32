#ifndef APISERVER_VALIDATION_CRON_SCHEDULE_H_
#define APISERVER_VALIDATION_CRON_SCHEDULE_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::apiserver {

// When a CronJob runs: "*/5 * * * *", "0 9 * * mon-fri", "@daily", "@every 1h30m". The syntax and
// the messages are those of the library that Kubernetes uses, robfig/cron.
//
//   KUBE_ASSIGN_OR_RETURN(const CronSchedule nightly, CronSchedule::Parse("0 3 * * *"));
//   const std::optional<absl::Time> next = nightly.Next(now);
//
// A value, and immutable. (cron.ParseStandard)
class CronSchedule {
 public:
  // The fields are times of day in `zone`, unless the text begins with "TZ=NAME " or
  // "CRON_TZ=NAME ". INVALID_ARGUMENT if the text is no schedule; the message says why.
  static absl::StatusOr<CronSchedule> Parse(absl::string_view text,
                                            absl::TimeZone zone = absl::UTCTimeZone());

  // Returns the first time of the schedule after `after`, in whole seconds; nothing if there is
  // none within five years, as for "0 0 31 2 *".
  std::optional<absl::Time> Next(absl::Time after) const;

 private:
  // One bit for each value.
  using Values = uint64_t;

  CronSchedule() = default;
  absl::Status ParseFields(absl::string_view text);
  bool IsDay(const absl::TimeZone::CivilInfo& day) const;

  absl::TimeZone zone_;
  // "@every": then there are no fields. Zero: there are fields.
  absl::Duration interval_ = absl::ZeroDuration();
  Values minutes_ = 0;
  Values hours_ = 0;
  Values days_ = 0;
  Values months_ = 0;
  Values weekdays_ = 0;
};

}  // namespace kube::apiserver

#endif  // APISERVER_VALIDATION_CRON_SCHEDULE_H_
