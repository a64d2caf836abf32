#include "apimachinery/validation/internal/content_messages.h"

#include "gtest/gtest.h"

namespace kube::validation::internal {
namespace {

TEST(ContentMessages, MaxBytes) { EXPECT_EQ(MaxBytesError(63), "must be no more than 63 bytes"); }

}  // namespace
}  // namespace kube::validation::internal
