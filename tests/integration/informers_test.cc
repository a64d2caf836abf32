// Ten of our shared informers, and ten of client-go's in a second program, follow the config maps
// of a real server of this test's own, while writers write at random and faults happen. When it is
// quiet, all caches must equal a fresh list, and our handlers must not have been told anything
// impossible.
//
// The informers' network is a Relay, which loses connections; writers connect to the server
// directly.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "clientset/typed/typed_client.h"
#include "envtest/control_plane.h"
#include "gtest/gtest.h"
#include "informers/any_shared_informer.h"
#include "informers/lister_watcher.h"
#include "informers/reflector_options.h"
#include "informers/reflector_status.h"
#include "informers/shared_informer.h"
#include "informers/testing/checking_handler.h"
#include "tests/integration/crowd.h"
#include "tests/integration/line_program.h"
#include "tests/integration/real_server.h"
#include "tests/integration/relay.h"
#include "tests/oracle/oracle.h"

namespace kube::integration {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

using base::IsOk;
using envtest::ControlPlane;
using informers::CheckingHandler;
using informers::ReflectorCounters;
using informers::ReflectorOptions;
using informers::ReflectorStatus;
using informers::SharedInformer;
using informers::TypedListerWatcher;
using unstructured::Unstructured;

using ConfigMaps = typed::TypedClient<corev1::ConfigMap, corev1::ConfigMapList>;
using AnyConfigMaps = typed::TypedClient<Unstructured, unstructured::UnstructuredList>;
using Metadata =
    typed::TypedClient<metav1::PartialObjectMetadata, metav1::PartialObjectMetadataList>;

// Nothing takes longer, on a busy machine: two back-offs in a row are up to a minute each.
Context Patiently() { return WithTimeout(Context(), absl::Minutes(3)); }

// ---- who follows

absl::string_view VersionOf(const Unstructured& object) { return object.resource_version(); }
template <typename T>
absl::string_view VersionOf(const T& object) {
  return object.metadata.resource_version.view();
}

// An informer and a handler of it.
class Follower {
 public:
  Follower(std::string name_for_messages, std::string Fingerprints::*of_which)
      : name(std::move(name_for_messages)), scope(of_which) {}
  virtual ~Follower() = default;
  virtual informers::AnySharedInformer& informer() = 0;
  virtual std::string Cache() const = 0;
  // Returns the fingerprint of the state that the handler was told last.
  virtual std::string Told() const = 0;
  virtual absl::Status mistake() const = 0;

  ReflectorStatus status() { return informer().status().reflector; }

  const std::string name;
  // The objects that it follows.
  std::string Fingerprints::*const scope;
};

template <typename T>
class FollowerOf final : public Follower {
 public:
  FollowerOf(std::string name_for_messages, std::string Fingerprints::*of_which,
             TypedListerWatcher<T> source, ReflectorOptions options)
      : Follower(std::move(name_for_messages), of_which),
        informer_(std::move(source), {.reflector = std::move(options)}),
        handler_(informer_.store()) {
    KUBE_CHECK_OK(informer_.AddEventHandler(handler_.Handler()).status());
  }

  informers::AnySharedInformer& informer() override { return informer_; }
  std::string Cache() const override {
    std::vector<std::string> lines;
    for (const T& object : informer_.store()->List()) {
      lines.push_back(absl::StrCat(meta::MetaNamespaceKey(object), " ", VersionOf(object), "\n"));
    }
    return Fingerprint(std::move(lines));
  }
  std::string Told() const override {
    std::vector<std::string> lines;
    for (const auto& [key, version] : handler_.Versions()) {
      lines.push_back(absl::StrCat(key, " ", version, "\n"));
    }
    return Fingerprint(std::move(lines));
  }
  absl::Status mistake() const override { return handler_.mistake(); }

