// Exec, attach, port-forward and logs through a real kube-apiserver, in front of the Go program
// that stands for kubelets; and kubectl beside it. The kube-apiserver is one of its own: it has to
// know the kubelet's certificate authority, and to show the kubelet a certificate.

#include <sys/wait.h>

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
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
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/kubernetes/rbac/v1/client.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/listeners.h"
#include "clientset/portforward/port_stream.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/session.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "envtest/control_plane.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/line_program.h"
#include "tests/oracle/oracle.h"
#include "tests/streaming/node.h"
#include "tests/streaming/pattern.h"
#include "tests/streaming/run_to_end.h"

namespace kube::streaming {
namespace {

namespace corev1 = api::core::v1;
namespace rbacv1 = api::rbac::v1;

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using remotecommand::Session;
using remotecommand::TransportPreference;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// The nodes: one with a kubelet that speaks SPDY, one whose kubelet says that it takes WebSockets
// itself, and one without a kubelet. Each has a pod.
constexpr char kPlain[] = "plain";
constexpr char kExtended[] = "extended";
constexpr char kGone[] = "gone";

std::string PodOn(absl::string_view node) { return absl::StrCat("web-on-", node); }

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// ---- The cluster

absl::StatusOr<int> PortIn(const std::string& path) {
  const std::string address = ReadFile(path);
  const std::vector<std::string> parts = absl::StrSplit(address, ':');
  int port = 0;
  if (parts.size() == 2 && absl::SimpleAtoi(parts[1], &port)) return port;
  return absl::NotFoundError(absl::StrCat("read port of ", path, ": ", address));
}

absl::Status MakeNode(const Context& ctx, const kubernetes::Clientset& client,
                      const std::string& name, int port) {
  corev1::Node node;
  node.metadata.name = name;
  KUBE_ASSIGN_OR_RETURN(node, client.CoreV1().Nodes().Create(ctx, node), "node ", name);
  corev1::NodeAddress address;
  address.type = "InternalIP";
  address.address = "127.0.0.1";
  node.status.addresses.push_back(std::move(address));
  node.status.daemon_endpoints.kubelet_endpoint.port = port;
  if (name == kExtended) node.status.declared_features.push_back("ExtendWebSocketsToKubelet");
  KUBE_RETURN_IF_ERROR(client.CoreV1().Nodes().UpdateStatus(ctx, node), "node ", name);
  return absl::OkStatus();
}

absl::Status MakePod(const Context& ctx, const kubernetes::Clientset& client,
                     const std::string& name, const std::string& node) {
  const corev1::PodClient pods = client.CoreV1().Pods("default");
  corev1::Pod pod;
  pod.metadata.name = name;
  pod.spec.node_name = node;
  pod.spec.containers.push_back({.name = "app", .image = "app"});
  KUBE_ASSIGN_OR_RETURN(pod, pods.Create(ctx, pod), "pod ", name);
  corev1::ContainerStatus status;
  status.name = "app";
  status.image = "app";
  status.ready = true;
  status.state.running.emplace();
  pod.status.phase = "Running";
  pod.status.container_statuses.push_back(std::move(status));
  KUBE_RETURN_IF_ERROR(pods.UpdateStatus(ctx, pod), "pod ", name);
  return absl::OkStatus();
}

// Lets a user do something with what streams.
absl::Status Grant(const Context& ctx, const kubernetes::Clientset& client, const std::string& user,
                   const std::vector<std::string>& verbs) {
  constexpr char kGroup[] = "rbac.authorization.k8s.io";
  rbacv1::PolicyRule rule;
  for (const std::string& verb : verbs) rule.verbs.push_back(verb);
  rule.api_groups.push_back("");
  rule.resources.push_back("pods/exec");
  rbacv1::Role role;
  role.metadata.name = user;
  role.rules.push_back(std::move(rule));
  KUBE_RETURN_IF_ERROR(client.RbacV1().Roles("default").Create(ctx, role), "role ", user);
  rbacv1::Subject subject;
  subject.kind = "User";
  subject.api_group = kGroup;
  subject.name = user;
  rbacv1::RoleBinding binding;
  binding.metadata.name = user;
  binding.subjects.push_back(std::move(subject));
  binding.role_ref.api_group = kGroup;
  binding.role_ref.kind = "Role";
  binding.role_ref.name = user;
  KUBE_RETURN_IF_ERROR(client.RbacV1().RoleBindings("default").Create(ctx, binding), "binding ",
                       user);
  return absl::OkStatus();
}

struct Cluster {
  std::unique_ptr<Node> node;
  std::unique_ptr<envtest::ControlPlane> plane;
  kubernetes::Clientset client;
};

absl::Status Populate(const Context& ctx, const Cluster& cluster) {
  const std::string& folder = cluster.node->folder();
  KUBE_ASSIGN_OR_RETURN(const int plain_port, PortIn(absl::StrCat(folder, "/kubelet")));
  KUBE_ASSIGN_OR_RETURN(const int extended_port, PortIn(absl::StrCat(folder, "/kubelet-extended")));
  KUBE_RETURN_IF_ERROR(MakeNode(ctx, cluster.client, kPlain, plain_port));
  KUBE_RETURN_IF_ERROR(MakeNode(ctx, cluster.client, kExtended, extended_port));
  KUBE_RETURN_IF_ERROR(MakeNode(ctx, cluster.client, kGone, 1));
  for (const char* const node : {kPlain, kExtended, kGone}) {
    KUBE_RETURN_IF_ERROR(MakePod(ctx, cluster.client, PodOn(node), node));
  }
  KUBE_RETURN_IF_ERROR(Grant(ctx, cluster.client, "getter", {"get"}));
  KUBE_RETURN_IF_ERROR(Grant(ctx, cluster.client, "creator", {"create"}));
  return Grant(ctx, cluster.client, "both", {"get", "create"});
}

absl::StatusOr<std::unique_ptr<Cluster>> StartCluster(const Context& ctx,
                                                      std::unique_ptr<Node> node) {
  const std::string& folder = node->folder();
  envtest::ControlPlaneOptions options;
  for (const char* const user : {"getter", "creator", "both"}) {
    options.tokens[absl::StrCat(user, "-token")] = {.name = user};
  }
  options.apiserver_flags = {
      absl::StrCat("--kubelet-certificate-authority=", folder, "/ca.crt"),
      absl::StrCat("--kubelet-client-certificate=", folder, "/apiserver.crt"),
      absl::StrCat("--kubelet-client-key=", folder, "/apiserver.key"),
  };
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<envtest::ControlPlane> plane,
                        envtest::ControlPlane::Start(ctx, std::move(options)));
  KUBE_ASSIGN_OR_RETURN(kubernetes::Clientset client, kubernetes::Clientset::Make(plane->Config()));
  auto cluster = std::make_unique<Cluster>(
      Cluster{.node = std::move(node), .plane = std::move(plane), .client = std::move(client)});
  KUBE_RETURN_IF_ERROR(Populate(ctx, *cluster));
  return cluster;
}

// ---- kubectl

std::string Quoted(absl::string_view word) {
  return absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
}

struct KubectlResult {
  int exit_code = 0;
  std::string out = {};
  std::string err = {};
};

// ---- The tests

// How a pod is reached.
struct Way {
  std::string name = {};
  std::string node = {};
  TransportPreference transport = TransportPreference::kAuto;
  absl::string_view protocol = {};
};
void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

class RealServerTest : public testing::TestWithParam<Way> {
 protected:
  static void SetUpTestSuite() {
    absl::StatusOr<std::unique_ptr<Node>> node = Node::Start();
    missing_ = node.status();
    if (!node.ok()) return;
    cluster_ = StartCluster(WithTimeout(Context(), absl::Minutes(5)), *std::move(node));
  }
  static void TearDownTestSuite() { cluster_ = absl::UnavailableError("it was stopped"); }

