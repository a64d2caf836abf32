#include "apimachinery/base/text/time_text.h"

#include <charconv>

namespace kube::text {
namespace {

constexpr int kSecondsPerDay = 86'400;
constexpr int kMicroDigits = 6;

// Years begin in March here, so that a leap day is the last day of its year. Year 0 of this count
// is a multiple of 400 years, early enough to make every time positive (Go: `absoluteYears`).
constexpr uint64_t kAbsoluteYears = 292'277'022'400;
constexpr uint64_t kDaysPer400Years = 146'097;
constexpr uint64_t kMarchToDecember = 306;
constexpr uint64_t kYear1ToAbsolute =
    (kAbsoluteYears / 400 * kDaysPer400Years + kMarchToDecember) * kSecondsPerDay;

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Reads a text from left to right. The first character that does not fit sets `ok` to false, for
// good.
struct Reader {
  const char* next;
  const char* end;
  bool ok = true;

  size_t left() const { return end - next; }

  void Expect(char c) {
    if (next == end || *next != c) {
      ok = false;
    } else {
      ++next;
    }
  }

  // Reads exactly `count` digits.
  int Digits(size_t count) {
    if (left() < count) {
      ok = false;
      return 0;
    }
    int value = 0;
    for (const char* stop = next + count; next != stop; ++next) {
      if (!IsDigit(*next)) ok = false;
      value = value * 10 + (*next - '0');
    }
    return ok ? value : 0;
  }

