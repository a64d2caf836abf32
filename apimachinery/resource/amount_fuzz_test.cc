// Arithmetic with whatever two texts mean: nothing crashes or hangs, the laws of arithmetic hold,
// and what is written is read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/resource/amount.h"
#include "apimachinery/types/quantity.h"

namespace kube::resource {
namespace {

// Of sums that far apart the lesser part may be dropped, and suffixes end at E.
bool IsModerate(const Amount& amount) {
  return amount.IsZero() || (amount < Amount::Scaled(1, 18) && amount > Amount::Scaled(-1, 18));
}

void ReadAgain(Amount amount) {
  const std::string text = amount.ToString();
  absl::StatusOr<Amount> again = ParseAmount(text);
  KUBE_CHECK_OK(again.status()) << text;
  if (!IsModerate(amount)) return;
  // Products may have parts below a billionth, which texts have not.
  amount.RoundUp(kNano);
  KUBE_CHECK(amount == *again) << text;
}

void Laws(const Amount& a, const Amount& b, int64_t factor) {
  const Amount sum = a + b;
  KUBE_CHECK(sum == b + a);
  KUBE_CHECK(a - b == -(b - a));
  KUBE_CHECK((a < b) == (b > a) && (a == b) == !(a < b || a > b));
  KUBE_CHECK((a - b).Sign() == (a > b) - (a < b));
  if (IsModerate(a) && IsModerate(b)) {
    KUBE_CHECK(sum - b == a);
    KUBE_CHECK(sum * factor == a * factor + b * factor);
  }
  for (int scale : {kNano, 0, kMega}) {
    Amount rounded = a;
    const bool exact = rounded.RoundUp(scale);
    KUBE_CHECK(exact == (rounded == a));
    KUBE_CHECK(a.Sign() < 0 ? rounded <= a : rounded >= a);
    KUBE_CHECK(rounded.ScaledValue(scale) == a.ScaledValue(scale));
  }
  ReadAgain(a);
  ReadAgain(sum);
  ReadAgain(a * factor);
  (void)a.ToDouble();
}

}  // namespace
}  // namespace kube::resource

// "A|B|FACTOR"
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const size_t first = text.find('|');
  const size_t second = first == std::string::npos ? first : text.find('|', first + 1);
  if (second == std::string::npos) return 0;
  const kube::Quantity a = text.substr(0, first);
  const kube::Quantity b = text.substr(first + 1, second - first - 1);
  kube::resource::Laws(a, b, std::strtoll(text.c_str() + second + 1, nullptr, 10));
  return 0;
}