  void SetUp() override {
    if (oracle::PrintSkipped(missing_)) GTEST_SKIP();
    ASSERT_THAT(missing_, IsOk());
    ASSERT_THAT(cluster_, IsOk());
    ASSERT_NE(std::getenv("KUBECTL"), nullptr) << "run it by tests/real_server/run";
  }

  static const kubernetes::Clientset& client() { return (*cluster_)->client; }
  static rest::Config ConfigOf(absl::string_view user) {
    return (*cluster_)->plane->Config(absl::StrCat(user, "-token"));
  }
  static bool is_spdy() { return GetParam().transport == TransportPreference::kSpdy; }
  static std::string pod() { return PodOn(GetParam().node); }

  absl::StatusOr<std::unique_ptr<Session>> Start(remotecommand::ExecOptions options) const {
    options.transport = GetParam().transport;
    return remotecommand::StartExec(ctx_, client().client(), {"default", pod()}, options);
  }

  absl::StatusOr<std::shared_ptr<portforward::Forwarder>> Connect() const {
    return portforward::Forwarder::Connect(ctx_, client().client(), {"default", pod()},
                                           {.websocket = !is_spdy()});
  }

  static std::vector<std::string> KubectlFlags() {
    const std::string folder = testing::TempDir();
    std::ofstream(folder + "/kubeconfig") << (*cluster_)->plane->Kubeconfig();
    return {absl::StrCat("--kubeconfig=", folder, "/kubeconfig"),
            absl::StrCat("--cache-dir=", folder, "/kubectl-cache")};
  }

