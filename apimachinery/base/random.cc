#include "apimachinery/base/random.h"

#include <cmath>
#include <cstdint>
#include <string>

#include "absl/strings/str_format.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/runtime.h"

namespace kube::base {
namespace {

constexpr absl::string_view kAlphanumerics = "bcdfghjklmnpqrstvwxz2456789";

}  // namespace

double UniformDouble() {
  return static_cast<double>(Runtime::Current().Random() >> 11) * 0x1.0p-53;
}

int64_t UniformInt(int64_t min, int64_t max) {
  KUBE_CHECK_LT(min, max) << "random number from an empty range: min must be less than max";
  const uint64_t count = static_cast<uint64_t>(max) - static_cast<uint64_t>(min);
  // Rejects the first 2^64 mod `count` numbers: the number of those left is a multiple of `count`.
  const uint64_t refused = -count % count;
  uint64_t random;
  do {
    random = Runtime::Current().Random();
  } while (random < refused);
  return static_cast<int64_t>(static_cast<uint64_t>(min) + random % count);
}

absl::Duration Jitter(absl::Duration duration, double max_factor) {
  if (max_factor <= 0) max_factor = 1;
  const double more = UniformDouble() * max_factor * absl::ToDoubleNanoseconds(duration);
  return duration + absl::Nanoseconds(std::trunc(more));
}

std::string RandomString(size_t length) {
  std::string result(length, '\0');
  for (char& c : result) c = kAlphanumerics[UniformInt(0, kAlphanumerics.size())];
  return result;
}

std::string RandomUuid() {
  const uint64_t high = Runtime::Current().Random();
  const uint64_t low = Runtime::Current().Random();
  return absl::StrFormat("%08x-%04x-4%03x-%04x-%012x", high >> 32, (high >> 16) & 0xffff,
                         high & 0xfff, 0x8000 | (low >> 48 & 0x3fff), low & 0xffff'ffff'ffff);
}

std::string SafeEncodeString(absl::string_view text) {
  std::string result(text);
  for (char& c : result) c = kAlphanumerics[static_cast<unsigned char>(c) % kAlphanumerics.size()];
  return result;
}

}  // namespace kube::base