  // Reads exactly `count` digits, whose value must not exceed `max`.
  int Digits(size_t count, int max) {
    const int value = Digits(count);
    if (value > max) ok = false;
    return value;
  }
};

constexpr bool IsLeap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

constexpr int DaysIn(int month, int year) {
  if (month == 2) return IsLeap(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Returns the days since 0001-01-01; the year must not be negative.
constexpr int64_t DaysSinceYear1(int year, int month, int day) {
  const bool before_march = month < 3;
  const int y = year - before_march + 400;
  const int m = month + 12 * before_march;
  const int days = 365 * y + y / 4 - y / 100 + y / 400 + ((979 * m - 2919) >> 5) + day - 1;
  return days - static_cast<int>(kDaysPer400Years) - static_cast<int>(kMarchToDecember);
}
static_assert(DaysSinceYear1(1, 1, 1) == 0);
static_assert(DaysSinceYear1(1970, 1, 1) * kSecondsPerDay == kUnixEpochSeconds);

struct DateAndTime {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
};

bool IsInRange(const DateAndTime& time) {
  return time.month >= 1 && time.month <= 12 && time.day >= 1 &&
         (time.day <= 28 || time.day <= DaysIn(time.month, time.year)) && time.hour <= 23 &&
         time.minute <= 59 && time.second <= 59;
}

int64_t SecondsSinceYear1(const DateAndTime& time) {
  return DaysSinceYear1(time.year, time.month, time.day) * kSecondsPerDay + time.hour * 3600 +
         time.minute * 60 + time.second;
}

// Reads "2006-01-02T15:04:05"; the hour may have one digit. Returns seconds since year 1.
int64_t ReadDateAndTime(Reader& in) {
  DateAndTime time;
  time.year = in.Digits(4);
  in.Expect('-');
  time.month = in.Digits(2);
  in.Expect('-');
  time.day = in.Digits(2);
  in.Expect('T');
  const bool short_hour = in.left() >= 2 && !IsDigit(in.next[1]);
  time.hour = in.Digits(short_hour ? 1 : 2);
  in.Expect(':');
  time.minute = in.Digits(2);
  in.Expect(':');
  time.second = in.Digits(2);
  if (!in.ok || !IsInRange(time)) {
    in.ok = false;
    return 0;
  }
  return SecondsSinceYear1(time);
}

constexpr size_t kPlainSize = 20;

// Reads "2006-01-02T15:04:05Z", the form that servers write, without a branch per character.
// Returns nullopt if the text is malformed or has another form.
std::optional<int64_t> ReadPlain(const char* p) {
  unsigned wrong = 0;
  const auto digit = [&](int i) {
    const unsigned value = static_cast<unsigned char>(p[i]) - unsigned{'0'};
    wrong |= value > 9 ? 1 : 0;
    return static_cast<int>(value);
  };
  const auto two = [&](int i) { return digit(i) * 10 + digit(i + 1); };
  const auto other = [&](int i, char c) { wrong |= p[i] != c ? 1 : 0; };
  const DateAndTime time{two(0) * 100 + two(2), two(5), two(8), two(11), two(14), two(17)};
  other(4, '-');
  other(7, '-');
  other(10, 'T');
  other(13, ':');
  other(16, ':');
  other(19, 'Z');
  if (wrong != 0 || !IsInRange(time)) return std::nullopt;
  return SecondsSinceYear1(time);
}

bool AtSeparator(const Reader& in) { return in.left() > 0 && (*in.next == '.' || *in.next == ','); }

void SkipFraction(Reader& in) {
  if (!AtSeparator(in) || in.left() < 2 || !IsDigit(in.next[1])) return;
  ++in.next;
  while (in.left() > 0 && IsDigit(*in.next)) ++in.next;
}

// Reads a separator and six characters. Go reads them with a function that accepts a sign:
// ".+12345" is 12345 and ".-00000" is zero, but a negative number is rejected.
int ReadMicros(Reader& in) {
  if (!AtSeparator(in)) {
    in.ok = false;
    return 0;
  }
  ++in.next;
  const char sign = in.left() > 0 ? *in.next : '\0';
  if (sign != '+' && sign != '-') return in.Digits(kMicroDigits);
  ++in.next;
  return sign == '+' ? in.Digits(kMicroDigits - 1) : in.Digits(kMicroDigits - 1, 0);
}

// Reads "Z" or "+07:00", which must end the text. Returns the offset in seconds.
int ReadZone(Reader& in) {
  if (in.left() == 1 && *in.next == 'Z') return 0;
  if (in.left() != 6 || (*in.next != '+' && *in.next != '-')) {
    in.ok = false;
    return 0;
  }
  const int sign = *in.next++ == '-' ? -1 : 1;
  const int hours = in.Digits(2, 24);
  in.Expect(':');
  const int minutes = in.Digits(2, 60);
  return sign * (hours * 60 + minutes) * 60;
}

char* WriteDigits(uint64_t value, int count, char* out) {
  for (int i = count - 1; i >= 0; --i, value /= 10) {
    out[i] = static_cast<char>('0' + value % 10);
  }
  return out + count;
}

char* WriteYear(int64_t year, char* out) {
  uint64_t value = year;
  if (year < 0) {
    *out++ = '-';
    value = -value;
  }
  return value < 10'000 ? WriteDigits(value, 4, out) : std::to_chars(out, out + 20, value).ptr;
}

// Writes "2006-01-02T15:04:05" and returns the end.
char* WriteDateAndTime(int64_t seconds, char* out) {
  const uint64_t absolute = static_cast<uint64_t>(seconds) + kYear1ToAbsolute;
  const uint64_t days = absolute / kSecondsPerDay;
  const int second_of_day = static_cast<int>(absolute % kSecondsPerDay);

  // The algorithm of Neri and Schneider, "Euclidean affine functions and their application to
  // calendar algorithms".
  const uint64_t quarter_days = 4 * days + 3;
  const uint64_t century = quarter_days / kDaysPer400Years;
  const uint64_t day_of_century = quarter_days % kDaysPer400Years / 4;
  const uint64_t year_of_century = (4 * day_of_century + 3) / 1461;
  const uint64_t day_of_year = (4 * day_of_century + 3) % 1461 / 4;
  const uint64_t month = (5 * day_of_year + 461) / 153;  // March is 3, February is 14
  const uint64_t day = (5 * day_of_year + 461) % 153 / 5 + 1;
  const bool before_march = month > 12;
  const uint64_t year = century * 100 + year_of_century + before_march - kAbsoluteYears;

  out = WriteYear(static_cast<int64_t>(year), out);
  *out++ = '-';
  out = WriteDigits(before_march ? month - 12 : month, 2, out);
  *out++ = '-';
  out = WriteDigits(day, 2, out);
  *out++ = 'T';
  out = WriteDigits(second_of_day / 3600, 2, out);
  *out++ = ':';
  out = WriteDigits(second_of_day / 60 % 60, 2, out);
  *out++ = ':';
  return WriteDigits(second_of_day % 60, 2, out);
}

}  // namespace

std::optional<int64_t> ParseRfc3339(absl::string_view text) {
  if (text.size() == kPlainSize) {
    if (const std::optional<int64_t> plain = ReadPlain(text.data())) return plain;
  }
  Reader in{text.data(), text.data() + text.size()};
  const int64_t seconds = ReadDateAndTime(in);
  SkipFraction(in);
  const int offset = ReadZone(in);
  if (!in.ok) return std::nullopt;
  return seconds - offset;
}

std::optional<MicroSeconds> ParseRfc3339Micro(absl::string_view text) {
  Reader in{text.data(), text.data() + text.size()};
  const int64_t seconds = ReadDateAndTime(in);
  const int micros = ReadMicros(in);
  const int offset = ReadZone(in);
  if (!in.ok) return std::nullopt;
  return MicroSeconds{seconds - offset, micros};
}

char* WriteRfc3339(int64_t seconds, char* out) {
  out = WriteDateAndTime(seconds, out);
  *out++ = 'Z';
  return out;
}

char* WriteRfc3339Micro(MicroSeconds time, char* out) {
  out = WriteDateAndTime(time.seconds, out);
  *out++ = '.';
  out = WriteDigits(time.micros, kMicroDigits, out);
  *out++ = 'Z';
  return out;
}

}  // namespace kube::text
