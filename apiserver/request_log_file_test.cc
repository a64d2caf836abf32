#include "apiserver/request_log_file.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/handler.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;

LoggedRequest Get(absl::string_view name, int code) {
  LoggedRequest request{.method = "GET",
                        .target = "/api/v1/pods",
                        .verb = "get",
                        .version = "v1",
                        .resource = "pods",
                        .name = std::string(name),
                        .user = "jane"};
  request.code = code;
  request.time = absl::FromUnixMillis(1500);
  return request;
}

TEST(RequestLine, ARequest_IsAnObjectWithoutEmptyFields) {
  EXPECT_EQ(RequestLine(Get("web", 200)),
            R"({"code":200,"method":"GET","name":"web","resource":"pods","target":"/api/v1/pods",)"
            R"("time":"1970-01-01T00:00:01.500000Z","user":"jane","verb":"get","version":"v1"})"
            "\n");
}

TEST(RequestLine, AWrite_HasTheNameOfItsObjectAndWhetherItChangedIt) {
  LoggedRequest request{.method = "POST"};
  request.object_name = "made-x2";
  request.changed = true;
  EXPECT_THAT(RequestLine(request), HasSubstr(R"("changed":true)"));
  EXPECT_THAT(RequestLine(request), HasSubstr(R"("name":"made-x2")"));
}

TEST(RequestLogFile, AFile_GetsTheRequestsThatTheFilterLetsPass) {
  const rest::TestFolder folder;
  const std::string path = folder.Write("log", "before\n");
  const absl::StatusOr<RequestLogFilter> filter =
      ParseRequestLogFilter("verb=get,resource=pods,user=jane,code=404");
  ASSERT_THAT(filter, IsOk());
  {
    const absl::StatusOr<std::shared_ptr<RequestLogFile>> file =
        RequestLogFile::Open(path, *filter);
    ASSERT_THAT(file, IsOk());
    (*file)->Write(Get("a", 200));
    (*file)->Write(Get("b", 404));
  }
  EXPECT_EQ(folder.Read("log"), "before\n" + RequestLine(Get("b", 404)));
}

TEST(RequestLogFile, AFolderThatDoesNotExist_IsAnErrorWithThePath) {
  EXPECT_THAT(
      RequestLogFile::Open("/no/such/folder/log"),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("open request log \"/no/such/folder/log\"")));
}

TEST(RequestLogFilter, AWrongPart_IsNamedWithWhatIsAllowed) {
  EXPECT_THAT(ParseRequestLogFilter("verbs=get"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("\"verbs=get\" is not one of verb, resource, namespace, user, "
                                 "code")));
  EXPECT_THAT(
      ParseRequestLogFilter("code=1000"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("a status code from 100 to 599")));
  EXPECT_THAT(ParseRequestLogFilter("verb="),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"verb=\" is not a name")));
}

}  // namespace
}  // namespace kube::apiserver
