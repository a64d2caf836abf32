#include "tests/streaming/pattern.h"

#include <openssl/sha.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "tests/dice.h"

namespace kube::streaming {

std::string Pattern(size_t bytes, uint64_t seed) {
  std::string text;
  text.reserve(bytes + sizeof(uint64_t));
  oracle::Dice dice(seed);
  while (text.size() < bytes) {
    const uint64_t number = dice.Next();
    for (int shift = 0; shift < 64; shift += 8) text.push_back(static_cast<char>(number >> shift));
  }
  text.resize(bytes);
  return text;
}

std::string Sha256(absl::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest = {};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(digest.data()), digest.size()));
}

}  // namespace kube::streaming