 private:
  SharedInformer<T> informer_;
  CheckingHandler<T> handler_;
};

using Followers = std::vector<std::unique_ptr<Follower>>;

template <typename T, typename Client>
void Add(Followers& followers, const char* name, const Client& client,
         ReflectorOptions options = {}, std::string Fingerprints::*scope = &Fingerprints::all) {
  followers.push_back(std::make_unique<FollowerOf<T>>(
      name, scope, *informers::MakeListerWatcher(client), std::move(options)));
}

Followers MakeTen(const rest::Config& config, const rest::Config& by_token_file) {
  rest::Config with_json = config;
  with_json.content_type = "application/json";
  const ConfigMaps protobuf(ClientOf(config), kConfigMaps);
  const ConfigMaps json(ClientOf(with_json), kConfigMaps);
  const rest::Client token = ClientOf(by_token_file);
  Followers ten;
  Add<corev1::ConfigMap>(ten, "protobuf watch-list", protobuf);
  Add<corev1::ConfigMap>(ten, "protobuf list", protobuf, {.watch_list = false});
  Add<corev1::ConfigMap>(ten, "protobuf pages", protobuf, {.watch_list = false, .page_size = 1500});
  Add<corev1::ConfigMap>(ten, "json watch-list", json);
  Add<corev1::ConfigMap>(ten, "json list", json, {.watch_list = false});
  Add<Unstructured>(ten, "unstructured", AnyConfigMaps(json.client(), kConfigMaps));
  Add<metav1::PartialObjectMetadata>(ten, "metadata", Metadata(protobuf.client(), kConfigMaps));
  Add<corev1::ConfigMap>(ten, "token file", ConfigMaps(token, kConfigMaps));
  Add<corev1::ConfigMap>(ten, "namespace",
                         ConfigMaps(token, kConfigMaps).Namespace(Crowd::kNamespace), {},
                         &Fingerprints::of_namespace);
  Add<corev1::ConfigMap>(ten, "selector", json, {.label_selector = Crowd::kSelector},
                         &Fingerprints::selected);
  return ten;
}

// ---- tokens

// Recreates the service account, which invalidates its tokens, and returns a new token.
std::string NewToken(const rest::Client& client) {
  const auto ask = [&client](absl::string_view verb, absl::string_view path,
                             absl::string_view body) {
    return client.Do(Soon(), {.verb = std::string(verb),
                              .absolute_path = absl::StrCat("/api/v1/namespaces/default", path),
                              .body = std::make_shared<const std::string>(body),
                              .content_type = "application/json",
                              .accept = "application/json"});
  };
  ask("DELETE", "/serviceaccounts/follower", "{}").IgnoreError();
  KUBE_CHECK_OK(ask("POST", "/serviceaccounts", R"({"metadata":{"name":"follower"}})").status());
  const auto answer = ask("POST", "/serviceaccounts/follower/token", R"({"spec":{}})");
  KUBE_CHECK_OK(answer.status());
  const unstructured::Value request = *unstructured::ParseJson(answer->body);
  return std::string(unstructured::NestedString(*request.object(), {"status", "token"})->value());
}

void LetItReadAll(const rest::Client& client) {
  constexpr absl::string_view kBinding =
      R"({"metadata":{"name":"follower"},)"
      R"("roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole",)"
      R"("name":"cluster-admin"},)"
      R"("subjects":[{"kind":"ServiceAccount","name":"follower","namespace":"default"}]})";
  KUBE_CHECK_OK(
      client
          .Do(Soon(), {.verb = "POST",
                       .absolute_path = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                       .body = std::make_shared<const std::string>(kBinding),
                       .content_type = "application/json"})
          .status());
}

// Who reads it meanwhile sees the old one or the new one.
void WriteFile(const std::string& path, absl::string_view text) {
  const std::string other = path + ".new";
  std::ofstream(other) << text;
  KUBE_CHECK(std::rename(other.c_str(), path.c_str()) == 0);
}

// ---- the test

class InformersTest : public ::testing::Test {
 protected:
  // Starts a server with `size` objects, and all followers.
  void Begin(int size, const std::vector<std::string>& flags);
  // Runs `trouble` while writers write; then all have to become what the server has.
  void While(absl::string_view what, const std::function<void()>& trouble);
  void Stop() { processes_.reset(); }

  void CutConnections();
  void Crash(const std::vector<std::string>& flags);
  enum class Restart { kNo, kYes };
  void LoseHistory(Restart restart);
  void ExpireToken();

  ControlPlane& plane() { return *plane_; }
  absl::StatusOr<bool> HaveConverged(const Context& ctx);

  const log::LogCapture quiet_;
  std::unique_ptr<ControlPlane> plane_;
  std::unique_ptr<Relay> relay_;
  std::unique_ptr<Crowd> crowd_;
  const std::string token_file_ = absl::StrCat(::testing::TempDir(), "/follower-token");
  std::string token_;
  Followers followers_;
  std::unique_ptr<base::ThreadGroup> processes_;
  // Null: there is no Go.
  std::unique_ptr<LineProgram> client_go_;
  // Who has not converged, and how; whether any of ours has not.
  std::string behind_;
  bool ours_behind_ = false;
};

// So long did what was done since the last time take.
class Stopwatch {
 public:
  double Seconds() const { return absl::ToDoubleSeconds(base::Runtime::Real().Now() - start_); }

