package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// moduleDirs gives the folder of each module.
func moduleDirs(o options) (map[string]string, error) {
	if o.modules == "" {
		return downloadModules(o.goCommand, o.version)
	}
	dirs := map[string]string{}
	for _, module := range modules {
		dirs[module] = filepath.Join(o.modules, filepath.FromSlash(module))
		if _, err := os.Stat(dirs[module]); err != nil {
			return nil, fmt.Errorf("find module %s: %w", module, err)
		}
	}
	return dirs, nil
}

// downloadModules unpacks the modules into Go's module cache and gives the folder of each.
func downloadModules(goCommand, version string) (map[string]string, error) {
	dir, err := os.MkdirTemp("", "import_kubernetes")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module scratch\n"), 0o644); err != nil {
		return nil, err
	}
	arguments := []string{"mod", "download", "-json"}
	for _, module := range modules {
		arguments = append(arguments, module+"@v"+version)
	}
	command := exec.Command(goCommand, arguments...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, runError := command.Output()
	dirs, err := readDownloads(out)
	if err != nil {
		return nil, err
	}
	if runError != nil {
		return nil, fmt.Errorf("download modules: %w: %s", runError, stderr.Bytes())
	}
	return dirs, nil
}

// readDownloads reads what "go mod download -json" prints: one object a module.
func readDownloads(out []byte) (map[string]string, error) {
	dirs := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var module struct{ Path, Dir, Error string }
		if err := decoder.Decode(&module); errors.Is(err, io.EOF) {
			return dirs, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the list of modules: %w", err)
		}
		if module.Error != "" {
			return nil, fmt.Errorf("download module %s: %s", module.Path, module.Error)
		}
		dirs[module.Path] = module.Dir
	}
}
