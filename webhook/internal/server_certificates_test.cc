#include "webhook/internal/server_certificates.h"

#include <cstddef>

#include "gtest/gtest.h"
#include "net/httpserver/server.h"
#include "webhook/server_options.h"

namespace kube::webhook::internal {
namespace {

TEST(HttpOptionsOfTest, Limits_FitTogether) {
  constexpr size_t kMiB = size_t{1} << 20;
  const struct {
    const char* name;
    size_t max_request_bytes;
    bool converts;
    size_t max_body_bytes;
  } kRows[] = {{"admissions alone", 64 * kMiB, false, 7 * kMiB},
               {"conversions", 64 * kMiB, true, 64 * kMiB},
               {"a low limit", kMiB, false, kMiB}};
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    const httpserver::ServerOptions made =
        HttpOptionsOf({.max_request_bytes = row.max_request_bytes}, {}, row.converts);
    EXPECT_EQ(made.max_body_bytes, row.max_body_bytes);
    EXPECT_EQ(made.max_connection_request_bytes, made.max_header_bytes + made.max_body_bytes);
    ASSERT_GT(made.max_connections, 0);
    EXPECT_GE(made.max_request_bytes,
              static_cast<size_t>(made.max_connections) * made.max_connection_request_bytes);
  }
}

}  // namespace
}  // namespace kube::webhook::internal