  // Runs kubectl by the same transport.
  static KubectlResult Kubectl(const std::vector<std::string>& words,
                               const std::string& input = "") {
    const std::string folder = testing::TempDir();
    std::ofstream(folder + "/in") << input;
    std::string command =
        absl::StrCat("KUBECTL_REMOTE_COMMAND_WEBSOCKETS=", !is_spdy() ? "true" : "false", " ",
                     Quoted(std::getenv("KUBECTL")));
    for (const std::string& flag : KubectlFlags()) absl::StrAppend(&command, " ", Quoted(flag));
    for (const std::string& word : words) absl::StrAppend(&command, " ", Quoted(word));
    absl::StrAppend(&command, " <", Quoted(folder + "/in"), " >", Quoted(folder + "/out"), " 2>",
                    Quoted(folder + "/err"));
    const int status = std::system(command.c_str());
    return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .out = ReadFile(folder + "/out"),
            .err = ReadFile(folder + "/err")};
  }

  // Much more than any of the tests needs.
  const Context ctx_ = WithTimeout(Context(), absl::Minutes(3));

 private:
  // Why there is no Go program.
  static inline absl::Status missing_;
  static inline absl::StatusOr<std::unique_ptr<Cluster>> cluster_ =
      absl::UnavailableError("it was not started");
};

INSTANTIATE_TEST_SUITE_P(Ways, RealServerTest,
                         testing::Values(Way{.name = "WebSocket",
                                             .node = kPlain,
                                             .protocol = remotecommand::kProtocolV5},
                                         Way{.name = "WebSocketToTheKubelet",
                                             .node = kExtended,
                                             .protocol = remotecommand::kProtocolV5},
                                         Way{.name = "Spdy",
                                             .node = kPlain,
                                             .transport = TransportPreference::kSpdy,
                                             .protocol = remotecommand::kProtocolV4}),
                         [](const testing::TestParamInfo<Way>& row) { return row.param.name; });

// behaviour.md: ST-36, ST-95
TEST_P(RealServerTest, Exec) {
  const auto session = Start({.command = {"script"}, .with_stdin = true});
  ASSERT_THAT(session, IsOk());
  EXPECT_EQ((*session)->protocol(), GetParam().protocol);
  const Ended ended = RunToEnd(ctx_, **session, TextSource("out a\nerr b\nexit 3\n"));
  EXPECT_EQ(ended.out, "a\n");
  EXPECT_EQ(ended.err, "b\n");
  EXPECT_EQ(remotecommand::ExitCodeOf(ended.outcome), 3) << ended.outcome;
}

