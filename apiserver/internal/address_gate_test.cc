#include "apiserver/internal/address_gate.h"

#include <memory>
#include <string>
#include <vector>

#include "apiserver/testing/fake_exchange.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

class Recorder : public httpserver::Handler {
 public:
  void Handle(std::shared_ptr<httpserver::Exchange> exchange) override {
    targets.push_back(exchange->request().target);
  }
  std::vector<std::string> targets;
};

TEST(AddressGate, RequestsWaitUntilItIsOpen) {
  Recorder handler;
  AddressGate gate(handler);
  const auto request = [&](const char* target) {
    gate.Handle(
        std::make_shared<FakeExchange>(httpserver::Request{.method = "GET", .target = target}));
  };
  request("/a");
  request("/b");
  EXPECT_TRUE(handler.targets.empty());
  gate.Open();
  EXPECT_EQ(handler.targets, (std::vector<std::string>{"/a", "/b"}));
  request("/c");
  EXPECT_EQ(handler.targets.size(), 3u);
}

}  // namespace
}  // namespace kube::apiserver::internal