 private:
  const base::MonotonicTime start_ = base::Runtime::Real().Now();
};

void InformersTest::Begin(int size, const std::vector<std::string>& flags) {
  // No grace: it is killed.
  auto plane =
      ControlPlane::Start(Patiently(), {.apiserver_flags = flags, .grace = absl::ZeroDuration()});
  ASSERT_THAT(plane, IsOk());
  plane_ = *std::move(plane);
  const rest::Client direct = ClientOf(plane_->Config());
  LetItReadAll(direct);
  token_ = NewToken(direct);
  WriteFile(token_file_, token_);
  crowd_ = std::make_unique<Crowd>(direct, size);
  const Stopwatch creating;
  ASSERT_THAT(crowd_->Create(WithTimeout(Context(), absl::Minutes(5))), IsOk());
  std::cout << size << " objects created in " << creating.Seconds() << " s" << std::endl;

  int port = 0;
  ASSERT_TRUE(absl::SimpleAtoi(plane_->url().substr(plane_->url().rfind(':') + 1), &port));
  relay_ = std::make_unique<Relay>(static_cast<uint16_t>(port));
  const std::string url = absl::StrCat("https://127.0.0.1:", relay_->port());
  const auto program = oracle::FindData("oracles", "informers_program");
  if (!oracle::PrintSkipped(program.status())) {
    ASSERT_THAT(program, IsOk());
    const std::string kubeconfig = absl::StrCat(::testing::TempDir(), "/kubeconfig");
    WriteFile(kubeconfig, absl::StrReplaceAll(plane_->Kubeconfig(), {{plane_->url(), url}}));
    auto started = LineProgram::Start(*program, {kubeconfig, Crowd::kNamespace, Crowd::kSelector});
    ASSERT_THAT(started, IsOk());
    client_go_ = *std::move(started);
  }
  rest::Config config = plane_->Config();
  config.host = url;
  rest::Config by_token_file = rest::AnonymousConfig(config);
  by_token_file.bearer_token_file = token_file_;
  followers_ = MakeTen(config, by_token_file);
  processes_ = std::make_unique<base::ThreadGroup>(Context());
  for (const auto& follower : followers_) {
    processes_->Go("informer", [&informer = follower->informer()](const Context& ctx) {
      informer.Run(ctx).IgnoreError();
      return absl::OkStatus();
    });
  }
}

absl::StatusOr<bool> InformersTest::HaveConverged(const Context& ctx) {
  const absl::StatusOr<Fingerprints> list = crowd_->List(ctx);
  if (!list.ok()) return list.status();
  behind_.clear();
  ours_behind_ = false;
  for (const auto& follower : followers_) {
    const std::string& want = (*list).*(follower->scope);
    const std::string cache = follower->Cache();
    const std::string told = follower->Told();
    if (cache == want && told == want) continue;
    ours_behind_ = true;
    const ReflectorStatus status = follower->status();
    absl::StrAppend(&behind_, follower->name, " has ", cache, ", its handler ", told, ", of ", want,
                    "; ", informers::ToString(status.state), " ", status.error.message(), "\n");
  }
  if (client_go_ == nullptr) return behind_.empty();
  const absl::StatusOr<std::string> answer = client_go_->Ask("", absl::Minutes(1));
  if (!answer.ok()) return answer.status();
  for (const absl::string_view word : absl::StrSplit(*answer, ' ')) {
    const std::vector<std::string> parts = absl::StrSplit(word, '=');
    if (parts.size() != 3) return absl::InternalError(*answer);
    const std::string& want = parts[1] == "namespace"  ? list->of_namespace
                              : parts[1] == "selector" ? list->selected
                                                       : list->all;
    if (parts[2] != want) absl::StrAppend(&behind_, "client-go's ", word, ", of ", want, "\n");
  }
  return behind_.empty();
}

void InformersTest::While(absl::string_view what, const std::function<void()>& trouble) {
  SCOPED_TRACE(std::string(what));
  if (HasFatalFailure()) return;
  const Stopwatch watch;
  crowd_->Start();
  trouble();
  crowd_->Stop();
  const double troubled = watch.Seconds();
  double ours = 0;
  EXPECT_THAT(base::PollUntil(Patiently(), absl::Milliseconds(100), base::FirstPoll::kAtOnce,
                              [&](const Context& ctx) {
                                const absl::StatusOr<bool> converged = HaveConverged(ctx);
                                if (ours_behind_ || ours == 0) ours = watch.Seconds() - troubled;
                                return converged;
                              }),
              IsOk())
      << behind_;
  for (const auto& follower : followers_) {
    EXPECT_THAT(follower->mistake(), IsOk()) << follower->name;
  }
  std::cout << what << ": " << troubled << " s, then converged within " << ours
            << " s, client-go's within " << watch.Seconds() - troubled << " s" << std::endl;
}

// ---- what goes wrong

void InformersTest::CutConnections() {
  for (int i = 0; i < 5; ++i) {
    ASSERT_THAT(crowd_->AwaitWrites(Patiently(), 50), IsOk());
    relay_->Cut();
  }
}

// Restarts the server in the middle of its work.
void InformersTest::Crash(const std::vector<std::string>& flags) {
  ASSERT_THAT(crowd_->AwaitWrites(Patiently(), 50), IsOk());
  plane().StopApiServer();
  ASSERT_THAT(plane().RestartApiServer(Patiently(), flags), IsOk());
  ASSERT_THAT(crowd_->AwaitWrites(Patiently(), 50), IsOk());
}

// Writes and deletes a lot while nobody can follow, and compacts etcd. A follower whose watch was
// refused asks for it again and gets a 410; one whose watch failed in another way lists by itself.
void InformersTest::LoseHistory(Restart restart) {
  std::vector<ReflectorCounters> before;
  for (const auto& follower : followers_) before.push_back(follower->status().counters);
  relay_->Close();
  ASSERT_THAT(crowd_->AwaitWrites(Patiently(), 300), IsOk());
  // A watch cache would remember.
  if (restart == Restart::kYes) {
    ASSERT_THAT(plane().RestartApiServer(Patiently()), IsOk());
  }
  CompactEtcd(plane().etcd_url());
  relay_->Open();
  int expired = 0;
  for (size_t i = 0; i < followers_.size(); ++i) {
    ASSERT_THAT(base::PollUntil(Patiently(), absl::Milliseconds(20), base::FirstPoll::kAtOnce,
                                [&](const Context&) -> absl::StatusOr<bool> {
                                  return followers_[i]->status().counters.syncs > before[i].syncs;
                                }),
                IsOk())
        << followers_[i]->name << " has not begun again";
    if (followers_[i]->status().counters.expired > before[i].expired) ++expired;
  }
  EXPECT_GE(expired, 1);
  std::cout << expired << " were told that their version has expired" << std::endl;
}

// Two have their token from a file, and it is no longer good. (client-go reads such a file again
// after a minute, and so would make this longer)
void InformersTest::ExpireToken() {
  const rest::Client direct = ClientOf(plane().Config());
  rest::Config old = rest::AnonymousConfig(plane().Config());
  old.bearer_token = base::Secret(token_);
  const rest::Client with_old = ClientOf(old);
  token_ = NewToken(direct);
  // The server believes for ten seconds what it has found out about a token.
  const auto refused = [&](const Context& ctx) -> absl::StatusOr<bool> {
    return errors::IsUnauthorized(with_old.Do(ctx, {.absolute_path = "/api"}).status());
  };
  ASSERT_THAT(
      base::PollUntil(Patiently(), absl::Milliseconds(200), base::FirstPoll::kAtOnce, refused),
      IsOk());
  relay_->Cut();
  for (const auto& follower : followers_) {
    if (follower->name != "token file" && follower->name != "namespace") continue;
    const auto told = [&](const Context&) -> absl::StatusOr<bool> {
      return errors::IsUnauthorized(follower->status().error);
    };
    EXPECT_THAT(base::PollUntil(Patiently(), absl::Milliseconds(5), base::FirstPoll::kAtOnce, told),
                IsOk())
        << follower->name;
  }
  ASSERT_THAT(crowd_->AwaitWrites(Patiently(), 50), IsOk());
  WriteFile(token_file_, token_);
}

TEST_F(InformersTest, AllCachesConverge) {
  ASSERT_NO_FATAL_FAILURE(Begin(20000, {}));
  While("the first list", [] {});
  While("writes", [this] { ASSERT_THAT(crowd_->AwaitWrites(Patiently(), 500), IsOk()); });
  // Early: the more has gone wrong in the last two minutes, the longer all of them back off.
  While("token expired", [this] { ExpireToken(); });
  While("connections lost", [this] { CutConnections(); });
  While("history lost", [this] { LoseHistory(Restart::kYes); });
  // Then it is etcd that says 410.
  While("server killed, no watch cache", [this] { Crash({"--watch-cache-sizes=configmaps#0"}); });
  While("history lost, no watch cache", [this] { LoseHistory(Restart::kNo); });
  std::cout << crowd_->writes() << " writes in all" << std::endl;
  Stop();
}

// It has no watch-lists.
TEST_F(InformersTest, OfAnOlderServer) {
  ASSERT_NO_FATAL_FAILURE(Begin(2000, {"--emulated-version=1.33"}));
  While("the first list", [] {});
  EXPECT_GE(followers_[0]->status().counters.lists, 1);
  While("connections lost", [this] { CutConnections(); });
  While("history lost", [this] { LoseHistory(Restart::kYes); });
  Stop();
}

}  // namespace
}  // namespace kube::integration