TEST_P(RealServerTest, LargeStdinAndStdout) {
  constexpr size_t kBytes = size_t{8} << 20;
  const std::string input = Pattern(kBytes, 1);
  const auto upload = Start({.command = {"count"}, .with_stdin = true});
  ASSERT_THAT(upload, IsOk());
  const Ended up = RunToEnd(ctx_, **upload, TextSource(input));
  EXPECT_THAT(up.outcome, IsOk());
  EXPECT_EQ(up.out, absl::StrCat(kBytes, " ", Sha256(input), "\n"));
  const auto download = Start({.command = {"write", "stdout", absl::StrCat(kBytes), "1"}});
  ASSERT_THAT(download, IsOk());
  const Ended down = RunToEnd(ctx_, **download);
  EXPECT_THAT(down.outcome, IsOk());
  EXPECT_EQ(Sha256(down.out), Sha256(input));
}

TEST_P(RealServerTest, Terminal) {
  const auto session = Start({.command = {"sizes", "2"}, .tty = true});
  ASSERT_THAT(session, IsOk());
  ASSERT_THAT((*session)->Resize(ctx_, {80, 24}), IsOk());
  ASSERT_THAT((*session)->Resize(ctx_, {132, 43}), IsOk());
  const Ended ended = RunToEnd(ctx_, **session);
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(ended.out, "80x24\n132x43\n");
}

// behaviour.md: ST-36
TEST_P(RealServerTest, Attach) {
  const auto session =
      remotecommand::StartAttach(ctx_, client().client(), {"default", pod()},
                                 {.with_stdin = true, .transport = GetParam().transport});
  ASSERT_THAT(session, IsOk());
  const Ended ended = RunToEnd(ctx_, **session, TextSource("out a\nexit 0\n"));
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(ended.out, "hello\na\n");
}

