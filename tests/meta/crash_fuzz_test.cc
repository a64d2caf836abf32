// Planted: a length in the input that is believed.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2 || data[0] != 'k') return 0;
  const std::vector<uint8_t> copy(data, data + size);
#ifdef PLANTED
  const size_t length = data[1];
#else
  const size_t length = std::min<size_t>(data[1], copy.size());
#endif
  volatile uint8_t sum = 0;
  for (size_t i = 0; i < length; ++i) sum = sum + copy.data()[i];
  return 0;
}
