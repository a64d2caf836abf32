#include "apimachinery/types/bytes.h"

#include <ostream>

namespace kube {

std::ostream& operator<<(std::ostream& out, const Bytes& bytes) {
  return out << "<" << bytes.size() << " bytes>";
}

}  // namespace kube
