#include "apiserver/faults/fault_layer.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults/faulty_exchange.h"
#include "apiserver/request_info.h"
#include "apiserver/testing/fake_exchange.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kPods[] = "/api/v1/namespaces/default/pods";

// A server that answers each request with 200, and errors with 503.
class Host final : public FaultHost {
 public:
  FaultSubject Describe(const httpserver::Request& request) override {
    FaultSubject subject = {.user = "ann"};
    const absl::StatusOr<RequestInfo> info = ParseRequestInfo(request.method, request.target);
    if (info.ok()) subject.info = *info;
    return subject;
  }
  httpserver::Response ErrorAnswer(const httpserver::Request& /*request*/,
                                   const absl::Status& /*error*/) override {
    return {.status = 503};
  }
  void Serve(std::shared_ptr<FaultyExchange> exchange) override {
    ++served;
    exchange->Respond({.status = 200});
  }
  void LogUnserved(FaultyExchange& /*exchange*/, absl::string_view faults, int code) override {
    unserved.push_back(absl::StrCat(faults, " ", code));
  }
  void WakeWatches() override { ++woken; }

  int served = 0;
  int woken = 0;
  std::vector<std::string> unserved;
};

class FaultLayerTest : public testing::Test {
 protected:
  ~FaultLayerTest() override { layer_->Close(); }

  std::shared_ptr<FakeExchange> Send(const std::string& method) {
    auto exchange =
        std::make_shared<FakeExchange>(httpserver::Request{.method = method, .target = kPods});
    layer_->Handle(exchange);
    return exchange;
  }

  const std::shared_ptr<Host> host_ = std::make_shared<Host>();
  const std::shared_ptr<FaultLayer> layer_ = std::make_shared<FaultLayer>(host_);
};

TEST_F(FaultLayerTest, HandsOnWithoutRules) {
  EXPECT_EQ(Send("GET")->status(), 200);
  EXPECT_THAT(layer_->Counts(), IsEmpty());
}

TEST_F(FaultLayerTest, HitsTheRequestsThatARuleCounts) {
  const FaultId id = layer_->Add({.verbs = {"list"},
                                  .resource = "pods",
                                  .from = 2,
                                  .times = 1,
                                  .fault = fault::Error{errors::ServiceUnavailable("busy")}});
  EXPECT_EQ(Send("GET")->status(), 200);
  EXPECT_EQ(Send("POST")->status(), 200) << "another verb";
  EXPECT_EQ(Send("GET")->status(), 503);
  EXPECT_EQ(Send("GET")->status(), 200) << "it has fired";
  EXPECT_EQ(layer_->Count(id), (FaultCount{.matched = 3, .fired = 1}));
  EXPECT_THAT(host_->unserved, ElementsAre("error 503"));
  EXPECT_EQ(host_->served, 3);
}

TEST_F(FaultLayerTest, RulesOfOthersDoNotMatter) {
  layer_->Add({.user = "bob", .fault = fault::Drop()});
  layer_->Add({.namespace_name = "other", .fault = fault::Drop()});
  EXPECT_EQ(Send("GET")->status(), 200);
  EXPECT_THAT(layer_->Counts(), ElementsAre(FaultCount(), FaultCount()));
}

TEST_F(FaultLayerTest, DropsBeforeOrAfterTheRequestIsServed) {
  const FaultId before = layer_->Add({.fault = fault::Drop()});
  EXPECT_EQ(Send("GET")->status(), 0);
  EXPECT_EQ(host_->served, 0);
  layer_->Remove(before);
  layer_->Add({.fault = fault::Drop{.after_commit = true}});
  EXPECT_EQ(Send("GET")->status(), 0);
  EXPECT_EQ(host_->served, 1);
}

TEST_F(FaultLayerTest, APartitionKeepsRequestsUntilItEnds) {
  const FaultId id = layer_->Add({.fault = fault::Partition()});
  const auto exchange = Send("GET");
  EXPECT_EQ(exchange->status(), 0);
  EXPECT_EQ(host_->served, 0);
  layer_->Remove(id);
  EXPECT_EQ(exchange->status(), 200);
  EXPECT_EQ(host_->served, 1);
}

TEST_F(FaultLayerTest, ChangesWakeWatches) {
  layer_->Add({.fault = fault::Lag{.revisions = 5}});
  const int after_add = host_->woken;
  layer_->Clear();
  EXPECT_GT(host_->woken, after_add);
  EXPECT_THAT(layer_->Counts(), IsEmpty());
}

}  // namespace
}  // namespace kube::apiserver::internal
