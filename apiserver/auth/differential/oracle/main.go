// Command rbac_oracle answers what kube-apiserver's own RBAC says about roles and bindings. A request is a function's name, a tab,
// and a JSON text in hexadecimal with the roles and bindings of a cluster and a user:
//
//	authorize	whether the user may do each of `requests`, and why: a line each
//	escalate	whether the user may give the rules of each of `writes`: "ok" or the error, with a line "--" behind each
package main

import (
	"context"
	"encoding/json"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kubernetes/pkg/registry/rbac/validation"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"

	"kube/tests/oracle"
)

// cluster has roles, and bindings in the order in which they are tried.
type cluster struct {
	Roles               []*rbacv1.Role
	ClusterRoles        []*rbacv1.ClusterRole
	RoleBindings        []*rbacv1.RoleBinding
	ClusterRoleBindings []*rbacv1.ClusterRoleBinding

	// The resources in errors about roles that do not exist.
	roleResource, clusterRoleResource string
}

func (c *cluster) GetRole(_ context.Context, namespace, name string) (*rbacv1.Role, error) {
	for _, role := range c.Roles {
		if role.Namespace == namespace && role.Name == name {
			return role, nil
		}
	}
	return nil, errors.NewNotFound(rbacv1.Resource(c.roleResource), name)
}

func (c *cluster) GetClusterRole(_ context.Context, name string) (*rbacv1.ClusterRole, error) {
	for _, role := range c.ClusterRoles {
		if role.Name == name {
			return role, nil
		}
	}
	return nil, errors.NewNotFound(rbacv1.Resource(c.clusterRoleResource), name)
}

func (c *cluster) ListRoleBindings(_ context.Context, namespace string) ([]*rbacv1.RoleBinding, error) {
	var found []*rbacv1.RoleBinding
	for _, binding := range c.RoleBindings {
		if binding.Namespace == namespace {
			found = append(found, binding)
		}
	}
	return found, nil
}

func (c *cluster) ListClusterRoleBindings(context.Context) ([]*rbacv1.ClusterRoleBinding, error) {
	return c.ClusterRoleBindings, nil
}

type subject struct {
	Name   string
	Groups []string
}

func (s subject) info() user.Info {
	return &user.DefaultInfo{Name: s.Name, Groups: s.Groups}
}

type attributes struct {
	Verb, Namespace, Group, Resource, Subresource, Name, Path string
}

func authorize(text []byte) (string, error) {
	var question struct {
		cluster
		User     subject
		Requests []attributes
	}
	if err := json.Unmarshal(text, &question); err != nil {
		return "", err
	}
	// As client-go's listers have it.
	c := &question.cluster
	c.roleResource, c.clusterRoleResource = "role", "clusterrole"
	asked := rbac.New(c, c, c, c)
	var answers []string
	for _, each := range question.Requests {
		decision, reason, err := asked.Authorize(context.Background(), authorizer.AttributesRecord{
			User:            question.User.info(),
			Verb:            each.Verb,
			Namespace:       each.Namespace,
			APIGroup:        each.Group,
			APIVersion:      "v1",
			Resource:        each.Resource,
			Subresource:     each.Subresource,
			Name:            each.Name,
			ResourceRequest: each.Path == "",
			Path:            each.Path,
		})
		if err != nil {
			return "", err
		}
		word := "no"
		if decision == authorizer.DecisionAllow {
			word = "yes"
		}
		answers = append(answers, word+" "+reason)
	}
	return strings.Join(answers, "\n"), nil
}

func escalate(text []byte) (string, error) {
	var question struct {
		cluster
		User   subject
		Writes []struct {
			Resource, Namespace string
			Rules               []rbacv1.PolicyRule
		}
	}
	if err := json.Unmarshal(text, &question); err != nil {
		return "", err
	}
	var answers strings.Builder
	for _, write := range question.Writes {
		// The storages of roles name the resource of the request.
		c := question.cluster
		c.roleResource, c.clusterRoleResource = write.Resource, write.Resource
		ctx := request.WithUser(context.Background(), question.User.info())
		ctx = request.WithNamespace(ctx, write.Namespace)
		answer := "ok"
		if err := validation.ConfirmNoEscalation(ctx, validation.NewDefaultRuleResolver(&c, &c, &c, &c), write.Rules); err != nil {
			answer = err.Error()
		}
		answers.WriteString(answer + "\n--\n")
	}
	return answers.String(), nil
}

func main() {
	oracle.Serve(map[string]func([]byte) (string, error){
		"authorize": authorize,
		"escalate":  escalate,
	})
}
