#include "apimachinery/types/envelope_prefix.h"

#include "gtest/gtest.h"

namespace kube {
namespace {

// protoEncodingPrefix of k8s.io/apimachinery/pkg/runtime/serializer/protobuf.
TEST(EnvelopePrefix, IsAsInApimachinery) {
  ASSERT_EQ(kEnvelopePrefix.size(), 4);
  const unsigned char want[] = {0x6b, 0x38, 0x73, 0x00};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(static_cast<unsigned char>(kEnvelopePrefix[i]), want[i]);
}

}  // namespace
}  // namespace kube