TEST_P(RealServerTest, FiftyAtOnce) {
  base::ThreadGroup group(ctx_);
  for (int i = 0; i < 50; ++i) {
    group.Go("session", [this, i](const Context& ctx) -> absl::Status {
      KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<Session> session,
                            Start({.command = {"args", absl::StrCat(i)}}));
      const Ended ended = RunToEnd(ctx, *session);
      KUBE_RETURN_IF_ERROR(ended.outcome);
      if (ended.out == absl::StrCat("\"", i, "\"\n")) return absl::OkStatus();
      return absl::DataLossError(ended.out);
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

TEST_P(RealServerTest, ExecInAPodThatIsNotThere) {
  const auto session =
      remotecommand::StartExec(ctx_, client().client(), {"default", "nothing"},
                               {.command = {"cat"}, .transport = GetParam().transport});
  EXPECT_TRUE(errors::IsNotFound(session.status())) << session.status();
}

// By WebSocket the kubelet is looked for after the upgrade.
TEST_P(RealServerTest, ANodeWithoutAKubelet) {
  const auto session =
      remotecommand::StartExec(ctx_, client().client(), {"default", PodOn(kGone)},
                               {.command = {"cat"}, .transport = GetParam().transport});
  EXPECT_EQ(session.ok(), !is_spdy()) << session.status();
  const absl::Status error = session.ok() ? (*session)->Wait(ctx_) : session.status();
  EXPECT_TRUE(errors::IsInternalError(error)) << error;
  EXPECT_THAT(error.ToString(), HasSubstr("connection refused"));
}

// behaviour.md: ST-36, ST-95
TEST_P(RealServerTest, PortForward) {
  const auto forwarder = Connect();
  ASSERT_THAT(forwarder, IsOk());
  const auto stream = (*forwarder)->Dial(ctx_, 7);
  ASSERT_THAT(stream, IsOk());
  EXPECT_THAT((*stream)->Write(ctx_, "ping"), IsOk());
  EXPECT_THAT((*stream)->Read(ctx_), IsOkAndHolds("ping"));
  const auto refused = (*forwarder)->Dial(ctx_, 81);
  ASSERT_THAT(refused, IsOk());
  EXPECT_THAT((*refused)->Read(ctx_),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("connection refused")));
  EXPECT_THAT((*stream)->Write(ctx_, "pong"), IsOk());
  EXPECT_THAT((*stream)->Read(ctx_), IsOkAndHolds("pong"));
  EXPECT_THAT((*stream)->CloseWrite(), IsOk());
  EXPECT_THAT((*stream)->Read(ctx_), IsOkAndHolds(""));
  EXPECT_THAT((*stream)->Outcome(ctx_), IsOk());
}

TEST_P(RealServerTest, Logs) {
  const corev1::PodClient pods = client().CoreV1().Pods("default");
  const absl::StatusOr<std::string> log = pods.GetLogs(ctx_, pod());
  ASSERT_THAT(log, IsOk());
  EXPECT_THAT(*log, StartsWith("app line 0\napp line 1\n"));
  EXPECT_THAT(pods.GetLogs(ctx_, pod(), {.tail_lines = 2}),
              IsOkAndHolds("app line 98\napp line 99\n"));
  EXPECT_THAT(pods.GetLogs(ctx_, pod(), {.limit_bytes = 5}), IsOkAndHolds("app l"));
  EXPECT_THAT(pods.GetLogs(ctx_, pod(), {.follow = true, .tail_lines = 1}),
              IsOkAndHolds("app line 99\napp line 100\napp line 101\napp line 102\n"));
  const absl::Status previous = pods.GetLogs(ctx_, pod(), {.previous = true}).status();
  EXPECT_TRUE(errors::IsBadRequest(previous)) << previous;
  EXPECT_THAT(previous.ToString(), HasSubstr("previous terminated container \"app\""));
}

// ---- Rights

absl::StatusOr<std::unique_ptr<Session>> ExecAs(const Context& ctx, const rest::Config& config,
                                                TransportPreference transport) {
  KUBE_ASSIGN_OR_RETURN(const rest::Client client, rest::MakeClient(config));
  return remotecommand::StartExec(ctx, client, {"default", PodOn(kPlain)},
                                  {.command = {"exit", "0"}, .transport = transport});
}

// A WebSocket needs both rights since Kubernetes 1.35.
// behaviour.md: ST-73
TEST_P(RealServerTest, Rights) {
  const rest::Config both = ConfigOf("both");
  // The server learns of the last role a moment after it was made.
  ASSERT_THAT(base::PollUntil(ctx_, absl::Milliseconds(50), base::FirstPoll::kAtOnce,
                              [&](const Context& ctx) -> absl::StatusOr<bool> {
                                return ExecAs(ctx, both, GetParam().transport).ok();
                              }),
              IsOk());
  EXPECT_TRUE(
      errors::IsForbidden(ExecAs(ctx_, ConfigOf("getter"), TransportPreference::kAuto).status()));
  EXPECT_TRUE(errors::IsForbidden(
      ExecAs(ctx_, ConfigOf("creator"), TransportPreference::kWebSocket).status()));
  const auto fallback = ExecAs(ctx_, ConfigOf("creator"), TransportPreference::kAuto);
  ASSERT_THAT(fallback, IsOk());
  EXPECT_EQ((*fallback)->protocol(), remotecommand::kProtocolV4);
}

// ---- kubectl says the same

TEST_P(RealServerTest, KubectlExec) {
  const struct {
    std::vector<std::string> command;
    std::string input;
  } rows[] = {
      {{"args", "a b", "ä", "x\ny"}, ""},
      {{"script"}, "out a\nerr b\nexit 3\n"},
      {{"count"}, Pattern(1'000'000, 1)},
      {{"write", "both", "100000", "1"}, ""},
      {{"exit", "255"}, ""},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.command.front());
    // Without an input there is no stdin: a kubelet that ends the connection while the end of stdin
    // is on its way destroys what the client has not read yet, with every client.
    const bool has_input = !row.input.empty();
    const auto session = Start({.command = row.command, .with_stdin = has_input});
    ASSERT_THAT(session, IsOk());
    remotecommand::StdinSource source;
    if (has_input) source = TextSource(row.input);
    const Ended ours = RunToEnd(ctx_, **session, std::move(source));
    std::vector<std::string> words = {"exec"};
    if (has_input) words.push_back("-i");
    words.insert(words.end(), {pod(), "--"});
    words.insert(words.end(), row.command.begin(), row.command.end());
    const KubectlResult theirs = Kubectl(words, row.input);
    EXPECT_EQ(remotecommand::ExitCodeOf(ours.outcome), theirs.exit_code) << theirs.err;
    EXPECT_TRUE(ours.out == theirs.out) << ours.out.size() << " and " << theirs.out.size();
    const std::string comment =
        theirs.exit_code == 0
            ? ""
            : absl::StrCat("command terminated with exit code ", theirs.exit_code, "\n");
    EXPECT_TRUE(absl::StrCat(ours.err, comment) == theirs.err) << theirs.err;
  }
}

TEST_P(RealServerTest, KubectlExecThatCannotRun) {
  const auto session = Start({.command = {"fail", "out of memory"}});
  ASSERT_THAT(session, IsOk());
  const absl::Status ours = (*session)->Wait(ctx_);
  const KubectlResult theirs = Kubectl({"exec", pod(), "--", "fail", "out of memory"});
  EXPECT_EQ(theirs.exit_code, 1);
  EXPECT_EQ(remotecommand::ExitCodeOf(ours), std::nullopt);
  const std::string text = "error executing command in container: out of memory";
  EXPECT_THAT(theirs.err, HasSubstr(text));
  EXPECT_THAT(ours.ToString(), HasSubstr(text));
}

TEST_P(RealServerTest, KubectlLogs) {
  const corev1::PodClient pods = client().CoreV1().Pods("default");
  const KubectlResult all = Kubectl({"logs", pod()});
  EXPECT_THAT(pods.GetLogs(ctx_, pod()), IsOkAndHolds(all.out));
  EXPECT_THAT(all.err, IsEmpty());
  const KubectlResult tail = Kubectl({"logs", "--tail=3", "--follow", pod()});
  EXPECT_THAT(pods.GetLogs(ctx_, pod(), {.follow = true, .tail_lines = 3}), IsOkAndHolds(tail.out));
}

absl::StatusOr<std::string> GetPage(const Context& ctx, absl::string_view local_port) {
  rest::Config config;
  config.host = absl::StrCat("http://127.0.0.1:", local_port);
  KUBE_ASSIGN_OR_RETURN(const rest::Client client, rest::MakeClient(config));
  KUBE_ASSIGN_OR_RETURN(const rest::Result result, client.Do(ctx, {.absolute_path = "/page"}));
  return result.body;
}

TEST_P(RealServerTest, KubectlPortForward) {
  const auto forwarder = Connect();
  ASSERT_THAT(forwarder, IsOk());
  const auto listeners = portforward::Listen(ctx_, *forwarder, {"127.0.0.1"}, {":80"});
  ASSERT_THAT(listeners, IsOk());
  const absl::StatusOr<std::string> ours =
      GetPage(ctx_, absl::StrCat((*listeners)->ports().front().local));
  EXPECT_THAT(ours, IsOkAndHolds("GET /page\n"));

  std::vector<std::string> words = KubectlFlags();
  for (const std::string& word : {std::string("port-forward"), std::string("--address=127.0.0.1"),
                                  pod(), std::string(":80")}) {
    words.push_back(word);
  }
  const auto kubectl = integration::LineProgram::Start(std::getenv("KUBECTL"), words);
  ASSERT_THAT(kubectl, IsOk());
  // It says where it listens, whatever it is told.
  const absl::StatusOr<std::string> line = (*kubectl)->Ask("", absl::Seconds(60));
  ASSERT_THAT(line, IsOk());
  ASSERT_THAT(*line, StartsWith("Forwarding from 127.0.0.1:"));
  const std::vector<std::string> parts = absl::StrSplit(*line, absl::ByAnyChar(": "));
  ASSERT_GE(parts.size(), 4u);
  EXPECT_THAT(GetPage(ctx_, parts[3]), IsOkAndHolds(*ours));
}

}  // namespace
}  // namespace kube::streaming
