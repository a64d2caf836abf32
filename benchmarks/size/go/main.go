// Decodes a Pod and a Lease as client-go's typed clients do, and reports the size of itself, stripped.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"bench/contract"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/kubernetes/scheme"
)

const (
	pod   = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}`
	lease = `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"a"}}`
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	for _, text := range []string{pod, lease} {
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode([]byte(text), nil, nil)
		if err != nil {
			return err
		}
		accessor, err := meta.Accessor(object)
		if err != nil || accessor.GetName() != "a" {
			return fmt.Errorf("decode %s: %v", text, err)
		}
	}
	size, err := strippedSize()
	if err != nil {
		return err
	}
	var report contract.Report
	report.Add("pod_and_lease", "KB", float64(size)/1000)
	report.Print()
	return nil
}

func strippedSize() (int64, error) {
	program, err := os.Executable()
	if err != nil {
		return 0, err
	}
	folder, err := os.MkdirTemp("", "size")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	stripped := filepath.Join(folder, "stripped")
	if out, err := exec.Command("strip", "-o", stripped, program).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("strip %s: %w: %s", program, err, out)
	}
	info, err := os.Stat(stripped)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
